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

auto is_equal(auto& m, const BranchRR& i) { return m.eq(m.gpr(i.rs), m.gpr(i.rt)); }
auto is_unequal(auto& m, const BranchRR& i) { return m.ne(m.gpr(i.rs), m.gpr(i.rt)); }
auto is_positive(auto& m, const BranchR& i) { return m.lt(0, m.gpr(i.rs)); }
auto is_negative(auto& m, const BranchR& i) { return m.lt(m.gpr(i.rs), 0); }

[[gnu::always_inline]] inline void branch(auto& m, const auto& i, auto condition) {
  m.branch_if(condition, branch_target(m, i.branch));
}
[[gnu::always_inline]] inline void branch_likely(auto& m, const auto& i, auto condition) {
  m.branch_likely_if(condition, branch_target(m, i.branch));
}
void beq(auto& m, const BranchRR& i) { branch(m, i, is_equal(m, i)); }
void bne(auto& m, const BranchRR& i) { branch(m, i, is_unequal(m, i)); }
void blez(auto& m, const BranchR& i) { branch(m, i, m.not_(is_positive(m, i))); }
void bgtz(auto& m, const BranchR& i) { branch(m, i, is_positive(m, i)); }
void bltz(auto& m, const BranchR& i) { branch(m, i, is_negative(m, i)); }
void bgez(auto& m, const BranchR& i) { branch(m, i, m.not_(is_negative(m, i))); }
void bltzal(auto& m, const BranchR& i) {
  const auto negative = is_negative(m, i);
  link(m, return_address_register);
  branch(m, i, negative);
}
void bgezal(auto& m, const BranchR& i) {
  const auto not_negative = m.not_(is_negative(m, i));
  link(m, return_address_register);
  branch(m, i, not_negative);
}
void beql(auto& m, const BranchRR& i) { branch_likely(m, i, is_equal(m, i)); }
void bnel(auto& m, const BranchRR& i) { branch_likely(m, i, is_unequal(m, i)); }
void blezl(auto& m, const BranchR& i) { branch_likely(m, i, m.not_(is_positive(m, i))); }
void bgtzl(auto& m, const BranchR& i) { branch_likely(m, i, is_positive(m, i)); }
void bltzl(auto& m, const BranchR& i) { branch_likely(m, i, is_negative(m, i)); }
void bgezl(auto& m, const BranchR& i) { branch_likely(m, i, m.not_(is_negative(m, i))); }
void bltzall(auto& m, const BranchR& i) {
  const auto negative = is_negative(m, i);
  link(m, return_address_register);
  branch_likely(m, i, negative);
}
void bgezall(auto& m, const BranchR& i) {
  const auto not_negative = m.not_(is_negative(m, i));
  link(m, return_address_register);
  branch_likely(m, i, not_negative);
}

// ---- Traps (A: SYSCALL BREAK TGE ... TNEI).
void syscall(auto& m, const Syscall& i) { m.trap(TrapKind::system_call, i.scode); }
void break_(auto& m, const Break& i) { m.trap(TrapKind::breakpoint, i.code20); }
[[gnu::always_inline]] inline void trap_if(auto& m, const TrapRR& i, auto condition) {
  m.trap_if(condition, TrapKind::conditional_trap, i.code10);
}
[[gnu::always_inline]] inline void trap_if(auto& m, const TrapI&, auto condition) {
  m.trap_if(condition, TrapKind::conditional_trap);
}
void tge(auto& m, const TrapRR& i) { trap_if(m, i, m.not_(m.lt(m.gpr(i.rs), m.gpr(i.rt)))); }
void tgeu(auto& m, const TrapRR& i) { trap_if(m, i, m.not_(m.ltu(m.gpr(i.rs), m.gpr(i.rt)))); }
void tlt(auto& m, const TrapRR& i) { trap_if(m, i, m.lt(m.gpr(i.rs), m.gpr(i.rt))); }
void tltu(auto& m, const TrapRR& i) { trap_if(m, i, m.ltu(m.gpr(i.rs), m.gpr(i.rt))); }
void teq(auto& m, const TrapRR& i) { trap_if(m, i, m.eq(m.gpr(i.rs), m.gpr(i.rt))); }
void tne(auto& m, const TrapRR& i) { trap_if(m, i, m.ne(m.gpr(i.rs), m.gpr(i.rt))); }
void tgei(auto& m, const TrapI& i) { trap_if(m, i, m.not_(m.lt(m.gpr(i.rs), immediate(i.imm)))); }
void tgeiu(auto& m, const TrapI& i) { trap_if(m, i, m.not_(m.ltu(m.gpr(i.rs), immediate(i.imm)))); }
void tlti(auto& m, const TrapI& i) { trap_if(m, i, m.lt(m.gpr(i.rs), immediate(i.imm))); }
void tltiu(auto& m, const TrapI& i) { trap_if(m, i, m.ltu(m.gpr(i.rs), immediate(i.imm))); }
void teqi(auto& m, const TrapI& i) { trap_if(m, i, m.eq(m.gpr(i.rs), immediate(i.imm))); }
void tnei(auto& m, const TrapI& i) { trap_if(m, i, m.ne(m.gpr(i.rs), immediate(i.imm))); }

}  // namespace hardclock::mips
