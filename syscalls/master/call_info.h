// One call as a system's table of calls (syscalls.master, README.md) describes it. mastergen writes
// these; dispatch, strace and `hardclock syscalls` read them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hardclock {

enum class CallState : std::uint8_t { done, partial, missing };

// The kind of an argument or a result, which decides how strace prints it. README.md, "Kinds".
enum class ValueKind : std::uint8_t {
  int32,       // int
  uint32,      // uint
  word,        // long: signed, as wide as a pointer
  int64,       // int64: two slots of a 32-bit system, the high one first
  size,        // size: unsigned, as wide as a pointer
  hex,         // hex
  pointer,     // ptr
  fd,          // fd
  pid,         // pid
  signal,      // signal
  mode,        // mode
  path,        // path
  string,      // string
  in,          // in(SIZE): a buffer that the call reads
  out,         // out(SIZE): a buffer that the call fills, as far as its result says
  out_string,  // outstring: a string that the call fills in
  subcode,     // subcode: selects the request of a multiplexed call
  call,        // call: the number of the call that an indirect call makes
  pad,         // pad: a slot that aligns the next one
  rest,        // ...: further arguments, which depend on the others
  unknown,     // ?: arguments that nobody has documented
  none,        // none: the call does not return
};

// The table's spelling, which is also the enumerator's name: "done".
std::string_view state_name(CallState state);
std::optional<CallState> find_state(std::string_view name);

// The table's spelling: "int", "in", "...".
std::string_view kind_name(ValueKind kind);
std::optional<ValueKind> find_kind(std::string_view name);

// The argument slots (registers or stack words) that a value of this kind takes. 0 for the kinds
// that stand for any number of arguments.
constexpr unsigned slots_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::rest:
    case ValueKind::unknown:
    case ValueKind::none:
      return 0;
    case ValueKind::int64:
      return 2;
    default:
      return 1;
  }
}

inline constexpr unsigned max_call_slots = 8;

struct ArgInfo {
  ValueKind kind = ValueKind::int32;
  std::string_view name;     // empty for pad, rest and unknown
  unsigned size_argument{};  // in, out: index in CallInfo::arguments of the size in bytes
};

// A call, or one request of a multiplexed call.
struct CallInfo {
  unsigned number = 0;                   // as the program issues it
  std::optional<unsigned> subcode;       // a request: its code
  CallState state = CallState::missing;  // a multiplexed call: the sum of its requests
  std::string_view name;                 // not always unique; the handler's name is
  unsigned word_bits = 32;               // of long, size and pointers: 32 or 64
  ValueKind result = ValueKind::int32;
  std::optional<ArgInfo> second_result;  // the second result register has a value
  std::span<const ArgInfo> arguments;    // a request: without the sub-code
  unsigned slot_count = 0;               // argument slots to fetch, including the sub-code's
  std::optional<unsigned> selector;      // the slot of the sub-code, also for a request
  std::string_view prototype;            // as in the table, for people
  std::string_view note;                 // for the user; what is missing, if partial

  bool is_multiplexed() const { return selector.has_value() && !subcode.has_value(); }
};

// A call of a table that ascends by number, then sub-code; nullptr if the table does not have it.
// Without a sub-code the result is the multiplexed call itself.
const CallInfo* find_call(std::span<const CallInfo> calls, unsigned number,
                          std::optional<unsigned> subcode);

}  // namespace hardclock
