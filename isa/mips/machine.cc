#include "isa/mips/machine.h"

namespace hardclock::mips {
namespace {

static_assert(Primitives<RecordingPrimitives, Gpr>);
static_assert(Primitives<HostPrimitives<Interpreter, Registers, Operands>, Gpr>);

std::uint32_t fcsr_writable(Level level) {
  switch (level) {
    case Level::mips1:
    case Level::mips2:
      return fcsr_writable_mips1;
    case Level::mips3:
      return fcsr_writable_mips3;
    default:
      return fcsr_writable_mips4;
  }
}

}  // namespace

Settings settings_of(Level level, const Mode& mode, const Chip& chip, Endian data_order) {
  return {.address_bits = mode.address_bits,
          .fr = mode.fr,
          .big_endian = data_order == Endian::big,
          .fuses_multiply_add = chip.fuses_multiply_add,
          .fpu_revision = chip.fpu_revision,
          .fcsr_writable = fcsr_writable(level)};
}

Interpreter::Interpreter(AddressSpace& memory, Mode mode, Level level, const Chip& chip)
    : Interpreter(memory, settings_of(level, mode, chip, memory.endian())) {
  registers_.processor_revision = chip.processor_revision;
  registers_.fpu_revision = chip.fpu_revision;
}

}  // namespace hardclock::mips
