#include "isa/mips/abi.h"

namespace hardclock::mips {

Result<std::uint32_t, Fault> argument(Cpu& cpu, AddressSpace& memory, unsigned index) {
  constexpr unsigned register_arguments = 4;
  const Registers& registers = registers_of(cpu);
  if (index < register_arguments) return to_word(registers.gpr[a0 + index]);
  // The caller reserves home space for the register arguments, so argument n is at 4n(sp).
  return memory.read<std::uint32_t>(GuestAddr(to_word(registers.gpr[sp]) + 4 * index));
}

}  // namespace hardclock::mips
