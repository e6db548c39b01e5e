// What each MIPS instruction does, once: a body runs on any machine of machine.h. Bodies are named
// as in mips.decode and stand in its order; the text above each group names the manual's section.
// Source: Kane and Heinrich, "MIPS RISC Architecture" (1992), appendix A. The floating-point
// instructions are in semantics_fpu.h.
#pragma once

#include "isa/mips/divide.h"
#include "isa/mips/machine.h"

namespace hardclock::mips {

inline constexpr unsigned return_address_register = 31;
inline constexpr std::uint64_t instruction_bytes = 4;

// A signed field of an instruction as a 64-bit operand.
constexpr std::uint64_t immediate(std::int32_t field) {
  return static_cast<std::uint64_t>(std::int64_t{field});
}

// The word size of a register is 32 bits here; values are kept sign-extended.
template <class M>
auto word(M& m, typename M::Value v) {
  return m.sext32(v);
}

// ---- Shifts (A: SLL SRL SRA SLLV SRLV SRAV). Variable shifts use the low five bits of rs.
template <class M>
void sll(M& m, const Shift& i) {
  m.gpr(i.rd, word(m, m.gpr(i.rt) << m.constant(i.sa)));
}
template <class M>
void srl(M& m, const Shift& i) {
  m.gpr(i.rd, word(m, m.zext32(m.gpr(i.rt)) >> m.constant(i.sa)));
}
template <class M>
void sra(M& m, const Shift& i) {
  m.gpr(i.rd, m.sar(m.gpr(i.rt), m.constant(i.sa)));
}
template <class M>
void sllv(M& m, const ShiftV& i) {
  m.gpr(i.rd, word(m, m.gpr(i.rt) << (m.gpr(i.rs) & 31)));
}
template <class M>
void srlv(M& m, const ShiftV& i) {
  m.gpr(i.rd, word(m, m.zext32(m.gpr(i.rt)) >> (m.gpr(i.rs) & 31)));
}
template <class M>
void srav(M& m, const ShiftV& i) {
  m.gpr(i.rd, m.sar(m.gpr(i.rt), m.gpr(i.rs) & 31));
}

// ---- Arithmetic and logic (A). ADD, ADDI and SUB trap on two's complement overflow and then leave
// the destination alone; the U forms never trap.
template <class M>
void write_or_overflow(M& m, unsigned rd, typename M::Value wide_sum) {
  const auto sum = word(m, wide_sum);
  m.trap_if(m.ne(sum, wide_sum), TrapKind::integer_overflow);
  m.gpr(rd, sum);
}
template <class M>
void add(M& m, const Rrr& i) {
  write_or_overflow(m, i.rd, m.gpr(i.rs) + m.gpr(i.rt));
}
template <class M>
void addu(M& m, const Rrr& i) {
  m.gpr(i.rd, word(m, m.gpr(i.rs) + m.gpr(i.rt)));
}
template <class M>
void sub(M& m, const Rrr& i) {
  write_or_overflow(m, i.rd, m.gpr(i.rs) - m.gpr(i.rt));
}
template <class M>
void subu(M& m, const Rrr& i) {
  m.gpr(i.rd, word(m, m.gpr(i.rs) - m.gpr(i.rt)));
}
template <class M>
void and_(M& m, const Rrr& i) {
  m.gpr(i.rd, m.gpr(i.rs) & m.gpr(i.rt));
}
template <class M>
void or_(M& m, const Rrr& i) {
  m.gpr(i.rd, m.gpr(i.rs) | m.gpr(i.rt));
}
template <class M>
void xor_(M& m, const Rrr& i) {
  m.gpr(i.rd, m.gpr(i.rs) ^ m.gpr(i.rt));
}
template <class M>
void nor(M& m, const Rrr& i) {
  m.gpr(i.rd, ~(m.gpr(i.rs) | m.gpr(i.rt)));
}
template <class M>
void slt(M& m, const Rrr& i) {
  m.gpr(i.rd, m.bit(m.lt(m.gpr(i.rs), m.gpr(i.rt))));
}
template <class M>
void sltu(M& m, const Rrr& i) {
  m.gpr(i.rd, m.bit(m.ltu(m.gpr(i.rs), m.gpr(i.rt))));
}

template <class M>
void addi(M& m, const Rri& i) {
  write_or_overflow(m, i.rt, m.gpr(i.rs) + immediate(i.imm));
}
template <class M>
void addiu(M& m, const Rri& i) {
  m.gpr(i.rt, word(m, m.gpr(i.rs) + immediate(i.imm)));
}
template <class M>
void slti(M& m, const Rri& i) {
  m.gpr(i.rt, m.bit(m.lt(m.gpr(i.rs), immediate(i.imm))));
}
// The immediate is sign-extended, then compared as an unsigned number.
template <class M>
void sltiu(M& m, const Rri& i) {
  m.gpr(i.rt, m.bit(m.ltu(m.gpr(i.rs), immediate(i.imm))));
}
template <class M>
void andi(M& m, const Rru& i) {
  m.gpr(i.rt, m.gpr(i.rs) & std::uint64_t{i.uimm});
}
template <class M>
void ori(M& m, const Rru& i) {
  m.gpr(i.rt, m.gpr(i.rs) | std::uint64_t{i.uimm});
}
template <class M>
void xori(M& m, const Rru& i) {
  m.gpr(i.rt, m.gpr(i.rs) ^ std::uint64_t{i.uimm});
}
template <class M>
void lui(M& m, const Ru& i) {
  m.gpr(i.rt, m.constant(sign_extended(std::uint32_t{i.uimm} << 16)));
}

// ---- Multiply, divide, HI and LO (A: MFHI ... DIVU).
template <class M>
void mfhi(M& m, const Rd& i) {
  m.gpr(i.rd, m.hi());
}
template <class M>
void mthi(M& m, const Rs& i) {
  m.hi(m.gpr(i.rs));
}
template <class M>
void mflo(M& m, const Rd& i) {
  m.gpr(i.rd, m.lo());
}
template <class M>
void mtlo(M& m, const Rs& i) {
  m.lo(m.gpr(i.rs));
}
template <class M>
void write_product(M& m, typename M::Value product) {
  m.lo(word(m, product));
  m.hi(word(m, product >> 32));
}
template <class M>
void mult(M& m, const RsRt& i) {
  write_product(m, m.gpr(i.rs) * m.gpr(i.rt));
}
template <class M>
void multu(M& m, const RsRt& i) {
  write_product(m, m.zext32(m.gpr(i.rs)) * m.zext32(m.gpr(i.rt)));
}
template <class M, class V>
void write_division(M& m, const std::array<V, 2>& division) {
  m.lo(division[0]);
  m.hi(division[1]);
}
template <class M>
void div(M& m, const RsRt& i) {
  write_division(m, m.call(divide_signed, m.gpr(i.rs), m.gpr(i.rt)));
}
template <class M>
void divu(M& m, const RsRt& i) {
  write_division(m, m.call(divide_unsigned, m.gpr(i.rs), m.gpr(i.rt)));
}

// ---- Jumps and branches (A). Targets count from the delay slot; a link register gets the address
// after the delay slot, whether or not the branch is taken.
template <class M>
auto branch_target(M& m, std::int32_t displacement) {
  return m.pc() + immediate(displacement) + instruction_bytes;
}
template <class M>
void link(M& m, unsigned rd) {
  m.gpr(rd, word(m, m.pc() + 2 * instruction_bytes));
}
template <class M>
auto jump_target(M& m, std::uint32_t target) {
  return ((m.pc() + instruction_bytes) & ~std::uint64_t{0x0fffffff}) | std::uint64_t{target};
}

template <class M>
void j(M& m, const Jump& i) {
  m.jump(jump_target(m, i.jump));
}
template <class M>
void jal(M& m, const Jump& i) {
  link(m, return_address_register);
  m.jump(jump_target(m, i.jump));
}
template <class M>
void jr(M& m, const Rs& i) {
  m.jump(m.gpr(i.rs));
}
template <class M>
void jalr(M& m, const RdRs& i) {
  const auto target = m.gpr(i.rs);
  link(m, i.rd);
  m.jump(target);
}
template <class M>
void beq(M& m, const BranchRR& i) {
  m.branch_if(m.eq(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
template <class M>
void bne(M& m, const BranchRR& i) {
  m.branch_if(m.ne(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
template <class M>
void blez(M& m, const BranchR& i) {
  m.branch_if(m.not_(m.lt(0, m.gpr(i.rs))), branch_target(m, i.branch));
}
template <class M>
void bgtz(M& m, const BranchR& i) {
  m.branch_if(m.lt(0, m.gpr(i.rs)), branch_target(m, i.branch));
}
template <class M>
void bltz(M& m, const BranchR& i) {
  m.branch_if(m.lt(m.gpr(i.rs), 0), branch_target(m, i.branch));
}
template <class M>
void bgez(M& m, const BranchR& i) {
  m.branch_if(m.not_(m.lt(m.gpr(i.rs), 0)), branch_target(m, i.branch));
}
template <class M>
void bltzal(M& m, const BranchR& i) {
  const auto negative = m.lt(m.gpr(i.rs), 0);
  link(m, return_address_register);
  m.branch_if(negative, branch_target(m, i.branch));
}
template <class M>
void bgezal(M& m, const BranchR& i) {
  const auto not_negative = m.not_(m.lt(m.gpr(i.rs), 0));
  link(m, return_address_register);
  m.branch_if(not_negative, branch_target(m, i.branch));
}
template <class M>
void beql(M& m, const BranchRR& i) {
  m.branch_likely_if(m.eq(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
template <class M>
void bnel(M& m, const BranchRR& i) {
  m.branch_likely_if(m.ne(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
template <class M>
void blezl(M& m, const BranchR& i) {
  m.branch_likely_if(m.not_(m.lt(0, m.gpr(i.rs))), branch_target(m, i.branch));
}
template <class M>
void bgtzl(M& m, const BranchR& i) {
  m.branch_likely_if(m.lt(0, m.gpr(i.rs)), branch_target(m, i.branch));
}
template <class M>
void bltzl(M& m, const BranchR& i) {
  m.branch_likely_if(m.lt(m.gpr(i.rs), 0), branch_target(m, i.branch));
}
template <class M>
void bgezl(M& m, const BranchR& i) {
  m.branch_likely_if(m.not_(m.lt(m.gpr(i.rs), 0)), branch_target(m, i.branch));
}
template <class M>
void bltzall(M& m, const BranchR& i) {
  const auto negative = m.lt(m.gpr(i.rs), 0);
  link(m, return_address_register);
  m.branch_likely_if(negative, branch_target(m, i.branch));
}
template <class M>
void bgezall(M& m, const BranchR& i) {
  const auto not_negative = m.not_(m.lt(m.gpr(i.rs), 0));
  link(m, return_address_register);
  m.branch_likely_if(not_negative, branch_target(m, i.branch));
}

// ---- Traps (A: SYSCALL BREAK TGE ... TNEI).
template <class M>
void syscall(M& m, const Syscall& i) {
  m.trap(TrapKind::system_call, i.scode);
}
template <class M>
void break_(M& m, const Break& i) {
  m.trap(TrapKind::breakpoint, i.code20);
}
template <class M>
void tge(M& m, const TrapRR& i) {
  m.trap_if(m.not_(m.lt(m.gpr(i.rs), m.gpr(i.rt))), TrapKind::conditional_trap, i.code10);
}
template <class M>
void tgeu(M& m, const TrapRR& i) {
  m.trap_if(m.not_(m.ltu(m.gpr(i.rs), m.gpr(i.rt))), TrapKind::conditional_trap, i.code10);
}
template <class M>
void tlt(M& m, const TrapRR& i) {
  m.trap_if(m.lt(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
template <class M>
void tltu(M& m, const TrapRR& i) {
  m.trap_if(m.ltu(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
template <class M>
void teq(M& m, const TrapRR& i) {
  m.trap_if(m.eq(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
template <class M>
void tne(M& m, const TrapRR& i) {
  m.trap_if(m.ne(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
template <class M>
void tgei(M& m, const TrapI& i) {
  m.trap_if(m.not_(m.lt(m.gpr(i.rs), immediate(i.imm))), TrapKind::conditional_trap);
}
template <class M>
void tgeiu(M& m, const TrapI& i) {
  m.trap_if(m.not_(m.ltu(m.gpr(i.rs), immediate(i.imm))), TrapKind::conditional_trap);
}
template <class M>
void tlti(M& m, const TrapI& i) {
  m.trap_if(m.lt(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}
template <class M>
void tltiu(M& m, const TrapI& i) {
  m.trap_if(m.ltu(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}
template <class M>
void teqi(M& m, const TrapI& i) {
  m.trap_if(m.eq(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}
template <class M>
void tnei(M& m, const TrapI& i) {
  m.trap_if(m.ne(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}

// ---- Loads and stores (A). The effective address is the base plus the signed offset.
template <class M, class Operands>
auto address(M& m, const Operands& i) {
  return m.gpr(i.rs) + immediate(i.offset);
}
template <class M>
void lb(M& m, const Mem& i) {
  m.gpr(i.rt, m.sext8(m.load8(address(m, i))));
}
template <class M>
void lbu(M& m, const Mem& i) {
  m.gpr(i.rt, m.load8(address(m, i)));
}
template <class M>
void lh(M& m, const Mem& i) {
  m.gpr(i.rt, m.sext16(m.load16(address(m, i))));
}
template <class M>
void lhu(M& m, const Mem& i) {
  m.gpr(i.rt, m.load16(address(m, i)));
}
template <class M>
void lw(M& m, const Mem& i) {
  m.gpr(i.rt, word(m, m.load32(address(m, i))));
}
template <class M>
void sb(M& m, const Mem& i) {
  m.store8(address(m, i), m.gpr(i.rt));
}
template <class M>
void sh(M& m, const Mem& i) {
  m.store16(address(m, i), m.gpr(i.rt));
}
template <class M>
void sw(M& m, const Mem& i) {
  m.store32(address(m, i), m.gpr(i.rt));
}

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

template <class M>
void lwl(M& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = left_shift(m, at);
  const auto loaded = m.load32(at & ~std::uint64_t{3});
  m.gpr(i.rt, word(m, (loaded << shift) | (m.gpr(i.rt) & low_bits(m, shift))));
}
template <class M>
void lwr(M& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = right_shift(m, at);
  const auto loaded = m.load32(at & ~std::uint64_t{3});
  const auto replaced = m.constant(word_mask) >> shift;
  m.gpr(i.rt, word(m, (loaded >> shift) | (m.gpr(i.rt) & (replaced ^ word_mask))));
}
template <class M>
void swl(M& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = left_shift(m, at);
  const auto old = m.load32(at & ~std::uint64_t{3});
  const auto replaced = m.constant(word_mask) >> shift;
  const auto bytes = m.zext32(m.gpr(i.rt)) >> shift;
  m.store32(at & ~std::uint64_t{3}, bytes | (old & (replaced ^ word_mask)));
}
template <class M>
void swr(M& m, const Mem& i) {
  const auto at = address(m, i);
  const auto shift = right_shift(m, at);
  const auto old = m.load32(at & ~std::uint64_t{3});
  m.store32(at & ~std::uint64_t{3}, (m.gpr(i.rt) << shift) | (old & low_bits(m, shift)));
}

template <class M>
void ll(M& m, const Mem& i) {
  m.gpr(i.rt, word(m, m.load_linked32(address(m, i))));
}
template <class M>
void sc(M& m, const Mem& i) {
  m.gpr(i.rt, m.bit(m.store_conditional32(address(m, i), m.gpr(i.rt))));
}
// One processor sees its own accesses in order.
template <class M>
void sync(M&, const None&) {}

template <class M>
void lwc1(M& m, const FpMem& i) {
  m.fpr32(i.ft, m.load32(address(m, i)));
}
template <class M>
void swc1(M& m, const FpMem& i) {
  m.store32(address(m, i), m.fpr32(i.ft));
}
template <class M>
void ldc1(M& m, const FpMem& i) {
  m.fpr64(i.ft, m.load64(address(m, i)));
}
template <class M>
void sdc1(M& m, const FpMem& i) {
  m.store64(address(m, i), m.fpr64(i.ft));
}

}  // namespace hardclock::mips
