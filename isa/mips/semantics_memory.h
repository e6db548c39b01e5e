// The part of semantics.h that accesses memory, and the hardware registers.
// Sources: A is appendix A of Kane and Heinrich, "MIPS RISC Architecture" (1992) and, from MIPS III
// on, of Price, "MIPS IV Instruction Set", revision 3.2 (1995); II is "MIPS64 Architecture For
// Programmers", volume II, revision 2.50 (2005).
#pragma once

#include <bit>
#include <cstdint>

#include "isa/mips/machine.h"
#include "isa/mips/semantics_integer.h"

namespace hardclock::mips {

// ---- Loads and stores (A). The effective address is the base plus the signed offset.
auto address(auto& m, const auto& i) { return m.gpr(i.rs) + immediate(i.offset); }
void lb(auto& m, const Mem& i) { m.gpr(i.rt, m.sext8(m.load8(address(m, i)))); }
void lbu(auto& m, const Mem& i) { m.gpr(i.rt, m.load8(address(m, i))); }
void lh(auto& m, const Mem& i) { m.gpr(i.rt, m.sext16(m.load16(address(m, i)))); }
void lhu(auto& m, const Mem& i) { m.gpr(i.rt, m.load16(address(m, i))); }
void lw(auto& m, const Mem& i) { m.gpr(i.rt, word(m, m.load32(address(m, i)))); }
void sb(auto& m, const Mem& i) { m.store8(address(m, i), m.gpr(i.rt)); }
void sh(auto& m, const Mem& i) { m.store16(address(m, i), m.gpr(i.rt)); }
void sw(auto& m, const Mem& i) { m.store32(address(m, i), m.gpr(i.rt)); }

// Unaligned pairs. `left` and `right` are the bits by which the aligned word is shifted when the
// address names its byte 0..3: LWL/SWL move the word's bytes from the address to the word's less
// significant end up into the register's upper part, LWR/SWR the others into its lower part.
template <class M>
auto left_shift(M& m, typename M::Value address) {
  const auto byte = address & 3;
  return (m.big_endian() ? byte : byte ^ 3) << 3;
}
template <class M>
auto right_shift(M& m, typename M::Value address) {
  const auto byte = address & 3;
  return (m.big_endian() ? byte ^ 3 : byte) << 3;
}
template <class M>
auto low_bits(M& m, typename M::Value count) {
  return (m.constant(1) << count) - 1;
}
inline constexpr std::uint64_t word_mask = 0xffffffff;

void lwl(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = left_shift(m, at);
  const auto loaded = m.load32(at & ~std::uint64_t{3});
  m.gpr(i.rt, word(m, (loaded << shift) | (m.gpr(i.rt) & low_bits(m, shift))));
}
void lwr(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = right_shift(m, at);
  const auto loaded = m.load32(at & ~std::uint64_t{3});
  const auto replaced = m.constant(word_mask) >> shift;
  m.gpr(i.rt, word(m, (loaded >> shift) | (m.gpr(i.rt) & (replaced ^ word_mask))));
}
void swl(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = left_shift(m, at);
  const auto old = m.replaced32(at & ~std::uint64_t{3});
  const auto replaced = m.constant(word_mask) >> shift;
  const auto bytes = m.zext32(m.gpr(i.rt)) >> shift;
  m.store32(at & ~std::uint64_t{3}, (old & (replaced ^ word_mask)) | bytes);
}
void swr(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = right_shift(m, at);
  const auto old = m.replaced32(at & ~std::uint64_t{3});
  m.store32(at & ~std::uint64_t{3}, (old & low_bits(m, shift)) | (m.gpr(i.rt) << shift));
}

void ll(auto& m, const Mem& i) { m.gpr(i.rt, word(m, m.load_linked32(address(m, i)))); }
void sc(auto& m, const Mem& i) {
  m.gpr(i.rt, m.bit(m.store_conditional32(address(m, i), m.gpr(i.rt))));
}

// ---- Loads and stores of doublewords (A: LDL LDR LWU LLD LD SDL SDR SCD SD), in the same way.
template <class M>
auto left_shift_64(M& m, typename M::Value address) {
  const auto byte = address & 7;
  return (m.big_endian() ? byte : byte ^ 7) << 3;
}
template <class M>
auto right_shift_64(M& m, typename M::Value address) {
  const auto byte = address & 7;
  return (m.big_endian() ? byte ^ 7 : byte) << 3;
}
void ldl(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = left_shift_64(m, at);
  const auto loaded = m.load64(at & ~std::uint64_t{7});
  m.gpr(i.rt, (loaded << shift) | (m.gpr(i.rt) & low_bits(m, shift)));
}
void ldr(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = right_shift_64(m, at);
  const auto loaded = m.load64(at & ~std::uint64_t{7});
  const auto replaced = m.constant(~std::uint64_t{0}) >> shift;
  m.gpr(i.rt, (loaded >> shift) | (m.gpr(i.rt) & ~replaced));
}
void lwu(auto& m, const Mem& i) { m.gpr(i.rt, m.load32(address(m, i))); }
void sdl(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = left_shift_64(m, at);
  const auto old = m.replaced64(at & ~std::uint64_t{7});
  const auto replaced = m.constant(~std::uint64_t{0}) >> shift;
  m.store64(at & ~std::uint64_t{7}, (old & ~replaced) | (m.gpr(i.rt) >> shift));
}
void sdr(auto& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = right_shift_64(m, at);
  const auto old = m.replaced64(at & ~std::uint64_t{7});
  m.store64(at & ~std::uint64_t{7}, (old & low_bits(m, shift)) | (m.gpr(i.rt) << shift));
}
void lld(auto& m, const Mem& i) { m.gpr(i.rt, m.load_linked64(address(m, i))); }
void ld(auto& m, const Mem& i) { m.gpr(i.rt, m.load64(address(m, i))); }
void scd(auto& m, const Mem& i) {
  m.gpr(i.rt, m.bit(m.store_conditional64(address(m, i), m.gpr(i.rt))));
}
void sd(auto& m, const Mem& i) { m.store64(address(m, i), m.gpr(i.rt)); }

// ---- Memory system and hardware registers (A: PREF SYNC; II: SYNCI RDHWR).
// A prefetch changes nothing that a program can see, and takes no address exception. One processor
// sees its own accesses in order (SYNC).
void nothing(auto&, const auto&) {}
// Code that was written runs as it was written without this too, but the address must be there.
void synci(auto& m, const Base& i) { m.load8(address(m, i)); }

// The step is what Linux reports for a cache line of 32 bytes; the resolution is its default and
// the R4000's: one count every second cycle (Linux, arch/mips/kernel/traps.c, simulate_rdhwr).
inline constexpr std::uint64_t synci_step = 32;
inline constexpr std::uint64_t cycles_per_count = 2;
enum HardwareRegister : unsigned {
  cpu_number = 0,
  synci_step_size = 1,
  cycle_counter = 2,
  cycle_counter_resolution = 3,
  user_local_register = 29
};
void rdhwr(auto& m, const Hardware& i) {
  switch (i.hwr) {
    case cpu_number:
      return m.gpr(i.rt, m.constant(0));
    case synci_step_size:
      return m.gpr(i.rt, m.constant(synci_step));
    case cycle_counter:
      return m.gpr(i.rt, word(m, m.clock() >> m.constant(std::countr_zero(cycles_per_count))));
    case cycle_counter_resolution:
      return m.gpr(i.rt, m.constant(cycles_per_count));
    case user_local_register:
      return m.gpr(i.rt, m.user_local());
    default:
      return m.trap(TrapKind::illegal_instruction, 0);
  }
}

void lwc1(auto& m, const FpMem& i) { m.fpr32(i.ft, m.load32(address(m, i))); }
void swc1(auto& m, const FpMem& i) { m.store32(address(m, i), m.fpr32(i.ft)); }
void ldc1(auto& m, const FpMem& i) {
  m.require_double(i.ft);
  m.fpr64(i.ft, m.load64(address(m, i)));
}
void sdc1(auto& m, const FpMem& i) { m.store64(address(m, i), m.fpr64(i.ft)); }

}  // namespace hardclock::mips
