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
auto branch_target(auto& m, std::int32_t displacement) {
  return m.pc() + immediate(displacement) + instruction_bytes;
}
void link(auto& m, unsigned rd) {
  m.gpr(rd, m.address_in_register(m.pc() + 2 * instruction_bytes));
}
auto jump_target(auto& m, std::uint32_t target) {
  return ((m.pc() + instruction_bytes) & ~std::uint64_t{0x0fffffff}) | std::uint64_t{target};
}

void j(auto& m, const Jump& i) { m.jump(jump_target(m, i.jump)); }
void jal(auto& m, const Jump& i) {
  link(m, return_address_register);
  m.jump(jump_target(m, i.jump));
}
void jr(auto& m, const Rs& i) { m.jump(m.gpr(i.rs)); }
void jalr(auto& m, const RdRs& i) {
  const auto target = m.gpr(i.rs);
  link(m, i.rd);
  m.jump(target);
}
void jr_hb(auto& m, const Rs& i) { jr(m, i); }
void jalr_hb(auto& m, const RdRs& i) { jalr(m, i); }
void beq(auto& m, const BranchRR& i) {
  m.branch_if(m.eq(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
void bne(auto& m, const BranchRR& i) {
  m.branch_if(m.ne(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
void blez(auto& m, const BranchR& i) {
  m.branch_if(m.not_(m.lt(0, m.gpr(i.rs))), branch_target(m, i.branch));
}
void bgtz(auto& m, const BranchR& i) {
  m.branch_if(m.lt(0, m.gpr(i.rs)), branch_target(m, i.branch));
}
void bltz(auto& m, const BranchR& i) {
  m.branch_if(m.lt(m.gpr(i.rs), 0), branch_target(m, i.branch));
}
void bgez(auto& m, const BranchR& i) {
  m.branch_if(m.not_(m.lt(m.gpr(i.rs), 0)), branch_target(m, i.branch));
}
void bltzal(auto& m, const BranchR& i) {
  const auto negative = m.lt(m.gpr(i.rs), 0);
  link(m, return_address_register);
  m.branch_if(negative, branch_target(m, i.branch));
}
void bgezal(auto& m, const BranchR& i) {
  const auto not_negative = m.not_(m.lt(m.gpr(i.rs), 0));
  link(m, return_address_register);
  m.branch_if(not_negative, branch_target(m, i.branch));
}
void beql(auto& m, const BranchRR& i) {
  m.branch_likely_if(m.eq(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
void bnel(auto& m, const BranchRR& i) {
  m.branch_likely_if(m.ne(m.gpr(i.rs), m.gpr(i.rt)), branch_target(m, i.branch));
}
void blezl(auto& m, const BranchR& i) {
  m.branch_likely_if(m.not_(m.lt(0, m.gpr(i.rs))), branch_target(m, i.branch));
}
void bgtzl(auto& m, const BranchR& i) {
  m.branch_likely_if(m.lt(0, m.gpr(i.rs)), branch_target(m, i.branch));
}
void bltzl(auto& m, const BranchR& i) {
  m.branch_likely_if(m.lt(m.gpr(i.rs), 0), branch_target(m, i.branch));
}
void bgezl(auto& m, const BranchR& i) {
  m.branch_likely_if(m.not_(m.lt(m.gpr(i.rs), 0)), branch_target(m, i.branch));
}
void bltzall(auto& m, const BranchR& i) {
  const auto negative = m.lt(m.gpr(i.rs), 0);
  link(m, return_address_register);
  m.branch_likely_if(negative, branch_target(m, i.branch));
}
void bgezall(auto& m, const BranchR& i) {
  const auto not_negative = m.not_(m.lt(m.gpr(i.rs), 0));
  link(m, return_address_register);
  m.branch_likely_if(not_negative, branch_target(m, i.branch));
}

// ---- Traps (A: SYSCALL BREAK TGE ... TNEI).
void syscall(auto& m, const Syscall& i) { m.trap(TrapKind::system_call, i.scode); }
void break_(auto& m, const Break& i) { m.trap(TrapKind::breakpoint, i.code20); }
void tge(auto& m, const TrapRR& i) {
  m.trap_if(m.not_(m.lt(m.gpr(i.rs), m.gpr(i.rt))), TrapKind::conditional_trap, i.code10);
}
void tgeu(auto& m, const TrapRR& i) {
  m.trap_if(m.not_(m.ltu(m.gpr(i.rs), m.gpr(i.rt))), TrapKind::conditional_trap, i.code10);
}
void tlt(auto& m, const TrapRR& i) {
  m.trap_if(m.lt(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
void tltu(auto& m, const TrapRR& i) {
  m.trap_if(m.ltu(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
void teq(auto& m, const TrapRR& i) {
  m.trap_if(m.eq(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
void tne(auto& m, const TrapRR& i) {
  m.trap_if(m.ne(m.gpr(i.rs), m.gpr(i.rt)), TrapKind::conditional_trap, i.code10);
}
void tgei(auto& m, const TrapI& i) {
  m.trap_if(m.not_(m.lt(m.gpr(i.rs), immediate(i.imm))), TrapKind::conditional_trap);
}
void tgeiu(auto& m, const TrapI& i) {
  m.trap_if(m.not_(m.ltu(m.gpr(i.rs), immediate(i.imm))), TrapKind::conditional_trap);
}
void tlti(auto& m, const TrapI& i) {
  m.trap_if(m.lt(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}
void tltiu(auto& m, const TrapI& i) {
  m.trap_if(m.ltu(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}
void teqi(auto& m, const TrapI& i) {
  m.trap_if(m.eq(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}
void tnei(auto& m, const TrapI& i) {
  m.trap_if(m.ne(m.gpr(i.rs), immediate(i.imm)), TrapKind::conditional_trap);
}

}  // namespace hardclock::mips
