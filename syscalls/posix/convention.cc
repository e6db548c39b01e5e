#include "syscalls/posix/convention.h"

#include "isa/mips/abi.h"

namespace hardclock::posix {
namespace {

constexpr unsigned n64_register_arguments = 8;

unsigned mips_call_number(Cpu& cpu) {
  return mips::to_word(mips::registers_of(cpu).gpr[mips::v0]);
}

Result<std::uint64_t, Fault> o32_argument(Cpu& cpu, AddressSpace& memory, unsigned index) {
  const auto word = mips::argument(cpu, memory, index);
  if (!word) return Failure{word.error()};
  return std::uint64_t{*word};
}

Result<std::uint64_t, Fault> n64_argument(Cpu& cpu, AddressSpace& memory, unsigned index) {
  const mips::Registers& registers = mips::registers_of(cpu);
  if (index < n64_register_arguments) return registers.gpr[mips::a0 + index];
  const std::uint64_t slot = 8 * (index - n64_register_arguments);
  return memory.read<std::uint64_t>(GuestAddr(registers.gpr[mips::sp] + slot));
}

void o32_set_result(Cpu& cpu, std::uint64_t first, std::uint64_t second) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = mips::to_register(mips::to_word(first));
  registers.gpr[mips::v1] = mips::to_register(mips::to_word(second));
  registers.gpr[mips::a3] = 0;
}

void n64_set_result(Cpu& cpu, std::uint64_t first, std::uint64_t second) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = first;
  registers.gpr[mips::v1] = second;
  registers.gpr[mips::a3] = 0;
}

void mips_set_error(Cpu& cpu, unsigned number) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = number;
  registers.gpr[mips::a3] = 1;
}

void o32_start_at(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer) {
  mips::Registers& registers = mips::registers_of(cpu);
  if (stack_pointer != GuestAddr(0)) {
    registers.gpr[mips::sp] = mips::to_register(mips::to_word(stack_pointer.value()));
  }
  registers.set_pc(pc.value());
}

void n64_start_at(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer) {
  mips::Registers& registers = mips::registers_of(cpu);
  if (stack_pointer != GuestAddr(0)) registers.gpr[mips::sp] = stack_pointer.value();
  registers.set_pc(pc.value());
}

// BREAK codes of the compilers' overflow and divide checks, which SGI's tools place ten bits higher
// than the assembler's manual says (IRIX <sys/inst.h>: BRK_OVERFLOW, BRK_DIVZERO).
constexpr std::uint32_t break_overflow = 6, break_divide = 7;
constexpr unsigned high_code_shift = 10;

bool is_break(std::uint32_t code, std::uint32_t wanted) {
  return code == wanted || code >> high_code_shift == wanted;
}

BreakMeaning mips_break_meaning(std::uint32_t code) {
  if (is_break(code, break_divide)) return BreakMeaning::divide_by_zero;
  return is_break(code, break_overflow) ? BreakMeaning::integer_overflow : BreakMeaning::breakpoint;
}

// As assemblers write it: the upper ten bits of the code, and the lower ones if there are any.
std::string mips_break_text(std::uint32_t code) {
  const std::uint32_t low = code & ((1U << high_code_shift) - 1);
  return "break " + std::to_string(code >> high_code_shift) +
         (low == 0 ? "" : ", " + std::to_string(low));
}

}  // namespace

const Convention& mips_o32() {
  static constexpr Convention convention{
      32,           mips_call_number,   o32_argument,   o32_set_result, mips_set_error,
      o32_start_at, mips_break_meaning, mips_break_text};
  return convention;
}

const Convention& mips_n64() {
  static constexpr Convention convention{
      64,           mips_call_number,   n64_argument,   n64_set_result, mips_set_error,
      n64_start_at, mips_break_meaning, mips_break_text};
  return convention;
}

const Convention& convention_of(const Image& image) {
  return image.address_bits == 64 ? mips_n64() : mips_o32();
}

}  // namespace hardclock::posix
