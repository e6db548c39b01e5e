// Where a processor is when the kernel learns of a fault or trap.
#pragma once

#include "isa/ia64/registers.h"
#include "syscalls/posix/signals.h"

namespace hardclock::ia64_ports {

// Of a thread that is at the instruction which has just caused the signal: moves it behind the
// instruction if that was a floating-point trap. A trap comes when its instruction is over, with
// IIP and ISR.ri at the next one; a fault's instruction is executed again (SDM 2, chapter 5;
// chapter 8, Floating-point Trap vector; Linux, arch/ia64/kernel/traps.c, handle_fpu_swa()).
void complete_trap(unsigned signal, const posix::SignalInfo& info, ia64::Registers& registers);

}  // namespace hardclock::ia64_ports
