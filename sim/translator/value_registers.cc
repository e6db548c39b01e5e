// Where the values of one instruction lie: temporaries of the host's, and the guest's registers.
#include <algorithm>
#include <optional>
#include <utility>

#include "sim/translator/floating_emitter.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"
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

// A double whose halves would have to be put together, were it not in one of the host's registers.
std::optional<x86::Gp> ValueEmitter::pinned_number(StepIndex index) {
  const auto of = floating_operand(*recording_, mode_, index);
  const auto pin = of ? FloatingEmitter(a_, mode_).pin_of(*of) : std::nullopt;
  if (!pin) return std::nullopt;
  const Gp reg = temporary();
  a_.movq(reg, *pin);
  return reg;
}

}  // namespace hardclock
