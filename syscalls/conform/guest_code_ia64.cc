// HP-UX on IA-64 (ELF programs, of 32 bits and of 64). Sources: HP's simulator Ski, src/hpux (how
// programs make a call); binutils, include/elf/ia64.h.
#include <elf.h>

#include <cstddef>
#include <cstdint>

#include "isa/ia64/abi.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/memory/page.h"
#include "syscalls/conform/guest_code.h"
#include "syscalls/ia64/abi.h"

namespace hardclock::conform {
namespace {

// EF_IA_64_TRAPNIL (nothing can be read at 0), EF_IA_64_BE and, in 64 bits, EF_IA_64_ABI64.
constexpr std::uint32_t flags_32 = 0x01 | 0x08, flags_64 = flags_32 | 0x10;
constexpr std::uint8_t arguments = 8;
constexpr std::uint64_t vector_bytes = 8 * ia64_ports::hpux_vector_entries;  // behind the gateway

// By the call's entry in the vector of ar.k7.
constexpr std::uint32_t call_code[] = {
    0x0b70000e, 0x2204e040, 0x38244000, 0x00000400,   // mov r14=ar.k7;; shladd r14=r8,3,r14;;
    0x0970001c, 0x18100000, 0x00020000, 0x00000400,   // ld8 r14=[r14];;
    0x11000000, 0x01007070, 0x04800300, 0x00000020,   // mov b7=r14;;
    0x1d000000, 0x01000000, 0x000200c0, 0x70008010};  // br.call.sptk.few b6=b7;;
constexpr std::uint32_t loop_code[] = {0x1d000000, 0x01000000, 0x00020000, 0x00000040};  // br.few .

// In a frame that has nothing but the arguments, as outputs. The stack begins anew, so that no
// register ever goes to its backing store, which the cases' memory may cover.
Result<Ok, Fault> prepare_call(Cpu& cpu, AddressSpace&, unsigned number,
                               std::span<const std::uint64_t> slots) {
  CHECK(slots.size() <= arguments);
  ia64::RegisterStack& stack = ia64::registers_of(cpu).stack;
  const std::uint64_t rsc = stack.rsc();
  stack.start(stack.bsp(), {.sof = arguments});
  (void)stack.write_rsc(rsc);
  stack.write(ia64::ret0, number, false);
  unsigned r = ia64::first_rotating_gr;
  for (const std::uint64_t slot : slots) stack.write(r++, slot, false);
  return Ok{};
}

// The gateway's bundle is the break and, behind it, the branch back.
bool is_on_way_back(Cpu& cpu) {
  const ia64::Registers& registers = ia64::registers_of(cpu);
  return registers.bundle() == ia64_ports::hpux_gateway.value() &&
         registers.pc != registers.bundle();
}

Reply reply(Cpu& cpu) {
  constexpr std::uint64_t p14 = 1 << 14;
  ia64::Registers& registers = ia64::registers_of(cpu);
  return {(registers.predicates & p14) != 0, registers.stack.value(ia64::ret0)};
}

// A ucontext as hardclock has it: link, mask and stack, which stay 0, then doublewords, of which a
// thread with an empty frame needs its pc, bsp, rsc, user mask and fpsr.
template <std::size_t registers_at>
std::vector<std::uint8_t> context(Thread& thread) {
  constexpr std::size_t ucontext_bytes = 2576, pc = 0, bsp = 16, rsc = 32, user_mask = 40,
                        fpsr = 64;
  const ia64::Registers& registers = ia64::registers_of(*thread.cpu);
  std::vector<std::uint8_t> bytes(ucontext_bytes);
  const auto put = [&](std::size_t at, std::uint64_t value) {
    store_bytes(&bytes[registers_at + at], value, Endian::big);
  };
  put(pc, registers.pc);
  put(bsp, registers.stack.bsp());
  put(rsc, registers.stack.rsc());
  put(user_mask, registers.user_mask);
  put(fpsr, registers.fpsr);
  return bytes;
}

constexpr GuestCode make_code_32() {
  GuestCode code;
  code.kind = {FileFormat::elf, Architecture::ia64, flags_32, EM_IA_64, ELFOSABI_HPUX};
  code.abi = &ia64_ports::hpux_32;
  code.alignment = 16;
  code.call = call_code;
  code.is_on_way_back = is_on_way_back;
  code.loop = loop_code;
  code.kernel_pages = {ia64_ports::hpux_gateway, page_size + vector_bytes};
  code.prepare_call = prepare_call;
  code.reply = reply;
  code.context = context<64>;
  return code;
}

constexpr GuestCode make_code_64() {
  GuestCode code = make_code_32();
  code.kind.flags = flags_64;
  code.address_bits = 64;
  code.abi = &ia64_ports::hpux_64;
  code.context = context<80>;
  return code;
}

}  // namespace

constinit const GuestCode ia64_code_32 = make_code_32();
constinit const GuestCode ia64_code_64 = make_code_64();

}  // namespace hardclock::conform
