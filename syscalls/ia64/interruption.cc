#include "syscalls/ia64/interruption.h"

#include "isa/ia64/floating_point_status.h"

namespace hardclock::ia64_ports {
namespace {

// Whether the last floating-point exception was a trap.
bool is_trap(std::uint32_t isr_code) {
  using namespace ia64::fp;
  constexpr std::uint32_t high_half = isr_overflow | isr_underflow | isr_inexact;
  return (isr_code & (high_half | high_half >> isr_low_half)) != 0;
}

}  // namespace

void complete_trap(unsigned signal, const posix::SignalInfo& info, ia64::Registers& registers) {
  using Cause = posix::SignalInfo::Cause;
  const bool is_arithmetic =
      info.cause >= Cause::floating_invalid && info.cause <= Cause::floating_inexact;
  if (signal == posix::sigfpe && is_arithmetic && is_trap(registers.isr_code)) {
    registers.set_pc(BundleLayout::after(registers.pc, 1));
  }
}

}  // namespace hardclock::ia64_ports
