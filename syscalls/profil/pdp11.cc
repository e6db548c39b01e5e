#include "syscalls/profil/pdp11.h"

#include "sim/base/bits.h"

namespace hardclock::profil {

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

}  // namespace hardclock::profil
