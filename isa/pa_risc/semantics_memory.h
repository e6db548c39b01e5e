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
Reference<M> indexed_reference(M& m, const Operands& i, unsigned log_size) {
  const auto index = m.gpr(i.x);
  const auto offset = (i.am & 2) != 0 ? index << std::uint64_t{log_size} : index;
  return reference(m, i.b, (i.am & 1) != 0 ? Modify::after : Modify::none, offset);
}
template <class M>
Reference<M> long_reference(M& m, unsigned base, Modify how, std::int64_t displacement,
                            unsigned s) {
  const std::int64_t offset = long_displacement(displacement, s, is_wide(m));
  return reference(m, base, how, m.constant(immediate(offset)));
}
// LDWM and STWM push with a negative displacement and pop with a positive one; the other way round
// with the opcodes of PA-RISC 2.0.
constexpr Modify before_if(bool condition) {
  return condition ? Modify::before : Modify::after;
}

// ---- Loads (I, K: LDB LDH LDW LDD). On PA-RISC 2.0 a load into register 0 is a prefetch, which
// changes nothing that a program can see and takes no fault.
enum class Size : std::uint8_t { byte = 0, halfword = 1, word = 2, doubleword = 3 };

constexpr unsigned log_of(Size size) {
  return static_cast<unsigned>(size);
}
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
  if (t == 0 && m.widths().register_bits == 64) return at.modify(m);
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

template <class M>
void ldb(M& m, const LoadLong& i) {
  load_register(m, i.t1, Size::byte, long_reference(m, i.b, Modify::none, i.im14, i.s));
}
template <class M>
void ldh(M& m, const LoadLong& i) {
  load_register(m, i.t1, Size::halfword, long_reference(m, i.b, Modify::none, i.im14, i.s));
}
template <class M>
void ldw(M& m, const LoadLong& i) {
  load_register(m, i.t1, Size::word, long_reference(m, i.b, Modify::none, i.im14, i.s));
}
template <class M>
void ldwm(M& m, const LoadLong& i) {
  load_register(m, i.t1, Size::word, long_reference(m, i.b, before_if(i.im14 < 0), i.im14, i.s));
}
template <class M>
void ldw_mod(M& m, const LoadLongW& i) {
  load_register(m, i.t1, Size::word, long_reference(m, i.b, before_if(i.im11a >= 0), i.im11a, i.s));
}
template <class M>
void ldd(M& m, const LoadLongD& i) {
  load_register(m, i.t1, Size::doubleword,
                long_reference(m, i.b, modification(i.am_long), i.im10a, i.s));
}

// ---- Stores (I, K: STB STH STW STD).
template <class M>
void stb(M& m, const StoreLong& i) {
  store(m, Size::byte, long_reference(m, i.b, Modify::none, i.im14, i.s), m.gpr(i.r1));
}
template <class M>
void sth(M& m, const StoreLong& i) {
  store(m, Size::halfword, long_reference(m, i.b, Modify::none, i.im14, i.s), m.gpr(i.r1));
}
template <class M>
void stw(M& m, const StoreLong& i) {
  store(m, Size::word, long_reference(m, i.b, Modify::none, i.im14, i.s), m.gpr(i.r1));
}
template <class M>
void stwm(M& m, const StoreLong& i) {
  store(m, Size::word, long_reference(m, i.b, before_if(i.im14 < 0), i.im14, i.s), m.gpr(i.r1));
}
template <class M>
void stw_mod(M& m, const StoreLongW& i) {
  store(m, Size::word, long_reference(m, i.b, before_if(i.im11a >= 0), i.im11a, i.s), m.gpr(i.r1));
}
template <class M>
void std(M& m, const StoreLongD& i) {
  store(m, Size::doubleword, long_reference(m, i.b, modification(i.am_long), i.im10a, i.s),
        m.gpr(i.r1));
}

// ---- Loads with an index or a short displacement (I, K), and of absolute addresses (I, K: LDWA
// LDDA STWA STDA), which are privileged.
template <class M>
void ldbx(M& m, const LoadX& i) {
  load_register(m, i.t, Size::byte, indexed_reference(m, i, log_of(Size::byte)));
}
template <class M>
void ldhx(M& m, const LoadX& i) {
  load_register(m, i.t, Size::halfword, indexed_reference(m, i, log_of(Size::halfword)));
}
template <class M>
void ldwx(M& m, const LoadX& i) {
  load_register(m, i.t, Size::word, indexed_reference(m, i, log_of(Size::word)));
}
template <class M>
void lddx(M& m, const LoadX& i) {
  load_register(m, i.t, Size::doubleword, indexed_reference(m, i, log_of(Size::doubleword)));
}
// LDCW and LDCD read and clear (I, K: LDCW LDCD): one access. The manual wants addresses that are
// multiples of 16; as in processors, those of words and doublewords will do.
template <class M>
void load_and_clear(M& m, unsigned t, const Reference<M>& at) {
  const auto old = m.replaced32(at.address);
  m.store32(at.address, m.constant(0));
  at.modify(m);
  m.gpr(t, old);
}
template <class M>
void load_and_clear_dw(M& m, unsigned t, const Reference<M>& at) {
  const auto old = m.replaced64(at.address);
  m.store64(at.address, m.constant(0));
  at.modify(m);
  m.gpr(t, old);
}
template <class M>
void ldcwx(M& m, const LoadX& i) {
  load_and_clear(m, i.t, indexed_reference(m, i, log_of(Size::word)));
}
template <class M>
void ldcdx(M& m, const LoadX& i) {
  load_and_clear_dw(m, i.t, indexed_reference(m, i, log_of(Size::doubleword)));
}
template <class M>
void ldwax(M& m, const LoadXAbs&) {
  privileged(m);
}
template <class M>
void lddax(M& m, const LoadXAbs&) {
  privileged(m);
}
template <class M>
void ldbs(M& m, const LoadS& i) {
  load_register(m, i.t, Size::byte, short_reference(m, i));
}
template <class M>
void ldhs(M& m, const LoadS& i) {
  load_register(m, i.t, Size::halfword, short_reference(m, i));
}
template <class M>
void ldws(M& m, const LoadS& i) {
  load_register(m, i.t, Size::word, short_reference(m, i));
}
template <class M>
void ldds(M& m, const LoadS& i) {
  load_register(m, i.t, Size::doubleword, short_reference(m, i));
}
template <class M>
void ldcws(M& m, const LoadS& i) {
  load_and_clear(m, i.t, short_reference(m, i));
}
template <class M>
void ldcds(M& m, const LoadS& i) {
  load_and_clear_dw(m, i.t, short_reference(m, i));
}
template <class M>
void ldwas(M& m, const LoadSAbs&) {
  privileged(m);
}
template <class M>
void lddas(M& m, const LoadSAbs&) {
  privileged(m);
}
template <class M>
void stbs(M& m, const StoreS& i) {
  store(m, Size::byte, short_store_reference(m, i), m.gpr(i.r1));
}
template <class M>
void sths(M& m, const StoreS& i) {
  store(m, Size::halfword, short_store_reference(m, i), m.gpr(i.r1));
}
template <class M>
void stws(M& m, const StoreS& i) {
  store(m, Size::word, short_store_reference(m, i), m.gpr(i.r1));
}
template <class M>
void stds(M& m, const StoreS& i) {
  store(m, Size::doubleword, short_store_reference(m, i), m.gpr(i.r1));
}
template <class M>
void stwas(M& m, const StoreSAbs&) {
  privileged(m);
}
template <class M>
void stdas(M& m, const StoreSAbs&) {
  privileged(m);
}

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
template <class M>
void stby(M& m, const StoreS& i) {
  constexpr std::uint64_t in_word = 3;
  const Reference<M> at = bytes_reference(m, i, in_word);
  const auto word = at.address & ~in_word;
  const auto stored = bytes_stored(m, i, in_word, at.address);
  m.store32(word, (m.gpr(i.r1) & stored) | (m.replaced32(word) & ~stored));
  at.modify(m);
}
template <class M>
void stdby(M& m, const StoreS& i) {
  constexpr std::uint64_t in_doubleword = 7;
  const Reference<M> at = bytes_reference(m, i, in_doubleword);
  const auto doubleword = at.address & ~in_doubleword;
  const auto stored = bytes_stored(m, i, in_doubleword, at.address);
  m.store64(doubleword, (m.gpr(i.r1) & stored) | (m.replaced64(doubleword) & ~stored));
  at.modify(m);
}

// ---- Floating-point registers (I, K: FLDW FLDD FSTW FSTD). A half's number is 32 more for the
// right one.
template <class M>
auto fpr_half(M& m, unsigned half) {
  return half < 32 ? m.fpr_left(half) : m.fpr_right(half - 32);
}
template <class M>
void fpr_half(M& m, unsigned half, typename M::Value v) {
  if (half < 32) return m.fpr_left(half, v);
  m.fpr_right(half - 32, v);
}
template <class M>
void load_half(M& m, unsigned half, const Reference<M>& at) {
  fpr_half(m, half, m.load32(at.address));
  at.modify(m);
}
template <class M>
void load_fpr(M& m, unsigned t, const Reference<M>& at) {
  m.fpr64(t, m.load64(at.address));
  at.modify(m);
}
template <class M>
void fldwx(M& m, const FpMemXW& i) {
  load_half(m, i.fth, indexed_reference(m, i, log_of(Size::word)));
}
template <class M>
void flddx(M& m, const FpMemXD& i) {
  load_fpr(m, i.ft, indexed_reference(m, i, log_of(Size::doubleword)));
}
template <class M>
void fstwx(M& m, const FpMemXW& i) {
  store(m, Size::word, indexed_reference(m, i, log_of(Size::word)), fpr_half(m, i.fth));
}
template <class M>
void fstdx(M& m, const FpMemXD& i) {
  store(m, Size::doubleword, indexed_reference(m, i, log_of(Size::doubleword)), m.fpr64(i.ft));
}
template <class M>
void fldws(M& m, const FpMemSW& i) {
  load_half(m, i.fth, short_reference(m, i));
}
template <class M>
void fldds(M& m, const FpMemSD& i) {
  load_fpr(m, i.ft, short_reference(m, i));
}
template <class M>
void fstws(M& m, const FpMemSW& i) {
  store(m, Size::word, short_reference(m, i), fpr_half(m, i.fth));
}
template <class M>
void fstds(M& m, const FpMemSD& i) {
  store(m, Size::doubleword, short_reference(m, i), m.fpr64(i.ft));
}
template <class M>
void fldw(M& m, const FpLongW& i) {
  load_half(m, i.ft1h, long_reference(m, i.b, Modify::none, i.im11a, i.s));
}
template <class M>
void fldw_mod(M& m, const FpLongWM& i) {
  load_half(m, i.ft1h, long_reference(m, i.b, before_if(i.a != 0), i.im11a, i.s));
}
template <class M>
void fldd(M& m, const FpLongD& i) {
  load_fpr(m, i.ft1, long_reference(m, i.b, modification(i.am_long), i.im10a, i.s));
}
template <class M>
void fstw(M& m, const FpLongW& i) {
  store(m, Size::word, long_reference(m, i.b, Modify::none, i.im11a, i.s), fpr_half(m, i.ft1h));
}
template <class M>
void fstw_mod(M& m, const FpLongWM& i) {
  store(m, Size::word, long_reference(m, i.b, before_if(i.a != 0), i.im11a, i.s),
        fpr_half(m, i.ft1h));
}
template <class M>
void fstd(M& m, const FpLongD& i) {
  store(m, Size::doubleword, long_reference(m, i.b, modification(i.am_long), i.im10a, i.s),
        m.fpr64(i.ft1));
}

// ---- Other coprocessors (I, K: CLDW CLDD CSTW CSTD): none is there.
template <class M>
void cldwx(M& m, const CoprX&) {
  unit_is_absent(m);
}
template <class M>
void cldws(M& m, const CoprS&) {
  unit_is_absent(m);
}
template <class M>
void clddx(M& m, const CoprX&) {
  unit_is_absent(m);
}
template <class M>
void cldds(M& m, const CoprS&) {
  unit_is_absent(m);
}
template <class M>
void cstwx(M& m, const CoprX&) {
  unit_is_absent(m);
}
template <class M>
void cstws(M& m, const CoprS&) {
  unit_is_absent(m);
}
template <class M>
void cstdx(M& m, const CoprX&) {
  unit_is_absent(m);
}
template <class M>
void cstds(M& m, const CoprS&) {
  unit_is_absent(m);
}

}  // namespace hardclock::pa_risc
