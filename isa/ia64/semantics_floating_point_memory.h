// What each floating-point load and store does, once: a part of semantics.h.
//
// Sources: "Intel Itanium Architecture Software Developer's Manual", revision 2.3 (SDM), volume 3,
// chapter 2: ldf, ldfp, stf; volume 1, sections 4.4.4 and 4.4.5 (speculation) and 5.3
// (the formats in memory).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/machine.h"
#include "isa/ia64/semantics_memory.h"

namespace hardclock::ia64 {

// ---- Formats, as call() takes them: a register is its significand, then its sign and exponent.
using LoadedNumbers = std::array<std::uint64_t, 2>;
constexpr LoadedNumbers load_single(std::uint64_t memory) {
  return fp::spill(fp::from_single(static_cast<std::uint32_t>(memory)));
}
constexpr LoadedNumbers load_double(std::uint64_t memory) {
  return fp::spill(fp::from_double(memory));
}
constexpr LoadedNumbers load_extended(std::uint64_t significand, std::uint64_t sign_exponent) {
  return fp::spill(fp::from_extended({significand, static_cast<std::uint16_t>(sign_exponent)}));
}
constexpr std::uint64_t store_single(std::uint64_t significand, std::uint64_t sign_exponent) {
  return fp::to_single(fp::fill({significand, sign_exponent}));
}
constexpr std::uint64_t store_double(std::uint64_t significand, std::uint64_t sign_exponent) {
  return fp::to_double(fp::fill({significand, sign_exponent}));
}
constexpr std::uint64_t store_extended(std::uint64_t significand, std::uint64_t sign_exponent) {
  return fp::to_extended(fp::fill({significand, sign_exponent})).sign_exponent;
}
// Bits above 17 of a spilled exponent are ignored.
inline constexpr std::uint64_t sign_exponent_mask = 0x3ffff;

// How a body loads: anyhow, or on a condition.
template <class M>
struct LoadAlways {
  M& m;
  template <class T>
  typename M::Value load(typename M::Value address) const {
    return m.template load<T>(address);
  }
};
template <class M>
struct LoadIf {
  M& m;
  typename M::Flag condition;
  template <class T>
  typename M::Value load(typename M::Value address) const {
    return m.template load_if<T>(condition, address);
  }
};

// A format says what one number takes in memory, how it gets into a register and back. `loads` is
// one of the two above.
//
// Numbers of 10 and of 16 bytes are two accesses each, the second at address + 8. Big-endian data
// are the whole image reversed, so then the first access has the highest bits.
template <class M>
typename M::Flag data_are_big(M& m) {
  return m.ne(m.read(UserMask{}, um_be), 0);
}

struct InSingle {
  static constexpr std::uint64_t bytes = 4, alignment = 4;

  template <class M>
  static typename M::Float load(M& m, const auto& loads, typename M::Value address) {
    const auto [significand, sign_exponent] =
        m.call(load_single, loads.template load<std::uint32_t>(address));
    return {significand, sign_exponent};
  }
  template <class M>
  static void store(M& m, typename M::Value address, typename M::Float f) {
    m.template store<std::uint32_t>(address, m.call(store_single, f.significand, f.sign_exponent));
  }
};

struct InDouble {
  static constexpr std::uint64_t bytes = 8, alignment = 8;

  template <class M>
  static typename M::Float load(M& m, const auto& loads, typename M::Value address) {
    const auto [significand, sign_exponent] =
        m.call(load_double, loads.template load<std::uint64_t>(address));
    return {significand, sign_exponent};
  }
  template <class M>
  static void store(M& m, typename M::Value address, typename M::Float f) {
    m.template store<std::uint64_t>(address, m.call(store_double, f.significand, f.sign_exponent));
  }
};

struct InInteger {
  static constexpr std::uint64_t bytes = 8, alignment = 8;

  template <class M>
  static typename M::Float load(M& m, const auto& loads, typename M::Value address) {
    return {loads.template load<std::uint64_t>(address), m.constant(fp::integer_exponent)};
  }
  template <class M>
  static void store(M& m, typename M::Value address, typename M::Float f) {
    m.template store<std::uint64_t>(address, f.significand);
  }
};

struct InExtended {
  static constexpr std::uint64_t bytes = 10, alignment = 16;

  template <class M>
  static typename M::Float load(M& m, const auto& loads, typename M::Value address) {
    const auto first = loads.template load<std::uint64_t>(address);
    const auto second = loads.template load<std::uint16_t>(address + 8);
    const auto big = data_are_big(m);
    const auto [significand, sign_exponent] =
        m.call(load_extended, m.select(big, first << std::uint64_t{16} | second, first),
               m.select(big, first >> std::uint64_t{48}, second));
    return {significand, sign_exponent};
  }
  // Asks for the last byte first: of an image across two pages both parts are stored, or none.
  template <class M>
  static void store(M& m, typename M::Value address, typename M::Float f) {
    const auto sign_exponent = m.call(store_extended, f.significand, f.sign_exponent);
    const auto top = sign_exponent << std::uint64_t{48} | f.significand >> std::uint64_t{16};
    const auto big = data_are_big(m);
    m.template replaced<std::uint8_t>(address + (bytes - 1));
    m.template store<std::uint64_t>(address, m.select(big, top, f.significand));
    m.template store<std::uint16_t>(address + 8, m.select(big, f.significand, sign_exponent));
  }
};

// Always aligned, so never in two pages.
struct InSpill {
  static constexpr std::uint64_t bytes = 16, alignment = 16;

  template <class M>
  static typename M::Float load(M& m, const auto& loads, typename M::Value address) {
    const auto first = loads.template load<std::uint64_t>(address);
    const auto second = loads.template load<std::uint64_t>(address + 8);
    const auto big = data_are_big(m);
    return {m.select(big, second, first), m.select(big, first, second) & sign_exponent_mask};
  }
  template <class M>
  static void store(M& m, typename M::Value address, typename M::Float f) {
    const auto big = data_are_big(m);
    m.template store<std::uint64_t>(address, m.select(big, f.sign_exponent, f.significand));
    m.template store<std::uint64_t>(address + 8, m.select(big, f.significand, f.sign_exponent));
  }
};

// ---- Alignment. Numbers of 4 and 8 bytes are the machine's own accesses, which know what the user
// mask says. The two accesses of 10 bytes do not tell it all; and nothing splits a pair or a spill.
template <class Format>
inline constexpr bool has_own_access = Format::bytes == 4 || Format::bytes == 8;

// 0, or a number with bit 3 set.
template <class M>
typename M::Value checks_alignment(M& m) {
  return m.read(UserMask{}, um_ac);
}
// Faults unless `bytes`, a power of two, divide the address, or `checks` is 0.
template <class M>
void need_aligned_if(M& m, typename M::Flag checks, std::uint64_t bytes,
                     typename M::Value address) {
  m.transform(Transform::need_aligned, m.select(checks, m.constant(bytes), m.constant(1)), address);
}
template <class M>
typename M::Flag is_aligned(M& m, std::uint64_t bytes, typename M::Value address) {
  return m.eq(address & (bytes - 1), 0);
}

// What a load takes: one number or a pair of them, in memory one behind the other.
template <class Format, std::size_t count>
struct Accessed {
  static constexpr std::uint64_t bytes = Format::bytes * count;
  static constexpr std::uint64_t alignment = Format::alignment * count;
  static constexpr bool is_always_aligned = count == 2 || Format::bytes == 16;

  // For an access that takes place if the condition holds.
  template <class M>
  static void need_alignment_if(M& m, typename M::Flag condition, typename M::Value address) {
    if constexpr (is_always_aligned)
      need_aligned_if(m, condition, alignment, address);
    else if constexpr (!has_own_access<Format>)
      need_aligned_if(m, m.both(condition, m.ne(checks_alignment(m), 0)), alignment, address);
  }
  template <class M>
  static void need_alignment(M& m, typename M::Value address) {
    if constexpr (is_always_aligned)
      m.transform(Transform::need_aligned, m.constant(alignment), address);
    else if constexpr (!has_own_access<Format>)
      need_aligned_if(m, m.ne(checks_alignment(m), 0), alignment, address);
  }
  // Whether alignment would be a fault.
  template <class M>
  static typename M::Flag is_aligned_enough(M& m, typename M::Value address) {
    if constexpr (is_always_aligned) return is_aligned(m, alignment, address);
    const auto checks =
        m.select(is_aligned(m, alignment, address), m.constant(0), checks_alignment(m));
    return m.eq(checks, 0);
  }

  template <class M>
  static auto load(M& m, const auto& loads, typename M::Value address) {
    if constexpr (count == 1) {
      return std::array{Format::load(m, loads, address)};
    } else {
      const auto first = Format::load(m, loads, address);
      return std::array{first, Format::load(m, loads, address + Format::bytes)};
    }
  }
};

// ---- Loads.
constexpr bool is_speculative(Speculation kind) {
  return kind == Speculation::control || kind == Speculation::both;
}
constexpr bool is_advanced(Speculation kind) {
  return kind == Speculation::data || kind == Speculation::both;
}
constexpr bool is_check(Speculation kind) {
  return kind == Speculation::check_clear || kind == Speculation::check_keep;
}

// Of a pair, one register must have an odd physical number and the other an even one: else an
// Illegal Operation fault. Rotation by an odd number matters to one that rotates.
template <class M>
void need_two_banks(M& m, unsigned f1, unsigned f2) {
  const bool is_same = ((f1 ^ f2) & 1) == 0;
  const bool rotates = f1 >= first_rotating_fr, other_rotates = f2 >= first_rotating_fr;
  if (rotates == other_rotates) {
    if (is_same) m.illegal();
    return;
  }
  constexpr std::uint64_t odd_rotation = std::uint64_t{1} << 25;  // lowest bit of CFM.rrb.fr
  const auto rotation = m.read(Marker{}, odd_rotation);
  m.illegal_if(is_same ? m.eq(rotation, 0) : m.ne(rotation, 0));
}

// A load into one or two registers, which uses only as much of the ALAT as it must.
template <Speculation kind, class Format, std::size_t count, class M>
class FloatLoad {
  using Value = typename M::Value;
  using Flag = typename M::Flag;
  using What = Accessed<Format, count>;

 public:
  FloatLoad(M& m, const std::array<unsigned, count>& targets, unsigned base)
      : m_(m), targets_(targets), nat_(m.nat(base)), address_(m.gr(base)) {}

  void run() {
    for (const unsigned n : targets_) m_.fr_target(n);
    if constexpr (count == 2) need_two_banks(m_, targets_[0], targets_[1]);
    if constexpr (!is_speculative(kind)) m_.consume(nat_);
    if constexpr (is_advanced(kind)) forget();
    if constexpr (is_check(kind))
      check();
    else if constexpr (is_speculative(kind))
      speculate();
    else
      load();
  }

 private:
  void load() {
    What::need_alignment(m_, address_);
    const auto loaded = What::load(m_, LoadAlways<M>{m_}, address_);
    for (std::size_t k = 0; k < count; ++k) m_.fr(targets_[k], loaded[k]);
    if constexpr (is_advanced(kind)) insert(m_.constant(What::bytes));
  }
  // What would fault becomes NaTVal.
  void speculate() {
    const Flag may = m_.both(m_.eq(nat_, 0), m_.both(m_.may_load(address_, What::bytes),
                                                     What::is_aligned_enough(m_, address_)));
    const auto loaded = What::load(m_, LoadIf<M>{m_, may}, address_);
    for (std::size_t k = 0; k < count; ++k)
      m_.fr(targets_[k], m_.select_float(may, loaded[k], m_.nat_value()));
    if constexpr (is_advanced(kind)) insert(bytes_if(may));
  }
  // A pair hits if both registers do.
  void check() {
    Value hits = check(targets_[0]);
    if constexpr (count == 2) hits = hits & check(targets_[1]);
    const Flag misses = m_.eq(hits, 0);
    What::need_alignment_if(m_, misses, address_);
    const auto loaded = What::load(m_, LoadIf<M>{m_, misses}, address_);
    for (std::size_t k = 0; k < count; ++k)
      m_.fr(targets_[k], m_.select_float(misses, loaded[k], m_.fr(targets_[k])));
    if constexpr (kind == Speculation::check_keep) insert(bytes_if(misses));
  }

  Value bytes_if(Flag condition) {
    return m_.select(condition, m_.constant(What::bytes), m_.constant(0));
  }
  Value check(unsigned n) {
    constexpr std::uint64_t clears = kind == Speculation::check_clear ? 1 : 0;
    return m_.transform(Transform::alat_check, m_.constant(alat_fr(n) | clears << 8));
  }
  void forget() {
    for (const unsigned n : targets_) m_.transform(Transform::alat_forget, m_.constant(alat_fr(n)));
  }
  // Each register of a pair stands for the bytes of both.
  void insert(Value bytes) {
    for (const unsigned n : targets_)
      m_.transform(Transform::alat_insert, bytes << std::uint64_t{8} | alat_fr(n), address_);
  }

  M& m_;
  std::array<unsigned, count> targets_;
  Value nat_, address_;
};

template <Speculation kind, class Format, class M>
void load_number(M& m, unsigned f1, unsigned base) {
  FloatLoad<kind, Format, 1, M>(m, {f1}, base).run();
}
template <Speculation kind, class Format, class M>
void load_pair(M& m, unsigned f1, unsigned f2, unsigned base) {
  FloatLoad<kind, Format, 2, M>(m, {f1, f2}, base).run();
}

// M6, then M7 and M8, which add to the address register afterwards, M11 and M12.
template <Speculation kind, class Format>
void load_float(auto& m, const M6& i) {
  load_number<kind, Format>(m, i.f1, i.r3);
}
template <Speculation kind, class Format>
void load_float(auto& m, const M7& i) {
  m.target(i.r3);
  const auto next = m.gr(i.r3) + m.gr(i.r2);
  const auto nat = m.nat(i.r3, i.r2);
  load_number<kind, Format>(m, i.f1, i.r3);
  m.put(i.r3, next, nat);
}
template <Speculation kind, class Format>
void load_float(auto& m, const M8& i) {
  m.target(i.r3);
  const auto next = m.gr(i.r3) + static_cast<std::uint64_t>(std::int64_t{i.imm9});
  const auto nat = m.nat(i.r3);
  load_number<kind, Format>(m, i.f1, i.r3);
  m.put(i.r3, next, nat);
}
template <Speculation kind, class Format>
void load_float(auto& m, const M11& i) {
  load_pair<kind, Format>(m, i.f1, i.f2, i.r3);
}
template <Speculation kind, class Format>
void load_float(auto& m, const M12& i) {
  m.target(i.r3);
  const auto next = m.gr(i.r3) + 2 * Format::bytes;
  const auto nat = m.nat(i.r3);
  load_pair<kind, Format>(m, i.f1, i.f2, i.r3);
  m.put(i.r3, next, nat);
}

// ---- M6: load, M7: with base update by a register, M8: by imm9; of pairs M11, M12: by its size.
void ldfe(auto& m, const auto& i) { load_float<Speculation::none, InExtended>(m, i); }
void ldf8(auto& m, const auto& i) { load_float<Speculation::none, InInteger>(m, i); }
void ldfs(auto& m, const auto& i) { load_float<Speculation::none, InSingle>(m, i); }
void ldfd(auto& m, const auto& i) { load_float<Speculation::none, InDouble>(m, i); }
void ldfe_s(auto& m, const auto& i) { load_float<Speculation::control, InExtended>(m, i); }
void ldf8_s(auto& m, const auto& i) { load_float<Speculation::control, InInteger>(m, i); }
void ldfs_s(auto& m, const auto& i) { load_float<Speculation::control, InSingle>(m, i); }
void ldfd_s(auto& m, const auto& i) { load_float<Speculation::control, InDouble>(m, i); }
void ldfe_a(auto& m, const auto& i) { load_float<Speculation::data, InExtended>(m, i); }
void ldf8_a(auto& m, const auto& i) { load_float<Speculation::data, InInteger>(m, i); }
void ldfs_a(auto& m, const auto& i) { load_float<Speculation::data, InSingle>(m, i); }
void ldfd_a(auto& m, const auto& i) { load_float<Speculation::data, InDouble>(m, i); }
void ldfe_sa(auto& m, const auto& i) { load_float<Speculation::both, InExtended>(m, i); }
void ldf8_sa(auto& m, const auto& i) { load_float<Speculation::both, InInteger>(m, i); }
void ldfs_sa(auto& m, const auto& i) { load_float<Speculation::both, InSingle>(m, i); }
void ldfd_sa(auto& m, const auto& i) { load_float<Speculation::both, InDouble>(m, i); }
void ldfe_c_clr(auto& m, const auto& i) { load_float<Speculation::check_clear, InExtended>(m, i); }
void ldf8_c_clr(auto& m, const auto& i) { load_float<Speculation::check_clear, InInteger>(m, i); }
void ldfs_c_clr(auto& m, const auto& i) { load_float<Speculation::check_clear, InSingle>(m, i); }
void ldfd_c_clr(auto& m, const auto& i) { load_float<Speculation::check_clear, InDouble>(m, i); }
void ldfe_c_nc(auto& m, const auto& i) { load_float<Speculation::check_keep, InExtended>(m, i); }
void ldf8_c_nc(auto& m, const auto& i) { load_float<Speculation::check_keep, InInteger>(m, i); }
void ldfs_c_nc(auto& m, const auto& i) { load_float<Speculation::check_keep, InSingle>(m, i); }
void ldfd_c_nc(auto& m, const auto& i) { load_float<Speculation::check_keep, InDouble>(m, i); }
void ldf_fill(auto& m, const auto& i) { load_float<Speculation::none, InSpill>(m, i); }

// ---- M9: store, M10: with base update by imm9. A NaTVal is consumed, but for stf.spill, which
// stores it as it is.
template <class Format, class M>
void store_number(M& m, unsigned f2, unsigned base) {
  m.consume(m.nat(base));
  const auto f = m.fr(f2);
  if constexpr (Format::bytes != InSpill::bytes) m.consume(m.is_nat_value(f));
  const auto address = m.gr(base);
  Accessed<Format, 1>::need_alignment(m, address);
  Format::store(m, address, f);
}
template <class Format>
void store_float(auto& m, const M9& i) {
  store_number<Format>(m, i.f2, i.r3);
}
template <class Format>
void store_float(auto& m, const M10& i) {
  m.target(i.r3);
  const auto next = m.gr(i.r3) + static_cast<std::uint64_t>(std::int64_t{i.imm9_store});
  store_number<Format>(m, i.f2, i.r3);
  m.put(i.r3, next, m.constant(0));
}
void stfe(auto& m, const auto& i) { store_float<InExtended>(m, i); }
void stf8(auto& m, const auto& i) { store_float<InInteger>(m, i); }
void stfs(auto& m, const auto& i) { store_float<InSingle>(m, i); }
void stfd(auto& m, const auto& i) { store_float<InDouble>(m, i); }
void stf_spill(auto& m, const auto& i) { store_float<InSpill>(m, i); }

}  // namespace hardclock::ia64
