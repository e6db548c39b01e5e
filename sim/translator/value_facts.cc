// What is known of an instruction's values before code is made of them.
#include "sim/recording/concrete.h"
#include "sim/translator/floating_match.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/value_emitter.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using namespace host;

void ValueEmitter::begin(const Recording& recording, std::uint64_t pc, std::uint64_t after_slot) {
  recording_ = &recording;
  pc_ = pc;
  after_slot_ = after_slot;
  failed_ = false;
  is_taken_ = {};
  facts_.assign(recording.steps.size(), Fact{});
  for (StepIndex i = 0; i < facts_.size(); ++i) learn(i);
  count_uses();
}

void ValueEmitter::learn(StepIndex index) {
  Fact& fact = facts_[index];
  fold(index, fact);
  if (fact.is_constant) {
    fact.is_sign_extended = fits_word(fact.value);
    fact.is_zero_extended = fits_unsigned_word(fact.value);
  } else if (!is_effect(step(index).operation)) {
    learn_extension(index, fact);
  }
}

void ValueEmitter::fold(StepIndex index, Fact& fact) {
  const Step& of = step(index);
  const auto set = [&](std::uint64_t value) {
    fact.is_constant = true;
    fact.value = value;
  };
  if (of.operation == Operation::constant) return set(of.immediate);
  if (of.operation == Operation::program_counter) return set(pc_);
  if (of.operation == Operation::after_slot) return set(after_slot_);
  if (of.operation < Operation::add || of.operation > Operation::ltu) return;
  const Fact& a = facts_[of.operands[0]];
  if (!a.is_constant) return;
  switch (of.operation) {
    case Operation::sext8:
      return set(ConcreteArithmetic::sext8(a.value));
    case Operation::sext16:
      return set(ConcreteArithmetic::sext16(a.value));
    case Operation::sext32:
      return set(ConcreteArithmetic::sext32(a.value));
    case Operation::zext32:
      return set(a.value & low_word);
    default:
      break;
  }
  const Fact& b = facts_[of.operands[1]];
  if (!b.is_constant) return;
  switch (of.operation) {
    case Operation::add:
      return set(a.value + b.value);
    case Operation::sub:
      return set(a.value - b.value);
    case Operation::and_:
      return set(a.value & b.value);
    case Operation::or_:
      return set(a.value | b.value);
    case Operation::xor_:
      return set(a.value ^ b.value);
    case Operation::shl:
      return set(a.value << b.value);
    case Operation::shr:
      return set(a.value >> b.value);
    case Operation::eq:
      return set(a.value == b.value ? 1 : 0);
    case Operation::ne:
      return set(a.value != b.value ? 1 : 0);
    default:
      return;
  }
}

void ValueEmitter::learn_extension(StepIndex index, Fact& fact) {
  const Step& of = step(index);
  const auto a = [&]() -> const Fact& { return facts_[of.operands[0]]; };
  const auto b = [&]() -> const Fact& { return facts_[of.operands[1]]; };
  const auto is_small = [&] { fact.is_sign_extended = fact.is_zero_extended = true; };
  switch (of.operation) {
    case Operation::read_register: {
      const RegisterPlace place = mode_.place(of.resource);
      const bool all = of.immediate == ~std::uint64_t{0};
      fact.is_sign_extended =
          all && mode_.is_word != nullptr && place.bytes == 8 && mode_.is_word(of.resource);
      fact.is_zero_extended = place.bytes < 8 || fits_unsigned_word(of.immediate);
      if (place.bytes == 1 || of.immediate <= low_word / 2) is_small();
      return;
    }
    case Operation::load:
    case Operation::replaced:
      fact.is_zero_extended = of.detail <= 4;
      fact.is_sign_extended = of.detail <= 2;
      return;
    case Operation::call: {
      const HostFunction function = function_of(of, mode_);
      if (function == HostFunction::leading_zeros_word ||
          function == HostFunction::leading_zeros_long) {
        is_small();
      }
      return;
    }
    case Operation::result:
      fact.is_sign_extended = divides_words(function_of(step(of.operands[0]), mode_));
      return;
    case Operation::sext8:
    case Operation::sext16:
    case Operation::sext32:
      fact.is_sign_extended = true;
      return;
    case Operation::zext32:
      fact.is_zero_extended = true;
      return;
    case Operation::and_:
      fact.is_sign_extended = a().is_sign_extended && b().is_sign_extended;
      fact.is_zero_extended = a().is_zero_extended || b().is_zero_extended;
      for (const Fact* const mask : {&a(), &b()}) {
        if (mask->is_constant && mask->value <= low_word / 2) is_small();
      }
      return;
    case Operation::or_:
    case Operation::xor_:
      fact.is_sign_extended = a().is_sign_extended && b().is_sign_extended;
      fact.is_zero_extended = a().is_zero_extended && b().is_zero_extended;
      return;
    case Operation::shr:
      fact.is_zero_extended = a().is_zero_extended;
      fact.is_sign_extended = a().is_zero_extended && b().is_constant && b().value != 0;
      return;
    case Operation::sar:
      fact.is_sign_extended = a().is_sign_extended || (b().is_constant && b().value >= 32);
      return;
    case Operation::select:
      fact.is_sign_extended = b().is_sign_extended && facts_[of.operands[2]].is_sign_extended;
      fact.is_zero_extended = b().is_zero_extended && facts_[of.operands[2]].is_zero_extended;
      return;
    default:
      if (is_comparison(of.operation)) is_small();
  }
}

// A step is needed by effects, and by steps that are needed: once by each, since it is kept.
void ValueEmitter::count_uses() {
  for (StepIndex i = static_cast<StepIndex>(facts_.size()); i-- > 0;) {
    const Step& of = step(i);
    const bool is_needed =
        is_effect(of.operation) || is_access(of.operation) || facts_[i].uses != 0;
    if (!is_needed || facts_[i].is_constant) continue;
    const auto chosen = of.operation == Operation::select ? chosen_by_constant(i) : std::nullopt;
    if (chosen) {
      ++facts_[*chosen].uses;
      continue;
    }
    for (std::size_t k = 0; k < operands_of(of); ++k) {
      if (of.operands[k] != unconditional) ++facts_[of.operands[k]].uses;
    }
  }
}

std::optional<StepIndex> ValueEmitter::chosen_by_constant(StepIndex index) const {
  const Step& of = step(index);
  if (of.operation != Operation::select || !facts_[of.operands[0]].is_constant) return std::nullopt;
  return facts_[of.operands[0]].value != 0 ? of.operands[1] : of.operands[2];
}

std::uint64_t ValueEmitter::possible_bits(StepIndex index) const {
  const Step& of = step(index);
  if (facts_[index].is_constant) return facts_[index].value;
  if (is_comparison(of.operation)) return 1;
  switch (of.operation) {
    case Operation::read_register:
      return of.immediate;
    case Operation::and_:
      return possible_bits(of.operands[0]) & possible_bits(of.operands[1]);
    case Operation::or_:
    case Operation::xor_:
      return possible_bits(of.operands[0]) | possible_bits(of.operands[1]);
    case Operation::select:
      return possible_bits(of.operands[1]) | possible_bits(of.operands[2]);
    case Operation::shl:
      if (!facts_[of.operands[1]].is_constant) return ~std::uint64_t{0};
      return possible_bits(of.operands[0]) << (facts_[of.operands[1]].value & 63);
    default:
      return ~std::uint64_t{0};
  }
}

}  // namespace hardclock
