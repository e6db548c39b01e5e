#include "syscalls/mips/context.h"

namespace hardclock::mips_ports {
namespace {

std::uint64_t saved_fpr(const ContextLayout& layout, const mips::Registers& registers,
                        std::size_t index) {
  if (!layout.has_fpr_pairs) return registers.fpr[index];
  if (index % 2 != 0) return 0;
  return std::uint64_t{mips::to_word(registers.fpr[index + 1])} << 32 |
         mips::to_word(registers.fpr[index]);
}

void restore_fpr(const ContextLayout& layout, mips::Registers& registers, std::size_t index,
                 std::uint64_t value) {
  if (!layout.has_fpr_pairs) {
    registers.fpr[index] = value;
  } else if (index % 2 == 0) {
    registers.fpr[index] = value & 0xffffffff;
    registers.fpr[index + 1] = value >> 32;
  }
}

}  // namespace

void save_registers(posix::Fields& context, const ContextLayout& layout,
                    const mips::Registers& registers) {
  const std::size_t width = layout.register_bytes;
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    context.put(layout.gpr + width * i, registers.gpr[i], width);
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    context.put(layout.fpr + width * i, saved_fpr(layout, registers, i), width);
  }
  context.put(layout.hi, registers.hi, width);
  context.put(layout.lo, registers.lo, width);
  context.put32(layout.fcsr, registers.fcsr);
}

void restore_registers(const posix::Fields& context, const ContextLayout& layout, DataModel model,
                       mips::Registers& registers) {
  const std::size_t width = layout.register_bytes;
  const auto get = [&](std::size_t at) {
    const std::uint64_t value = context.get(at, width);
    const bool is_word = width == 4 || model == DataModel::o32;
    return is_word ? mips::to_register(mips::to_word(value)) : value;
  };
  for (std::size_t i = 1; i < registers.gpr.size(); ++i) {
    registers.gpr[i] = get(layout.gpr + width * i);
  }
  for (std::size_t i = 0; i < registers.fpr.size(); ++i) {
    restore_fpr(layout, registers, i, context.get(layout.fpr + width * i, width));
  }
  registers.hi = get(layout.hi);
  registers.lo = get(layout.lo);
  registers.fcsr = context.get32(layout.fcsr) & mips::fcsr_writable_mips4;
}

}  // namespace hardclock::mips_ports
