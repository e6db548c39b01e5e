#include "syscalls/profil/vax.h"

#include "sim/base/bits.h"

namespace hardclock::profil {
namespace {

enum class Rounding : std::uint8_t { up, down };

// extzv of bits 1 to 31 halves; blss looks at the sign of the 32-bit difference; the quotient's
// upper longword has to be 0; incl and the rest are 32-bit again, so that rounding up can wrap to
// the buffer's beginning.
Lookup lookup(const State& state, GuestAddr pc, Rounding rounding) {
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
  return lookup(state, pc, Rounding::up);
}

Lookup vax_lookup_rounding_down(const State& state, GuestAddr pc) {
  return lookup(state, pc, Rounding::down);
}

}  // namespace hardclock::profil
