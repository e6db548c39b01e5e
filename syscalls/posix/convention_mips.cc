#include "syscalls/posix/convention.h"

#include "isa/mips/abi.h"
#include "isa/mips/floating_point_status.h"

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

void o32_set_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = mips::to_register(mips::to_word(first));
  if (second) registers.gpr[mips::v1] = mips::to_register(mips::to_word(*second));
  registers.gpr[mips::a3] = 0;
}

void n64_set_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = first;
  if (second) registers.gpr[mips::v1] = *second;
  registers.gpr[mips::a3] = 0;
}

void o32_set_result64(Cpu& cpu, std::uint64_t value, Endian endian) {
  const bool is_big = endian == Endian::big;
  o32_set_result(cpu, is_big ? value >> 32 : value, is_big ? value : value >> 32);
}

void n64_set_result64(Cpu& cpu, std::uint64_t value, Endian) {
  n64_set_result(cpu, value, std::nullopt);
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

GuestAddr o32_stack_pointer(Cpu& cpu) {
  return GuestAddr(mips::to_word(mips::registers_of(cpu).gpr[mips::sp]));
}

GuestAddr n64_stack_pointer(Cpu& cpu) {
  return GuestAddr(mips::registers_of(cpu).gpr[mips::sp]);
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

// An unimplemented operation, which IRIX's and Linux's kernels emulate, does not come up here.
FloatingException mips_floating_exception(Cpu& cpu) {
  switch (mips::fp::trapping_exception(mips::registers_of(cpu).fcsr)) {
    case mips::fp::Exception::divide_by_zero:
      return FloatingException::divide_by_zero;
    case mips::fp::Exception::overflow:
      return FloatingException::overflow;
    case mips::fp::Exception::underflow:
      return FloatingException::underflow;
    case mips::fp::Exception::inexact:
      return FloatingException::inexact;
    case mips::fp::Exception::none:
    case mips::fp::Exception::invalid:
    case mips::fp::Exception::unimplemented:
      break;
  }
  return FloatingException::invalid;
}

// As assemblers write it: the upper ten bits of the code, and the lower ones if there are any.
std::string mips_break_text(std::uint32_t code) {
  const std::uint32_t low = code & ((1U << high_code_shift) - 1);
  return "break " + std::to_string(code >> high_code_shift) +
         (low == 0 ? "" : ", " + std::to_string(low));
}

// What all three have in common but the arguments and results.
constexpr Convention make_convention(Abi abi, unsigned address_bits, unsigned register_bits) {
  Convention convention;
  convention.abi = abi;
  convention.address_bits = address_bits;
  convention.user_end = 0x8000'0000;  // kuseg
  convention.register_bits = register_bits;
  convention.call_number = mips_call_number;
  convention.argument = n64_argument;
  convention.set_result = o32_set_result;
  convention.set_result64 = n64_set_result64;
  convention.set_error = mips_set_error;
  convention.stack_pointer = o32_stack_pointer;
  convention.start_at = o32_start_at;
  convention.break_meaning = mips_break_meaning;
  convention.floating_exception = mips_floating_exception;
  convention.break_text = mips_break_text;
  return convention;
}

}  // namespace

const Convention& mips_o32() {
  static constexpr Convention convention = [] {
    Convention o32 = make_convention(Abi::o32, 32, 32);
    o32.argument = o32_argument;
    o32.set_result64 = o32_set_result64;
    return o32;
  }();
  return convention;
}

const Convention& mips_n32() {
  static constexpr Convention convention = make_convention(Abi::n32, 32, 64);
  return convention;
}

const Convention& mips_n64() {
  static constexpr Convention convention = [] {
    Convention n64 = make_convention(Abi::n64, 64, 64);
    n64.set_result = n64_set_result;
    n64.stack_pointer = n64_stack_pointer;
    n64.start_at = n64_start_at;
    return n64;
  }();
  return convention;
}

}  // namespace hardclock::posix
