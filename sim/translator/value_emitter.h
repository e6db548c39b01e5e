// Code for the values of one instruction's recording: a tree of its steps for each effect. Each
// value is computed where it is first needed and, if it is needed again, kept in a temporary.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/translator/block_source.h"
#include "sim/translator/host_functions.h"

namespace hardclock {

class ValueEmitter {
 public:
  using Gp = asmjit::x86::Gp;
  using Condition = asmjit::x86::CondCode;

  // A value in a host register, until release(). `owned`: a temporary of the holder's, who may
  // change it.
  struct Held {
    Gp reg;
    bool owned = false;
    bool is_clean = false;                // of a low word: the others are 0
    std::optional<StepIndex> borrowed{};  // from the step whose value is kept there
  };

  ValueEmitter(asmjit::x86::Assembler& assembler, const GuestMode& mode)
      : a_(assembler), mode_(mode) {}

  // The instruction at `pc`; behind it and its delay slot control goes to `after_slot`.
  void begin(const Recording& recording, std::uint64_t pc, std::uint64_t after_slot);
  // Whether something could not be emitted: it is one for the interpreter.
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

  bool is_constant(StepIndex step) const { return facts_[step].is_constant; }
  std::uint64_t constant(StepIndex step) const { return facts_[step].value; }
  // Whether the value is the sign extension of its low word.
  bool is_word(StepIndex step) const { return facts_[step].is_sign_extended; }

  // The bits that may be set in the value.
  std::uint64_t possible_bits(StepIndex step) const;

  // All 64 bits. Each of these uses up one of the value's uses.
  Held whole(StepIndex step);
  // The low 32 bits; the others are anything.
  Held low(StepIndex step);
  // The same for a pin that nothing else of the instruction needs any more: it may be there then.
  Held whole_for(StepIndex step, Gp pin);
  Held low_for(StepIndex step, Gp pin);
  // The same, in a temporary of the caller's.
  Gp own_whole(StepIndex step);
  Gp own_low(StepIndex step);
  // Makes the value in the register that it goes to, where that lies, if it is what it was plus,
  // minus, and, or, xor something, and the host's instructions can.
  bool change_in_memory(StepIndex step, Resource resource);
  // An address in rax. Leaves rcx free.
  void address_in_rax(StepIndex step);
  // A truth value, as the processor's flags.
  Condition truth(StepIndex step);
  // Whether a sum, a difference or a shift to the left overflows 32 bits, as the processor's flags,
  // if `step` asks that: computes it, so that what it asks of is known afterwards. The value may be
  // in `pin` then.
  std::optional<Condition> overflows(StepIndex step, const std::optional<Gp>& pin = {});
  // Whether what overflows() would compute can be undone, if it may change the pin.
  bool can_undo(StepIndex question) const;
  // Gives the pin's low word, which the last overflows() has changed, what it had before.
  struct Undo {
    asmjit::InstId instruction = 0;
    Gp pin;
    asmjit::Operand by;  // none: of an instruction of one operand
  };
  // Null: it has not changed its own operand.
  const std::optional<Undo>& undo() const { return undo_; }
  // The pin that the instruction writes, and no other register, if it may change from step `at` on:
  // nothing leaves the code before the instruction ends, and nobody needs the old value but what
  // overflows() computes for `question`.
  std::optional<Gp> pin_to_write(StepIndex at, std::optional<StepIndex> question = {}) const;

  Gp temporary();
  bool has_temporary() const;
  void release(const Held& held);
  void release(Gp reg);
  // Takes a register that must be free.
  void take(Gp reg);
  // Keeps what a load has given: `reg` is the step's value from now on.
  void define(StepIndex step, Gp reg);
  // One use of the value will not come.
  void forget(StepIndex step);
  // Computes a call of a function of integers. Jumps to `not_plain` if it cannot.
  void call(StepIndex step, const asmjit::Label& not_plain);
  std::uint32_t uses(StepIndex step) const { return facts_[step].uses; }
  // The word whose shift to the high one the value is, if nobody else needs it shifted.
  std::optional<StepIndex> word_shifted_up(StepIndex step);

 private:
  using Aim = std::optional<Gp>;
  struct Fact {
    bool is_constant = false;
    bool is_sign_extended = false;  // of the low word
    bool is_zero_extended = false;
    bool is_kept = false;     // in `reg`
    bool keeps_word = false;  // `reg` has the low word of a value that is sign-extended
    std::uint32_t uses = 0;   // that are to come
    std::uint32_t borrows = 0;
    std::uint64_t value = 0;  // if constant
    Gp reg;
  };

  const Step& step(StepIndex index) const { return recording_->steps[index]; }
  StepIndex operand(StepIndex index, std::size_t which) const {
    return step(index).operands[which];
  }
  void learn(StepIndex index);
  void learn_extension(StepIndex index, Fact& fact);
  void fold(StepIndex index, Fact& fact);
  void count_uses();
  // Which of its values a select whose condition is known has.
  std::optional<StepIndex> chosen_by_constant(StepIndex index) const;

  Held keep_or_give(StepIndex index, Gp reg, bool is_word);
  Held kept(StepIndex index, bool needs_whole);
  Held borrow(StepIndex index);
  Held compute_whole(StepIndex index);
  Held compute_low(StepIndex index);
  Held read_whole(StepIndex index);
  Held read_low(StepIndex index);
  Held read_high(StepIndex index);
  bool is_high_word(StepIndex index) const;
  Gp high_word(StepIndex index);
  void divide(StepIndex index, HostFunction function, const asmjit::Label& not_plain);
  void multiply(StepIndex index, HostFunction function);
  void count_leading_zeros(StepIndex index, HostFunction function);
  void halfwords(StepIndex index, HostFunction function);
  std::uint32_t constant_operand(StepIndex index, std::size_t which);
  void operands_in_rax_and_rcx(StepIndex index, bool is_whole);
  void define_result(StepIndex call, std::uint8_t which, Gp reg, bool is_word);
  std::optional<Gp> pinned_number(StepIndex index);
  template <class To, class Other>
  void apply(Operation operation, const To& to, const Other& other);
  Gp binary(StepIndex index, bool is_whole, const Aim& wanted);
  Gp shift(StepIndex index, bool is_whole, const Aim& wanted);
  Gp select(StepIndex index, bool is_whole);
  Gp flag(StepIndex index, const Aim& wanted);
  void note_answered(StepIndex question, StepIndex narrow, StepIndex wide);
  void keep_word(StepIndex index, Gp reg);
  Gp add_with_flags(Operation operation, StepIndex a, StepIndex b, Aim aim);
  void note_undo(Operation operation, const Held& changed, const Aim& aim,
                 const asmjit::Operand& by);
  Gp shift_with_flags(StepIndex value, std::uint32_t by, const Aim& aim);
  std::uint32_t uses_in_sum(StepIndex question, StepIndex value) const;
  Condition compare(StepIndex index);
  std::optional<Condition> test_bit(StepIndex index);
  std::optional<Condition> compare_byte(StepIndex index);
  static Condition condition_of(Operation operation, bool is_swapped);
  std::optional<asmjit::x86::Mem> in_memory(StepIndex index, bool is_whole) const;
  struct Bits {
    asmjit::x86::Mem word;
    std::uint32_t mask;
  };
  std::optional<Bits> bits_in_memory(StepIndex index) const;
  Gp own(Held held, bool is_whole);
  Gp own_in(const Held& held, bool is_whole, const Aim& aim);
  std::optional<StepIndex> same_as(StepIndex index) const;
  bool is_signed_field(StepIndex index) const;
  Held signed_field(StepIndex index, const Aim& aim);
  unsigned bits_of(StepIndex index) const;
  bool has_low_ones(StepIndex index, unsigned bits) const;
  StepIndex without_mask(StepIndex index, unsigned bits);
  Held sign_extended(StepIndex field, Operation how);
  std::optional<std::int32_t> immediate(StepIndex index, bool is_whole) const;
  void note_use(StepIndex index) {
    if (facts_[index].uses != 0) --facts_[index].uses;
  }

  asmjit::x86::Assembler& a_;
  const GuestMode& mode_;
  const Recording* recording_ = nullptr;
  std::uint64_t pc_ = 0;
  std::uint64_t after_slot_ = 0;
  bool failed_ = false;
  bool prefers_rax_ = false;
  Aim aim_;  // where the value goes that is computed next
  std::optional<Undo> undo_;
  std::vector<Fact> facts_;
  std::array<bool, 4> is_taken_{};
};

}  // namespace hardclock
