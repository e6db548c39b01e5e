// The part of semantics.h that touches memory with general registers: loads, stores, prefetches and
// semaphores (SDM 3, chapter 2: ld, st, lfetch, cmpxchg, cmp8xchg16, xchg, fetchadd). Hints, and
// the order in which other processors see accesses (.acq, .rel, .bias), change nothing here.
#pragma once

#include <array>
#include <cstdint>

#include "isa/ia64/machine.h"

namespace hardclock::ia64 {

// How a load is speculative, or makes good for one that was.
enum class Speculation : std::uint8_t {
  none,
  control,      // .s: what would fault gives a NaT instead
  data,         // .a: the ALAT watches for stores to what was loaded
  both,         // .sa
  check_clear,  // .c.clr: loads again unless the ALAT still has the register, and removes it there
  check_keep,   // .c.nc: the same, and it is in the ALAT afterwards
};

// Enters the register in the ALAT if the flag is set.
template <class M>
void watch_if(M& m, typename M::Flag condition, std::uint64_t reg, std::uint64_t bytes,
              typename M::Value address) {
  const auto size = m.select(condition, m.constant(bytes << 8), m.constant(0));
  m.transform(Transform::alat_insert, size | reg, address);
}

// r1 must be a target that has been asked for, unless the base register is not updated.
template <class T, Speculation speculation, class M>
void load(M& m, unsigned r1, unsigned r3) {
  using enum Speculation;
  m.target(r1);
  const auto address = m.gr(r3);
  const auto reg = m.constant(alat_gr(r1));
  if constexpr (speculation == none) {
    m.consume(m.nat(r3));
    m.put(r1, m.template load<T>(address), m.constant(0));
  } else if constexpr (speculation == control) {
    const auto loads = m.both(m.eq(m.nat(r3), 0), m.may_load(address, sizeof(T)));
    m.put(r1, m.template load_if<T>(loads, address), m.bit(m.not_(loads)));
  } else if constexpr (speculation == data) {
    m.transform(Transform::alat_forget, reg);
    m.consume(m.nat(r3));
    m.put(r1, m.template load<T>(address), m.constant(0));
    watch_if(m, m.flag(true), alat_gr(r1), sizeof(T), address);
  } else if constexpr (speculation == both) {
    m.transform(Transform::alat_forget, reg);
    const auto loads = m.both(m.eq(m.nat(r3), 0), m.may_load(address, sizeof(T)));
    m.put(r1, m.template load_if<T>(loads, address), m.bit(m.not_(loads)));
    watch_if(m, loads, alat_gr(r1), sizeof(T), address);
  } else {
    m.consume(m.nat(r3));
    const std::uint64_t clears = speculation == check_clear ? 1 << 8 : 0;
    const auto hit = m.ne(m.transform(Transform::alat_check, reg | clears), 0);
    const auto loaded = m.template load_if<T>(m.not_(hit), address);
    m.put(r1, m.select(hit, m.gr(r1), loaded), m.select(hit, m.nat(r1), m.constant(0)));
    if (speculation == check_keep) watch_if(m, m.not_(hit), alat_gr(r1), sizeof(T), address);
  }
}

// Runs an access of r3, and then updates that register: by r2, by an immediate or, as most formats,
// not at all. A load's target must be another register.
template <class M, class Access>
void updating_base(M& m, unsigned r3, typename M::Value step, typename M::Value step_nat,
                   Access access) {
  m.target(r3);
  const auto base = m.gr(r3);
  const auto nat = m.nat(r3);
  access();
  m.put(r3, base + step, nat | step_nat);
}
void updating_base(auto& m, unsigned r3, std::int64_t step, auto access) {
  updating_base(m, r3, m.constant(static_cast<std::uint64_t>(step)), m.constant(0), access);
}
void with_update(auto&, const auto&, auto access) { access(); }
void with_update(auto& m, const M2& i, auto load) {
  if (i.r1 == i.r3) return m.illegal();
  updating_base(m, i.r3, m.gr(i.r2), m.nat(i.r2), load);
}
void with_update(auto& m, const M3& i, auto load) {
  if (i.r1 == i.r3) return m.illegal();
  updating_base(m, i.r3, i.imm9, load);
}
void with_update(auto& m, const M5& i, auto store) { updating_base(m, i.r3, i.imm9_store, store); }
void with_update(auto& m, const M14& i, auto prefetch) {
  updating_base(m, i.r3, m.gr(i.r2), m.nat(i.r2), prefetch);
}
void with_update(auto& m, const M15& i, auto prefetch) { updating_base(m, i.r3, i.imm9, prefetch); }

template <class T, Speculation speculation>
void load(auto& m, const auto& i) {
  with_update(m, i, [&] { load<T, speculation>(m, i.r1, i.r3); });
}

// ld8.fill, st8.spill: the NaT bit is in ar.unat, by bits 8:3 of the address.
template <class Value>
Value unat_place(Value address) {
  return (address >> std::uint64_t{3}) & 63;
}
void fill(auto& m, unsigned r1, unsigned r3) {
  m.target(r1);
  m.consume(m.nat(r3));
  const auto address = m.gr(r3);
  const auto nat = m.read(Unat{}) >> unat_place(address) & 1;
  m.put(r1, m.template load<std::uint64_t>(address), nat);
}

template <class T>
void store(auto& m, unsigned r3, unsigned r2) {
  m.consume(m.nat(r3, r2));
  m.template store<T>(m.gr(r3), m.gr(r2));
}
void spill(auto& m, unsigned r3, unsigned r2) {
  m.consume(m.nat(r3));
  const auto address = m.gr(r3);
  const auto place = unat_place(address);
  m.template store<std::uint64_t>(address, m.gr(r2));
  m.write(Unat{}, (m.read(Unat{}) & ~(m.constant(1) << place)) | m.nat(r2) << place);
}
template <class T>
void store(auto& m, const auto& i) {
  with_update(m, i, [&] { store<T>(m, i.r3, i.r2); });
}

// ---- M1 to M3: loads.
void ld1(auto& m, const auto& i) { load<std::uint8_t, Speculation::none>(m, i); }
void ld2(auto& m, const auto& i) { load<std::uint16_t, Speculation::none>(m, i); }
void ld4(auto& m, const auto& i) { load<std::uint32_t, Speculation::none>(m, i); }
void ld8(auto& m, const auto& i) { load<std::uint64_t, Speculation::none>(m, i); }
void ld1_s(auto& m, const auto& i) { load<std::uint8_t, Speculation::control>(m, i); }
void ld2_s(auto& m, const auto& i) { load<std::uint16_t, Speculation::control>(m, i); }
void ld4_s(auto& m, const auto& i) { load<std::uint32_t, Speculation::control>(m, i); }
void ld8_s(auto& m, const auto& i) { load<std::uint64_t, Speculation::control>(m, i); }
void ld1_a(auto& m, const auto& i) { load<std::uint8_t, Speculation::data>(m, i); }
void ld2_a(auto& m, const auto& i) { load<std::uint16_t, Speculation::data>(m, i); }
void ld4_a(auto& m, const auto& i) { load<std::uint32_t, Speculation::data>(m, i); }
void ld8_a(auto& m, const auto& i) { load<std::uint64_t, Speculation::data>(m, i); }
void ld1_sa(auto& m, const auto& i) { load<std::uint8_t, Speculation::both>(m, i); }
void ld2_sa(auto& m, const auto& i) { load<std::uint16_t, Speculation::both>(m, i); }
void ld4_sa(auto& m, const auto& i) { load<std::uint32_t, Speculation::both>(m, i); }
void ld8_sa(auto& m, const auto& i) { load<std::uint64_t, Speculation::both>(m, i); }
void ld1_c_clr(auto& m, const auto& i) { load<std::uint8_t, Speculation::check_clear>(m, i); }
void ld2_c_clr(auto& m, const auto& i) { load<std::uint16_t, Speculation::check_clear>(m, i); }
void ld4_c_clr(auto& m, const auto& i) { load<std::uint32_t, Speculation::check_clear>(m, i); }
void ld8_c_clr(auto& m, const auto& i) { load<std::uint64_t, Speculation::check_clear>(m, i); }
void ld1_c_nc(auto& m, const auto& i) { load<std::uint8_t, Speculation::check_keep>(m, i); }
void ld2_c_nc(auto& m, const auto& i) { load<std::uint16_t, Speculation::check_keep>(m, i); }
void ld4_c_nc(auto& m, const auto& i) { load<std::uint32_t, Speculation::check_keep>(m, i); }
void ld8_c_nc(auto& m, const auto& i) { load<std::uint64_t, Speculation::check_keep>(m, i); }
void ld8_fill(auto& m, const auto& i) {
  with_update(m, i, [&] { fill(m, i.r1, i.r3); });
}

// ld16, st16: the second register is ar.csd. They must be aligned.
void ld16(auto& m, const M1& i) {
  m.target(i.r1);
  m.consume(m.nat(i.r3));
  const auto address = m.gr(i.r3);
  m.transform(Transform::need_aligned, m.constant(16), address);
  const auto low = m.template load<std::uint64_t>(address);
  m.write(Csd{}, m.template load<std::uint64_t>(address + 8));
  m.put(i.r1, low, m.constant(0));
}

// ---- M4, M5: stores.
void st1(auto& m, const auto& i) { store<std::uint8_t>(m, i); }
void st2(auto& m, const auto& i) { store<std::uint16_t>(m, i); }
void st4(auto& m, const auto& i) { store<std::uint32_t>(m, i); }
void st8(auto& m, const auto& i) { store<std::uint64_t>(m, i); }
void st8_spill(auto& m, const auto& i) {
  with_update(m, i, [&] { spill(m, i.r3, i.r2); });
}
// Both halves lie in one page, so that the first store faults if one does.
void st16(auto& m, const M4& i) {
  m.consume(m.nat(i.r3, i.r2));
  const auto address = m.gr(i.r3);
  m.transform(Transform::need_aligned, m.constant(16), address);
  m.template store<std::uint64_t>(address, m.gr(i.r2));
  m.template store<std::uint64_t>(address + 8, m.read(Csd{}));
}

// ---- M13 to M15: prefetches. Only .fault can fault: as a load of a byte.
void prefetch_or_fault(auto& m, unsigned r3) {
  m.consume(m.nat(r3));
  m.transform(Transform::need_access, m.constant(1), m.gr(r3));
}
void lfetch(auto& m, const auto& i) {
  with_update(m, i, [] {});
}
void lfetch_fault(auto& m, const auto& i) {
  with_update(m, i, [&] { prefetch_or_fault(m, i.r3); });
}

// ---- M16, M17: semaphores, which must be aligned. The result is what memory had, zero-extended.
template <class T, class M>
auto semaphore(M& m, unsigned r3) {
  m.consume(m.nat(r3));
  return m.template load_aligned<T>(m.gr(r3));
}
// Compares with all of ar.ccv.
template <class T>
void compare_and_exchange(auto& m, const M16& i) {
  m.target(i.r1);
  m.consume(m.nat(i.r3, i.r2));
  const auto address = m.gr(i.r3);
  const auto stored = m.gr(i.r2);
  const auto old = semaphore<T>(m, i.r3);
  m.template store_if<T>(m.eq(old, m.read(Ccv{})), address, stored);
  m.transform(Transform::alat_store, m.constant(sizeof(T)), address);
  m.put(i.r1, old, m.constant(0));
}
template <class T>
void exchange(auto& m, const M16& i) {
  m.target(i.r1);
  m.consume(m.nat(i.r3, i.r2));
  const auto address = m.gr(i.r3);
  const auto stored = m.gr(i.r2);
  const auto old = semaphore<T>(m, i.r3);
  m.template store<T>(address, stored);
  m.put(i.r1, old, m.constant(0));
}
// The 8 bytes are compared, and the 16 that they are a half of are replaced.
void cmp8xchg16(auto& m, const M16& i) {
  using Half = std::uint64_t;
  m.target(i.r1);
  m.consume(m.nat(i.r3, i.r2));
  const auto pair = m.gr(i.r3) & ~std::uint64_t{15};
  const auto stored = m.gr(i.r2);
  const auto old = semaphore<Half>(m, i.r3);
  const auto matches = m.eq(old, m.read(Ccv{}));
  m.template store_if<Half>(matches, pair, stored);
  m.template store_if<Half>(matches, pair + 8, m.read(Csd{}));
  m.transform(Transform::alat_store, m.constant(16), pair);
  m.put(i.r1, old, m.constant(0));
}
template <class T>
void fetch_and_add(auto& m, const M17& i) {
  constexpr std::array<std::uint64_t, 4> magnitudes = {16, 8, 4, 1};
  const std::uint64_t magnitude = magnitudes[i.inc3 & 3];
  const std::uint64_t increment = (i.inc3 & 4) != 0 ? -magnitude : magnitude;
  m.target(i.r1);
  const auto address = m.gr(i.r3);
  const auto old = semaphore<T>(m, i.r3);
  m.template store<T>(address, old + increment);
  m.put(i.r1, old, m.constant(0));
}
void cmpxchg1(auto& m, const M16& i) { compare_and_exchange<std::uint8_t>(m, i); }
void cmpxchg2(auto& m, const M16& i) { compare_and_exchange<std::uint16_t>(m, i); }
void cmpxchg4(auto& m, const M16& i) { compare_and_exchange<std::uint32_t>(m, i); }
void cmpxchg8(auto& m, const M16& i) { compare_and_exchange<std::uint64_t>(m, i); }
void xchg1(auto& m, const M16& i) { exchange<std::uint8_t>(m, i); }
void xchg2(auto& m, const M16& i) { exchange<std::uint16_t>(m, i); }
void xchg4(auto& m, const M16& i) { exchange<std::uint32_t>(m, i); }
void xchg8(auto& m, const M16& i) { exchange<std::uint64_t>(m, i); }
void fetchadd4(auto& m, const M17& i) { fetch_and_add<std::uint32_t>(m, i); }
void fetchadd8(auto& m, const M17& i) { fetch_and_add<std::uint64_t>(m, i); }

}  // namespace hardclock::ia64
