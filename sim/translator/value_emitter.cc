#include "sim/translator/value_emitter.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "sim/translator/floating_emitter.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

namespace {

std::size_t number_of(const x86::Gp& reg) {
  const auto at = std::find_if(temporaries.begin(), temporaries.end(),
                               [&](const x86::Gp& each) { return each.id() == reg.id(); });
  return static_cast<std::size_t>(at - temporaries.begin());
}

}  // namespace

// ---- Temporaries.
x86::Gp ValueEmitter::temporary() {
  if (prefers_rax_ && !std::exchange(is_taken_[number_of(x86::rax)], true)) return x86::rax;
  for (std::size_t i = 0; i < temporaries.size(); ++i) {
    if (std::exchange(is_taken_[i], true)) continue;
    return temporaries[i];
  }
  fail();
  return temporaries[0];
}

bool ValueEmitter::has_temporary() const {
  return std::find(is_taken_.begin(), is_taken_.end(), false) != is_taken_.end();
}

void ValueEmitter::release(Gp reg) {
  const std::size_t number = number_of(reg);
  if (number < is_taken_.size()) is_taken_[number] = false;
}

void ValueEmitter::release(const Held& held) {
  if (held.owned) release(held.reg);
  if (!held.borrowed) return;
  Fact& fact = facts_[*held.borrowed];
  if (--fact.borrows != 0 || fact.uses != 0) return;
  fact.is_kept = false;
  release(fact.reg);
}

void ValueEmitter::take(Gp reg) {
  if (!std::exchange(is_taken_[number_of(reg)], true)) return;
  for (Fact& fact : facts_) {
    if (!fact.is_kept || fact.reg.id() != reg.id()) continue;
    fact.reg = temporary();
    a_.mov(fact.reg, reg);
    return;
  }
  fail();  // somebody holds it who cannot be moved
}

void ValueEmitter::define(StepIndex index, Gp reg) {
  Fact& fact = facts_[index];
  if (fact.uses == 0) return release(reg);
  fact.is_kept = true;
  fact.reg = reg;
}

void ValueEmitter::forget(StepIndex index) {
  note_use(index);
  Fact& fact = facts_[index];
  if (fact.uses != 0 || fact.is_constant) return;
  if (fact.is_kept) {
    fact.is_kept = false;
    return release(fact.reg);
  }
  if (const auto chosen = chosen_by_constant(index)) return forget(*chosen);
  for (std::size_t k = 0; k < operands_of(step(index)); ++k) forget(operand(index, k));
}

auto ValueEmitter::keep_or_give(StepIndex index, Gp reg, bool is_word) -> Held {
  Fact& fact = facts_[index];
  if (fact.uses == 0) return {reg, true};
  fact.is_kept = true;
  fact.keeps_word = is_word;
  fact.reg = reg;
  return borrow(index);
}

auto ValueEmitter::borrow(StepIndex index) -> Held {
  ++facts_[index].borrows;
  return {facts_[index].reg, false, false, index};
}

auto ValueEmitter::kept(StepIndex index, bool needs_whole) -> Held {
  Fact& fact = facts_[index];
  if (needs_whole && std::exchange(fact.keeps_word, false)) a_.movsxd(fact.reg, fact.reg.r32());
  if (fact.uses != 0 || fact.borrows != 0) return borrow(index);
  fact.is_kept = false;
  return {fact.reg, true};
}

// ---- Values.
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

auto ValueEmitter::read_whole(StepIndex index) -> Held {
  const Step& of = step(index);
  const RegisterPlace place = mode_.place(of.resource);
  const bool all = of.immediate == ~std::uint64_t{0};
  if (place.bytes == 8 && (of.immediate & low_word) == 0) return read_high(index);
  // The other word of a temporary, or of a pin of four bytes, is 0.
  if (place.bytes != 8) return read_low(index);
  if (!all) {
    if (!fits_unsigned_word(of.immediate)) fail();
    const Gp reg = own(read_low(index), false);
    a_.mov(reg.r32(), reg.r32());
    return {reg, true};
  }
  if (const auto number = pinned_number(index)) return {*number, true};
  const auto pin = pin_of(mode_, of.resource);
  if (pin && !facts_[index].is_sign_extended) return {*pin, false};
  const Gp reg = temporary();
  if (pin)
    a_.movsxd(reg, pin->r32());
  else
    a_.mov(reg, in_context(place, 8));
  return {reg, true};
}

auto ValueEmitter::read_high(StepIndex index) -> Held {
  const Step& of = step(index);
  const auto bits = static_cast<std::uint32_t>(of.immediate >> 32);
  if (pin_of(mode_, of.resource)) fail();
  const Gp reg = temporary();
  a_.mov(reg.r32(), in_context(mode_.place(of.resource), 4, 4));
  if (bits != low_word) a_.and_(reg.r32(), bits);
  a_.shl(reg, 32);
  return {reg, true};
}

auto ValueEmitter::read_low(StepIndex index) -> Held {
  const Step& of = step(index);
  const RegisterPlace place = mode_.place(of.resource);
  if (!place.is_known()) {
    fail();
    return {temporaries[0], false};
  }
  const Aim aim = std::exchange(aim_, std::nullopt);
  const auto pin = pin_of(mode_, of.resource);
  const std::uint64_t mask = of.immediate & low_word;
  if (pin && mask == low_word) return {*pin, false};
  const Gp reg = aim ? *aim : temporary();
  if (pin)
    a_.mov(reg.r32(), pin->r32());
  else if (place.bytes == 1)
    a_.movzx(reg.r32(), in_context(place, 1));
  else
    a_.mov(reg.r32(), in_context(place, 4));
  if (mask != low_word) a_.and_(reg.r32(), static_cast<std::int32_t>(mask));
  return {reg, true};
}

// Where the value lies, if it is a register that is not pinned, and the host's instructions can
// take it from there.
std::optional<x86::Mem> ValueEmitter::in_memory(StepIndex index, bool is_whole) const {
  const Step& of = step(index);
  if (of.operation != Operation::read_register || of.immediate != ~std::uint64_t{0} ||
      facts_[index].is_kept || pin_of(mode_, of.resource)) {
    return std::nullopt;
  }
  const RegisterPlace place = mode_.place(of.resource);
  const std::uint32_t bytes = is_whole ? 8 : 4;
  if (place.bytes < bytes) return std::nullopt;
  return in_context(place, bytes);
}

// The same of some bits of a word.
auto ValueEmitter::bits_in_memory(StepIndex index) const -> std::optional<Bits> {
  const Step& of = step(index);
  if (of.operation != Operation::read_register || facts_[index].is_kept ||
      pin_of(mode_, of.resource)) {
    return std::nullopt;
  }
  const RegisterPlace place = mode_.place(of.resource);
  const auto low = static_cast<std::uint32_t>(of.immediate);
  const auto high = static_cast<std::uint32_t>(of.immediate >> 32);
  if (place.bytes < 4 || (low == 0) == (high == 0) || (high != 0 && place.bytes != 8)) {
    return std::nullopt;
  }
  return Bits{in_context(place, 4, low == 0 ? 4 : 0), low | high};
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

// A double whose halves would have to be put together, were it not in one of the host's registers.
std::optional<x86::Gp> ValueEmitter::pinned_number(StepIndex index) {
  const auto of = floating_operand(*recording_, mode_, index);
  const auto pin = of ? FloatingEmitter(a_, mode_).pin_of(*of) : std::nullopt;
  if (!pin) return std::nullopt;
  const Gp reg = temporary();
  a_.movq(reg, *pin);
  return reg;
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

// ---- Addresses.
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
