#include "syscalls/profil/words.h"

#include "sim/base/bits.h"
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

Result<State, CallError> pdp11_profil(const State&, const ProfilArguments& arguments, unsigned) {
  const auto word = [](std::uint64_t value) { return bit_field(value, 0, pdp11_word_bits); };
  return profile_words(Region{GuestAddr(word(arguments.buff)), word(arguments.bufsiz),
                              GuestAddr(word(arguments.offset)), word(arguments.scale)},
                       pdp11_word_bits, pdp11_highest_off_scale);
}

// The 16-bit difference wraps below offset; a rotation with the carry cleared halves.
Lookup pdp11_lookup(const State& state, GuestAddr pc) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const Region& region = state.regions.front();
  const std::uint64_t difference = bit_field(pc - region.offset, 0, pdp11_word_bits);
  const Steps steps = halved_steps(region, difference);
  const std::uint64_t byte_offset =
      (static_cast<std::uint64_t>(steps.quotient) + pdp11_round_up) & ~std::uint64_t{1};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, 0, {}};
  if (byte_offset >= region.size) return Miss{Miss::Reason::beyond_buffer, 0, steps, byte_offset};
  return Access{0, counter_address(state, region, byte_offset), short_bytes, byte_offset, steps};
}

namespace {

enum class Rounding : std::uint8_t { up, down };

// extzv of bits 1 to 31 halves; blss looks at the sign of the 32-bit difference; the quotient's
// upper longword has to be 0; incl and the rest are 32-bit again, so that rounding up can wrap to
// the buffer's beginning.
Lookup vax_lookup(const State& state, GuestAddr pc, Rounding rounding) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const Region& region = state.regions.front();
  const auto difference = static_cast<std::uint32_t>(pc - region.offset);
  if (static_cast<std::int32_t>(difference) < 0) return Miss{Miss::Reason::below_offset, 0, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, 0, {}};
  const Steps steps = halved_steps(region, difference);
  if (steps.quotient >> vax_word_bits != 0) return Miss{Miss::Reason::beyond_buffer, 0, steps};
  auto byte_offset = static_cast<std::uint32_t>(steps.quotient);
  if (rounding == Rounding::up) ++byte_offset;
  byte_offset &= ~std::uint32_t{1};
  if (byte_offset >= region.size) {
    return Miss{Miss::Reason::beyond_buffer, 0, steps, byte_offset};
  }
  return Access{0, counter_address(state, region, byte_offset), short_bytes, byte_offset, steps};
}

}  // namespace

Result<State, CallError> vax_profil(const State&, const ProfilArguments& arguments, unsigned) {
  const auto longword = [](std::uint64_t value) { return bit_field(value, 0, vax_word_bits); };
  return profile_words(Region{GuestAddr(longword(arguments.buff)), longword(arguments.bufsiz),
                              GuestAddr(longword(arguments.offset)), longword(arguments.scale)},
                       vax_word_bits, vax_highest_off_scale);
}

Lookup vax_lookup_rounding_up(const State& state, GuestAddr pc) {
  return vax_lookup(state, pc, Rounding::up);
}

Lookup vax_lookup_rounding_down(const State& state, GuestAddr pc) {
  return vax_lookup(state, pc, Rounding::down);
}

}  // namespace hardclock::profil
