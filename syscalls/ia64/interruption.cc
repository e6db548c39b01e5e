#include "syscalls/ia64/interruption.h"

#include <utility>

#include "isa/ia64/floating_point_status.h"

namespace hardclock::ia64_ports {
namespace {

// Whether the last floating-point exception was a trap.
bool is_trap(std::uint32_t isr_code) {
  using namespace ia64::fp;
  constexpr std::uint32_t high_half = isr_overflow | isr_underflow | isr_inexact;
  return (isr_code & (high_half | high_half >> isr_low_half)) != 0;
}

void complete_trap(unsigned signal, const posix::SignalInfo& info, ia64::Registers& registers) {
  using Cause = posix::SignalInfo::Cause;
  const bool is_arithmetic =
      info.cause >= Cause::floating_invalid && info.cause <= Cause::floating_inexact;
  if (signal == posix::sigfpe && is_arithmetic && is_trap(registers.isr_code)) {
    registers.set_pc(BundleLayout::after(registers.pc, 1));
  }
}

// Of which nothing can be loaded now.
class AbsentStore final : public ia64::BackingStore {
 public:
  std::optional<std::uint64_t> load(std::uint64_t, Endian) override { return std::nullopt; }
  bool store(std::uint64_t, std::uint64_t, Endian) override { return false; }
};

void complete_return(ia64::Registers& registers) {
  const auto faulted = std::exchange(registers.faulted_return, std::nullopt);
  if (!faulted) return;
  const auto by_number =
      ia64::predicates_by_number(registers.predicates, registers.stack.marker().rrb_pr);
  AbsentStore absent;
  (void)registers.stack.ret(faulted->pfs, absent);
  registers.predicates = ia64::predicates_by_name(by_number, registers.stack.marker().rrb_pr);
  registers.ec = ia64::pfs_ec(faulted->pfs);
  registers.set_pc(faulted->target);
}

}  // namespace

void move_to_interruption(unsigned signal, const posix::SignalInfo& info,
                          ia64::Registers& registers) {
  complete_trap(signal, info, registers);
  complete_return(registers);
}

}  // namespace hardclock::ia64_ports
