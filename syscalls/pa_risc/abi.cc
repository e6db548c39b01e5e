#include "syscalls/pa_risc/abi.h"

#include <elf.h>

#include <algorithm>
#include <span>

#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/interruptions.h"
#include "sim/memory/page.h"

namespace hardclock::pa_risc_ports {
namespace {

using posix::BreakMeaning;
using posix::StartArguments;
using posix::SyscallAbi;

// HP-UX's own loader demands ELFOSABI_HPUX of ELF files.
bool is_hpux_32(const Image& image) {
  return image.architecture == Architecture::pa_risc && image.address_bits == 32 &&
         (image.format == FileFormat::som || image.os_abi == ELFOSABI_HPUX);
}

// The only 64-bit programs that PA-RISC has.
bool is_hpux_64(const Image& image) {
  return image.architecture == Architecture::pa_risc && image.address_bits == 64;
}

bool is_linux(const Image& image) {
  return image.architecture == Architecture::pa_risc && image.address_bits == 32 &&
         !is_hpux_32(image);
}

constexpr unsigned number_register = 22;  // HP-UX; after the call: whether it failed
constexpr unsigned linux_number_register = 20;
// The frame marker's place of the fifth argument (the 32-bit run-time architecture, chapter 2).
constexpr std::uint64_t fifth_argument = 52;
constexpr unsigned narrow_register_arguments = 4, wide_register_arguments = 8,
                   linux_register_arguments = 6;
constexpr unsigned argument_pointer = 29;  // of wide programs: where the ninth argument is
constexpr std::uint64_t wide_frame_marker = 16;
constexpr unsigned load_info_register = 22;  // of wide programs at their start
// Where ordinary calls enter the gateway page; HP-UX's first entry falls into the second.
constexpr std::uint64_t hpux_call_entries[] = {0, 4};
constexpr std::uint64_t linux_call_entries[] = {0x100};

unsigned call_number(Cpu& cpu, std::span<const std::uint64_t> call_entries, unsigned holder) {
  const std::uint64_t entry = cpu.interrupted_pc().value() & page_mask;
  if (std::ranges::find(call_entries, entry) == call_entries.end()) {
    return posix::lightweight_call + static_cast<unsigned>(entry);
  }
  return pa_risc::to_word(pa_risc::registers_of(cpu).gpr[holder]);
}

unsigned hpux_call_number(Cpu& cpu) {
  return call_number(cpu, hpux_call_entries, number_register);
}

unsigned linux_call_number(Cpu& cpu) {
  return call_number(cpu, linux_call_entries, linux_number_register);
}

Result<std::uint64_t, Fault> narrow_argument(Cpu& cpu, AddressSpace& memory, unsigned index) {
  const pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  if (index < narrow_register_arguments) {
    return std::uint64_t{pa_risc::to_word(registers.gpr[pa_risc::arg0 - index])};
  }
  const std::uint64_t below = fifth_argument + 4 * (index - narrow_register_arguments);
  const auto word =
      memory.read<std::uint32_t>(GuestAddr(pa_risc::to_word(registers.gpr[pa_risc::sp] - below)));
  if (!word) return Failure{word.error()};
  return std::uint64_t{*word};
}

// The argument pointer is behind the homes of the arguments in registers. The fifth is taken from
// its home, for its register has the call's number; no public source says where HP-UX has it.
Result<std::uint64_t, Fault> wide_argument(Cpu& cpu, AddressSpace& memory, unsigned index) {
  const pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  const unsigned holder = pa_risc::arg0 - index;
  if (index < wide_register_arguments && holder != number_register) return registers.gpr[holder];
  const std::uint64_t home = registers.gpr[argument_pointer] - 8 * wide_register_arguments;
  return memory.read<std::uint64_t>(GuestAddr(home + 8 * index));
}

// No call of Linux's has more arguments than registers for them.
Result<std::uint64_t, Fault> linux_argument(Cpu& cpu, AddressSpace&, unsigned index) {
  if (index >= linux_register_arguments) return std::uint64_t{0};
  return std::uint64_t{pa_risc::to_word(pa_risc::registers_of(cpu).gpr[pa_risc::arg0 - index])};
}

void set_wide(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[pa_risc::ret0] = first;
  if (second) registers.gpr[pa_risc::ret1] = *second;
}

void set_narrow(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  if (second) second = pa_risc::to_word(*second);
  set_wide(cpu, pa_risc::to_word(first), second);
}

void hpux_narrow_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  set_narrow(cpu, first, second);
  pa_risc::registers_of(cpu).gpr[number_register] = 0;
}

void hpux_wide_result(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) {
  set_wide(cpu, first, second);
  pa_risc::registers_of(cpu).gpr[number_register] = 0;
}

// As a C function returns a long long.
void hpux_narrow_result64(Cpu& cpu, std::uint64_t value, Endian) {
  hpux_narrow_result(cpu, value >> 32, value);
}

void hpux_wide_result64(Cpu& cpu, std::uint64_t value, Endian) {
  hpux_wide_result(cpu, value, std::nullopt);
}

void linux_result64(Cpu& cpu, std::uint64_t value, Endian) {
  set_narrow(cpu, value >> 32, value);
}

void hpux_set_error(Cpu& cpu, unsigned number) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[pa_risc::ret0] = number;
  registers.gpr[number_register] = 1;
}

void linux_set_error(Cpu& cpu, unsigned number) {
  pa_risc::registers_of(cpu).gpr[pa_risc::ret0] = pa_risc::to_word(-std::uint64_t{number});
}

void narrow_start_at(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  if (stack_pointer != GuestAddr(0)) {
    registers.gpr[pa_risc::sp] = pa_risc::to_word(stack_pointer.value());
  }
  registers.set_pc(pa_risc::to_word(pc.value()));
}

void wide_start_at(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  if (stack_pointer != GuestAddr(0)) registers.gpr[pa_risc::sp] = stack_pointer.value();
  registers.set_pc(pc.value());
}

GuestAddr narrow_stack_pointer(Cpu& cpu) {
  return GuestAddr(pa_risc::to_word(pa_risc::registers_of(cpu).gpr[pa_risc::sp]));
}

GuestAddr wide_stack_pointer(Cpu& cpu) {
  return GuestAddr(pa_risc::registers_of(cpu).gpr[pa_risc::sp]);
}

void hpux_pass_arguments(Cpu& cpu, const StartArguments& arguments) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[pa_risc::arg0] = arguments.count;
  registers.gpr[pa_risc::arg1] = arguments.arguments.value();
  registers.gpr[pa_risc::arg2] = arguments.environment.value();
  registers.gpr[pa_risc::arg3] = arguments.behind.value();
}

void hpux_wide_pass_arguments(Cpu& cpu, const StartArguments& arguments) {
  hpux_pass_arguments(cpu, arguments);
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[load_info_register] = arguments.behind.value() + hpux_keybits_bytes;
  registers.gpr[argument_pointer] = registers.gpr[pa_risc::sp] - wide_frame_marker;
}

// arg3 would be a function that the dynamic linker wants called at exit (Linux,
// arch/parisc/include/asm/processor.h, start_thread; glibc, sysdeps/hppa/start.S).
void linux_pass_arguments(Cpu& cpu, const StartArguments& arguments) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[pa_risc::arg1] = arguments.count;
  registers.gpr[pa_risc::arg2] = arguments.arguments.value();
  registers.gpr[pa_risc::arg3] = 0;
}

// Control register 27.
void set_thread_pointer(Cpu& cpu, std::uint64_t to) {
  constexpr unsigned thread_pointer = 27;
  pa_risc::registers_of(cpu).temporary[thread_pointer - pa_risc::control_temporary] = to;
}

BreakMeaning break_meaning(std::uint32_t) {
  return BreakMeaning::breakpoint;
}

ieee754::Exception floating_exception(Cpu& cpu) {
  return pa_risc::fp::trapping_exception(pa_risc::registers_of(cpu).fpr[0]);
}

// The instruction has two codes, of 5 and 13 bits: the trap's has the longer one above the other.
std::string break_text(std::uint32_t code) {
  constexpr std::uint32_t short_bits = 5;
  return "break " + std::to_string(code & ((1U << short_bits) - 1)) + "," +
         std::to_string(code >> short_bits);
}

// PA-RISC 1.1's numbers, chapter 4. Which of the instruction's and the data's traps a fault of
// memory is does not depend on what a TLB holds.
std::int32_t trap_number(const Trap& trap) {
  constexpr std::int32_t instruction_page = 6, instruction_protection = 7, illegal = 8,
                         break_instruction = 9, overflow = 12, conditional = 13,
                         assist_exception = 14, data_page = 15, data_access_rights = 26,
                         unaligned = 28;
  const bool fetches = trap.fault.access == Access::execute;
  switch (trap.kind) {
    case TrapKind::breakpoint:
      return break_instruction;
    case TrapKind::conditional_trap:
      return conditional;
    case TrapKind::integer_overflow:
      return overflow;
    case TrapKind::floating_point:
      return assist_exception;
    case TrapKind::illegal_instruction:
    case TrapKind::system_call:
      return trap.code == pa_risc::illegal_instruction_trap ? illegal
                                                            : static_cast<std::int32_t>(trap.code);
    case TrapKind::memory:
      break;
  }
  if (trap.fault.kind == Fault::Kind::misaligned) return unaligned;
  if (trap.fault.kind != Fault::Kind::protection) return fetches ? instruction_page : data_page;
  return fetches ? instruction_protection : data_access_rights;
}

constexpr SyscallAbi make_narrow() {
  SyscallAbi abi;
  abi.pointer = posix::narrow_pointer;
  abi.stack_grows_up = true;
  abi.stack_pointer = narrow_stack_pointer;
  abi.start_at = narrow_start_at;
  abi.set_thread_pointer = set_thread_pointer;
  abi.break_meaning = break_meaning;
  abi.floating_exception = floating_exception;
  abi.break_text = break_text;
  abi.conditions_are_arithmetic = true;
  abi.trap_number = trap_number;
  return abi;
}

constexpr SyscallAbi make_hpux_narrow() {
  SyscallAbi abi = make_narrow();
  abi.suits = is_hpux_32;
  // A long long in registers has its high half in the odd one, the later argument, as memory below
  // the stack pointer would (GCC, config/pa/pa.cc, pa_function_arg).
  abi.low_half_first = true;
  abi.call_number = hpux_call_number;
  abi.argument = narrow_argument;
  abi.set_result = hpux_narrow_result;
  abi.set_result64 = hpux_narrow_result64;
  abi.set_error = hpux_set_error;
  abi.pass_arguments = hpux_pass_arguments;
  return abi;
}

constexpr SyscallAbi make_hpux_wide() {
  SyscallAbi abi = make_hpux_narrow();
  abi.suits = is_hpux_64;
  abi.pointer = posix::wide_pointer;
  abi.address_bits = 64;
  abi.register_bits = 64;
  abi.low_half_first = false;
  abi.argument = wide_argument;
  abi.set_result = hpux_wide_result;
  abi.set_result64 = hpux_wide_result64;
  abi.stack_pointer = wide_stack_pointer;
  abi.start_at = wide_start_at;
  abi.pass_arguments = hpux_wide_pass_arguments;
  return abi;
}

constexpr SyscallAbi make_linux() {
  SyscallAbi abi = make_narrow();
  abi.suits = is_linux;
  abi.packs_pairs = true;
  abi.call_number = linux_call_number;
  abi.argument = linux_argument;
  abi.set_result = set_narrow;
  abi.set_result64 = linux_result64;
  abi.set_error = linux_set_error;
  abi.pass_arguments = linux_pass_arguments;
  return abi;
}

}  // namespace

constinit const SyscallAbi hpux_32 = make_hpux_narrow();
constinit const SyscallAbi hpux_64 = make_hpux_wide();
constinit const SyscallAbi linux_32 = make_linux();

}  // namespace hardclock::pa_risc_ports
