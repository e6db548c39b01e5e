// The part of semantics.h that transfers control and serves the system: branches, traps, space and
// control registers, access rights, caches.
// Sources: I is the "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition
// (1994), chapter 5; K is Kane, "PA-RISC 2.0 Architecture" (1996), chapter 7.
#pragma once

#include <cstdint>

#include "isa/pa_risc/conditions.h"
#include "isa/pa_risc/interruptions.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/operand_values.h"
#include "isa/pa_risc/semantics_integer.h"

namespace hardclock::pa_risc {

// ---- Of many. Nothing: what serves the branch target stack, a hint that no processor has to keep
// and none here does; SYNC, as one processor sees its own accesses in order. What a program may not
// do (I, K: DIAG ..., the translations) traps.
void nothing(auto&, const auto&) {}
void privileged(auto& m, const auto&) {
  m.trap(TrapKind::illegal_instruction, privileged_operation_trap);
}
// Assist processors (I, K: COPR SPOP0 ... SPOP3, CLDW CLDD CSTW CSTD; K: PMDIS PMENB). None but the
// floating-point coprocessor, which decodes as patterns of its own, is there.
void unit_is_absent(auto& m, const auto&) {
  m.trap(TrapKind::illegal_instruction, assist_emulation_trap);
}

// ---- Unconditional branches (I: BL GATE BLR BV BE BLE; K: B BLR BV BVE BE). Displacements count
// from the branch's address plus 8. With ,n the delay slot never takes place. An address in a
// register has a privilege level, which is that of user programs, whatever it says.
inline constexpr unsigned return_pointer = 2, external_link = 31;

auto relative_target(auto& m, std::int64_t displacement) {
  return m.pc() + immediate(displacement + 8);
}
template <class M>
void jump(M& m, typename M::Value target, unsigned n) {
  m.jump(target);
  if (n != 0) m.nullify();
}
template <class M>
void jump_to_register(M& m, typename M::Value target, unsigned n) {
  jump(m, target & ~Registers::privilege_bits, n);
}
void b_l(auto& m, const Link& i) {
  m.gpr(i.t2, m.link());
  jump(m, relative_target(m, i.disp17), i.n);
}
void b_l_long(auto& m, const LinkLong& i) {
  m.gpr(return_pointer, m.link());
  jump(m, relative_target(m, i.disp22), i.n);
}
// Outside of the gateway page nothing is promoted: the level goes to the register's low bits.
void b_gate(auto& m, const Link& i) {
  m.gpr(i.t2, m.gpr(i.t2) | Registers::privilege_bits);
  jump(m, relative_target(m, i.disp17), i.n);
}
void blr(auto& m, const LinkIndexed& i) {
  const auto target = relative_target(m, 0) + (m.gpr(i.x) << 3);
  m.gpr(i.t2, m.link());
  jump(m, target, i.n);
}
void bv(auto& m, const BranchBaseX& i) { jump_to_register(m, m.gpr(i.b) + (m.gpr(i.x) << 3), i.n); }
void bve(auto& m, const BranchBase& i) { jump_to_register(m, m.gpr(i.b), i.n); }
void bve_l(auto& m, const BranchBase& i) {
  const auto target = m.gpr(i.b);
  m.gpr(return_pointer, m.link());
  jump_to_register(m, target, i.n);
}
void be(auto& m, const BranchExt& i) { jump_to_register(m, m.gpr(i.b) + immediate(i.disp17), i.n); }
// All spaces of a process are one: its number is 0.
inline constexpr std::uint64_t process_space = 0;
void be_l(auto& m, const BranchExt& i) {
  const auto target = m.gpr(i.b) + immediate(i.disp17);
  m.gpr(external_link, m.link());
  m.space(0, m.constant(process_space));
  jump_to_register(m, target, i.n);
}

// ---- Conditional branches (I: COMBT COMBF COMIBT COMIBF ADDBT ADDBF ADDIBT ADDIBF MOVB MOVIB BVB
// BB; K: CMPB CMPIB ADDB ADDIB MOVB MOVIB BB). With ,n the delay slot of a forward branch does not
// take place if the branch is taken, that of a backward branch if it is not.
template <class M>
void branch_when(M& m, unsigned condition, typename M::Flag flag, std::int64_t displacement,
                 unsigned n) {
  const auto target = relative_target(m, displacement);
  if (condition == always)
    m.jump(target);
  else
    m.branch_if(flag, target);
  if (n == 0) return;
  if (displacement >= 0)
    nullify_when(m, condition, flag);
  else
    nullify_when(m, condition ^ negation, m.not_(flag));
}
template <class M>
void compare_and_branch(M& m, unsigned condition, Width width, typename M::Value a,
                        typename M::Value b, std::int64_t displacement, unsigned n) {
  branch_when(m, condition, compare_condition(m, condition, width, a, b), displacement, n);
}
void cmpb(auto& m, const CmpBranch& i) {
  compare_and_branch(m, i.cf, Width::word, m.gpr(i.r1), m.gpr(i.r2), i.disp12, i.n);
}
void cmpb_dw(auto& m, const CmpBranchDw& i) {
  compare_and_branch(m, i.cf_dw, Width::doubleword, m.gpr(i.r1), m.gpr(i.r2), i.disp12, i.n);
}
void cmpib(auto& m, const CmpBranchI& i) {
  compare_and_branch(m, i.cf, Width::word, m.constant(immediate(i.im5)), m.gpr(i.r2), i.disp12,
                     i.n);
}
void cmpib_dw(auto& m, const BranchI& i) {
  compare_and_branch(m, cmpib_condition(i.c), Width::doubleword, m.constant(immediate(i.im5)),
                     m.gpr(i.r2), i.disp12, i.n);
}
// 33 bits hold a sum of words with its sign, so that of ADDB and ADDIB is not asked for overflow.
template <class M>
typename M::Flag word_sum_condition(M& m, unsigned condition, typename M::Value a,
                                    typename M::Value b, const Sum<M>& sum) {
  const auto exact = m.sext32(a) + m.sext32(b);
  switch (condition & condition_code) {
    case less:
      return negated_by_f(m, condition, m.lt(exact, 0));
    case less_or_equal:
      return negated_by_f(m, condition, m.not_(m.lt(0, exact)));
    default:
      return arithmetic_condition(m, condition, Width::word, sum);
  }
}
// In wide mode the last three conditions and their negations are those of a doubleword, the first
// three that there are (K, appendix D).
template <class M>
void add_and_branch(M& m, unsigned cf, unsigned t, typename M::Value a, std::int64_t displacement,
                    unsigned n) {
  const auto b = m.gpr(t);
  const Sum<M> sum = plain_sum(m, a, b);
  const bool is_doubleword = is_wide(m) && (cf & condition_code) > no_carry;
  const unsigned condition = is_doubleword ? cf - no_carry : cf;
  const auto flag = is_doubleword ? arithmetic_condition(m, condition, Width::doubleword, sum)
                                  : word_sum_condition(m, condition, a, b, sum);
  m.gpr(t, sum.result);
  branch_when(m, condition, flag, displacement, n);
}
void addb(auto& m, const CmpBranch& i) {
  add_and_branch(m, i.cf, i.r2, m.gpr(i.r1), i.disp12, i.n);
}
void addib(auto& m, const CmpBranchI& i) {
  add_and_branch(m, i.cf, i.r2, m.constant(immediate(i.im5)), i.disp12, i.n);
}
template <class M>
void move_and_branch(M& m, unsigned c, unsigned t, typename M::Value value,
                     std::int64_t displacement, unsigned n) {
  const unsigned condition = shift_condition(c);
  m.gpr(t, value);
  branch_when(m, condition, logic_condition(m, condition, Width::word, value), displacement, n);
}
void movb(auto& m, const Branch& i) { move_and_branch(m, i.c, i.r2, m.gpr(i.r1), i.disp12, i.n); }
void movib(auto& m, const BranchI& i) {
  move_and_branch(m, i.c, i.r2, m.constant(immediate(i.im5)), i.disp12, i.n);
}
// `bit_c` 0: branches if the bit is 1; its position counts from the left.
template <class M>
void branch_on_bit(M& m, unsigned bit_c, Width width, typename M::Value value,
                   typename M::Value position, std::int64_t displacement, unsigned n) {
  const unsigned condition = bit_c == 0 ? less : less | negation;
  const auto flag = negated_by_f(m, condition, is_negative(m, width, value << position));
  branch_when(m, condition, flag, displacement, n);
}
void bb_sar(auto& m, const BranchSar& i) {
  branch_on_bit(m, i.bit_c, Width::word, m.gpr(i.r1), m.shift_amount() & 31, i.disp12, i.n);
}
void bb_sar_dw(auto& m, const BranchSar& i) {
  branch_on_bit(m, i.bit_c, Width::doubleword, m.gpr(i.r1), m.shift_amount(), i.disp12, i.n);
}
void bb(auto& m, const BranchBit& i) {
  branch_on_bit(m, i.bit_c, Width::word, m.gpr(i.r1), m.constant(i.bit_pos), i.disp12, i.n);
}
void bb_dw(auto& m, const BranchBit& i) {
  branch_on_bit(m, i.bit_c, Width::doubleword, m.gpr(i.r1), m.constant(i.bit_pos), i.disp12, i.n);
}

// ---- Traps (I, K: BREAK). BREAK's code is im13, then im5 in the five bits right of it.
void break_(auto& m, const Break& i) {
  m.trap(TrapKind::breakpoint, std::uint32_t{i.im13} << 5 | i.im5_break);
}

// ---- Space and control registers (I, K: LDSID MTSP MFSP MTCTL MFCTL; K: MTSARCM MFIA). Spaces are
// flat: an identifier is a number without effect.
void privileged_register(auto& m) {
  m.trap(TrapKind::illegal_instruction, privileged_register_trap);
}
// Without a space register in the instruction it is one of four that programs share, by the base's
// upper bits.
void ldsid(auto& m, const LoadSid& i) {
  m.gpr(i.t, i.s == 0 ? m.constant(process_space) : m.space(i.s));
}
void mtsp(auto& m, const ToSpace& i) {
  constexpr unsigned last_of_users = 4;
  if (i.sr > last_of_users) return privileged_register(m);
  m.space(i.sr, m.gpr(i.r1));
}
void mfsp(auto& m, const FromSpace& i) { m.gpr(i.t, m.space(i.sr)); }
void mtctl(auto& m, const ToControl& i) {
  if (i.cr != control_sar) return privileged_register(m);
  m.shift_amount(m.gpr(i.r1) & m.settings().shift_amount_mask());
}
// Of the temporary registers, programs may read 26 and 27. Without ,w SAR has five bits.
void mfctl(auto& m, const FromControl& i) {
  constexpr unsigned readable_first = 26, readable_last = 27;
  if (i.cr == control_sar) return m.gpr(i.t, m.shift_amount() & 31);
  if (i.cr == control_interval_timer) return m.gpr(i.t, m.clock());
  if (i.cr < readable_first || i.cr > readable_last) return privileged_register(m);
  m.gpr(i.t, m.temporary(i.cr - control_temporary));
}
void mtsarcm(auto& m, const SetSar& i) {
  m.shift_amount(~m.gpr(i.r1) & m.settings().shift_amount_mask());
}
void mfctl_w(auto& m, const Target& i) { m.gpr(i.t, m.shift_amount()); }
void mfia(auto& m, const Target& i) { m.gpr(i.t, m.pc()); }

// ---- Access rights (I, K: PROBE PROBEI). The level that is asked for is at most the program's
// own, the least privileged: so it decides nothing.
void probe(auto& m, const auto& i) {
  m.gpr(i.t, m.bit(m.is_accessible(m.gpr(i.b), i.rw != 0 ? Access::write : Access::read)));
}

// ---- Caches (I, K: PDC FDC FDCE FIC FICE). Code that was written runs as it was written without
// them, and nothing else can tell: only the base register is modified. PDC, which would lose data,
// is FDC for user programs.
void flush(auto& m, const auto& i) {
  if (i.m != 0) m.gpr(i.b, m.gpr(i.b) + m.gpr(i.x));
}

}  // namespace hardclock::pa_risc
