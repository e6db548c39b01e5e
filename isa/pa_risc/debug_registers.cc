#include "isa/pa_risc/debug_registers.h"

#include <string>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/disassembly.h"
#include "isa/pa_risc/status_word.h"

namespace hardclock::pa_risc {
namespace {

using debug::RegisterFile;
using debug::RegisterValue;
template <auto member>
using Plain = debug::MemberOfRegisters<registers_of, member>;

constexpr unsigned number_of_front = 33, first_fpr = 64, fprs = 32;

std::string name_of_general(unsigned n) { return std::string(general_register_name(n)); }

// GDB writes the front of the queue, then the back.
bool write_front(Cpu& cpu, unsigned, RegisterValue value) {
  registers_of(cpu).set_pc(static_cast<std::uint64_t>(value));
  return true;
}
bool write_back(Cpu& cpu, unsigned, RegisterValue value) {
  registers_of(cpu).next_pc = static_cast<std::uint64_t>(value) & ~Registers::privilege_bits;
  return true;
}

template <unsigned bits>
std::optional<RegisterValue> read_status_word(Cpu& cpu, unsigned) {
  return status_word_of(registers_of(cpu), bits);
}
template <unsigned bits>
bool write_status_word(Cpu& cpu, unsigned, RegisterValue value) {
  Registers& registers = registers_of(cpu);
  const std::uint64_t before = status_word_of(registers, bits);
  take_status_word(registers,
                   before ^ static_cast<std::uint64_t>(debug::within(before ^ value, bits)));
  return true;
}

// ---- Halves of floating-point registers.

std::string name_of_half(unsigned half) {
  return "fr" + std::to_string(half / 2) + (half % 2 == 0 ? "L" : "R");
}
// How far left a half is in its register.
unsigned shift(unsigned half) { return half % 2 == 0 ? 32 : 0; }
std::optional<RegisterValue> read_half(Cpu& cpu, unsigned half) {
  return to_word(registers_of(cpu).fpr[half / 2] >> shift(half));
}
bool write_half(Cpu& cpu, unsigned half, RegisterValue value) {
  std::uint64_t& whole = registers_of(cpu).fpr[half / 2];
  const std::uint64_t others = std::uint64_t{0xffff'ffff} << (32 - shift(half));
  whole = (whole & others) | static_cast<std::uint64_t>(value) << shift(half);
  return true;
}

constexpr RegisterFile halves = {.first = first_fpr,
                                 .count = 2 * fprs,
                                 .bits = 32,
                                 .read = read_half,
                                 .write = write_half,
                                 .name_of = name_of_half};
constexpr RegisterFile wholes =
    Plain<&Registers::fpr>::file({.first = first_fpr, .count = fprs, .name = "fr"});

template <unsigned word_bits>
constexpr RegisterFile files[] = {
    Plain<&Registers::gpr>::file(
        {.first = 1, .count = 31, .bits = word_bits, .first_index = 1, .name_of = name_of_general}),
    Plain<&Registers::shift_amount>::file({.first = 32, .bits = 6, .name = "sar"}),
    {.first = number_of_front,
     .bits = word_bits,
     .name = "pc",
     .read = Plain<&Registers::pc>::read,
     .write = write_front},
    {.first = 35,
     .bits = word_bits,
     .name = "npc",
     .read = Plain<&Registers::next_pc>::read,
     .write = write_back},
    {.first = 41,
     .bits = word_bits,
     .name = "psw",
     .read = read_status_word<word_bits>,
     .write = write_status_word<word_bits>},
    Plain<&Registers::space>::file({.first = 43, .bits = 32, .name = "sr4", .first_index = 4}),
    Plain<&Registers::space>::file({.first = 44, .count = 4, .bits = 32, .name = "sr"}),
    Plain<&Registers::space>::file(
        {.first = 48, .count = 3, .bits = 32, .name = "sr", .first_index = 5}),
    Plain<&Registers::temporary>::file({.first = 57, .count = 7, .bits = word_bits, .name = "tr"}),
    word_bits == 64 ? wholes : halves,
    Plain<&Registers::temporary>::file(
        {.first = 128, .bits = word_bits, .name = "tr7", .first_index = 7}),
};

template <unsigned word_bits>
constexpr debug::RegisterSet set{files<word_bits>, number_of_front};

}  // namespace

const debug::RegisterSet& debug_registers(const Mode& mode) {
  return mode.wide ? set<64> : set<32>;
}

}  // namespace hardclock::pa_risc
