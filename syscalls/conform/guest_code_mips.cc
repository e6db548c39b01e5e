// MIPS I (o32), and in 64 bits MIPS III (n64).
#include <elf.h>

#include <algorithm>
#include <cstddef>

#include "isa/mips/abi.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/mips/ucontext.h"

namespace hardclock::conform {
namespace {

// System V ABI, MIPS supplement: EM_MIPS; GNU binutils, include/elf/mips.h: E_MIPS_ABI_O32,
// E_MIPS_ARCH_3.
constexpr std::uint32_t abi_o32 = 0x1000, arch_3 = 0x20000000;
constexpr std::size_t o32_register_slots = 4;

constexpr std::uint32_t call_code[] = {0x0000000c};  // syscall
constexpr std::uint32_t loop_code[] = {0x1000ffff,   // b .
                                       0x00000000};  // nop: interrupts find the branch

// o32: a0 to a3, then the stack from 16(sp) on.
Result<Ok, Fault> prepare_o32_call(Cpu& cpu, AddressSpace& memory, unsigned number,
                                   std::span<const std::uint64_t> slots) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = number;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t word = mips::to_word(slots[i]);
    if (i < o32_register_slots) {
      registers.gpr[mips::a0 + i] = mips::to_register(word);
      continue;
    }
    const GuestAddr at(mips::to_word(registers.gpr[mips::sp]) + 4 * i);
    const auto stored = memory.write(at, word);
    if (!stored) return stored;
  }
  return Ok{};
}

// n64: a0 to a7. No call has more.
Result<Ok, Fault> prepare_n64_call(Cpu& cpu, AddressSpace&, unsigned number,
                                   std::span<const std::uint64_t> slots) {
  mips::Registers& registers = mips::registers_of(cpu);
  registers.gpr[mips::v0] = number;
  std::ranges::copy(slots, &registers.gpr[mips::a0]);
  return Ok{};
}

Reply reply(Cpu& cpu) {
  const auto& registers = mips::registers_of(cpu).gpr;
  return {registers[mips::a3] != 0, registers[mips::v0]};
}

std::vector<std::uint8_t> context(Thread& thread) {
  return mips_ports::saved_ucontext(thread, SignalSet());
}

constexpr GuestCode make_code_32() {
  GuestCode code;
  code.kind = {FileFormat::elf, Architecture::mips, abi_o32, EM_MIPS, 0};
  code.abi = &mips_ports::o32;
  code.call = call_code;
  code.loop = loop_code;
  code.prepare_call = prepare_o32_call;
  code.reply = reply;
  code.context = context;
  return code;
}

constexpr GuestCode make_code_64() {
  GuestCode code = make_code_32();
  code.kind.flags = arch_3;
  code.address_bits = 64;
  code.abi = &mips_ports::n64;
  code.prepare_call = prepare_n64_call;
  return code;
}

}  // namespace

constinit const GuestCode mips_code_32 = make_code_32();
constinit const GuestCode mips_code_64 = make_code_64();

}  // namespace hardclock::conform
