// The part of semantics.h that transfers control: jumps, branches, traps.
// Sources: A is appendix A of Kane and Heinrich, "MIPS RISC Architecture" (1992) and, from MIPS III
// on, of Price, "MIPS IV Instruction Set", revision 3.2 (1995); II is "MIPS64 Architecture For
// Programmers", volume II, revision 2.50 (2005).
#pragma once

#include <cstdint>

#include "isa/mips/machine.h"
#include "isa/mips/semantics_integer.h"

namespace hardclock::mips {

inline constexpr unsigned return_address_register = 31;
inline constexpr std::uint64_t instruction_bytes = 4;

// ---- Jumps and branches (A). Targets count from the delay slot; a link register gets the address
// after the delay slot, whether or not the branch is taken.
template <class M>
auto branch_target(M& m, std::int32_t displacement) {
  return m.pc() + immediate(displacement) + instruction_bytes;
}
template <class M>
void link(M& m, unsigned rd) {
  m.gpr(rd, m.address_in_register(m.pc() + 2 * instruction_bytes));
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
void jr_hb(M& m, const Rs& i) {
  jr(m, i);
}
template <class M>
void jalr_hb(M& m, const RdRs& i) {
  jalr(m, i);
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

}  // namespace hardclock::mips
