// Where a processor is when the kernel learns of a fault or trap.
#pragma once

#include "isa/ia64/registers.h"
#include "syscalls/posix/signals/signals.h"

namespace hardclock::ia64_ports {

// Moves a thread from the instruction that has just caused the signal to the one that IIP and
// ISR.ri tell of, if that is another one:
// * a floating-point trap comes when its instruction is over, and tells of the next one; a fault's
//   instruction is executed again (SDM 2, chapter 5; chapter 8, Floating-point Trap vector; Linux,
//   arch/ia64/kernel/traps.c, handle_fpu_swa());
// * a br.ret that cannot load its frame has branched: the fault is its target's, whose frame is
//   incomplete then (SDM 2, 6.6 and 6.8).
void move_to_interruption(unsigned signal, const posix::SignalInfo& info,
                          ia64::Registers& registers);

}  // namespace hardclock::ia64_ports
