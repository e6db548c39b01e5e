// The words in which the bodies of semantics.h are written, over the primitives of any machine
// (sim/recording/primitives.h).
#pragma once

#include <cstdint>
#include <utility>

#include "isa/mips/resources.h"
#include "sim/engine/vocabulary.h"
#include "sim/recording/primitives.h"

namespace hardclock::mips {

// What of the processor and its mode the meaning of instructions depends on. Not guest values:
// bodies may decide on these with a C++ `if`.
struct Settings {
  unsigned address_bits = 32;       // as Mode has it
  bool fr = false;                  // as Mode has it
  bool big_endian = true;           // data
  bool fuses_multiply_add = false;  // MADD and its kin round once
  std::uint32_t fpu_revision = 0;   // what CFC1 finds in FCR0
  std::uint32_t fcsr_writable = fcsr_writable_mips4;

  std::uint64_t address_mask() const { return address_bits == 32 ? 0xffff'ffff : all_bits; }
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
  using P::ne;
  using P::not_;
  using P::read;
  using P::select;
  using P::sext32;
  using P::write;
  using P::zext32;
  using typename P::Flag;
  using typename P::Value;

  // The rest is for P.
  template <class... Arguments>
  explicit Vocabulary(const Settings& settings, Arguments&&... arguments)
      : Words(std::forward<Arguments>(arguments)...), settings_(settings) {}

  const Settings& settings() const { return settings_; }

  // ---- Integer registers.
  Value gpr(unsigned n) { return read(Gpr{n}); }
  void gpr(unsigned n, Value v) { write(Gpr{n}, v); }
  Value hi() { return read(Hi{}); }
  void hi(Value v) { write(Hi{}, v); }
  Value lo() { return read(Lo{}); }
  void lo(Value v) { write(Lo{}, v); }
  Value user_local() { return read(UserLocal{}); }
  // An address as a register holds it: sign-extended where addresses have 32 bits.
  Value address_in_register(Value address) {
    return settings_.address_bits == 32 ? sext32(address) : address;
  }

  // ---- Floating-point registers. A single leaves the high word as it is.
  Value fpr32(unsigned n) { return read(Fpr{n}, low_word); }
  void fpr32(unsigned n, Value v) { write(Fpr{n}, v, low_word); }
  // With FR = 0 an odd register cannot name a double: reserved instruction. A load says so before
  // it touches memory.
  void require_double(unsigned n) {
    if (!settings_.fr) require_even(n);
  }
  Value fpr64(unsigned n) {
    if (settings_.fr) return read(Fpr{n});
    require_even(n);
    return fpr32(n | 1) << std::uint64_t{32} | fpr32(n & ~1u);
  }
  void fpr64(unsigned n, Value v) {
    if (settings_.fr) return write(Fpr{n}, v);
    require_even(n);
    fpr32(n & ~1u, v);
    fpr32(n | 1, v >> std::uint64_t{32});
  }
  // The high word of a double: MFHC1, MTHC1. With FR = 0, of the pair to which n belongs.
  Value fpr_high32(unsigned n) {
    return settings_.fr ? read(Fpr{n}, ~low_word) >> std::uint64_t{32} : fpr32(n | 1);
  }
  void fpr_high32(unsigned n, Value v) {
    if (settings_.fr) return write(Fpr{n}, v << std::uint64_t{32}, ~low_word);
    fpr32(n | 1, v);
  }

  // ---- FCSR.
  // The rounding mode, enables, causes and flags: everything but the conditions.
  Value fcsr() { return read(Fcsr{}, fcsr_without_conditions); }
  void fcsr(Value v) {
    write(Fcsr{}, v & std::uint64_t{settings_.fcsr_writable}, fcsr_without_conditions);
  }
  // All of it, conditions included.
  Value fp_control() { return read(Fcsr{}, fcsr_all); }
  void fp_control(Value v) { write(Fcsr{}, v & std::uint64_t{settings_.fcsr_writable}, fcsr_all); }
  Flag fp_condition(unsigned cc) { return ne(read(Fcsr{}, fcsr_condition(cc)), 0); }
  // `bit` is 0 or another number.
  void fp_condition(unsigned cc, Value bit) {
    const std::uint64_t mask = fcsr_condition(cc);
    write(Fcsr{}, select(ne(bit, 0), constant(mask), constant(0)), mask);
  }
  Value fp_implementation() { return constant(settings_.fpu_revision); }
  bool fuses_multiply_add() const { return settings_.fuses_multiply_add; }

  // ---- Memory.
  bool big_endian() const { return settings_.big_endian; }
  Value load_linked32(Value address) { return load_linked<std::uint32_t>(address); }
  Value load_linked64(Value address) { return load_linked<std::uint64_t>(address); }
  // Whether it stored. One that fails still takes the address exceptions of a store.
  Flag store_conditional32(Value address, Value v) {
    return store_conditional<std::uint32_t>(address, v);
  }
  Flag store_conditional64(Value address, Value v) {
    return store_conditional<std::uint64_t>(address, v);
  }

  // ---- Control.
  void branch_likely_if(Flag condition, Value target) {
    P::branch_if(condition, target);
    P::nullify_if(not_(condition));
  }

 private:
  static constexpr std::uint64_t low_word = 0xffff'ffff;
  static constexpr std::uint64_t fcsr_all = 0xffff'ffff;
  static constexpr std::uint64_t fcsr_without_conditions = fcsr_all & ~fcsr_conditions;

  void require_even(unsigned n) {
    if ((n & 1) != 0) P::trap_if(flag(true), TrapKind::illegal_instruction);
  }
  template <class T>
  Value load_linked(Value address) {
    const Value loaded = P::template load<T>(address);
    write(LinkValid{}, constant(1));
    write(LinkAddress{}, address & settings_.address_mask());
    return loaded;
  }
  template <class T>
  Flag store_conditional(Value address, Value v) {
    const Value at = address & settings_.address_mask();
    const Flag holds = both(ne(read(LinkValid{}), 0), eq(read(LinkAddress{}), at));
    P::template store_if<T>(holds, at, v);
    write(LinkValid{}, constant(0));
    return holds;
  }

  Settings settings_;
};

}  // namespace hardclock::mips
