// The part of semantics.h that moves control, the register stack, predicates, branch and
// application registers, and what a program does to the processor itself (SDM 3, chapter 2).
#pragma once

#include <array>
#include <cstdint>

#include "isa/ia64/application_registers.h"
#include "isa/ia64/floating_point_status.h"
#include "isa/ia64/machine.h"
#include "isa/ia64/processor_id.h"
#include "isa/ia64/rotation.h"

namespace hardclock::ia64 {

template <class M>
auto relative(M& m, std::int64_t displacement) {
  return m.ip() + static_cast<std::uint64_t>(displacement);
}

// ---- Of many. Nops, hints, fences and predictions change nothing here; nor does epc, as no page
// of a program raises its privilege. What only the kernel may do is a Privileged Operation fault.
void nothing(auto&, const auto&) {}
void privileged(auto& m, const auto&) { m.illegal(IllegalUse::privileged); }

// ---- Breaks. Linux calls its kernel by this number. break.b has none, whatever its field says.
inline constexpr std::uint64_t linux_system_call = 0x100000;
void break_with(auto& m, std::uint64_t number) {
  const auto code = static_cast<std::uint32_t>(number);
  m.trap(number == linux_system_call ? TrapKind::system_call : TrapKind::breakpoint, code);
}
void break_i(auto& m, const auto& i) { break_with(m, i.imm21); }
void break_b(auto& m, const B9&) { break_with(m, 0); }

// ---- I21, I22: branch registers.
void mov_to_br(auto& m, const I21& i) { m.br(i.b1, m.consumed_gr(i.r2)); }
void mov_from_br(auto& m, const I22& i) { m.gr(i.r1, m.br(i.b2)); }

// ---- I23 to I25: predicates and the ip. Predicates are moved by number: rotation has no effect.
template <class M>
void move_to_predicates(M& m, typename M::Value v, std::uint64_t mask) {
  if ((mask & rotating_predicates) == 0) return m.predicates(v, mask);
  const auto kept = m.predicates_by_number() & ~mask;
  m.predicates(m.named_predicates(kept | (v & mask)), all_bits);
}
void mov_to_pr(auto& m, const I23& i) {
  const auto mask = static_cast<std::uint64_t>(std::int64_t{i.mask17});
  move_to_predicates(m, m.consumed_gr(i.r2), mask & ~std::uint64_t{1});
}
void mov_to_pr_rot(auto& m, const I24& i) {
  const auto v = static_cast<std::uint64_t>(std::int64_t{i.imm28}) << 16;
  move_to_predicates(m, m.constant(v), rotating_predicates);
}
void mov_from_ip(auto& m, const I25& i) { m.gr(i.r1, m.ip()); }
void mov_from_pr(auto& m, const I25& i) { m.gr(i.r1, m.predicates_by_number() | 1); }

// ---- I26 to I28, M29 to M31: application registers (SDM 1, table 3-3).
enum class ArUnit : std::uint8_t { m, i };
constexpr bool is_ignored_ar(unsigned ar) { return (ar >= 48 && ar < 64) || ar >= 112; }
constexpr bool is_in_unit(unsigned ar, ArUnit unit) {
  if (is_ignored_ar(ar)) return true;
  return unit == ArUnit::m ? ar < 48 : ar >= 64;
}
// The place in Registers::ia32; 6: it has none.
constexpr unsigned ia32_place(unsigned ar) {
  constexpr std::array<unsigned, 6> numbers = {ar_fcr, ar_eflag, ar_cflg, ar_fsr, ar_fir, ar_fdr};
  unsigned place = 0;
  while (place < numbers.size() && numbers[place] != ar) ++place;
  return place;
}
constexpr std::uint64_t is_reserved_fpsr(std::uint64_t fpsr) {
  return fp::is_reserved(fpsr) ? 1 : 0;
}
constexpr std::uint64_t is_reserved_ar_pfs(std::uint64_t pfs) {
  return is_reserved_pfs(pfs) ? 1 : 0;
}

// ar.bspstore and ar.rnat are a program's to see while the register stack waits for it.
void need_enforced_lazy(auto& m) { m.illegal_if(m.ne(m.read(Rsc{}, RegisterStack::rsc_mode), 0)); }
template <class M>
void write_ar(M& m, unsigned ar, ArUnit unit, typename M::Value v) {
  if (!is_in_unit(ar, unit)) return m.illegal();
  if (is_ignored_ar(ar)) return;
  if (ar < 8 || ar == ar_itc || ar == ar_ruc) return m.illegal(IllegalUse::privileged);
  if (ia32_place(ar) < 6) return m.write(Ia32{ia32_place(ar)}, v);
  switch (ar) {
    case ar_rsc:
      m.transform(Transform::write_rsc, v);
      return;
    case ar_bspstore:
      m.transform(Transform::write_bspstore, v);
      return;
    case ar_rnat:
      m.transform(Transform::write_rnat, v);
      return;
    case ar_csd:
      return m.write(Csd{}, v);
    case ar_ssd:
      return m.write(Ssd{}, v);
    case ar_ccv:
      return m.write(Ccv{}, v);
    case ar_unat:
      return m.write(Unat{}, v);
    case ar_fpsr:
      m.illegal_if(m.ne(m.call(is_reserved_fpsr, v), 0), IllegalUse::reserved_field);
      return m.write(Fpsr{}, v);
    case ar_pfs:
      m.illegal_if(m.ne(m.call(is_reserved_ar_pfs, v), 0), IllegalUse::reserved_field);
      return m.write(Pfs{}, v);
    case ar_lc:
      return m.write(Lc{}, v);
    case ar_ec:
      return m.write(Ec{}, v & 63);
    default:
      return m.illegal();
  }
}
template <class M>
void read_ar(M& m, unsigned r1, unsigned ar, ArUnit unit) {
  if (!is_in_unit(ar, unit)) return m.illegal();
  if (is_ignored_ar(ar)) return m.gr(r1, m.constant(0));
  if (ar < 8) return m.gr(r1, m.read(Kernel{ar}));
  if (ia32_place(ar) < 6) return m.gr(r1, m.read(Ia32{ia32_place(ar)}));
  switch (ar) {
    case ar_rsc:
      return m.gr(r1, m.read(Rsc{}));
    case ar_bsp:
      return m.gr(r1, m.read(Bsp{}));
    case ar_bspstore:
      need_enforced_lazy(m);
      return m.gr(r1, m.read(Bspstore{}));
    case ar_rnat:
      need_enforced_lazy(m);
      return m.gr(r1, m.read(Rnat{}));
    case ar_csd:
      return m.gr(r1, m.read(Csd{}));
    case ar_ssd:
      return m.gr(r1, m.read(Ssd{}));
    case ar_ccv:
      return m.gr(r1, m.read(Ccv{}));
    case ar_unat:
      return m.gr(r1, m.read(Unat{}));
    case ar_fpsr:
      return m.gr(r1, m.read(Fpsr{}));
    case ar_itc:
      return m.gr(r1, m.clock());
    case ar_ruc:  // what of ar.itc this thread had: all, and the Itanium 2 9000 is the first with
                  // it
      if (m.settings().level < Level::itanium2_9000) return m.illegal();
      return m.gr(r1, m.clock());
    case ar_pfs:
      return m.gr(r1, m.read(Pfs{}));
    case ar_lc:
      return m.gr(r1, m.read(Lc{}));
    case ar_ec:
      return m.gr(r1, m.read(Ec{}));
    default:
      return m.illegal();
  }
}
template <class M>
auto immediate_for_ar(M& m, std::int64_t imm8) {
  return m.constant(static_cast<std::uint64_t>(imm8));
}
void mov_to_ar_i(auto& m, const I26& i) { write_ar(m, i.ar3, ArUnit::i, m.consumed_gr(i.r2)); }
void mov_to_ar_imm8_i(auto& m, const I27& i) {
  write_ar(m, i.ar3, ArUnit::i, immediate_for_ar(m, i.imm8));
}
void mov_from_ar_i(auto& m, const I28& i) { read_ar(m, i.r1, i.ar3, ArUnit::i); }
void mov_to_ar_m(auto& m, const M29& i) { write_ar(m, i.ar3, ArUnit::m, m.consumed_gr(i.r2)); }
void mov_to_ar_imm8_m(auto& m, const M30& i) {
  write_ar(m, i.ar3, ArUnit::m, immediate_for_ar(m, i.imm8));
}
void mov_from_ar_m(auto& m, const M31& i) { read_ar(m, i.r1, i.ar3, ArUnit::m); }

// ---- I20, M20 to M23: checks of speculation. A chk.a that misses branches.
void chk_s(auto& m, const auto& i) {
  m.branch_if(m.ne(m.nat(i.r2), 0), relative(m, i.target25_chk));
}
void chk_s(auto& m, const M21& i) {
  m.branch_if(m.ne(m.is_nat_value(m.fr(i.f2)), 0), relative(m, i.target25_chk));
}
void check_alat(auto& m, std::uint64_t reg, bool clears, std::int64_t displacement) {
  const auto hit = m.transform(Transform::alat_check, m.constant(reg | (clears ? 1 << 8 : 0)));
  m.branch_if(m.eq(hit, 0), relative(m, displacement));
}
void chk_a_nc(auto& m, const M22& i) { check_alat(m, alat_gr(i.r1), false, i.target25); }
void chk_a_clr(auto& m, const M22& i) { check_alat(m, alat_gr(i.r1), true, i.target25); }
void chk_a_nc_f(auto& m, const M23& i) { check_alat(m, alat_fr(i.f1), false, i.target25); }
void chk_a_clr_f(auto& m, const M23& i) { check_alat(m, alat_fr(i.f1), true, i.target25); }

// ---- M24 to M28: the ALAT; the register stack; caches.
void invala(auto& m, const M24&) { m.transform(Transform::alat_clear); }
void flushrs(auto& m, const M25&) { m.transform(Transform::flushrs); }
void loadrs(auto& m, const M25&) { m.transform(Transform::loadrs); }
void invala_e(auto& m, const M26& i) {
  m.transform(Transform::alat_forget, m.constant(alat_gr(i.r1)));
}
void invala_e_f(auto& m, const M27& i) {
  m.transform(Transform::alat_forget, m.constant(alat_fr(i.f1)));
}
template <class M>
void need_access(M& m, unsigned r3, Access access) {
  const std::uint64_t how = 1 | static_cast<std::uint64_t>(access) << 8;
  m.transform(Transform::need_access, m.constant(how), m.consumed_gr(r3));
}
void fc(auto& m, const M28& i) { need_access(m, i.r3, Access::read); }

// ---- M34: a new frame. It cannot be predicated.
void alloc(auto& m, const M34& i) {
  if (i.qp != 0) return m.illegal();
  const auto before = m.read(Pfs{});
  const std::uint64_t frame = i.r1 | std::uint64_t{i.sof} << 8 | std::uint64_t{i.sol} << 16 |
                              static_cast<std::uint64_t>(i.sor) << 24;
  m.transform(Transform::alloc, m.constant(frame));
  m.gr(i.r1, before);
}

// ---- M35, M36, M44: the user mask. Bits 0, 6 and 7 of it are reserved.
inline constexpr std::uint64_t um_reserved = 0xc1;
void mov_to_psr_um(auto& m, const M35& i) {
  const auto v = m.consumed_gr(i.r2);
  m.illegal_if(m.ne(v & um_reserved, 0), IllegalUse::reserved_field);
  m.write(UserMask{}, v & um_bits);
}
void mov_from_psr_um(auto& m, const M36& i) { m.gr(i.r1, m.read(UserMask{})); }
void sum(auto& m, const M44& i) {
  if ((i.imm24 & ~um_bits) != 0) return m.illegal(IllegalUse::reserved_field);
  m.write(UserMask{}, m.constant(um_bits), i.imm24);
}
void rum(auto& m, const M44& i) {
  if ((i.imm24 & ~um_bits) != 0) return m.illegal(IllegalUse::reserved_field);
  m.write(UserMask{}, m.constant(0), i.imm24);
}

// ---- M38 to M40: probes. The privilege level asked for is the program's own, or below it.
void probe(auto& m, unsigned r1, unsigned r3, Access access) {
  m.target(r1);
  const auto allowed = m.is_accessible(m.consumed_gr(r3), access);
  m.put(r1, m.bit(allowed), m.constant(0));
}
void probe_by(auto& m, const M38& i, Access access) {
  m.target(i.r1);
  m.consume(m.nat(i.r2));
  probe(m, i.r1, i.r3, access);
}
void probe_r(auto& m, const M38& i) { probe_by(m, i, Access::read); }
void probe_w(auto& m, const M38& i) { probe_by(m, i, Access::write); }
void probe_r_imm2(auto& m, const M39& i) { probe(m, i.r1, i.r3, Access::read); }
void probe_w_imm2(auto& m, const M39& i) { probe(m, i.r1, i.r3, Access::write); }
void probe_rw_fault(auto& m, const M40& i) {
  need_access(m, i.r3, Access::read);
  need_access(m, i.r3, Access::write);
}
void probe_r_fault(auto& m, const M40& i) { need_access(m, i.r3, Access::read); }
void probe_w_fault(auto& m, const M40& i) { need_access(m, i.r3, Access::write); }

// ---- M43, M46: registers behind an index, translations. No monitor counts, no hint is kept, and
// there is no hashed page table: these are 0.
void mov_from_cpuid(auto& m, const M43& i) {
  m.target(i.r1);
  const auto index = m.consumed_gr(i.r3) & 0xff;
  m.illegal_if(m.ltu(m.constant(last_cpuid), index), IllegalUse::reserved_field);
  const auto level = m.constant(static_cast<std::uint64_t>(m.settings().level));
  m.put(i.r1, m.call(cpuid, index, level), m.constant(0));
}
void read_as_zero(auto& m, const M43& i) {
  m.target(i.r1);
  m.consume(m.nat(i.r3));
  m.put(i.r1, m.constant(0), m.constant(0));
}
void thash(auto& m, const M46& i) { m.gr(i.r1, m.constant(0), m.nat(i.r3)); }

// ---- B1, B2: branches relative to the bundle; counted and software-pipelined loops.
void br_cond(auto& m, const B1& i) { m.jump(relative(m, i.target25)); }
template <LoopBranch branch>
std::array<std::uint64_t, 6> looped(std::uint64_t lc, std::uint64_t ec, std::uint64_t qp) {
  const LoopStep step = loop_step(branch, {.lc = lc, .ec = static_cast<std::uint8_t>(ec)}, qp != 0);
  return {step.taken, step.counters.lc, step.counters.ec, step.writes_p63, step.p63, step.rotates};
}
// The branch is decided before registers rotate; p63 is p16 of the next turn.
template <LoopBranch branch, class M>
void loop(M& m, typename M::Flag qp, std::int64_t displacement) {
  const auto [taken, lc, ec, writes_p63, p63, rotates] =
      m.call(looped<branch>, m.read(Lc{}), m.read(Ec{}), m.bit(qp));
  m.write(Lc{}, lc);
  m.write(Ec{}, ec);
  m.predicates_if(m.ne(writes_p63, 0), 63, p63, 0, m.constant(0));
  m.transform(Transform::rotate, rotates);
  m.branch_if(m.ne(taken, 0), relative(m, displacement));
}
void br_wexit(auto& m, const B1& i, auto qp) { loop<LoopBranch::wexit>(m, qp, i.target25); }
void br_wtop(auto& m, const B1& i, auto qp) { loop<LoopBranch::wtop>(m, qp, i.target25); }
void br_cloop(auto& m, const B2& i) {
  const auto count = m.read(Lc{});
  const auto goes_on = m.ne(count, 0);
  m.write(Lc{}, count - m.bit(goes_on));
  m.branch_if(goes_on, relative(m, i.target25));
}
void br_cexit(auto& m, const B2& i) { loop<LoopBranch::cexit>(m, m.flag(true), i.target25); }
void br_ctop(auto& m, const B2& i) { loop<LoopBranch::ctop>(m, m.flag(true), i.target25); }

// ---- B3 to B5: calls, and branches to a branch register.
// ar.pfs keeps the frame, ar.ec and the privilege level, which is 3.
template <class M>
void call(M& m, unsigned b1, typename M::Value target) {
  constexpr std::uint64_t user_level = std::uint64_t{3} << 62;
  m.write(Pfs{}, m.read(Marker{}) | m.read(Ec{}) << std::uint64_t{52} | user_level);
  m.br(b1, m.ip() + bundle_bytes);
  m.transform(Transform::call);
  m.jump(target);
}
template <class M>
auto bundle_in(M& m, unsigned b2) {
  return m.br(b2) & ~std::uint64_t{bundle_bytes - 1};
}
void br_call(auto& m, const B3& i) { call(m, i.b1, relative(m, i.target25)); }
void br_cond_indirect(auto& m, const B4& i) { m.jump(bundle_in(m, i.b2)); }
void br_ia(auto& m, const B4&) { m.illegal(IllegalUse::disabled_ia32); }
void br_ret(auto& m, const B4& i) {
  const auto pfs = m.read(Pfs{}), target = bundle_in(m, i.b2);
  m.transform(Transform::ret, pfs, target);
  m.write(Ec{}, pfs >> std::uint64_t{52} & 63);
  m.jump(target);
}
void br_call_indirect(auto& m, const B5& i) { call(m, i.b1, bundle_in(m, i.b2)); }

// ---- B8: the register stack.
void cover(auto& m, const B8&) { m.transform(Transform::cover); }
void clrrrb(auto& m, const B8&) { m.transform(Transform::clrrrb); }
void clrrrb_pr(auto& m, const B8&) { m.transform(Transform::clrrrb_pr); }

// ---- X1 to X5: long instructions.
void break_x(auto& m, const X1& i, LongSlot l) { break_with(m, long_number(i.imm21, l.bits)); }
void movl(auto& m, const X2& i, LongSlot l) {
  m.gr(i.r1, m.constant(movl_immediate(i.imm64_x, l.bits)));
}
template <class M>
auto far(M& m, std::int64_t target64_x, LongSlot l) {
  return m.ip() + long_displacement(target64_x, l.bits);
}
void brl_cond(auto& m, const X3& i, LongSlot l) { m.jump(far(m, i.target64_x, l)); }
void brl_call(auto& m, const X4& i, LongSlot l) { call(m, i.b1, far(m, i.target64_x, l)); }

}  // namespace hardclock::ia64
