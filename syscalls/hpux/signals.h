// How HP-UX starts a signal handler on PA-RISC, and where the handler returns to: the C library's
// own code, whose address sigsetreturn() told the kernel; it calls sigcleanup(). Sources: GDB,
// gdb/hppa-hpux-tdep.c (struct save_state, where a frame has it); GCC,
// libgcc/config/pa/hpux-unwind.h (siglocalx); HP-UX 11i, signal(5) and sigvector(2).
#pragma once

#include "sim/base/result.h"
#include "sim/process/process.h"
#include "sim/state/archive.h"
#include "syscalls/posix/state.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::hpux {

posix::SignalTable signal_table();

// Port::trap_signal. HP-UX has SIGILL for a BREAK that is no debugger's, and SIGFPE for an
// instruction of a coprocessor that is not there (signal(5)).
std::optional<unsigned> trap_signal(const Trap& trap);

// Port::push_handler. The frame is a siglocalx, of which a sigcontext is all that programs
// know: its ucontext, and behind that the frame marker of the code that the handler returns to.
Result<Ok, Fault> push_handler(const posix::UnixSystem& system, Thread& thread, unsigned signal,
                               const posix::SignalInfo& info, const SignalAction& action);

// Port::pop_handler
Result<Ok, Fault> pop_handler(const posix::UnixSystem& system, Thread& thread, bool with_info);

// Port::take_up_ucontext, and the sizes of a ucontext in programs of both widths.
Result<Ok, Fault> take_up_ucontext(const posix::UnixSystem& system, Thread& thread,
                                   GuestAddr ucontext);
inline constexpr std::size_t ucontext_bytes_32 = 56 + 1152, ucontext_bytes_64 = 80 + 1152;

// What only HP-UX keeps for a process.
class HpuxState final : public posix::SystemState {
 public:
  std::unique_ptr<SystemState> fork() const override { return std::make_unique<HpuxState>(*this); }
  void archive(Archive& to) override;
  Blank<SystemState> blank() const override { return blank_of<HpuxState>(); }

  GuestAddr handler_return;  // sigsetreturn()
};
HpuxState& hpux_state_of(Process& process);

}  // namespace hardclock::hpux
