#include "isa/mips/debug_registers.h"

#include <string>

#include "isa/mips/abi.h"
#include "isa/mips/disassembly.h"

namespace hardclock::mips {
namespace {

using debug::RegisterFile;
using debug::RegisterValue;
template <auto member>
using Plain = debug::MemberOfRegisters<registers_of, member>;

constexpr unsigned number_of_pc = 37;

std::string name_of_general(unsigned n) { return std::string(general_register_name(n)); }

template <auto member>
bool write_word(Cpu& cpu, unsigned index, RegisterValue value) {
  return Plain<member>::write(cpu, index, to_register(static_cast<std::uint32_t>(value)));
}

template <auto member>
constexpr RegisterFile integers(RegisterFile file) {
  file = Plain<member>::file(file);
  if (file.bits == 32) file.write = write_word<member>;
  return file;
}

std::optional<RegisterValue> read_pc(Cpu& cpu, unsigned) { return registers_of(cpu).epc(); }
bool write_pc(Cpu& cpu, unsigned, RegisterValue value) {
  registers_of(cpu).set_pc(static_cast<std::uint64_t>(value));
  return true;
}

bool write_fcsr(Cpu& cpu, unsigned, RegisterValue value) {
  registers_of(cpu).fcsr = static_cast<std::uint32_t>(value) & fcsr_writable_mips4;
  return true;
}

template <unsigned bits, unsigned fpr_bits>
constexpr RegisterFile files[] = {
    {.first = zero, .bits = bits, .name = "zero", .read = Plain<&Registers::gpr>::read},
    integers<&Registers::gpr>(
        {.first = 1, .count = 31, .bits = bits, .first_index = 1, .name_of = name_of_general}),
    integers<&Registers::lo>({.first = 33, .bits = bits, .name = "lo"}),
    integers<&Registers::hi>({.first = 34, .bits = bits, .name = "hi"}),
    {.first = number_of_pc, .bits = bits, .name = "pc", .read = read_pc, .write = write_pc},
    Plain<&Registers::fpr>::file({.first = 38, .count = 32, .bits = fpr_bits, .name = "f"}),
    {.first = 70,
     .bits = 32,
     .name = "fcsr",
     .read = Plain<&Registers::fcsr>::read,
     .write = write_fcsr},
    {.first = 71, .bits = 32, .name = "fir", .read = Plain<&Registers::fpu_revision>::read},
    integers<&Registers::user_local>({.first = 72, .bits = bits, .name = "ulr"}),
};

template <unsigned bits, unsigned fpr_bits>
constexpr debug::RegisterSet set{files<bits, fpr_bits>, number_of_pc};

}  // namespace

const debug::RegisterSet& debug_registers(const Mode& mode) {
  if (mode.operation_bits == 32) return mode.fr ? set<32, 64> : set<32, 32>;
  return mode.fr ? set<64, 64> : set<64, 32>;
}

}  // namespace hardclock::mips
