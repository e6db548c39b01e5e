// What makes one Unix different from another. The kernel (kernel.h) and the shared calls (calls.h)
// are written once; a system is one of these, its table of calls, and the calls that only it has.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"
#include "sim/process/process.h"
#include "syscalls/master/call_info.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/signals.h"
#include "syscalls/profil/system.h"

namespace hardclock::posix {

using Handler = CallResult (*)(Call&);

// open(2)'s flags besides the access mode, which is 0, 1 or 2 everywhere. 0: there is no such flag.
struct OpenFlags {
  std::uint32_t append = 0, create = 0, truncate = 0, exclusive = 0;
};

// mmap(2)'s; sharing is 1 or 2 and protection 1, 2 and 4 everywhere.
struct MapFlags {
  std::uint32_t fixed = 0;
  std::uint32_t anonymous = 0;  // 0: anonymous memory is a mapping of /dev/zero
};

// struct sigaction in words of 32 bits.
struct SigactionLayout {
  unsigned words = 0;
  unsigned flags = 0, handler = 0, mask = 0;  // where they are
  unsigned mask_words = 1;
  std::uint32_t restart = 0, reset_handler = 0, no_defer = 0, with_info = 0, on_stack = 0;
  std::uint32_t block = 1, unblock = 2, set_mask = 3;  // sigprocmask()'s first argument
};

// What sigprocmask(how, set) makes of a mask; nothing: `how` is none of the system's.
std::optional<SignalSet> changed_mask(const SigactionLayout& layout, std::uint32_t how,
                                      const SignalSet& mask, const SignalSet& set);

// Where things lie in a process. Addresses and sizes in bytes.
struct Layout {
  GuestAddr user_end;   // the highest user address plus one
  GuestAddr stack_top;  // the stack ends here
  std::uint64_t initial_stack = 0;
  std::uint64_t stack_limit = 0;  // it may grow to this size
  // Where mappings without an address go, in this order.
  struct Range {
    GuestAddr low, high;
  };
  std::span<const Range> mappings;
  std::size_t argument_bytes = 0;  // of argument and environment strings that exec accepts
};

// Why exec failed, for the program and for the user.
struct ExecFailure {
  Errno error;
  std::string message;
};

struct UnixSystem {
  std::string_view name;   // as --os spells it
  std::string_view title;  // "IRIX", in messages
  // Its call table, and who answers a call or a request of a multiplexed one; null: nobody.
  std::span<const CallInfo> calls;
  Handler (*handler)(unsigned number, std::optional<unsigned> subcode);
  // The call whose first argument is the number of the call to make.
  std::optional<unsigned> indirect_call;
  ErrnoNumbers errnos;
  OpenFlags open_flags;
  MapFlags map_flags;
  SignalTable signals;
  SigactionLayout sigaction;
  Layout layout;
  Hertz clock_t_rate;  // of times(2), whatever the tick rate is set to
  const profil::System& (*profiling)();

  // What exec puts on the stack behind the environment; null: nothing.
  std::vector<std::uint32_t> (*auxiliary_vector)(const Image& image) = nullptr;
  // What exec maps besides the program and its stack; null: nothing.
  Result<Ok, ExecFailure> (*map_extras)(const UnixSystem& system, AddressSpace& memory,
                                        int pid) = nullptr;
  // Saves the thread's context on its stack and makes it start the handler. Error: the stack cannot
  // take the frame.
  Result<Ok, Fault> (*push_handler)(const UnixSystem& system, Thread& thread, unsigned signal,
                                    const SignalInfo& info, const SignalAction& action) = nullptr;
};

}  // namespace hardclock::posix
