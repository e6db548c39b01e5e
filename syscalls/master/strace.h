// System calls as text, in the manner of strace(1).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/address_space.h"
#include "syscalls/master/call_info.h"

namespace hardclock {

struct ErrnoName {
  std::string_view name;  // "ENOENT"; empty if the number has none
  unsigned number = 0;
};

// A system's name for a signal, "SIGUSR1"; empty if the number has none.
using SignalName = std::function<std::string_view(unsigned signal)>;

// What a call's text needs to know of its system.
struct CallTextRules {
  SignalName signal_name = nullptr;                          // none: signals are numbers
  std::uint64_t create_flag = 0;                             // open(2)'s O_CREAT; 0: not known
  GuestAddr (*address_of)(std::uint64_t pointer) = nullptr;  // nullptr: a pointer is an address
};

// A call with its arguments. Strings and buffers that the call reads are copied at construction,
// before the call can overwrite them; buffers that it fills are read after it has returned.
//
// Reading guest memory has no effect: no stack grows, nothing faults, though pages may be filled as
// by a first touch. Strings and buffers are cut after 32 bytes; paths are printed whole (strace(1),
// -s). Unreadable memory is printed as its address.
class CallText {
 public:
  // `slots`: the argument slots as the call's ABI passes them, call.slot_count of them, including a
  // request's sub-code. More are ignored; an argument without a slot prints as ?. The mode of an
  // open(2) that creates nothing is left out, as nobody passes one.
  CallText(const CallInfo& call, std::span<const std::uint64_t> slots, AddressSpace& memory,
           const CallTextRules& rules = {});

  // `read(3, 0x7fff2000, 10)`: for a call that starts, waits or failed.
  std::string at_entry() const;
  // `read(3, "root", 10)`: for a call that succeeded with this result.
  std::string at_return(std::uint64_t value, AddressSpace& memory) const;

 private:
  // An argument that the call fills in.
  struct Output {
    std::size_t text;  // index in texts_
    ValueKind kind;
    GuestAddr address;
    std::uint64_t pointer;  // that stands for it
    std::uint64_t size;     // of a buffer, in bytes
  };

  void add_argument(ValueKind kind, std::uint64_t value, std::uint64_t size, AddressSpace& memory,
                    const CallTextRules& rules);

  std::string_view name_;
  unsigned word_bits_;
  std::vector<std::string> texts_;  // of the arguments, outputs as addresses
  std::vector<Output> outputs_;
};

// ` = 3`, ` = 12 (ppid 1)`, ` = -1 ENOENT (2)`, or ` = ?` for a call that does not return. `second`
// counts only if the table gives the call a second result.
std::string format_result(const CallInfo& call, std::uint64_t value,
                          std::optional<std::uint64_t> second, std::optional<ErrnoName> error);

}  // namespace hardclock
