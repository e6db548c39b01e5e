#include "isa/ia64/debug_registers.h"

#include <cstddef>
#include <string>

#include "isa/ia64/abi.h"

namespace hardclock::ia64 {
namespace {

constexpr unsigned general_registers = 128, first_branch = 320, branch_registers = 8,
                   number_of_predicates = 330, number_of_ip = 331, number_of_pfs = 398,
                   number_of_lc = 399, number_of_ec = 400, numbers = 401;

bool is_branch(unsigned number) {
  return number >= first_branch && number < first_branch + branch_registers;
}

// Null: none of those that are plain words.
std::uint64_t* word(Registers& registers, unsigned number) {
  if (is_branch(number)) return &registers.br[number - first_branch];
  switch (number) {
    case number_of_predicates:
      return &registers.predicates;
    case number_of_pfs:
      return &registers.pfs;
    case number_of_lc:
      return &registers.lc;
    default:
      return nullptr;
  }
}

std::optional<std::uint64_t> read(Cpu& cpu, unsigned number) {
  Registers& registers = registers_of(cpu);
  if (number < general_registers) {
    if (!registers.stack.is_writable(number)) return std::nullopt;
    return registers.stack.value(number);
  }
  if (number == number_of_ip) return registers.bundle();
  if (number == number_of_ec) return registers.ec;
  const std::uint64_t* const found = word(registers, number);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

bool write(Cpu& cpu, unsigned number, std::uint64_t value) {
  Registers& registers = registers_of(cpu);
  if (number < general_registers) {
    if (number == 0 || !registers.stack.is_writable(number)) return false;
    registers.stack.write(number, value, false);
    return true;
  }
  if (number == number_of_ip) {
    registers.set_pc(value);
    return true;
  }
  std::uint64_t* const found = word(registers, number);
  if (found == nullptr) return false;
  *found = number == number_of_predicates ? value | 1 : value;  // p0 is always 1
  return true;
}

std::string name(unsigned number) {
  if (number < general_registers) return "r" + std::to_string(number);
  if (is_branch(number)) return "b" + std::to_string(number - first_branch);
  switch (number) {
    case number_of_predicates:
      return "pr";
    case number_of_ip:
      return "ip";
    case number_of_pfs:
      return "pfs";
    case number_of_lc:
      return "lc";
    case number_of_ec:
      return "ec";
    default:
      return {};
  }
}

}  // namespace

const debug::RegisterSet& debug_registers() {
  static constexpr debug::RegisterSet registers{numbers, number_of_ip, read, write, name};
  return registers;
}

}  // namespace hardclock::ia64
