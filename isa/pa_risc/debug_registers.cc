#include "isa/pa_risc/debug_registers.h"

#include "isa/pa_risc/abi.h"

namespace hardclock::pa_risc {
namespace {

constexpr unsigned number_of_sar = 32, number_of_front = 33, number_of_back = 35,
                   first_temporary = 57, numbers = 64;

std::optional<std::uint64_t> read(Cpu& cpu, unsigned number) {
  const Registers& registers = registers_of(cpu);
  if (number == 0) return std::nullopt;  // GDB's "flags"
  if (number < registers.gpr.size()) return registers.gpr[number];
  if (number >= first_temporary && number < numbers) {
    return registers.temporary[number - first_temporary];
  }
  switch (number) {
    case number_of_sar:
      return registers.shift_amount;
    case number_of_front:
      return registers.pc;
    case number_of_back:
      return registers.next_pc;
    default:
      return std::nullopt;
  }
}

// GDB writes the front of the queue, then the back.
bool write(Cpu& cpu, unsigned number, std::uint64_t value) {
  Registers& registers = registers_of(cpu);
  if (number == 0) return false;
  if (number < registers.gpr.size()) {
    registers.gpr[number] = value;
    return true;
  }
  if (number >= first_temporary && number < numbers) {
    registers.temporary[number - first_temporary] = value;
    return true;
  }
  switch (number) {
    case number_of_sar:
      registers.shift_amount = value;
      return true;
    case number_of_front:
      registers.set_pc(value);
      return true;
    case number_of_back:
      registers.next_pc = value & ~Registers::privilege_bits;
      return true;
    default:
      return false;
  }
}

}  // namespace

const debug::RegisterSet& debug_registers() {
  static constexpr debug::RegisterSet registers{numbers, number_of_front, read, write};
  return registers;
}

}  // namespace hardclock::pa_risc
