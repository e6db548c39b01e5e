// The part of semantics.h that accesses memory.
// Sources: I is the "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition
// (1994), chapter 5; K is Kane, "PA-RISC 2.0 Architecture" (1996), chapter 7.
#pragma once

#include <cstdint>

#include "isa/pa_risc/bit_functions.h"
#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/operand_values.h"
#include "isa/pa_risc/semantics_control.h"
#include "isa/pa_risc/semantics_integer.h"

namespace hardclock::pa_risc {

// ---- Addresses (I, K: "Memory Reference Instructions", the tables of completers). What `am` and
// its kin say of the base register: left alone, or modified before or after the address is taken
// from it. It is written when the access has succeeded, and before a load's target.
enum class Modify : std::uint8_t { none, before, after };
// Of the data, as the logarithm of the bytes.
enum class Size : std::uint8_t { byte = 0, halfword = 1, word = 2, doubleword = 3 };

template <class M>
struct Reference {
  typename M::Value address;
  typename M::Value modified;  // what the base register becomes
  unsigned base;
  bool modifies;

  void modify(M& m) const {
    if (modifies) m.gpr(base, modified);
  }
};

template <class M>
Reference<M> reference(M& m, unsigned base, Modify how, typename M::Value offset) {
  const auto start = m.gpr(base);
  const auto sum = start + offset;
  return {how == Modify::after ? start : sum, sum, base, how != Modify::none};
}
constexpr Modify modification(unsigned am) {
  const Modify how = (am & 2) != 0 ? Modify::before : Modify::after;
  return (am & 1) != 0 ? how : Modify::none;
}
// A short displacement.
template <class M, class Operands>
Reference<M> short_reference(M& m, const Operands& i) {
  return reference(m, i.b, modification(i.am), m.constant(immediate(i.im5)));
}
template <class M, class Operands>
Reference<M> short_store_reference(M& m, const Operands& i) {
  return reference(m, i.b, modification(i.am), m.constant(immediate(i.im5_store)));
}
// An index register, times the data's size with ,s; of `am`, the upper bit is that.
template <class M, class Operands>
Reference<M> indexed_reference(M& m, const Operands& i, Size size) {
  const auto index = m.gpr(i.x);
  const auto offset = (i.am & 2) != 0 ? index << static_cast<std::uint64_t>(size) : index;
  return reference(m, i.b, (i.am & 1) != 0 ? Modify::after : Modify::none, offset);
}
// Either, as the instruction has it.
template <class M>
Reference<M> reference(M& m, const auto& i, Size size) {
  if constexpr (requires { i.x; })
    return indexed_reference(m, i, size);
  else
    return short_reference(m, i);
}
template <class M>
Reference<M> long_reference(M& m, unsigned base, Modify how, std::int64_t displacement,
                            unsigned s) {
  const std::int64_t offset = long_displacement(displacement, s, is_wide(m));
  return reference(m, base, how, m.constant(immediate(offset)));
}
// LDWM and STWM push with a negative displacement and pop with a positive one; the other way round
// with the opcodes of PA-RISC 2.0.
constexpr Modify before_if(bool condition) { return condition ? Modify::before : Modify::after; }

// ---- Loads (I, K: LDB LDH LDW LDD). On PA-RISC 2.0 a load into register 0 is a prefetch, which
// changes nothing that a program can see and takes no fault.
template <class M>
auto load(M& m, Size size, typename M::Value address) {
  switch (size) {
    case Size::byte:
      return m.load8(address);
    case Size::halfword:
      return m.load16(address);
    case Size::word:
      return m.load32(address);
    case Size::doubleword:
      break;
  }
  return m.load64(address);
}
template <class M>
void load_register(M& m, unsigned t, Size size, const Reference<M>& at) {
  if (t == 0 && m.settings().register_bits == 64) return at.modify(m);
  const auto loaded = load(m, size, at.address);
  at.modify(m);
  m.gpr(t, loaded);
}
template <class M>
void store(M& m, Size size, const Reference<M>& at, typename M::Value value) {
  switch (size) {
    case Size::byte:
      m.store8(at.address, value);
      break;
    case Size::halfword:
      m.store16(at.address, value);
      break;
    case Size::word:
      m.store32(at.address, value);
      break;
    case Size::doubleword:
      m.store64(at.address, value);
      break;
  }
  at.modify(m);
}

[[gnu::always_inline]] inline void load_long(auto& m, const LoadLong& i, Size size) {
  load_register(m, i.t1, size, long_reference(m, i.b, Modify::none, i.im14, i.s));
}
void ldb(auto& m, const LoadLong& i) { load_long(m, i, Size::byte); }
void ldh(auto& m, const LoadLong& i) { load_long(m, i, Size::halfword); }
void ldw(auto& m, const LoadLong& i) { load_long(m, i, Size::word); }
void ldwm(auto& m, const LoadLong& i) {
  load_register(m, i.t1, Size::word, long_reference(m, i.b, before_if(i.im14 < 0), i.im14, i.s));
}
void ldw_mod(auto& m, const LoadLongW& i) {
  load_register(m, i.t1, Size::word, long_reference(m, i.b, before_if(i.im11a >= 0), i.im11a, i.s));
}
void ldd(auto& m, const LoadLongD& i) {
  load_register(m, i.t1, Size::doubleword,
                long_reference(m, i.b, modification(i.am_long), i.im10a, i.s));
}

// ---- Stores (I, K: STB STH STW STD).
[[gnu::always_inline]] inline void store_long(auto& m, const StoreLong& i, Size size) {
  store(m, size, long_reference(m, i.b, Modify::none, i.im14, i.s), m.gpr(i.r1));
}
void stb(auto& m, const StoreLong& i) { store_long(m, i, Size::byte); }
void sth(auto& m, const StoreLong& i) { store_long(m, i, Size::halfword); }
void stw(auto& m, const StoreLong& i) { store_long(m, i, Size::word); }
void stwm(auto& m, const StoreLong& i) {
  store(m, Size::word, long_reference(m, i.b, before_if(i.im14 < 0), i.im14, i.s), m.gpr(i.r1));
}
void stw_mod(auto& m, const StoreLongW& i) {
  store(m, Size::word, long_reference(m, i.b, before_if(i.im11a >= 0), i.im11a, i.s), m.gpr(i.r1));
}
void std(auto& m, const StoreLongD& i) {
  store(m, Size::doubleword, long_reference(m, i.b, modification(i.am_long), i.im10a, i.s),
        m.gpr(i.r1));
}

// ---- Loads with an index or a short displacement, stores with one (I, K). Those of absolute
// addresses (I, K: LDWA LDDA STWA STDA) are privileged.
[[gnu::always_inline]] inline void load_at(auto& m, const auto& i, Size size) {
  load_register(m, i.t, size, reference(m, i, size));
}
void ldbx(auto& m, const auto& i) { load_at(m, i, Size::byte); }
void ldhx(auto& m, const auto& i) { load_at(m, i, Size::halfword); }
void ldwx(auto& m, const auto& i) { load_at(m, i, Size::word); }
void lddx(auto& m, const auto& i) { load_at(m, i, Size::doubleword); }
// LDCW and LDCD read and clear (I, K: LDCW LDCD): one access. The manual wants addresses that are
// multiples of 16; as in processors, those of words and doublewords will do.
void ldcwx(auto& m, const auto& i) {
  const auto at = reference(m, i, Size::word);
  const auto old = m.replaced32(at.address);
  m.store32(at.address, m.constant(0));
  at.modify(m);
  m.gpr(i.t, old);
}
void ldcdx(auto& m, const auto& i) {
  const auto at = reference(m, i, Size::doubleword);
  const auto old = m.replaced64(at.address);
  m.store64(at.address, m.constant(0));
  at.modify(m);
  m.gpr(i.t, old);
}
[[gnu::always_inline]] inline void store_short(auto& m, const StoreS& i, Size size) {
  store(m, size, short_store_reference(m, i), m.gpr(i.r1));
}
void stbs(auto& m, const StoreS& i) { store_short(m, i, Size::byte); }
void sths(auto& m, const StoreS& i) { store_short(m, i, Size::halfword); }
void stws(auto& m, const StoreS& i) { store_short(m, i, Size::word); }
void stds(auto& m, const StoreS& i) { store_short(m, i, Size::doubleword); }

// Parts of a word or doubleword (I: STBYS; K: STBY STDBY). ,b stores the register's right end from
// the address to the word's end, ,e its left end from the word's beginning to before the address:
// nothing, if that is the beginning, but the access is checked. With ,m the base becomes a word's
// address. Of `am`, the upper bit says which end it is, and with ,m the address is the base.
template <class M>
Reference<M> bytes_reference(M& m, const StoreS& i, std::uint64_t in_word) {
  const Modify how = (i.am & 1) != 0 ? Modify::after : Modify::none;
  Reference<M> at = reference(m, i.b, how, m.constant(immediate(i.im5_store)));
  at.modified = at.modified & ~in_word;
  return at;
}
// The bits of the word from the address on.
template <class M>
auto bits_from_address(M& m, std::uint64_t in_word, typename M::Value address) {
  return m.constant(low_ones(8 * static_cast<unsigned>(in_word + 1))) >> ((address & in_word) << 3);
}
template <class M>
auto bytes_stored(M& m, const StoreS& i, std::uint64_t in_word, typename M::Value address) {
  const bool is_end = (i.am & 2) != 0;
  const auto from_address = bits_from_address(m, in_word, address);
  return is_end ? ~from_address : from_address;
}
void stby(auto& m, const StoreS& i) {
  constexpr std::uint64_t in_word = 3;
  const auto at = bytes_reference(m, i, in_word);
  const auto word = at.address & ~in_word;
  const auto stored = bytes_stored(m, i, in_word, at.address);
  m.store32(word, (m.gpr(i.r1) & stored) | (m.replaced32(word) & ~stored));
  at.modify(m);
}
void stdby(auto& m, const StoreS& i) {
  constexpr std::uint64_t in_doubleword = 7;
  const auto at = bytes_reference(m, i, in_doubleword);
  const auto doubleword = at.address & ~in_doubleword;
  const auto stored = bytes_stored(m, i, in_doubleword, at.address);
  m.store64(doubleword, (m.gpr(i.r1) & stored) | (m.replaced64(doubleword) & ~stored));
  at.modify(m);
}

// ---- Floating-point registers (I, K: FLDW FLDD FSTW FSTD). A half's number is 32 more for the
// right one.
auto fpr_half(auto& m, unsigned half) {
  return half < 32 ? m.fpr_left(half) : m.fpr_right(half - 32);
}
template <class M>
void fpr_half(M& m, unsigned half, typename M::Value v) {
  if (half < 32) return m.fpr_left(half, v);
  m.fpr_right(half - 32, v);
}
// An exception that was enabled traps at the next instruction of the coprocessor, a load or a
// store, too: chapter 6, "Delayed Trapping"; glibc 2.36, sysdeps/hppa/fpu/fraiseexcpt.c, has it
// come by an FLDD.
void take_delayed_trap(auto& m) { m.trap_if(m.traps_later(), TrapKind::floating_point); }
template <class M>
void load_half(M& m, unsigned half, const Reference<M>& at) {
  take_delayed_trap(m);
  fpr_half(m, half, m.load32(at.address));
  at.modify(m);
}
template <class M>
void load_fpr(M& m, unsigned t, const Reference<M>& at) {
  take_delayed_trap(m);
  m.fpr64(t, m.load64(at.address));
  at.modify(m);
}
template <class M>
void store_half(M& m, unsigned half, const Reference<M>& at) {
  take_delayed_trap(m);
  store(m, Size::word, at, fpr_half(m, half));
}
// By a doubleword of register 0 a kernel saves the status: it takes no trap, and clears T.
template <class M>
void store_fpr(M& m, unsigned t, const Reference<M>& at) {
  if (t != 0) take_delayed_trap(m);
  store(m, Size::doubleword, at, m.fpr64(t));
  if (t == 0) m.forget_delayed_trap();
}
void fldwx(auto& m, const auto& i) { load_half(m, i.fth, reference(m, i, Size::word)); }
void flddx(auto& m, const auto& i) { load_fpr(m, i.ft, reference(m, i, Size::doubleword)); }
void fstwx(auto& m, const auto& i) { store_half(m, i.fth, reference(m, i, Size::word)); }
void fstdx(auto& m, const auto& i) { store_fpr(m, i.ft, reference(m, i, Size::doubleword)); }
void fldw(auto& m, const FpLongW& i) {
  load_half(m, i.ft1h, long_reference(m, i.b, Modify::none, i.im11a, i.s));
}
void fldw_mod(auto& m, const FpLongWM& i) {
  load_half(m, i.ft1h, long_reference(m, i.b, before_if(i.a != 0), i.im11a, i.s));
}
void fldd(auto& m, const FpLongD& i) {
  load_fpr(m, i.ft1, long_reference(m, i.b, modification(i.am_long), i.im10a, i.s));
}
void fstw(auto& m, const FpLongW& i) {
  store_half(m, i.ft1h, long_reference(m, i.b, Modify::none, i.im11a, i.s));
}
void fstw_mod(auto& m, const FpLongWM& i) {
  store_half(m, i.ft1h, long_reference(m, i.b, before_if(i.a != 0), i.im11a, i.s));
}
void fstd(auto& m, const FpLongD& i) {
  store_fpr(m, i.ft1, long_reference(m, i.b, modification(i.am_long), i.im10a, i.s));
}

}  // namespace hardclock::pa_risc
