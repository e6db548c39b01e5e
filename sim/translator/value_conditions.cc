// Truth values, in registers and as the processor's flags.
#include <utility>

#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

x86::Gp ValueEmitter::flag(StepIndex index, const Aim& wanted) {
  const Aim aim = facts_[index].uses == 0 ? wanted : std::nullopt;
  const Condition condition = compare(index);
  const Gp reg = aim ? *aim : temporary();
  a_.set(condition, reg.r8());
  a_.movzx(reg.r32(), reg.r8());
  return reg;
}

// If it asks whether one bit of a register, or of what a mask leaves of a value, is set.
auto ValueEmitter::test_bit(StepIndex index) -> std::optional<Condition> {
  const Step& question = step(index);
  const StepIndex of = question.operands[0], zero = question.operands[1];
  if (question.operation != Operation::eq && question.operation != Operation::ne)
    return std::nullopt;
  if (!facts_[zero].is_constant || facts_[zero].value != 0 || facts_[of].is_kept)
    return std::nullopt;
  const Condition condition = question.operation == Operation::ne ? Condition::kC : Condition::kNC;
  const Step& tested = step(of);
  if (tested.operation == Operation::read_register) {
    const RegisterPlace place = mode_.place(tested.resource);
    if (place.bytes != 8 || !std::has_single_bit(tested.immediate)) return std::nullopt;
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(tested.immediate));
    if (const auto pin = pin_of(mode_, tested.resource))
      a_.bt(*pin, bit);
    else
      a_.bt(in_context(place, 8), bit);
    note_use(of);
  } else {
    if (tested.operation != Operation::and_ || facts_[of].uses != 1) return std::nullopt;
    const Fact& mask = facts_[tested.operands[1]];
    if (!mask.is_constant || !std::has_single_bit(mask.value)) return std::nullopt;
    note_use(of);
    note_use(tested.operands[1]);
    const Held held = whole(tested.operands[0]);
    a_.bt(held.reg, static_cast<std::uint32_t>(std::countr_zero(mask.value)));
    release(held);
  }
  note_use(zero);
  return condition;
}

// If it compares a register of a byte with a number.
auto ValueEmitter::compare_byte(StepIndex index) -> std::optional<Condition> {
  StepIndex first = operand(index, 0), second = operand(index, 1);
  const bool is_swapped = facts_[first].is_constant;
  if (is_swapped) std::swap(first, second);
  const Step& of = step(first);
  if (of.operation != Operation::read_register || of.immediate != ~std::uint64_t{0} ||
      facts_[first].is_kept || !facts_[second].is_constant || facts_[second].value > 127) {
    return std::nullopt;
  }
  const RegisterPlace place = mode_.place(of.resource);
  const Operation operation = step(index).operation;
  if (place.bytes != 1 || operation == Operation::lt) return std::nullopt;
  note_use(first);
  note_use(second);
  a_.cmp(in_context(place, 1), static_cast<std::int32_t>(facts_[second].value));
  return condition_of(operation, is_swapped);
}

auto ValueEmitter::compare(StepIndex index) -> Condition {
  if (const auto bit = test_bit(index)) return *bit;
  if (const auto byte = compare_byte(index)) return *byte;
  const Operation operation = step(index).operation;
  StepIndex first = operand(index, 0), second = operand(index, 1);
  const bool is_swapped = facts_[first].is_constant;
  if (is_swapped) std::swap(first, second);
  const Fact &a = facts_[first], &b = facts_[second];
  const bool is_low = (a.is_sign_extended && b.is_sign_extended) ||
                      (a.is_zero_extended && b.is_zero_extended && operation != Operation::lt);
  const auto sized = [&](Gp reg) { return is_low ? reg.r32() : reg; };
  const auto number = immediate(second, !is_low);
  const bool asks_for_bits = operation == Operation::eq || operation == Operation::ne;
  if (const auto bits = bits_in_memory(first); bits && asks_for_bits && number == 0) {
    note_use(first);
    note_use(second);
    a_.test(bits->word, static_cast<std::int32_t>(bits->mask));
    return condition_of(operation, is_swapped);
  }
  const auto memory = in_memory(first, !is_low);
  if (number && memory) {
    note_use(first);
    note_use(second);
    a_.cmp(*memory, *number);
    return condition_of(operation, is_swapped);
  }
  const Held x = is_low ? low(first) : whole(first);
  if (number) {
    note_use(second);
    if (*number == 0)
      a_.test(sized(x.reg), sized(x.reg));
    else
      a_.cmp(sized(x.reg), *number);
  } else if (const auto other = in_memory(second, !is_low)) {
    note_use(second);
    a_.cmp(sized(x.reg), *other);
  } else {
    const Held y = is_low ? low(second) : whole(second);
    a_.cmp(sized(x.reg), sized(y.reg));
    release(y);
  }
  release(x);
  return condition_of(operation, is_swapped);
}

auto ValueEmitter::condition_of(Operation operation, bool is_swapped) -> Condition {
  switch (operation) {
    case Operation::eq:
      return Condition::kEqual;
    case Operation::ne:
      return Condition::kNotEqual;
    case Operation::lt:
      return is_swapped ? Condition::kSignedGT : Condition::kSignedLT;
    default:
      return is_swapped ? Condition::kUnsignedGT : Condition::kUnsignedLT;
  }
}

auto ValueEmitter::truth(StepIndex index) -> Condition {
  Fact& fact = facts_[index];
  const Step& of = step(index);
  if (!fact.is_kept && fact.uses == 1 && is_comparison(of.operation)) {
    const StepIndex a = of.operands[0], b = of.operands[1];
    const bool negates = of.operation == Operation::eq && facts_[b].is_constant &&
                         facts_[b].value == 0 && is_comparison(step(a).operation) &&
                         !facts_[a].is_constant;
    note_use(index);
    if (!negates) return compare(index);
    note_use(b);
    return asmjit::x86::negateCond(truth(a));
  }
  const bool is_low = fact.is_sign_extended || fact.is_zero_extended;
  const Held held = is_low ? low(index) : whole(index);
  if (is_low)
    a_.test(held.reg.r32(), held.reg.r32());
  else
    a_.test(held.reg, held.reg);
  release(held);
  return Condition::kNotEqual;
}

auto ValueEmitter::overflows(StepIndex index, const Aim& aim) -> std::optional<Condition> {
  undo_.reset();
  const Step& question = step(index);
  if (question.operation != Operation::ne || facts_[index].uses != 1) return std::nullopt;
  const StepIndex narrow = question.operands[0], wide = question.operands[1];
  if (step(narrow).operation != Operation::sext32 || operand(narrow, 0) != wide)
    return std::nullopt;
  const Fact &result = facts_[narrow], &sum = facts_[wide];
  const Operation operation = step(wide).operation;
  if (result.is_kept || sum.is_kept || sum.is_constant || sum.uses != 2) return std::nullopt;
  const StepIndex a = operand(wide, 0), b = operand(wide, 1);
  if (!facts_[a].is_sign_extended || !facts_[b].is_sign_extended) return std::nullopt;
  if (operation == Operation::add || operation == Operation::sub) {
    note_answered(index, narrow, wide);
    keep_word(narrow, add_with_flags(operation, a, b, aim));
    return Condition::kOverflow;
  }
  if (operation != Operation::shl || !facts_[b].is_constant) return std::nullopt;
  const auto by = static_cast<std::uint32_t>(facts_[b].value);
  if (by == 0 || by > 31) return std::nullopt;
  note_answered(index, narrow, wide);
  note_use(b);
  keep_word(narrow, shift_with_flags(a, by, aim));
  return Condition::kNotZero;
}

void ValueEmitter::note_answered(StepIndex question, StepIndex narrow, StepIndex wide) {
  note_use(question);
  note_use(narrow);
  facts_[wide].uses = 0;
}

void ValueEmitter::keep_word(StepIndex index, Gp reg) {
  Fact& fact = facts_[index];
  if (fact.uses == 0) return release(reg);
  fact.is_kept = true;
  fact.keeps_word = true;
  fact.reg = reg;
}

// A shift drops bits.
bool ValueEmitter::can_undo(StepIndex question) const {
  return step(question).operation == Operation::ne &&
         step(operand(question, 1)).operation != Operation::shl;
}

// The sum or difference of two words, and the processor's flags of it.
x86::Gp ValueEmitter::add_with_flags(Operation operation, StepIndex a, StepIndex b, Aim aim) {
  if (operation == Operation::add && facts_[a].is_constant) std::swap(a, b);
  if (facts_[a].is_constant && facts_[a].value == 0) {
    note_use(a);
    const Held negated = low(b);
    note_undo(operation, negated, aim, {});
    const Gp result = own_in(negated, false, aim);
    a_.neg(result.r32());
    return result;
  }
  const auto apply = [&](const Held& to, const asmjit::Operand& other) {
    note_undo(operation, to, aim, other);
    const Gp result = own_in(to, false, aim);
    a_.emit(operation == Operation::add ? x86::Inst::kIdAdd : x86::Inst::kIdSub, result.r32(),
            other);
    return result;
  };
  const auto number = immediate(b, false);
  const auto memory = in_memory(b, false);
  if (number || memory) {
    note_use(b);
    const asmjit::Imm constant(number.value_or(0));
    return apply(low(a), number ? asmjit::Operand(constant) : asmjit::Operand(*memory));
  }
  Held first = low(a), second = low(b);
  const auto is_aim = [&](const Held& held) { return aim && held.reg.id() == aim->id(); };
  if (is_aim(second) && operation == Operation::add) std::swap(first, second);
  if (is_aim(second)) aim.reset();
  const Gp result = apply(first, second.reg.r32());
  release(second);
  return result;
}

void ValueEmitter::note_undo(Operation operation, const Held& changed, const Aim& aim,
                             const asmjit::Operand& by) {
  if (!aim || changed.owned || changed.reg.id() != aim->id()) return;
  const asmjit::InstId instruction = by.isNone()                   ? x86::Inst::kIdNeg
                                     : operation == Operation::add ? x86::Inst::kIdSub
                                                                   : x86::Inst::kIdAdd;
  undo_ = {.instruction = instruction, .pin = *aim, .by = by};
}

// A word shifted to the left. The zero flag says that its sign is in all of the bits that go.
x86::Gp ValueEmitter::shift_with_flags(StepIndex value, std::uint32_t by, const Aim& aim) {
  const Held word = low(value);
  const Gp gone = temporary();
  a_.lea(gone.r32(), x86::ptr(word.reg, static_cast<std::int32_t>(1u << (31 - by))));
  const Gp result = own_in(word, false, aim);
  a_.shl(result.r32(), by);
  a_.shr(gone.r32(), 32 - by);
  release(gone);
  return result;
}

std::optional<x86::Gp> ValueEmitter::pin_to_write(StepIndex at,
                                                  std::optional<StepIndex> question) const {
  const auto& steps = recording_->steps;
  const Step* written = nullptr;
  for (StepIndex k = 0; k < steps.size(); ++k) {
    if (k > at && may_leave(steps[k].operation)) return std::nullopt;
    if (steps[k].operation != Operation::write_register) continue;
    const bool is_whole =
        steps[k].operands[1] == unconditional && steps[k].immediate == ~std::uint64_t{0};
    if (written != nullptr || !is_whole) return std::nullopt;
    written = &steps[k];
  }
  if (written == nullptr) return std::nullopt;
  for (StepIndex k = 0; k < steps.size(); ++k) {
    if (steps[k].operation != Operation::read_register || steps[k].resource != written->resource)
      continue;
    if (facts_[k].uses > (question ? uses_in_sum(*question, k) : 0)) return std::nullopt;
  }
  return pin_of(mode_, written->resource);
}

// How often `value` is an operand of what overflows() computes for this question.
std::uint32_t ValueEmitter::uses_in_sum(StepIndex question, StepIndex value) const {
  const StepIndex sum = operand(question, 1);
  std::uint32_t uses = 0;
  for (std::size_t k = 0; k < operands_of(step(sum)); ++k) {
    if (operand(sum, k) == value) ++uses;
  }
  return uses;
}

}  // namespace hardclock
