#include "syscalls/profil/words.h"

#include "sim/base/check.h"

namespace hardclock::profil {

State profile_words(const Region& words, unsigned address_bits, std::uint64_t highest_off_scale) {
  if (words.scale <= highest_off_scale) return stopped(State::Stop::by_call);
  State state;
  state.kind = State::Kind::profil;
  state.counter_bytes = short_bytes;
  state.address_bits = address_bits;
  state.regions = {words};
  return state;
}

Steps halved_steps(const Region& region, std::uint64_t difference) {
  constexpr unsigned operand_shift = 1;
  constexpr unsigned product_shift = 14;
  Steps steps;
  steps.delta = difference;
  steps.operand_shift = operand_shift;
  steps.product = Wide{steps.delta >> operand_shift} * (region.scale >> operand_shift);
  steps.product_shift = product_shift;
  steps.quotient = steps.product >> product_shift;
  return steps;
}

Increment wrapping_increment(std::uint64_t before, unsigned width, Ticks ticks) {
  CHECK(width == short_bytes && before <= short_max);
  const bool wraps = ticks.value() > short_max - before;
  return {before, (before + ticks.value()) & short_max,
          wraps ? Increment::Effect::wrapped : Increment::Effect::counted};
}

State off_after_fault(const State& state, std::size_t) {
  return state.on() ? stopped(State::Stop::by_fault) : state;
}

State off_after_exec(const State& state) {
  return state.on() ? stopped(State::Stop::by_exec) : state;
}

State copied_by_fork(const State& parent) {
  return parent;
}

}  // namespace hardclock::profil
