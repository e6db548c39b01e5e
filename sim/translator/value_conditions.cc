// Truth values, in registers and as the processor's flags.
#include <utility>

#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

x86::Gp ValueEmitter::flag(StepIndex index) {
  const Condition condition = compare(index);
  const Gp reg = temporary();
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

bool ValueEmitter::overflows(StepIndex index) {
  const Step& question = step(index);
  if (question.operation != Operation::ne || facts_[index].uses != 1) return false;
  const StepIndex narrow = question.operands[0], wide = question.operands[1];
  if (step(narrow).operation != Operation::sext32 || operand(narrow, 0) != wide) return false;
  Fact &result = facts_[narrow], &sum = facts_[wide];
  const Operation operation = step(wide).operation;
  if (operation != Operation::add && operation != Operation::sub) return false;
  if (result.is_kept || sum.is_kept || sum.is_constant || sum.uses != 2) return false;
  const StepIndex a = operand(wide, 0), b = operand(wide, 1);
  if (!facts_[a].is_sign_extended || !facts_[b].is_sign_extended) return false;

  note_use(index);
  note_use(narrow);
  sum.uses = 0;
  const Gp reg = own_low(a);
  const auto number = immediate(b, false);
  const Held other = number ? Held{} : low(b);
  if (number) note_use(b);
  if (operation == Operation::add && number)
    a_.add(reg.r32(), *number);
  else if (operation == Operation::add)
    a_.add(reg.r32(), other.reg.r32());
  else if (number)
    a_.sub(reg.r32(), *number);
  else
    a_.sub(reg.r32(), other.reg.r32());
  release(other);
  if (result.uses == 0) {
    release(reg);
  } else {
    result.is_kept = true;
    result.keeps_word = true;
    result.reg = reg;
  }
  return true;
}

}  // namespace hardclock
