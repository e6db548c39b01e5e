// HP-UX's calls about a thread's private pointer, which code for threads finds in a register: r13
// of IA-64, which these calls read and write (HP's simulator Ski, src/hpux/syscall-hpux.c), and
// control register 27 of PA-RISC (GCC, config/pa/pa.md, tp_load). That they answer as the calls of
// the same names of Solaris 2.5 is our choice.
#include "isa/ia64/abi.h"
#include "isa/pa_risc/abi.h"
#include "syscalls/hpux/calls.h"

namespace hardclock::hpux::calls {

CallResult lwp_getprivate(Call& call) {
  Cpu& cpu = *call.thread.cpu;
  if (call.process.image->architecture == Architecture::ia64) {
    return CallResult::value(ia64::registers_of(cpu).stack.value(ia64::tp));
  }
  constexpr unsigned thread_pointer = 27 - pa_risc::control_temporary;
  return CallResult::value(pa_risc::registers_of(cpu).temporary[thread_pointer]);
}

CallResult lwp_setprivate(Call& call) {
  call.abi().set_thread_pointer(*call.thread.cpu, call.arguments[0]);
  return CallResult::value(0);
}

}  // namespace hardclock::hpux::calls
