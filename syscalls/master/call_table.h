// A system's table of calls as mastergen writes it: numbers only. A table of pointers would cost
// every start of the program: where a program lies is known only then, and all pointers of all
// systems would be set.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "syscalls/master/call_info.h"

namespace hardclock {

// A part of the table's text.
struct PackedText {
  std::uint32_t start = 0;
  std::uint32_t size = 0;
};

// As ArgInfo.
struct PackedArgument {
  ValueKind kind = ValueKind::int32;
  PackedText name;
  unsigned size_argument = 0;
};

// As CallInfo.
struct PackedCall {
  unsigned number = 0;
  std::optional<unsigned> subcode;
  CallState state = CallState::missing;
  PackedText name;
  unsigned word_bits = 32;
  ValueKind result = ValueKind::int32;
  std::optional<PackedArgument> second_result;
  unsigned argument_count = 0;  // of the table's arguments, behind those of the call before
  unsigned slot_count = 0;
  std::optional<unsigned> selector;
  PackedText prototype;
  PackedText note;
};

// What the packed parts stand for. `text` outlives the table.
class CallTable {
 public:
  CallTable(std::string_view text, std::span<const PackedCall> calls,
            std::span<const PackedArgument> arguments);
  CallTable(const CallTable&) = delete;
  CallTable& operator=(const CallTable&) = delete;

  std::span<const CallInfo> calls() const { return calls_; }

 private:
  std::vector<ArgInfo> arguments_;
  std::vector<CallInfo> calls_;  // refer to arguments_
};

}  // namespace hardclock
