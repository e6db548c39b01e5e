#include "isa/pa_risc/debug_registers.h"

#include <string>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/disassembly.h"

namespace hardclock::pa_risc {
namespace {

constexpr unsigned general_registers = 32;
constexpr unsigned number_of_sar = 32, number_of_front = 33, number_of_back = 35,
                   first_temporary = 57, first_fpr = 64, fprs = 32;

// GDB calls number 0 "flags".
std::optional<std::uint64_t> read_common(const Registers& registers, unsigned number) {
  if (number == 0) return std::nullopt;
  if (number < registers.gpr.size()) return registers.gpr[number];
  if (number >= first_temporary && number < first_fpr) {
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
bool write_common(Registers& registers, unsigned number, std::uint64_t value) {
  if (number == 0) return false;
  if (number < registers.gpr.size()) {
    registers.gpr[number] = value;
    return true;
  }
  if (number >= first_temporary && number < first_fpr) {
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

// Floating-point registers as halves, for 32-bit programs.
struct Halves {
  static constexpr unsigned count = 2 * fprs;
  static std::string name(unsigned half) {
    return "fr" + std::to_string(half / 2) + (half % 2 == 0 ? "L" : "R");
  }
  // How far left a half is in its register.
  static unsigned shift(unsigned half) { return half % 2 == 0 ? 32 : 0; }
  static std::uint64_t read(const Registers& registers, unsigned half) {
    return static_cast<std::uint32_t>(registers.fpr[half / 2] >> shift(half));
  }
  static void write(Registers& registers, unsigned half, std::uint64_t value) {
    constexpr std::uint64_t word = 0xffff'ffff;
    std::uint64_t& whole = registers.fpr[half / 2];
    whole = (whole & ~(word << shift(half))) | (value & word) << shift(half);
  }
};

struct Wholes {
  static constexpr unsigned count = fprs;
  static std::string name(unsigned n) { return "fr" + std::to_string(n); }
  static std::uint64_t read(const Registers& registers, unsigned n) { return registers.fpr[n]; }
  static void write(Registers& registers, unsigned n, std::uint64_t value) {
    registers.fpr[n] = value;
  }
};

template <class FloatingPoint>
std::optional<std::uint64_t> read(Cpu& cpu, unsigned number) {
  const Registers& registers = registers_of(cpu);
  if (number < first_fpr) return read_common(registers, number);
  if (number - first_fpr >= FloatingPoint::count) return std::nullopt;
  return FloatingPoint::read(registers, number - first_fpr);
}

template <class FloatingPoint>
bool write(Cpu& cpu, unsigned number, std::uint64_t value) {
  Registers& registers = registers_of(cpu);
  if (number < first_fpr) return write_common(registers, number, value);
  if (number - first_fpr >= FloatingPoint::count) return false;
  FloatingPoint::write(registers, number - first_fpr, value);
  return true;
}

std::string name_of_common(unsigned number) {
  if (number == 0) return {};
  if (number < general_registers) return gpr_name(number);
  if (number >= first_temporary && number < first_fpr) {
    return "tr" + std::to_string(number - first_temporary);
  }
  switch (number) {
    case number_of_sar:
      return "sar";
    case number_of_front:
      return "pc";
    case number_of_back:
      return "npc";
    default:
      return {};
  }
}

template <class FloatingPoint>
std::string name(unsigned number) {
  if (number < first_fpr) return name_of_common(number);
  if (number - first_fpr >= FloatingPoint::count) return {};
  return FloatingPoint::name(number - first_fpr);
}

template <class FloatingPoint>
constexpr debug::RegisterSet set_with{first_fpr + FloatingPoint::count, number_of_front,
                                      read<FloatingPoint>, write<FloatingPoint>,
                                      name<FloatingPoint>};

}  // namespace

const debug::RegisterSet& debug_registers(const Mode& mode) {
  return mode.wide ? set_with<Wholes> : set_with<Halves>;
}

}  // namespace hardclock::pa_risc
