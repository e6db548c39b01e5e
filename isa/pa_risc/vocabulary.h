// The words in which the bodies of semantics.h are written, over the primitives of any machine
// (sim/recording/primitives.h).
#pragma once

#include <cstdint>
#include <utility>

#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/resources.h"
#include "sim/base/endian.h"
#include "sim/engine/vocabulary.h"
#include "sim/recording/primitives.h"

namespace hardclock::pa_risc {

// What of the level and the mode an instruction's meaning depends on. Not guest values: bodies may
// decide on these with a C++ `if`.
struct Settings {
  unsigned register_bits = 32;  // 64 from PA-RISC 2.0 on
  unsigned address_bits = 32;   // 64 in wide mode

  std::uint64_t register_mask() const { return mask(register_bits); }
  std::uint64_t address_mask() const { return mask(address_bits); }
  // The values of SAR, and the bits with a carry out of their nibble.
  std::uint64_t shift_amount_mask() const { return register_bits - 1; }
  std::uint64_t carries_mask() const { return nibble_ends & register_mask(); }
  bool operator==(const Settings&) const = default;

 private:
  static std::uint64_t mask(unsigned bits) {
    return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
};

template <class P>
class Vocabulary : public CommonVocabulary<P> {
  using Words = CommonVocabulary<P>;

 public:
  using P::call;
  using P::constant;
  using P::eq;
  using P::ne;
  using P::read;
  using P::write;
  using P::zext32;
  using typename P::Flag;
  using typename P::Value;

  // The PSW's E bit, which would reverse it, is 0 in HP-UX and in Linux.
  static constexpr Endian byte_order = Endian::big;

  // The rest is for P.
  template <class... Arguments>
  explicit Vocabulary(const Settings& settings, Arguments&&... arguments)
      : Words(std::forward<Arguments>(arguments)...),
        settings_(settings),
        register_mask_(settings.register_mask()),
        carries_mask_(settings.carries_mask()) {}

  const Settings& settings() const { return settings_; }

  // ---- Registers and the PSW.
  Value gpr(unsigned n) { return read(Gpr{n}); }
  void gpr(unsigned n, Value v) { write(Gpr{n}, v & register_mask_); }
  // Carries out of bits; of those that are written, the ones out of nibbles stay.
  Value carries() { return read(Carries{}); }
  void carries(Value v) { write(Carries{}, v & carries_mask_); }
  Value divide_step() { return read(DivideStep{}); }
  void divide_step(Flag v) { write(DivideStep{}, P::bit(v)); }
  Value shift_amount() { return read(ShiftAmount{}); }
  void shift_amount(Value v) { write(ShiftAmount{}, v & settings_.shift_amount_mask()); }
  Value space(unsigned n) { return read(Space{n}); }
  void space(unsigned n, Value v) { write(Space{n}, zext32(v)); }
  Value temporary(unsigned n) { return read(Temporary{n}); }
  // A branch's link: past its delay slot, with the privilege level of user programs.
  Value link() {
    return (P::after_slot() & P::address_mask()) | std::uint64_t{Registers::privilege_bits};
  }

  // ---- Floating-point registers as they are; 0 has the status register in its left half.
  Value fpr64(unsigned n) { return read(Fpr{n}); }
  void fpr64(unsigned n, Value v) { write(Fpr{n}, v); }
  Value fpr_left(unsigned n) { return read(Fpr{n}, left_half) >> std::uint64_t{32}; }
  void fpr_left(unsigned n, Value v) { write(Fpr{n}, v << std::uint64_t{32}, left_half); }
  Value fpr_right(unsigned n) { return read(Fpr{n}, right_half); }
  void fpr_right(unsigned n, Value v) { write(Fpr{n}, v, right_half); }

  // Register 0 as a doubleword: the status register and exception register 1. Arithmetic leaves the
  // compare bits (C and the queue) alone, which a pipeline knows apart: fp_status has zeros there;
  // comparisons use fp_compare.
  Value fp_status() { return read(Fpr{0}, ~fp::compare_bits); }
  // Whether an exception was enabled that an operation has raised: T.
  Flag traps_later() { return ne(read(Fpr{0}, fp::delayed_trap), 0); }
  void forget_delayed_trap() { write(Fpr{0}, constant(0), fp::delayed_trap); }
  void fp_status(Value v) { write(Fpr{0}, with_instruction(v), ~fp::compare_bits); }
  Value fp_compare() { return read(Fpr{0}); }
  void fp_compare(Value v) { write(Fpr{0}, with_instruction(v)); }
  // What the last comparison found: C.
  Flag compared() { return ne(read(Fpr{0}, fp::condition_bit), 0); }
  // The result of an operation that left `fr0`, unless an exception keeps the register as it is.
  void fp_result(unsigned n, Value v, Value fr0) { P::write_if(delivers(fr0), Fpr{n}, v); }
  // Of a half: 32 more for the right one.
  void fp_result_half(unsigned half, Value v, Value fr0) {
    if (half < 32)
      P::write_if(delivers(fr0), Fpr{half}, v << std::uint64_t{32}, left_half);
    else
      P::write_if(delivers(fr0), Fpr{half - 32}, v, right_half);
  }

 private:
  static constexpr std::uint64_t left_half = 0xffff'ffff'0000'0000, right_half = 0xffff'ffff;

  // An exception register has the instruction that raised the exception.
  Value with_instruction(Value fr0) {
    const Flag traps = ne(call(fp::traps, fr0), 0);
    return call(fp::load_instruction, fr0, P::instruction_word_if(traps));
  }
  Flag delivers(Value fr0) { return eq(call(fp::keeps_target, fr0), 0); }

  Settings settings_;
  std::uint64_t register_mask_;
  std::uint64_t carries_mask_;
};

}  // namespace hardclock::pa_risc
