// Arithmetic, shifts and selections.
#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

// The operand that the value is equal to, since the other one makes no difference.
std::optional<StepIndex> ValueEmitter::same_as(StepIndex index) const {
  const Step& of = step(index);
  if (const auto chosen = chosen_by_constant(index)) return chosen;
  if (!is_arithmetic(of.operation) && !is_shift(of.operation)) return std::nullopt;
  if (of.operation == Operation::mul) return std::nullopt;
  if (of.operation == Operation::and_) {
    const bool keeps = has_low_ones(of.operands[1], bits_of(of.operands[0]));
    return keeps ? std::optional(of.operands[0]) : std::nullopt;
  }
  const auto is_zero = [&](StepIndex i) { return facts_[i].is_constant && facts_[i].value == 0; };
  if (is_zero(of.operands[1])) return of.operands[0];
  if (commutes(of.operation) && is_zero(of.operands[0])) return of.operands[1];
  return std::nullopt;
}

// Bits of the value from which on all are 0.
unsigned ValueEmitter::bits_of(StepIndex index) const {
  const Step& of = step(index);
  if (is_access(of.operation)) return 8u * of.detail;
  if (!facts_[index].is_zero_extended) return 64;
  if (of.operation != Operation::shr || !facts_[of.operands[0]].is_zero_extended) return 32;
  const Fact& count = facts_[of.operands[1]];
  return count.is_constant && count.value < 32 ? 32 - static_cast<unsigned>(count.value) : 32;
}

bool ValueEmitter::has_low_ones(StepIndex index, unsigned bits) const {
  const Fact& fact = facts_[index];
  return fact.is_constant && static_cast<unsigned>(std::countr_one(fact.value)) >= bits;
}

// Whether two shifts by the same count extend the sign of a field of no more than a word.
bool ValueEmitter::is_signed_field(StepIndex index) const {
  const Step& right = step(index);
  if (right.operation != Operation::sar) return false;
  const Step& left = step(right.operands[0]);
  const Fact &shifted = facts_[right.operands[0]], &count = facts_[right.operands[1]];
  if (left.operation != Operation::shl || shifted.is_kept || shifted.is_constant) return false;
  const Fact& other = facts_[left.operands[1]];
  return shifted.uses == 1 && count.is_constant && other.is_constant &&
         count.value == other.value && count.value >= 32;
}

auto ValueEmitter::signed_field(StepIndex index, const Aim& aim) -> Held {
  const StepIndex left = operand(index, 0);
  const auto dropped = static_cast<std::uint32_t>(facts_[operand(index, 1)].value - 32);
  note_use(left);
  const StepIndex field = operand(left, 0);
  if (dropped == 0) return low(field);
  if (dropped == 16) return sign_extended(field, Operation::sext16);
  if (dropped == 24) return sign_extended(field, Operation::sext8);
  const Gp reg = own_in(low(field), false, aim);
  a_.shl(reg.r32(), dropped);
  a_.sar(reg.r32(), dropped);
  return {reg, true, true};
}

auto ValueEmitter::sign_extended(StepIndex field, Operation how) -> Held {
  const Held from = low(field);
  const Gp reg = from.owned ? from.reg : temporary();
  if (how == Operation::sext8)
    a_.movsx(reg.r32(), from.reg.r8());
  else
    a_.movsx(reg.r32(), from.reg.r16());
  if (!from.owned) release(from);
  return {reg, true, true};
}

// The constant as an operand of an instruction of 64 or 32 bits.
std::optional<std::int32_t> ValueEmitter::immediate(StepIndex index, bool is_whole) const {
  const Fact& fact = facts_[index];
  if (!fact.is_constant || (is_whole && !fits_word(fact.value))) return std::nullopt;
  return static_cast<std::int32_t>(fact.value);
}

template <class To, class Other>
void ValueEmitter::apply(Operation operation, const To& to, const Other& other) {
  switch (operation) {
    case Operation::add:
      a_.add(to, other);
      break;
    case Operation::sub:
      a_.sub(to, other);
      break;
    case Operation::and_:
      a_.and_(to, other);
      break;
    case Operation::or_:
      a_.or_(to, other);
      break;
    default:
      a_.xor_(to, other);
  }
}

x86::Gp ValueEmitter::binary(StepIndex index, bool is_whole, const Aim& wanted) {
  const Operation operation = step(index).operation;
  const Aim aim = facts_[index].uses == 0 ? wanted : std::nullopt;
  StepIndex first = operand(index, 0), second = operand(index, 1);
  if (facts_[first].is_constant && commutes(operation)) std::swap(first, second);
  const auto sized = [&](Gp reg) { return is_whole ? reg : reg.r32(); };
  if (operation == Operation::sub && facts_[first].is_constant && facts_[first].value == 0) {
    note_use(first);
    const Gp result = own_in(is_whole ? whole(second) : low(second), is_whole, aim);
    a_.neg(sized(result));
    return result;
  }
  // What lies in memory comes second, where the host's instructions can take it from there.
  if (commutes(operation) && !facts_[second].is_constant && in_memory(first, is_whole) &&
      !in_memory(second, is_whole)) {
    std::swap(first, second);
  }
  const auto number = immediate(second, is_whole);
  Held a = is_whole ? whole(first) : low(first);
  if (operation == Operation::add && number && !a.owned) {
    note_use(second);
    const Gp result = aim ? *aim : temporary();
    a_.lea(sized(result), x86::ptr(a.reg, *number));
    release(a);
    return result;
  }
  const auto apply_to = [&](const Gp& result, const auto& other) {
    if (operation == Operation::mul)
      a_.imul(result, other);
    else
      apply(operation, result, other);
  };
  const auto memory = in_memory(second, is_whole);
  if (number || memory) {
    note_use(second);
    const Gp result = own_in(a, is_whole, aim);
    if (memory)
      apply_to(sized(result), *memory);
    else if (operation == Operation::xor_ && *number == -1)
      a_.not_(sized(result));
    else if (operation == Operation::mul)
      a_.imul(sized(result), sized(result), *number);
    else
      apply_to(sized(result), asmjit::Imm(*number));
    return result;
  }
  Held b = is_whole ? whole(second) : low(second);
  if (operation == Operation::add && !a.owned && !b.owned) {
    const Gp result = aim ? *aim : temporary();
    a_.lea(sized(result), x86::ptr(a.reg, b.reg));
    release(a);
    release(b);
    return result;
  }
  const auto is_aim = [&](const Held& held) { return aim && held.reg.id() == aim->id(); };
  if (is_aim(b) && !a.owned && commutes(operation)) std::swap(a, b);
  // What is owned is changed in place.
  const bool changes_second = !a.owned && b.owned && commutes(operation);
  const Gp result = changes_second ? b.reg : own_in(a, is_whole, is_aim(b) ? std::nullopt : aim);
  const Gp other = changes_second ? a.reg : b.reg;
  apply_to(sized(result), sized(other));
  release(changes_second ? a : b);
  return result;
}

bool ValueEmitter::change_in_memory(StepIndex index, Resource resource) {
  const Operation operation = step(index).operation;
  const Fact& fact = facts_[index];
  if (!is_arithmetic(operation) || operation == Operation::mul || fact.is_constant ||
      fact.is_kept || fact.uses != 1 || same_as(index)) {
    return false;
  }
  StepIndex first = operand(index, 0), second = operand(index, 1);
  const auto is_register = [&](StepIndex value) {
    return step(value).operation == Operation::read_register && step(value).resource == resource;
  };
  if (commutes(operation) && !is_register(first)) std::swap(first, second);
  const auto memory = is_register(first) ? in_memory(first, true) : std::nullopt;
  if (!memory) return false;
  note_use(index);
  note_use(first);
  if (const auto number = immediate(second, true)) {
    note_use(second);
    apply(operation, *memory, asmjit::Imm(*number));
  } else {
    const Held other = whole(second);
    apply(operation, *memory, other.reg);
    release(other);
  }
  return true;
}

// The operand of a mask that leaves these low bits alone, if nobody else needs what it masks.
StepIndex ValueEmitter::without_mask(StepIndex index, unsigned bits) {
  const Step& of = step(index);
  const Fact& fact = facts_[index];
  if (of.operation != Operation::and_ || fact.is_constant || fact.is_kept || fact.uses != 1 ||
      !has_low_ones(of.operands[1], bits)) {
    return index;
  }
  note_use(index);
  return of.operands[0];
}

std::optional<StepIndex> ValueEmitter::word_shifted_up(StepIndex index) {
  const Step& of = step(index);
  const Fact& fact = facts_[index];
  if (of.operation != Operation::shl || fact.is_constant || fact.is_kept || fact.uses != 1) {
    return std::nullopt;
  }
  const Fact& count = facts_[of.operands[1]];
  if (!count.is_constant || count.value != 32) return std::nullopt;
  note_use(index);
  note_use(of.operands[1]);
  return of.operands[0];
}

x86::Gp ValueEmitter::shift(StepIndex index, bool is_whole, const Aim& wanted) {
  const Operation operation = step(index).operation;
  const Aim aim = facts_[index].uses == 0 ? wanted : std::nullopt;
  StepIndex value = operand(index, 0);
  const StepIndex count = operand(index, 1);
  if (facts_[count].is_constant) {
    const auto by = static_cast<std::uint32_t>(facts_[count].value & 63);
    note_use(count);
    if (operation == Operation::shl) {
      if (!is_whole && by < 32) value = without_mask(value, 32 - by);
      const Gp reg = own_in(is_whole ? whole(value) : low(value), is_whole, aim);
      if (is_whole)
        a_.shl(reg, by);
      else if (by < 32)
        a_.shl(reg.r32(), by);
      else
        a_.mov(reg.r32(), 0);
      return reg;
    }
    if (const auto bits = bits_in_memory(value);
        bits && by == 32 && operation == Operation::shr && step(value).immediate == ~low_word) {
      note_use(value);
      const Gp reg = temporary();
      a_.mov(reg.r32(), bits->word);
      return reg;
    }
    if (operation == Operation::sar && facts_[value].is_sign_extended) {
      const Gp reg = own_in(low(value), false, aim);
      a_.sar(reg.r32(), std::min(by, 31u));
      if (is_whole) a_.movsxd(reg, reg.r32());
      return reg;
    }
    if (operation == Operation::shr && facts_[value].is_zero_extended && by < 32) {
      const Gp reg = own_in(low(value), false, aim);
      a_.shr(reg.r32(), by);
      return reg;
    }
    // Whoever wants but the low word may want the other one clear.
    const bool is_clean =
        is_whole || (operation == Operation::shr && facts_[value].is_zero_extended);
    const Gp reg = own_in(whole(value), true, is_clean ? aim : std::nullopt);
    if (operation == Operation::sar)
      a_.sar(reg, by);
    else
      a_.shr(reg, by);
    return reg;
  }
  const bool takes_low = operation == Operation::shl && !is_whole;
  const Held a = takes_low ? low(value) : whole(value);
  const Held b = low(count);
  const Gp result = a.owned ? a.reg : temporary();
  if (operation == Operation::shl)
    a_.shlx(result, a.reg, b.reg);
  else if (operation == Operation::shr)
    a_.shrx(result, a.reg, b.reg);
  else
    a_.sarx(result, a.reg, b.reg);
  if (!a.owned) release(a);
  release(b);
  return result;
}

x86::Gp ValueEmitter::select(StepIndex index, bool is_whole) {
  const StepIndex condition = operand(index, 0);
  const StepIndex if_true = operand(index, 1), if_false = operand(index, 2);
  const Gp result = is_whole ? own_whole(if_false) : own_low(if_false);
  const Held other = is_whole ? whole(if_true) : low(if_true);
  const Condition holds = truth(condition);
  if (is_whole)
    a_.cmov(holds, result, other.reg);
  else
    a_.cmov(holds, result.r32(), other.reg.r32());
  release(other);
  return result;
}

}  // namespace hardclock
