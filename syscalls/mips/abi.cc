#include "syscalls/mips/abi.h"

#include <elf.h>

#include "isa/mips/abi.h"
#include "isa/mips/floating_point_status.h"
#include "syscalls/posix/state.h"

namespace hardclock::mips_ports {
namespace {

using posix::BreakMeaning;
using posix::SyscallAbi;

bool is_o32(const Image& image) {
  return image.architecture == Architecture::mips && image.address_bits == 32 &&
         (image.flags & EF_MIPS_ABI2) == 0;
}

bool is_n32(const Image& image) {
  return image.architecture == Architecture::mips && image.address_bits == 32 &&
         (image.flags & EF_MIPS_ABI2) != 0;
}

bool is_n64(const Image& image) {
  return image.architecture == Architecture::mips && image.address_bits == 64;
}

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
ieee754::Exception mips_floating_exception(Cpu& cpu) {
  return mips::fp::trapping_exception(mips::registers_of(cpu).fcsr);
}

// What RDHWR of register 29 reads.
void mips_set_thread_pointer(Cpu& cpu, std::uint64_t to) {
  mips::registers_of(cpu).user_local = mips::to_register(mips::to_word(to));
}

void n64_set_thread_pointer(Cpu& cpu, std::uint64_t to) {
  mips::registers_of(cpu).user_local = to;
}

// As assemblers write it: the upper ten bits of the code, and the lower ones if there are any.
std::string mips_break_text(std::uint32_t code) {
  const std::uint32_t low = code & ((1U << high_code_shift) - 1);
  return "break " + std::to_string(code >> high_code_shift) +
         (low == 0 ? "" : ", " + std::to_string(low));
}

// What all three have in common but the arguments and results.
constexpr SyscallAbi make_abi(bool (*suits)(const Image&), unsigned address_bits,
                              unsigned register_bits) {
  SyscallAbi abi;
  abi.suits = suits;
  abi.address_bits = address_bits;
  abi.register_bits = register_bits;
  abi.pointer = posix::narrow_pointer;
  abi.call_number = mips_call_number;
  abi.argument = n64_argument;
  abi.set_result = o32_set_result;
  abi.set_result64 = n64_set_result64;
  abi.set_error = mips_set_error;
  abi.stack_pointer = o32_stack_pointer;
  abi.start_at = o32_start_at;
  abi.set_thread_pointer = mips_set_thread_pointer;
  abi.break_meaning = mips_break_meaning;
  abi.floating_exception = mips_floating_exception;
  abi.break_text = mips_break_text;
  return abi;
}

constexpr SyscallAbi make_o32() {
  SyscallAbi abi = make_abi(is_o32, 32, 32);
  abi.argument = o32_argument;
  abi.set_result64 = o32_set_result64;
  return abi;
}

constexpr SyscallAbi make_n64() {
  SyscallAbi abi = make_abi(is_n64, 64, 64);
  abi.pointer = posix::wide_pointer;
  abi.set_result = n64_set_result;
  abi.stack_pointer = n64_stack_pointer;
  abi.start_at = n64_start_at;
  abi.set_thread_pointer = n64_set_thread_pointer;
  return abi;
}

}  // namespace

constinit const SyscallAbi o32 = make_o32();
constinit const SyscallAbi n32 = make_abi(is_n32, 32, 64);
constinit const SyscallAbi n64 = make_n64();

DataModel data_model_of(const SyscallAbi& abi) {
  if (abi.address_bits == 64) return DataModel::n64;
  return abi.register_bits == 64 ? DataModel::n32 : DataModel::o32;
}

DataModel data_model_of(const Process& process) {
  return data_model_of(posix::abi_of(process));
}

std::uint64_t to_register(DataModel model, std::uint64_t address) {
  return model == DataModel::n64 ? address : mips::to_register(mips::to_word(address));
}

std::uint64_t to_address(DataModel model, std::uint64_t held) {
  return model == DataModel::n64 ? held : mips::to_word(held);
}

std::array<posix::Port, 3> ports(const posix::Port& narrow, GuestAddr user_end_64) {
  std::array<posix::Port, 3> all = {narrow, narrow, narrow};
  all[0].abi = &o32;
  all[1].abi = &n32;
  all[2].abi = &n64;
  all[2].layout.user_end = user_end_64;
  return all;
}

}  // namespace hardclock::mips_ports
