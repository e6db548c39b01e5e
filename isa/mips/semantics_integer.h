// The part of semantics.h that computes: shifts, arithmetic, logic, HI and LO.
// Sources: A is appendix A of Kane and Heinrich, "MIPS RISC Architecture" (1992) and, from MIPS III
// on, of Price, "MIPS IV Instruction Set", revision 3.2 (1995); II is "MIPS64 Architecture For
// Programmers", volume II, revision 2.50 (2005).
//
// A 32-bit operation on a register that is not a sign-extended word has no defined result. Here it
// takes the low words where its result would not be one otherwise (ADD, MULT, DIV, EXT), and the
// whole register where QEMU does (SRA, comparisons, logic, MADD).
#pragma once

#include <cstdint>

#include "isa/mips/bit_functions.h"
#include "isa/mips/divide.h"
#include "isa/mips/machine.h"

namespace hardclock::mips {

// A signed field of an instruction as a 64-bit operand.
constexpr std::uint64_t immediate(std::int32_t field) {
  return static_cast<std::uint64_t>(std::int64_t{field});
}

// A 32-bit result as a register holds it: sign-extended.
template <class M>
auto word(M& m, typename M::Value v) {
  return m.sext32(v);
}

// The same of the adder or of a left shift. On a processor that stops to extend the sign, `marks`,
// the instruction is slow when the sign has to be extended.
template <bool marks, class M>
auto extended_word(M& m, typename M::Value v) {
  const auto result = word(m, v);
  if constexpr (marks) m.mark_slow_if(m.ne(result, v));
  return result;
}

// ---- Shifts (A: SLL SRL SRA SLLV SRLV SRAV). Variable shifts use the low five bits of rs.
template <bool marks = false>
void sll(auto& m, const Shift& i) {
  m.gpr(i.rd, extended_word<marks>(m, m.gpr(i.rt) << m.constant(i.sa)));
}
void srl(auto& m, const Shift& i) {
  m.gpr(i.rd, word(m, m.zext32(m.gpr(i.rt)) >> m.constant(i.sa)));
}
void sra(auto& m, const Shift& i) { m.gpr(i.rd, m.sar(m.gpr(i.rt), m.constant(i.sa))); }
void sllv(auto& m, const ShiftV& i) { m.gpr(i.rd, word(m, m.gpr(i.rt) << (m.gpr(i.rs) & 31))); }
void srlv(auto& m, const ShiftV& i) {
  m.gpr(i.rd, word(m, m.zext32(m.gpr(i.rt)) >> (m.gpr(i.rs) & 31)));
}
void srav(auto& m, const ShiftV& i) { m.gpr(i.rd, m.sar(m.gpr(i.rt), m.gpr(i.rs) & 31)); }
template <class M>
void rotate_word(M& m, unsigned rd, typename M::Value value, typename M::Value amount) {
  const auto bits = m.zext32(value);
  m.gpr(rd, word(m, (bits | bits << 32) >> amount));
}
void rotr(auto& m, const Shift& i) { rotate_word(m, i.rd, m.gpr(i.rt), m.constant(i.sa)); }
void rotrv(auto& m, const ShiftV& i) { rotate_word(m, i.rd, m.gpr(i.rt), m.gpr(i.rs) & 31); }

// ---- Shifts of doublewords (A: DSLL ... DSRAV; II: DROTR DROTR32 DROTRV). Variable shifts use the
// low six bits of rs.
void dsll(auto& m, const Shift& i) { m.gpr(i.rd, m.gpr(i.rt) << m.constant(i.sa)); }
void dsrl(auto& m, const Shift& i) { m.gpr(i.rd, m.gpr(i.rt) >> m.constant(i.sa)); }
void dsra(auto& m, const Shift& i) { m.gpr(i.rd, m.sar(m.gpr(i.rt), m.constant(i.sa))); }
void dsll32(auto& m, const Shift& i) { m.gpr(i.rd, m.gpr(i.rt) << m.constant(i.sa + 32u)); }
void dsrl32(auto& m, const Shift& i) { m.gpr(i.rd, m.gpr(i.rt) >> m.constant(i.sa + 32u)); }
void dsra32(auto& m, const Shift& i) { m.gpr(i.rd, m.sar(m.gpr(i.rt), m.constant(i.sa + 32u))); }
void dsllv(auto& m, const ShiftV& i) { m.gpr(i.rd, m.gpr(i.rt) << (m.gpr(i.rs) & 63)); }
void dsrlv(auto& m, const ShiftV& i) { m.gpr(i.rd, m.gpr(i.rt) >> (m.gpr(i.rs) & 63)); }
void dsrav(auto& m, const ShiftV& i) { m.gpr(i.rd, m.sar(m.gpr(i.rt), m.gpr(i.rs) & 63)); }
template <class M>
void rotate(M& m, unsigned rd, typename M::Value value, typename M::Value amount) {
  m.gpr(rd, value >> amount | value << ((m.constant(64) - amount) & 63));
}
void drotr(auto& m, const Shift& i) { rotate(m, i.rd, m.gpr(i.rt), m.constant(i.sa)); }
void drotr32(auto& m, const Shift& i) { rotate(m, i.rd, m.gpr(i.rt), m.constant(i.sa + 32u)); }
void drotrv(auto& m, const ShiftV& i) { rotate(m, i.rd, m.gpr(i.rt), m.gpr(i.rs) & 63); }

// ---- Arithmetic and logic (A). ADD, ADDI and SUB trap on two's complement overflow and then leave
// the destination alone; the U forms never trap.
template <class M>
void write_or_overflow(M& m, unsigned rd, typename M::Value wide_sum) {
  const auto sum = word(m, wide_sum);
  m.trap_if(m.ne(sum, wide_sum), TrapKind::integer_overflow);
  m.gpr(rd, sum);
}
void add(auto& m, const Rrr& i) {
  write_or_overflow(m, i.rd, word(m, m.gpr(i.rs)) + word(m, m.gpr(i.rt)));
}
template <bool marks = false>
void addu(auto& m, const Rrr& i) {
  m.gpr(i.rd, extended_word<marks>(m, m.gpr(i.rs) + m.gpr(i.rt)));
}
void sub(auto& m, const Rrr& i) {
  write_or_overflow(m, i.rd, word(m, m.gpr(i.rs)) - word(m, m.gpr(i.rt)));
}
template <bool marks = false>
void subu(auto& m, const Rrr& i) {
  m.gpr(i.rd, extended_word<marks>(m, m.gpr(i.rs) - m.gpr(i.rt)));
}
void and_(auto& m, const Rrr& i) { m.gpr(i.rd, m.gpr(i.rs) & m.gpr(i.rt)); }
void or_(auto& m, const Rrr& i) { m.gpr(i.rd, m.gpr(i.rs) | m.gpr(i.rt)); }
void xor_(auto& m, const Rrr& i) { m.gpr(i.rd, m.gpr(i.rs) ^ m.gpr(i.rt)); }
void nor(auto& m, const Rrr& i) { m.gpr(i.rd, ~(m.gpr(i.rs) | m.gpr(i.rt))); }
void slt(auto& m, const Rrr& i) { m.gpr(i.rd, m.bit(m.lt(m.gpr(i.rs), m.gpr(i.rt)))); }
void sltu(auto& m, const Rrr& i) { m.gpr(i.rd, m.bit(m.ltu(m.gpr(i.rs), m.gpr(i.rt)))); }

// ---- The same of doublewords (A: DADD DADDU DSUB DSUBU DADDI DADDIU).
template <class M>
void write_sum(M& m, unsigned rd, typename M::Value a, typename M::Value b) {
  const auto sum = a + b;
  m.trap_if(m.lt((a ^ sum) & (b ^ sum), 0), TrapKind::integer_overflow);
  m.gpr(rd, sum);
}
void dadd(auto& m, const Rrr& i) { write_sum(m, i.rd, m.gpr(i.rs), m.gpr(i.rt)); }
void daddu(auto& m, const Rrr& i) { m.gpr(i.rd, m.gpr(i.rs) + m.gpr(i.rt)); }
void dsub(auto& m, const Rrr& i) {
  const auto a = m.gpr(i.rs), b = m.gpr(i.rt);
  const auto difference = a - b;
  m.trap_if(m.lt((a ^ b) & (a ^ difference), 0), TrapKind::integer_overflow);
  m.gpr(i.rd, difference);
}
void dsubu(auto& m, const Rrr& i) { m.gpr(i.rd, m.gpr(i.rs) - m.gpr(i.rt)); }

// ---- Conditional moves (A: MOVZ MOVN; B: MOVF MOVT).
template <class M>
void move_if(M& m, unsigned rd, unsigned rs, typename M::Flag condition) {
  m.gpr(rd, m.select(condition, m.gpr(rs), m.gpr(rd)));
}
void movz(auto& m, const Rrr& i) { move_if(m, i.rd, i.rs, m.eq(m.gpr(i.rt), 0)); }
void movn(auto& m, const Rrr& i) { move_if(m, i.rd, i.rs, m.ne(m.gpr(i.rt), 0)); }
void movf(auto& m, const MoveCc& i) { move_if(m, i.rd, i.rs, m.not_(m.fp_condition(i.cc))); }
void movt(auto& m, const MoveCc& i) { move_if(m, i.rd, i.rs, m.fp_condition(i.cc)); }

// ---- Bits and bytes (II: CLZ CLO DCLZ DCLO EXT INS DEXT ... DINS WSBH SEB SEH DSBH DSHD).
void clz(auto& m, const Count& i) { m.gpr(i.rd, m.call(leading_zeros_32, m.gpr(i.rs))); }
void clo(auto& m, const Count& i) { m.gpr(i.rd, m.call(leading_zeros_32, ~m.gpr(i.rs))); }
void dclz(auto& m, const Count& i) { m.gpr(i.rd, m.call(leading_zeros_64, m.gpr(i.rs))); }
void dclo(auto& m, const Count& i) { m.gpr(i.rd, m.call(leading_zeros_64, ~m.gpr(i.rs))); }

// `size` is 1 to 64. A field that reaches beyond the register has no defined result.
auto extracted(auto& m, unsigned rs, unsigned position, unsigned size) {
  return (m.gpr(rs) >> m.constant(position)) & bits_between(0, size - 1);
}
void ext(auto& m, const Extract& i) {
  m.gpr(i.rt, word(m, extracted(m, i.rs, i.lsb, i.msbd + 1u)));
}
void dextm(auto& m, const ExtractM& i) { m.gpr(i.rt, extracted(m, i.rs, i.lsb, i.msbd_32 + 33u)); }
void dextu(auto& m, const ExtractU& i) {
  m.gpr(i.rt, extracted(m, i.rs, i.lsb_32 + 32u, i.msbd + 1u));
}
void dext(auto& m, const Extract& i) { m.gpr(i.rt, extracted(m, i.rs, i.lsb, i.msbd + 1u)); }
// Bits low..high of rt replaced; with high below low, which has no defined result, none.
auto inserted(auto& m, unsigned rt, unsigned rs, unsigned low, unsigned high) {
  const std::uint64_t field = bits_between(low, high);
  return (m.gpr(rt) & ~field) | ((m.gpr(rs) << m.constant(low)) & field);
}
void ins(auto& m, const Insert& i) { m.gpr(i.rt, word(m, inserted(m, i.rt, i.rs, i.lsb, i.msb))); }
void dinsm(auto& m, const InsertM& i) {
  m.gpr(i.rt, inserted(m, i.rt, i.rs, i.lsb, i.msb_32 + 32u));
}
void dinsu(auto& m, const InsertU& i) {
  m.gpr(i.rt, inserted(m, i.rt, i.rs, i.lsb_32 + 32u, i.msb_32 + 32u));
}
void dins(auto& m, const Insert& i) { m.gpr(i.rt, inserted(m, i.rt, i.rs, i.lsb, i.msb)); }
// The halves of every group of 2 * `bits` bits exchanged; `low` has ones in the lower ones.
auto exchanged(auto value, unsigned bits, std::uint64_t low) {
  return (value & low) << std::uint64_t{bits} | ((value >> std::uint64_t{bits}) & low);
}
inline constexpr std::uint64_t even_bytes = 0x00ff'00ff'00ff'00ff;
inline constexpr std::uint64_t even_halves = 0x0000'ffff'0000'ffff;
void wsbh(auto& m, const RdRt& i) { m.gpr(i.rd, word(m, exchanged(m.gpr(i.rt), 8, even_bytes))); }
void seb(auto& m, const RdRt& i) { m.gpr(i.rd, m.sext8(m.gpr(i.rt))); }
void seh(auto& m, const RdRt& i) { m.gpr(i.rd, m.sext16(m.gpr(i.rt))); }
void dsbh(auto& m, const RdRt& i) { m.gpr(i.rd, exchanged(m.gpr(i.rt), 8, even_bytes)); }
void dshd(auto& m, const RdRt& i) {
  const auto halves = exchanged(m.gpr(i.rt), 16, even_halves);
  m.gpr(i.rd, halves << 32 | halves >> 32);
}

// ---- Arithmetic and logic, immediate (A).
void addi(auto& m, const Rri& i) {
  write_or_overflow(m, i.rt, word(m, m.gpr(i.rs)) + immediate(i.imm));
}
template <bool marks = false>
void addiu(auto& m, const Rri& i) {
  m.gpr(i.rt, extended_word<marks>(m, m.gpr(i.rs) + immediate(i.imm)));
}
void slti(auto& m, const Rri& i) { m.gpr(i.rt, m.bit(m.lt(m.gpr(i.rs), immediate(i.imm)))); }
// The immediate is sign-extended, then compared as an unsigned number.
void sltiu(auto& m, const Rri& i) { m.gpr(i.rt, m.bit(m.ltu(m.gpr(i.rs), immediate(i.imm)))); }
void andi(auto& m, const Rru& i) { m.gpr(i.rt, m.gpr(i.rs) & std::uint64_t{i.uimm}); }
void ori(auto& m, const Rru& i) { m.gpr(i.rt, m.gpr(i.rs) | std::uint64_t{i.uimm}); }
void xori(auto& m, const Rru& i) { m.gpr(i.rt, m.gpr(i.rs) ^ std::uint64_t{i.uimm}); }
void lui(auto& m, const Ru& i) {
  m.gpr(i.rt, m.constant(sign_extended(std::uint32_t{i.uimm} << 16)));
}
void daddi(auto& m, const Rri& i) { write_sum(m, i.rt, m.gpr(i.rs), m.constant(immediate(i.imm))); }
void daddiu(auto& m, const Rri& i) { m.gpr(i.rt, m.gpr(i.rs) + immediate(i.imm)); }

// ---- Multiply, divide, HI and LO (A: MFHI ... DDIVU; II: MADD MADDU MUL MSUB MSUBU).
void mfhi(auto& m, const Rd& i) { m.gpr(i.rd, m.hi()); }
void mthi(auto& m, const Rs& i) { m.hi(m.gpr(i.rs)); }
void mflo(auto& m, const Rd& i) { m.gpr(i.rd, m.lo()); }
void mtlo(auto& m, const Rs& i) { m.lo(m.gpr(i.rs)); }
template <class M>
void write_product(M& m, typename M::Value product) {
  m.lo(word(m, product));
  m.hi(word(m, product >> 32));
}
auto signed_product(auto& m, unsigned rs, unsigned rt) {
  return word(m, m.gpr(rs)) * word(m, m.gpr(rt));
}
auto unsigned_product(auto& m, unsigned rs, unsigned rt) {
  return m.zext32(m.gpr(rs)) * m.zext32(m.gpr(rt));
}
void mult(auto& m, const RsRt& i) { write_product(m, signed_product(m, i.rs, i.rt)); }
void multu(auto& m, const RsRt& i) { write_product(m, unsigned_product(m, i.rs, i.rt)); }
// The function's two results.
[[gnu::always_inline]] inline void write_both(auto& m, auto function, const RsRt& i) {
  const auto results = m.call(function, m.gpr(i.rs), m.gpr(i.rt));
  m.lo(results[0]);
  m.hi(results[1]);
}
void div(auto& m, const RsRt& i) { write_both(m, divide_signed, i); }
void divu(auto& m, const RsRt& i) { write_both(m, divide_unsigned, i); }
void dmult(auto& m, const RsRt& i) { write_both(m, multiply_signed_64, i); }
void dmultu(auto& m, const RsRt& i) { write_both(m, multiply_unsigned_64, i); }
void ddiv(auto& m, const RsRt& i) { write_both(m, divide_signed_64, i); }
void ddivu(auto& m, const RsRt& i) { write_both(m, divide_unsigned_64, i); }
// HI and LO as one number of 64 bits: their low words.
auto accumulator(auto& m) { return m.hi() << 32 | m.zext32(m.lo()); }
void madd(auto& m, const RsRt& i) { write_product(m, accumulator(m) + m.gpr(i.rs) * m.gpr(i.rt)); }
void maddu(auto& m, const RsRt& i) {
  write_product(m, accumulator(m) + unsigned_product(m, i.rs, i.rt));
}
// HI and LO, which have no defined value afterwards, stay as they are.
void mul(auto& m, const Rrr& i) { m.gpr(i.rd, word(m, signed_product(m, i.rs, i.rt))); }
void msub(auto& m, const RsRt& i) { write_product(m, accumulator(m) - m.gpr(i.rs) * m.gpr(i.rt)); }
void msubu(auto& m, const RsRt& i) {
  write_product(m, accumulator(m) - unsigned_product(m, i.rs, i.rt));
}

}  // namespace hardclock::mips
