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

// FCR0: the implementation in bits 15..8 (Kane and Heinrich, table 9.5; Heinrich, "MIPS R4000
// User's Manual", table 6-3; "MIPS R10000 User's Manual", section 14.5). From MIPS32 on it also
// says which formats there are: S, D, W, L and, in release 2, that FR = 1 is possible ("MIPS64
// Architecture For Programmers", volume I, table 5-5).
std::uint32_t fp_implementation(Level level) {
  constexpr std::uint32_t single = 1 << 16, double_ = 1 << 17, word = 1 << 20, long_ = 1 << 21;
  constexpr std::uint32_t fr_possible = 1 << 22;
  switch (level) {
    case Level::mips1:
    case Level::mips2:
      return 0x0340;
    case Level::mips3:
      return 0x0500;
    case Level::mips4:
      return 0x0900;
    case Level::mips32:
      return single | double_;
    case Level::mips64:
      return single | double_ | word | long_;
    case Level::mips32r2:
    case Level::mips64r2:
      return single | double_ | word | long_ | fr_possible;
  }
  return 0;
}

}  // namespace

Interpreter::Interpreter(AddressSpace& memory, Mode mode, Level level, bool fuses_multiply_add)
    : BlockInterpreter(memory, mode.address_bits == 32 ? low_word : ~std::uint64_t{0}),
      fcsr_writable_(fcsr_writable(level)),
      fp_implementation_(hardclock::mips::fp_implementation(level)),
      fr_(mode.fr),
      fuses_multiply_add_(fuses_multiply_add) {}

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
