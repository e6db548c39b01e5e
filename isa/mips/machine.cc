#include "isa/mips/machine.h"

namespace hardclock::mips {
namespace {

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

Interpreter::Interpreter(AddressSpace& memory, Mode mode, Level level, const Chip& chip)
    : BlockInterpreter(memory, mode.address_bits == 32 ? low_word : ~std::uint64_t{0}),
      fcsr_writable_(fcsr_writable(level)),
      fr_(mode.fr),
      fuses_multiply_add_(chip.fuses_multiply_add) {
  registers_.processor_revision = chip.processor_revision;
  registers_.fpu_revision = chip.fpu_revision;
}

template <class T>
Interpreter::Value Interpreter::load_linked(Value address) {
  const Value loaded = load<T>(address);
  registers_.link_valid = true;
  registers_.link_address = address & address_mask();
  return loaded;
}

template <class T>
Interpreter::Flag Interpreter::store_conditional(Value address, T value) {
  const std::uint64_t at = address & address_mask();
  const bool holds = registers_.link_valid && registers_.link_address == at;
  if (holds) {
    store(at, value);
  } else {
    // A conditional store that fails still takes the address exceptions of a store.
    host_of_store(at, sizeof(T));
  }
  registers_.link_valid = false;
  return holds;
}

template Interpreter::Value Interpreter::load_linked<std::uint32_t>(Value);
template Interpreter::Value Interpreter::load_linked<std::uint64_t>(Value);
template Interpreter::Flag Interpreter::store_conditional(Value, std::uint32_t);
template Interpreter::Flag Interpreter::store_conditional(Value, std::uint64_t);

}  // namespace hardclock::mips
