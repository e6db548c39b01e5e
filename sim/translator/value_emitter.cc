#include "sim/translator/value_emitter.h"

#include <utility>

#include "sim/translator/host_registers.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

auto ValueEmitter::whole(StepIndex index) -> Held {
  note_use(index);
  Fact& fact = facts_[index];
  if (fact.is_kept) return kept(index, true);
  if (fact.is_constant) {
    const Gp reg = temporary();
    if (fact.is_zero_extended)
      a_.mov(reg.r32(), fact.value);
    else
      a_.mov(reg, fact.value);
    return {reg, true};
  }
  if (step(index).operation == Operation::read_register) return read_whole(index);
  // The cheaper one first, for what is both.
  if (fact.is_zero_extended) {
    const Aim aim = fact.uses == 0 ? aim_ : std::nullopt;
    const Held low = compute_low(index);
    const Gp reg = low.owned ? low.reg : aim ? *aim : temporary();
    if (!low.owned || !low.is_clean) a_.mov(reg.r32(), low.reg.r32());
    if (!low.owned) release(low);
    return keep_or_give(index, reg, false);
  }
  if (fact.is_sign_extended) {
    if (is_high_word(index)) return keep_or_give(index, high_word(index), false);
    const Held low = compute_low(index);
    const Gp reg = low.owned ? low.reg : temporary();
    a_.movsxd(reg, low.reg.r32());
    if (!low.owned) release(low);
    return keep_or_give(index, reg, false);
  }
  if (fact.uses == 0) return compute_whole(index);
  return keep_or_give(index, own(compute_whole(index), true), false);
}

auto ValueEmitter::low(StepIndex index) -> Held {
  note_use(index);
  Fact& fact = facts_[index];
  if (fact.is_kept) return kept(index, false);
  if (fact.is_constant) {
    const Gp reg = temporary();
    a_.mov(reg.r32(), fact.value & low_word);
    return {reg, true};
  }
  if (step(index).operation == Operation::read_register) return read_low(index);
  if (fact.uses == 0) return compute_low(index);
  if (fact.is_sign_extended) return keep_or_give(index, own(compute_low(index), false), true);
  ++fact.uses;  // whole() counts this use again
  return whole(index);
}

x86::Gp ValueEmitter::own(Held held, bool is_whole) {
  if (held.owned) return held.reg;
  const Gp reg = temporary();
  if (is_whole)
    a_.mov(reg, held.reg);
  else
    a_.mov(reg.r32(), held.reg.r32());
  release(held);
  return reg;
}

// In the place that the value goes to in the end, if it has to be copied anyhow.
x86::Gp ValueEmitter::own_in(const Held& held, bool is_whole, const Aim& aim) {
  if (held.owned || !aim) return own(held, is_whole);
  if (held.reg.id() != aim->id()) {
    if (is_whole)
      a_.mov(*aim, held.reg);
    else
      a_.mov(aim->r32(), held.reg.r32());
  }
  release(held);
  return *aim;
}

x86::Gp ValueEmitter::own_whole(StepIndex index) {
  return own(whole(index), true);
}
x86::Gp ValueEmitter::own_low(StepIndex index) {
  return own(low(index), false);
}

auto ValueEmitter::whole_for(StepIndex index, Gp pin) -> Held {
  aim_ = pin;
  const Held held = whole(index);
  aim_.reset();
  return held;
}
auto ValueEmitter::low_for(StepIndex index, Gp pin) -> Held {
  aim_ = pin;
  const Held held = low(index);
  aim_.reset();
  return held;
}

// Whether it is the sign extension of a value's high word, and that is needed for nothing else.
bool ValueEmitter::is_high_word(StepIndex index) const {
  if (step(index).operation != Operation::sext32) return false;
  const StepIndex shifted = operand(index, 0);
  if (step(shifted).operation != Operation::shr) return false;
  const Fact &fact = facts_[shifted], &count = facts_[operand(shifted, 1)];
  return !fact.is_kept && fact.uses == 1 && count.is_constant && count.value == 32;
}

x86::Gp ValueEmitter::high_word(StepIndex index) {
  aim_.reset();
  const StepIndex shifted = operand(index, 0);
  note_use(shifted);
  note_use(operand(shifted, 1));
  const Gp reg = own_whole(operand(shifted, 0));
  a_.sar(reg, 32);
  return reg;
}

auto ValueEmitter::compute_whole(StepIndex index) -> Held {
  const Aim aim = std::exchange(aim_, std::nullopt);
  if (const auto same = same_as(index)) {
    aim_ = aim;
    return whole(*same);
  }
  const Operation operation = step(index).operation;
  if (const auto number = pinned_number(index)) return {*number, true};
  if (is_arithmetic(operation)) return {binary(index, true, aim), true};
  if (is_shift(operation)) return {shift(index, true, aim), true};
  if (operation == Operation::select) return {select(index, true), true};
  fail();
  return {temporaries[0], false};
}

auto ValueEmitter::compute_low(StepIndex index) -> Held {
  const Step& of = step(index);
  const Aim aim = std::exchange(aim_, std::nullopt);
  const auto same_low = [&](StepIndex operand) {
    aim_ = aim;
    return low(operand);
  };
  switch (of.operation) {
    case Operation::sext32:
    case Operation::zext32:
      return same_low(of.operands[0]);
    case Operation::sext8:
    case Operation::sext16:
      return sign_extended(of.operands[0], of.operation);
    default:
      break;
  }
  if (const auto same = same_as(index)) return same_low(*same);
  if (of.operation == Operation::and_ && has_low_ones(of.operands[1], 32))
    return same_low(of.operands[0]);
  if (is_arithmetic(of.operation)) return {binary(index, false, aim), true, true};
  if (is_signed_field(index)) return signed_field(index, aim);
  if (is_shift(of.operation)) return {shift(index, false, aim), true};
  if (of.operation == Operation::select) return {select(index, false), true, true};
  if (is_comparison(of.operation)) return {flag(index, aim), true, true};
  fail();
  return {temporaries[0], false};
}

void ValueEmitter::address_in_rax(StepIndex index) {
  const bool is_narrow = mode_.address_bits == 32;
  prefers_rax_ = true;
  const Held held = is_narrow ? low(index) : whole(index);
  prefers_rax_ = false;
  if (held.owned && held.reg.id() == x86::rax.id()) {
    if (is_narrow && !held.is_clean) a_.mov(x86::eax, x86::eax);
  } else {
    take(x86::rax);
    // take() may have moved a value that is kept.
    const Gp from = held.borrowed ? facts_[*held.borrowed].reg : held.reg;
    if (is_narrow)
      a_.mov(x86::eax, from.r32());
    else
      a_.mov(x86::rax, from);
    release(held);
  }
  take(x86::rcx);
}

}  // namespace hardclock
