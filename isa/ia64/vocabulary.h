// The words in which the bodies of semantics.h are written, over the primitives of any machine
// (sim/recording/primitives.h) and Transform, what IA-64 does to its registers as a whole.
#pragma once

#include <cstdint>

#include "isa/ia64/bundle.h"
#include "isa/ia64/resources.h"
#include "sim/base/units.h"
#include "sim/engine/vocabulary.h"
#include "sim/recording/primitives.h"

namespace hardclock::ia64 {

// Of the operands that machine.transform(which, a, b) has, those without a meaning are 0.
enum class Transform : std::uint8_t {
  call,            // br.call
  ret,             // br.ret: a: ar.pfs, b: where to
  alloc,           // a: r1 | sof << 8 | sol << 16 | sor << 24, in registers
  cover,           //
  flushrs,         //
  loadrs,          //
  clrrrb,          //
  clrrrb_pr,       //
  rotate,          // a: 1: by one; 0: not at all
  write_rsc,       // a: the value
  write_bspstore,  // a: the value
  write_rnat,      // a: the value
  // The ALAT. A register is its number, plus 128 if it is one for floating point.
  alat_insert,   // a: register | bytes << 8, b: address; without bytes nothing happens
  alat_check,    // a: register | clears << 8. The value: 1 for a hit
  alat_forget,   // a: register
  alat_store,    // a: bytes, b: address
  alat_clear,    //
  need_aligned,  // a: bytes, a power of two, b: address, which is the fault's
  need_access,   // a: bytes | Access << 8, b: address: the faults of a load or store, without one
};

inline constexpr std::uint64_t alat_gr(unsigned n) { return n; }
inline constexpr std::uint64_t alat_fr(unsigned n) { return 128 + n; }

// What of the processor the meaning of instructions depends on. Not guest values: bodies may decide
// on these with a C++ `if`.
struct Settings {
  Level level = Level::itanium;
  std::size_t alat_entries = Alat::most_entries;
  // A break 0 here is a system call (HP-UX): a bundle's address.
  std::uint64_t gateway = ~std::uint64_t{0};

  bool operator==(const Settings&) const = default;
};

template <class P>
class Vocabulary : public CommonVocabulary<P> {
  using Words = CommonVocabulary<P>;

 public:
  using P::bit;
  using P::both;
  using P::constant;
  using P::eq;
  using P::flag;
  using P::ltu;
  using P::ne;
  using P::not_;
  using P::read;
  using P::select;
  using P::write;
  using P::write_if;
  using typename P::Flag;
  using typename P::Value;

  // The rest is for P.
  template <class... Arguments>
  explicit Vocabulary(const Settings& settings, Arguments&&... arguments)
      : Words(std::forward<Arguments>(arguments)...), settings_(settings) {}

  const Settings& settings() const { return settings_; }

  // ---- Faults.
  void illegal(IllegalUse use = IllegalUse::operation) {
    P::trap(TrapKind::illegal_instruction, static_cast<std::uint32_t>(use));
  }
  void illegal_if(Flag condition, IllegalUse use = IllegalUse::operation) {
    P::trap_if(condition, TrapKind::illegal_instruction, static_cast<std::uint32_t>(use));
  }
  // Register NaT Consumption. `nat` is 0 or 1.
  void consume(Value nat) { illegal_if(ne(nat, 0), IllegalUse::nat_consumption); }

  // ---- General registers. A NaT bit is 0 or 1.
  Value gr(unsigned n) { return read(Gr{n}); }
  Value nat(unsigned n) { return read(GrNat{n}); }
  Value nat(unsigned a, unsigned b) { return nat(a) | nat(b); }
  // That register n is r0 or outside the frame is an Illegal Operation fault, which comes before
  // anything else that the instruction does.
  void target(unsigned n) {
    if (n == 0) return illegal();
    if (n < first_rotating_gr) return;
    const Value size = read(Marker{}, 0x7f);
    illegal_if(ltu(size, constant(n - first_rotating_gr + 1)));
  }
  void gr(unsigned n, Value v, Value nat) {
    target(n);
    put(n, v, nat);
  }
  void gr(unsigned n, Value v) { gr(n, v, constant(0)); }
  // Where target() has been asked.
  void put(unsigned n, Value v, Value nat) {
    write(Gr{n}, v);
    write(GrNat{n}, nat);
  }
  // A register whose NaT bit faults.
  Value consumed_gr(unsigned n) {
    consume(nat(n));
    return gr(n);
  }

  // ---- Floating-point registers.
  struct Float {
    Value significand, sign_exponent;  // the sign in bit 17
  };
  Float fr(unsigned n) { return {read(FrSignificand{n}), read(FrSignExponent{n})}; }
  // That register n is f0 or f1 is an Illegal Operation fault, which comes first.
  void fr_target(unsigned n) {
    if (n < 2) illegal();
  }
  void fr(unsigned n, Float v) {
    fr_target(n);
    if (n < 2) return;
    write(FrSignificand{n}, v.significand);
    write(FrSignExponent{n}, v.sign_exponent);
    const std::uint64_t half = n < first_rotating_fr ? um_mfl : um_mfh;
    write(UserMask{}, constant(half), half);
  }
  // Where the condition holds.
  void fr_if(Flag condition, unsigned n, Float v) {
    if (n < 2) return illegal_if(condition);
    write_if(condition, FrSignificand{n}, v.significand);
    write_if(condition, FrSignExponent{n}, v.sign_exponent);
    const std::uint64_t half = n < first_rotating_fr ? um_mfl : um_mfh;
    write_if(condition, UserMask{}, constant(half), half);
  }
  Float nat_value() { return {constant(0), constant(fp::nat_value_exponent)}; }
  Value is_nat_value(Float f) {
    return bit(both(eq(f.significand, 0), eq(f.sign_exponent, fp::nat_value_exponent)));
  }
  Float select_float(Flag condition, Float a, Float b) {
    return {select(condition, a.significand, b.significand),
            select(condition, a.sign_exponent, b.sign_exponent)};
  }

  // ---- Predicates.
  Flag predicate(unsigned n) {
    return n == 0 ? flag(true) : ne(read(Predicates{}, std::uint64_t{1} << n), 0);
  }
  Value predicates() { return read(Predicates{}) | 1; }
  void predicates(Value v, std::uint64_t mask) { write(Predicates{}, v, mask & ~std::uint64_t{1}); }
  // Two at once: `v1` and `v2` are 0 or 1. p0 stays 1.
  void predicates_if(Flag condition, unsigned p1, Value v1, unsigned p2, Value v2) {
    const std::uint64_t mask =
        (std::uint64_t{1} << p1 | std::uint64_t{1} << p2) & ~std::uint64_t{1};
    write_if(condition, Predicates{}, v1 << std::uint64_t{p1} | v2 << std::uint64_t{p2}, mask);
  }
  // By the numbers that rotation does not change.
  Value predicates_by_number() {
    return P::call(ia64::predicates_by_number_of, read(Predicates{}), read(Marker{}));
  }
  Value named_predicates(Value by_number) {
    return P::call(ia64::predicates_by_name_of, by_number, read(Marker{}));
  }

  // ---- Branches.
  Value br(unsigned n) { return read(Br{n}); }
  void br(unsigned n, Value v) { write(Br{n}, v); }
  // The address of this bundle.
  Value ip() { return P::pc() & ~std::uint64_t{15}; }

  Value transform(Transform which, Value a, Value b) {
    return P::transform(static_cast<std::uint8_t>(which), a, b);
  }
  Value transform(Transform which, Value a) { return transform(which, a, constant(0)); }
  Value transform(Transform which) { return transform(which, constant(0), constant(0)); }

  // ---- Memory. An access need not be aligned unless the user mask says so; nothing splits one of
  // these. A store removes what the ALAT has of its bytes.
  template <class T>
  Value load_aligned(Value address) {
    transform(Transform::need_aligned, constant(sizeof(T)), address);
    return P::template load<T>(address);
  }
  template <class T>
  void store(Value address, Value v) {
    P::template store<T>(address, v);
    transform(Transform::alat_store, constant(sizeof(T)), address);
  }
  // Whether a load of these bytes would fault; touches no page.
  Flag may_load(Value address, std::uint64_t bytes) {
    return both(P::is_accessible(address, Access::read),
                P::is_accessible(address + (bytes - 1), Access::read));
  }

 private:
  Settings settings_;
};

}  // namespace hardclock::ia64
