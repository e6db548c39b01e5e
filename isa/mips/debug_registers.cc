#include "isa/mips/debug_registers.h"

#include <string>

#include "isa/mips/abi.h"
#include "isa/mips/disassembly.h"

namespace hardclock::mips {
namespace {

constexpr unsigned general_registers = 32;
constexpr unsigned number_of_lo = 33, number_of_hi = 34, number_of_pc = 37, first_fpr = 38,
                   number_of_fcsr = 70, number_of_fir = 71, numbers = 72;

std::optional<std::uint64_t> read(Cpu& cpu, unsigned number) {
  const Registers& registers = registers_of(cpu);
  if (number < registers.gpr.size()) return registers.gpr[number];
  if (number >= first_fpr && number < number_of_fcsr) return registers.fpr[number - first_fpr];
  switch (number) {
    case number_of_lo:
      return registers.lo;
    case number_of_hi:
      return registers.hi;
    case number_of_pc:
      return registers.epc();
    case number_of_fcsr:
      return registers.fcsr;
    case number_of_fir:
      return registers.fpu_revision;
    default:
      return std::nullopt;
  }
}

bool write(Cpu& cpu, unsigned number, std::uint64_t value) {
  Registers& registers = registers_of(cpu);
  if (number == zero) return false;
  if (number < registers.gpr.size()) {
    registers.gpr[number] = value;
    return true;
  }
  if (number >= first_fpr && number < number_of_fcsr) {
    registers.fpr[number - first_fpr] = value;
    return true;
  }
  switch (number) {
    case number_of_lo:
      registers.lo = value;
      return true;
    case number_of_hi:
      registers.hi = value;
      return true;
    case number_of_pc:
      registers.set_pc(value);
      return true;
    case number_of_fcsr:
      registers.fcsr = static_cast<std::uint32_t>(value) & fcsr_writable_mips4;
      return true;
    default:
      return false;
  }
}

std::string name(unsigned number) {
  if (number < general_registers) return gpr_name(number);
  if (number >= first_fpr && number < number_of_fcsr) {
    return "f" + std::to_string(number - first_fpr);
  }
  switch (number) {
    case number_of_lo:
      return "lo";
    case number_of_hi:
      return "hi";
    case number_of_pc:
      return "pc";
    case number_of_fcsr:
      return "fcsr";
    case number_of_fir:
      return "fir";
    default:
      return {};
  }
}

}  // namespace

const debug::RegisterSet& debug_registers() {
  static constexpr debug::RegisterSet registers{numbers, number_of_pc, read, write, name};
  return registers;
}

}  // namespace hardclock::mips
