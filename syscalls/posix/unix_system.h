// What makes one Unix different from another. The kernel (kernel.h) and the shared calls (calls.h)
// are written once; a system is one of these, its table of calls, and the calls that only it has.
#pragma once

#include <cstdint>
#include <functional>
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
#include "syscalls/posix/convention.h"
#include "syscalls/posix/errno.h"
#include "syscalls/posix/program_file.h"
#include "syscalls/posix/signals.h"
#include "syscalls/profil/system.h"

namespace hardclock::posix {

using Handler = CallResult (*)(Call&);

// open(2)'s flags besides the access mode, which is 0, 1 or 2 everywhere. 0: there is no such flag.
struct OpenFlags {
  std::uint32_t append = 0, create = 0, truncate = 0, exclusive = 0;
  std::uint32_t non_block = 0;  // a call that would wait answers EAGAIN
  std::uint32_t no_delay = 0;   // System V's: it answers 0 instead
  std::uint32_t sync = 0;
  std::uint32_t directory = 0, no_follow = 0;
  std::uint32_t close_on_exec = 0;
  std::uint32_t kept = 0;  // further ones that fcntl(F_GETFL) reports and that do nothing here
};

// mmap(2)'s; sharing is 1 or 2 and protection 1, 2 and 4 everywhere.
struct MapFlags {
  std::uint32_t fixed = 0;
  std::uint32_t anonymous = 0;  // 0: anonymous memory is a mapping of /dev/zero
  std::uint32_t autogrow = 0;   // a store behind the file's end makes it longer; 0: no such flag
};

// struct sigaction in words of 32 bits.
struct SigactionLayout {
  unsigned words = 0;
  unsigned flags = 0, handler = 0, mask = 0;  // where they are
  unsigned mask_words = 1;
  std::uint32_t restart = 0, reset_handler = 0, no_defer = 0, with_info = 0, on_stack = 0;
  std::uint32_t no_child_wait = 0, no_child_stop = 0;  // 0: there is no such flag
  std::uint32_t block = 1, unblock = 2, set_mask = 3;  // sigprocmask()'s first argument
};

// The flags of struct sigvec. 0: there is no such flag; SV_ONSTACK is then EINVAL.
struct SigvecFlags {
  std::uint32_t on_stack = 0;
  std::uint32_t interrupt = 2;  // a call that the handler interrupts fails; else it is made again
  std::uint32_t restart = 0;    // where there is this one: it is made again; else it fails
  std::uint32_t reset_handler = 4;
};

// What sigprocmask(how, set) makes of a mask; nothing: `how` is none of the system's.
std::optional<SignalSet> changed_mask(const SigactionLayout& layout, std::uint32_t how,
                                      const SignalSet& mask, const SignalSet& set);

// Where things lie in a process. Addresses and sizes in bytes.
struct Layout {
  GuestAddr user_end;  // the highest user address plus one
  // The same for 64-bit programs, which have the lower half of the address space unless the system
  // says otherwise: HP-UX's data is at 0x6000000000000000.
  GuestAddr user_end_64{std::uint64_t{1} << 63};
  GuestAddr stack_top;          // the stack ends here, or where it grows up, may not grow further
  GuestAddr stack_top_64 = {};  // of 64-bit programs, where that is another place
  std::uint64_t initial_stack = 0;
  std::uint64_t stack_limit = 0;  // it may grow to this size
  // Where mappings without an address go, in this order.
  struct Range {
    GuestAddr low, high;
  };
  std::span<const Range> mappings;
  std::size_t argument_bytes = 0;  // of argument and environment strings that exec accepts
  GuestAddr shared_program = {};   // a program without an address of its own goes here

  GuestAddr stack_top_of(const Convention& convention) const {
    const bool is_apart = convention.address_bits == 64 && stack_top_64 != GuestAddr(0);
    return is_apart ? stack_top_64 : stack_top;
  }
};

// What the words behind the environment on a program's first stack may refer to.
struct StackContext {
  const Program& program;
  const Image& image;     // the program's, where it lies in memory
  GuestAddr linker_base;  // where the dynamic linker's first segment lies; 0: none
  // Puts bytes on the stack; returns their address.
  std::function<GuestAddr(std::span<const std::uint8_t>)> push;
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
  SigvecFlags sigvec = {};
  Layout layout;
  Hertz clock_t_rate;  // of times(2), whatever the tick rate is set to
  // Whether in 64-bit programs, too, time_t is an int (in a timeval with padding behind it) and so
  // is the size in a stack_t.
  bool wide_times_are_int = false;
  bool wide_stack_size_is_int = false;
  // Whether ss_flags lies in front of ss_size in a stack_t.
  bool stack_flags_precede_size = false;
  // What fork() leaves in the child: 0; or the parent's pid and 1 as second result, by which libc's
  // stub knows it.
  bool fork_returns_zero = false;
  // Character devices that every machine with the system has and that do nothing here: they open,
  // read as empty and lose what is written. Others are not there.
  std::span<const std::string_view> devices = {};
  // The longest first line of a script, "#!" included, in bytes; 0: exec knows no scripts.
  std::size_t script_line = 0;
  const profil::System& (*profiling)();

  // What exec puts on the stack behind the environment, in words of the program; null: nothing.
  std::vector<std::uint64_t> (*auxiliary_vector)(const StackContext& context) = nullptr;
  // What exec maps besides the program and its stack; null: nothing.
  Result<Ok, ExecFailure> (*map_extras)(const UnixSystem& system, AddressSpace& memory,
                                        const Image& image, int pid) = nullptr;
  // What the system does besides what all do when a process has got a child (whose memory and state
  // are made), is about to exec or to end, and gets the processor; null: nothing.
  void (*after_fork)(Process& parent, Process& child) = nullptr;
  void (*before_exec)(Simulation& simulation, Process& process) = nullptr;
  void (*before_exit)(Simulation& simulation, Process& process) = nullptr;
  void (*switch_to)(Simulation& simulation, Process& process) = nullptr;
  // The signal of a trap that is not another one's than on other systems; null: none is.
  std::optional<unsigned> (*trap_signal)(const Trap& trap) = nullptr;
  // How messages call a call that is not in the table; null: by its number.
  std::string (*unknown_call)(unsigned number) = nullptr;
  // Saves the thread's context on its stack and makes it start the handler. Error: the stack cannot
  // take the frame.
  Result<Ok, Fault> (*push_handler)(const UnixSystem& system, Thread& thread, unsigned signal,
                                    const SignalInfo& info, const SignalAction& action) = nullptr;
};

}  // namespace hardclock::posix
