// HP-UX on PA-RISC 1.1 (a SOM program) and, in 64 bits, on PA-RISC 2.0 (an ELF program in wide
// mode). Sources: Linux, arch/parisc/hpux/gate.S (the gateway page); GCC, libgcc/config/pa/
// hpux-unwind.h (how 64-bit stubs make a call); GDB, hppa-hpux-tdep.c (struct save_state).
#include <elf.h>

#include <cstddef>

#include "isa/pa_risc/abi.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/memory/page.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/pa_risc/abi.h"

namespace hardclock::conform {
namespace {

constexpr std::uint32_t som_pa_risc_1_1 =
    0x210;  // CPU_PA_RISC1_1: GNU binutils, include/som/aout.h
// Nothing can be read at 0.
constexpr std::uint32_t elf_flags = EF_PARISC_WIDE | EF_PARISC_TRAPNIL | EFA_PARISC_2_0;
constexpr unsigned number_register = 22;  // after the call: whether it failed
constexpr std::size_t narrow_register_slots = 4, wide_register_slots = 8;
constexpr std::uint64_t fifth_slot = 52;   // below the stack pointer
constexpr unsigned argument_pointer = 29;  // of 64-bit programs: behind the registers' homes
constexpr std::uint64_t frame_marker = 16;

// Into the gateway page by its entry for calls, as the stubs of HP-UX's C library go.
constexpr std::uint32_t narrow_call_code[] = {0x20200801,   // ldil L%0xc0000000,r1
                                              0xe420e008,   // be,l 4(sr7,r1),sr0,r31
                                              0x08000240};  // nop
// By the call's entry in the table behind the gateway page. That the stubs find the table's address
// in a variable makes no difference.
constexpr std::uint32_t wide_call_code[] = {0x20202801,   // ldil L%0xc0001000,r1
                                            0xf4200c00,   // depdi 0,31,32,r1
                                            0x08360ac1,   // shladd,l r22,3,r1,r1
                                            0x0c2010c1,   // ldd 0(r1),r1
                                            0xe4202000,   // be,l 0(sr4,r1),sr0,r31
                                            0x08000240};  // nop
// An interrupt in a delay slot is charged to the slot, which the queue has in front. So the slot
// branches to the loop's start, too: from then on both ends of the queue are there.
constexpr std::uint32_t loop_code[] = {0xe81f1ff5,   // b .
                                       0xe81f1fed};  // b .-4

constexpr GuestAddr gateway_page(0xc0000000);
constexpr std::uint64_t entry_table_bytes = 2 * page_size;  // behind it, in 64 bits

Result<Ok, Fault> prepare_narrow_call(Cpu& cpu, AddressSpace& memory, unsigned number,
                                      std::span<const std::uint64_t> slots) {
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[number_register] = number;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t word = pa_risc::to_word(slots[i]);
    if (i < narrow_register_slots) {
      registers.gpr[pa_risc::arg0 - i] = word;
      continue;
    }
    const std::uint64_t below = fifth_slot + 4 * (i - narrow_register_slots);
    const auto stored = memory.write(GuestAddr(registers.gpr[pa_risc::sp] - below), word);
    if (!stored) return stored;
  }
  return Ok{};
}

// The fifth argument's register has the number, so that one goes to its home.
Result<Ok, Fault> prepare_wide_call(Cpu& cpu, AddressSpace& memory, unsigned number,
                                    std::span<const std::uint64_t> slots) {
  CHECK(slots.size() <= wide_register_slots);
  pa_risc::Registers& registers = pa_risc::registers_of(cpu);
  registers.gpr[number_register] = number;
  registers.gpr[argument_pointer] = registers.gpr[pa_risc::sp] - frame_marker;
  const std::uint64_t homes = registers.gpr[argument_pointer] - 8 * wide_register_slots;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t holder = pa_risc::arg0 - i;
    if (holder != number_register) {
      registers.gpr[holder] = slots[i];
      continue;
    }
    const auto stored = memory.write(GuestAddr(homes + 8 * i), slots[i]);
    if (!stored) return stored;
  }
  return Ok{};
}

Reply reply(Cpu& cpu) {
  const auto& registers = pa_risc::registers_of(cpu).gpr;
  return {registers[number_register] != 0, registers[pa_risc::ret0]};
}

// A ucontext: link, mask and stack, which stay 0, then a save_state, of which a thread needs its pc
// queue. The wide half of a save_state has all of the narrow one in slots of twice the size.
template <std::size_t save_state, bool is_wide>
std::vector<std::uint8_t> context(Thread& thread) {
  constexpr std::size_t save_state_bytes = 1152, pc_head = 132, pc_tail = 140, wide_half = 640;
  constexpr std::uint32_t has_wide_half = 0x40;  // ss_flags
  const pa_risc::Registers& registers = pa_risc::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes(save_state + save_state_bytes);
  std::uint8_t* const state = &bytes[save_state];
  if (is_wide) {
    store_bytes(state, has_wide_half, Endian::big);
    store_bytes(state + wide_half + 2 * pc_head, registers.pc, Endian::big);
    store_bytes(state + wide_half + 2 * pc_tail, registers.next_pc, Endian::big);
  } else {
    store_bytes(state + pc_head, pa_risc::to_word(registers.pc), Endian::big);
    store_bytes(state + pc_tail, pa_risc::to_word(registers.next_pc), Endian::big);
  }
  return bytes;
}

constexpr GuestCode make_code_32() {
  GuestCode code;
  code.kind = {FileFormat::som, Architecture::pa_risc, som_pa_risc_1_1, 0, 0};
  code.abi = &pa_risc_ports::hpux_32;
  code.call = narrow_call_code;
  code.loop = loop_code;
  code.kernel_pages = {gateway_page, page_size};
  code.prepare_call = prepare_narrow_call;
  code.reply = reply;
  code.context = context<56, false>;
  return code;
}

constexpr GuestCode make_code_64() {
  GuestCode code = make_code_32();
  code.kind = {FileFormat::elf, Architecture::pa_risc, elf_flags, EM_PARISC, ELFOSABI_HPUX};
  code.address_bits = 64;
  code.abi = &pa_risc_ports::hpux_64;
  code.call = wide_call_code;
  code.kernel_pages.size += entry_table_bytes;
  code.prepare_call = prepare_wide_call;
  code.context = context<80, true>;
  return code;
}

}  // namespace

constinit const GuestCode pa_risc_code_32 = make_code_32();
constinit const GuestCode pa_risc_code_64 = make_code_64();

}  // namespace hardclock::conform
