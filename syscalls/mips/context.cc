#include "syscalls/mips/context.h"

namespace hardclock::mips_ports {

Context context_of(const Thread& thread, const SignalSet& mask, FprPairs pairs) {
  const mips::Registers& registers = mips::registers_of(*thread.cpu);
  Context context{.gpr = registers.gpr,
                  .fpr = registers.fpr,
                  .hi = registers.hi,
                  .lo = registers.lo,
                  .pc = registers.epc(),
                  .fcsr = registers.fcsr,
                  .mask = mask};
  context.gpr[0] = 0;
  if (pairs == FprPairs::apart) return context;
  for (std::size_t i = 0; i < context.fpr.size(); i += 2) {
    context.fpr[i] =
        std::uint64_t{mips::to_word(registers.fpr[i + 1])} << 32 | mips::to_word(registers.fpr[i]);
    context.fpr[i + 1] = 0;
  }
  return context;
}

void take_up_registers(const Context& context, Thread& thread, std::size_t register_bytes,
                       FprPairs pairs) {
  mips::Registers& registers = mips::registers_of(*thread.cpu);
  const bool is_word = register_bytes == 4 || data_model_of(thread.process) == DataModel::o32;
  const auto held = [is_word](std::uint64_t value) {
    return is_word ? mips::to_register(mips::to_word(value)) : value;
  };
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) registers.gpr[i] = held(context.gpr[i]);
  registers.fpr = context.fpr;
  if (pairs == FprPairs::in_first) {
    for (std::size_t i = 0; i < registers.fpr.size(); i += 2) {
      registers.fpr[i] = context.fpr[i] & 0xffffffff;
      registers.fpr[i + 1] = context.fpr[i] >> 32;
    }
  }
  registers.hi = held(context.hi);
  registers.lo = held(context.lo);
  registers.fcsr = context.fcsr & mips::fcsr_writable_mips4;
}

}  // namespace hardclock::mips_ports
