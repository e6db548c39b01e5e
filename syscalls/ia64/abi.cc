#include "syscalls/ia64/abi.h"

#include <elf.h>

#include <cstdio>

#include "isa/ia64/abi.h"
#include "isa/ia64/floating_point_status.h"
#include "sim/load/ia64_pointer.h"

namespace hardclock::ia64_ports {
namespace {

using ia64::Registers;
using posix::BreakMeaning;
using posix::StartArguments;
using posix::SyscallAbi;

bool is_linux(const Image& image) {
  return image.architecture == Architecture::ia64 && image.address_bits == 64 &&
         image.endian == Endian::little && image.os_abi != ELFOSABI_HPUX;
}

template <unsigned address_bits>
bool is_hpux(const Image& image) {
  return image.architecture == Architecture::ia64 && image.address_bits == address_bits &&
         image.endian == Endian::big && image.os_abi == ELFOSABI_HPUX;
}

constexpr unsigned number_register = 15, error_register = ia64::ret2;
constexpr unsigned hpux_number_register = ia64::ret0;
constexpr unsigned register_arguments = 6, hpux_register_arguments = 8;
// Below the stack pointer's first word is room for the function that starts (the runtime
// architecture guide, section 8.4.1).
constexpr std::uint64_t scratch_bytes = 16;
constexpr std::uint64_t eager_mode = 3;

unsigned call_number(Cpu& cpu) {
  return static_cast<unsigned>(ia64::registers_of(cpu).stack.value(number_register));
}

unsigned hpux_call_number(Cpu& cpu) {
  return static_cast<unsigned>(ia64::registers_of(cpu).stack.value(hpux_number_register));
}

// Arguments that the frame has no register for are undefined; a NaT is -1 (ia64_syscall_setup).
template <unsigned count>
Result<std::uint64_t, Fault> argument(Cpu& cpu, AddressSpace&, unsigned index) {
  const ia64::RegisterStack& stack = ia64::registers_of(cpu).stack;
  const unsigned r = ia64::first_rotating_gr + stack.marker().sol + index;
  if (index >= count || !stack.is_writable(r)) return std::uint64_t{0};
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

void tell_failure(ia64::Registers& registers, bool failed) {
  constexpr std::uint64_t p14 = 1 << 14, p15 = 1 << 15;
  registers.predicates = (registers.predicates & ~(p14 | p15)) | (failed ? p14 : p15);
}

void hpux_wide_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  set_result(cpu, first, second);
  tell_failure(ia64::registers_of(cpu), false);
}

void hpux_narrow_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  hpux_wide_result(cpu, first & 0xffffffff, second);
}

void hpux_result64(Cpu& cpu, std::uint64_t value, Endian) {
  hpux_wide_result(cpu, value, std::nullopt);
}

void hpux_set_error(Cpu& cpu, unsigned number) {
  set_error(cpu, number);
  tell_failure(ia64::registers_of(cpu), true);
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

// r32 to r35: the number of arguments, their addresses, the environment's, the load information.
// How large the first frame is no public source says: these four are all that a program may know
// of.
template <const GuestAddr& stack_top>
void hpux_pass(Cpu& cpu, const StartArguments& arguments) {
  Registers& registers = ia64::registers_of(cpu);
  ia64::RegisterStack& stack = registers.stack;
  constexpr std::uint8_t inputs = 8;
  constexpr std::uint64_t alignment = hpux_load_info_alignment;
  stack.start((stack_top - hpux_stack_distance).value(), {.sof = inputs, .sol = inputs});
  (void)stack.write_rsc(eager_mode | ia64::RegisterStack::rsc_pl | ia64::RegisterStack::rsc_be);
  registers.user_mask |= ia64::um_be;
  constexpr unsigned vector_register = 7;
  registers.kernel[vector_register] = hpux_vector.value();
  const std::uint64_t values[] = {arguments.count, arguments.arguments.value(),
                                  arguments.environment.value(),
                                  (arguments.behind.value() + alignment - 1) & ~(alignment - 1)};
  unsigned r = ia64::first_rotating_gr;
  for (const std::uint64_t value : values) stack.write(r++, value, false);
  stack.write(ia64::sp, stack.value(ia64::sp) - scratch_bytes, false);
}

// Linux, arch/ia64/kernel/traps.c, ia64_bad_break().
BreakMeaning break_meaning(std::uint32_t code) {
  constexpr std::uint32_t divide_by_zero = 1, integer_overflow = 2;
  if (code == divide_by_zero) return BreakMeaning::divide_by_zero;
  return code == integer_overflow ? BreakMeaning::integer_overflow : BreakMeaning::breakpoint;
}

ieee754::Exception floating_exception(Cpu& cpu) {
  return ia64::fp::trapping_exception(ia64::registers_of(cpu).isr_code);
}

std::string break_text(std::uint32_t code) {
  char text[32];
  std::snprintf(text, sizeof text, "break 0x%x", code);
  return text;
}

constexpr SyscallAbi make_wide() {
  SyscallAbi abi;
  abi.address_bits = 64;
  abi.register_bits = 64;
  abi.pointer = posix::wide_pointer;
  abi.stack_pointer = stack_pointer;
  abi.start_at = start_at;
  abi.set_thread_pointer = set_thread_pointer;
  abi.break_meaning = break_meaning;
  abi.floating_exception = floating_exception;
  abi.break_text = break_text;
  return abi;
}

constexpr SyscallAbi make_linux() {
  SyscallAbi abi = make_wide();
  abi.suits = is_linux;
  abi.call_number = call_number;
  abi.argument = argument<register_arguments>;
  abi.set_result = set_result;
  abi.set_result64 = set_result64;
  abi.set_error = set_error;
  abi.pass_arguments = linux_pass_arguments;
  return abi;
}

constexpr SyscallAbi make_hpux_wide() {
  SyscallAbi abi = make_wide();
  abi.suits = is_hpux<64>;
  abi.call_number = hpux_call_number;
  abi.argument = argument<hpux_register_arguments>;
  abi.set_result = hpux_wide_result;
  abi.set_result64 = hpux_result64;
  abi.set_error = hpux_set_error;
  abi.pass_arguments = hpux_pass<hpux_stack_top_64>;
  return abi;
}

constexpr SyscallAbi make_hpux_narrow() {
  SyscallAbi abi = make_hpux_wide();
  abi.suits = is_hpux<32>;
  abi.address_bits = 32;
  abi.register_bits = 32;
  abi.int64_in_one = true;
  abi.pointer = ia64_address_of;
  abi.set_result = hpux_narrow_result;
  abi.pass_arguments = hpux_pass<hpux_stack_top_32>;
  return abi;
}

}  // namespace

constinit const SyscallAbi linux_64 = make_linux();
constinit const SyscallAbi hpux_32 = make_hpux_narrow();
constinit const SyscallAbi hpux_64 = make_hpux_wide();

Result<Descriptor, Fault> read_descriptor(AddressSpace& memory, GuestAddr at) {
  const auto entry = memory.read<std::uint64_t>(at);
  if (!entry) return Failure{entry.error()};
  const auto pointer = memory.read<std::uint64_t>(at + 8);
  if (!pointer) return Failure{pointer.error()};
  return Descriptor{*entry, *pointer};
}

}  // namespace hardclock::ia64_ports
