#include "syscalls/ia64/abi.h"

#include <cstdio>

#include "isa/ia64/abi.h"
#include "isa/ia64/floating_point_status.h"

namespace hardclock::ia64_ports {
namespace {

using ia64::Registers;
using posix::BreakMeaning;
using posix::FloatingException;
using posix::StartArguments;
using posix::SyscallAbi;

constexpr std::uint8_t os_abi_hpux = 1;  // ELFOSABI_HPUX

bool is_linux(const Image& image) {
  return image.architecture == Architecture::ia64 && image.address_bits == 64 &&
         image.endian == Endian::little && image.os_abi != os_abi_hpux;
}

constexpr unsigned number_register = 15, error_register = ia64::ret2;
constexpr unsigned register_arguments = 6;
// Below the stack pointer's first word is room for the function that starts (the runtime
// architecture guide, section 8.4.1).
constexpr std::uint64_t scratch_bytes = 16;
constexpr std::uint64_t eager_mode = 3;

unsigned call_number(Cpu& cpu) {
  return static_cast<unsigned>(ia64::registers_of(cpu).stack.value(number_register));
}

// Arguments that the frame has no register for are undefined; a NaT is -1 (ia64_syscall_setup).
Result<std::uint64_t, Fault> argument(Cpu& cpu, AddressSpace&, unsigned index) {
  const ia64::RegisterStack& stack = ia64::registers_of(cpu).stack;
  const unsigned r = ia64::first_rotating_gr + stack.marker().sol + index;
  if (index >= register_arguments || !stack.is_writable(r)) return std::uint64_t{0};
  return stack.nat(r) ? ~std::uint64_t{0} : stack.value(r);
}

void set_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  ia64::RegisterStack& stack = ia64::registers_of(cpu).stack;
  stack.write(ia64::ret0, first, false);
  if (second) stack.write(ia64::ret1, *second, false);
  stack.write(error_register, 0, false);
}

void set_result64(Cpu& cpu, std::uint64_t value, Endian) {
  set_result(cpu, value, std::nullopt);
}

void set_error(Cpu& cpu, unsigned number) {
  ia64::RegisterStack& stack = ia64::registers_of(cpu).stack;
  stack.write(ia64::ret0, number, false);
  stack.write(error_register, ~std::uint64_t{0}, false);
}

void start_at(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer) {
  Registers& registers = ia64::registers_of(cpu);
  if (stack_pointer != GuestAddr(0)) registers.stack.write(ia64::sp, stack_pointer.value(), false);
  registers.set_pc(pc.value());
}

GuestAddr stack_pointer(Cpu& cpu) {
  return GuestAddr(ia64::registers_of(cpu).stack.value(ia64::sp));
}

void set_thread_pointer(Cpu& cpu, std::uint64_t to) {
  ia64::registers_of(cpu).stack.write(ia64::tp, to, false);
}

// Linux, arch/ia64/include/asm/processor.h, start_thread().
void linux_pass_arguments(Cpu& cpu, const StartArguments&) {
  ia64::RegisterStack& stack = ia64::registers_of(cpu).stack;
  stack.start(linux_register_stack.value(), {});
  (void)stack.write_rsc(eager_mode | ia64::RegisterStack::rsc_pl);
  stack.write(ia64::sp, stack.value(ia64::sp) - scratch_bytes, false);
}

// Linux, arch/ia64/kernel/traps.c, ia64_bad_break().
BreakMeaning break_meaning(std::uint32_t code) {
  constexpr std::uint32_t divide_by_zero = 1, integer_overflow = 2;
  if (code == divide_by_zero) return BreakMeaning::divide_by_zero;
  return code == integer_overflow ? BreakMeaning::integer_overflow : BreakMeaning::breakpoint;
}

FloatingException floating_exception(Cpu& cpu) {
  switch (ia64::fp::trapping_exception(ia64::registers_of(cpu).isr_code)) {
    case ia64::fp::Exception::divide_by_zero:
      return FloatingException::divide_by_zero;
    case ia64::fp::Exception::overflow:
      return FloatingException::overflow;
    case ia64::fp::Exception::underflow:
      return FloatingException::underflow;
    case ia64::fp::Exception::inexact:
      return FloatingException::inexact;
    case ia64::fp::Exception::none:
    case ia64::fp::Exception::invalid:
      break;
  }
  return FloatingException::invalid;
}

std::string break_text(std::uint32_t code) {
  char text[32];
  std::snprintf(text, sizeof text, "break 0x%x", code);
  return text;
}

constexpr SyscallAbi make_linux() {
  SyscallAbi abi;
  abi.suits = is_linux;
  abi.address_bits = 64;
  abi.register_bits = 64;
  abi.pointer = posix::wide_pointer;
  abi.call_number = call_number;
  abi.argument = argument;
  abi.set_result = set_result;
  abi.set_result64 = set_result64;
  abi.set_error = set_error;
  abi.stack_pointer = stack_pointer;
  abi.start_at = start_at;
  abi.set_thread_pointer = set_thread_pointer;
  abi.pass_arguments = linux_pass_arguments;
  abi.break_meaning = break_meaning;
  abi.floating_exception = floating_exception;
  abi.break_text = break_text;
  return abi;
}

}  // namespace

const SyscallAbi& linux_64() {
  static constexpr SyscallAbi abi = make_linux();
  return abi;
}

}  // namespace hardclock::ia64_ports
