#include "syscalls/profil/vax.h"

#include "sim/base/bits.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {
namespace {

constexpr unsigned kOperandShift = 1;
constexpr unsigned kProductShift = 14;

// extzv of bits 1 to 31 of both operands, emul, ashq by -14.
Steps steps_to(const Region& region, std::uint32_t difference) {
  Steps steps;
  steps.delta = difference;
  steps.operand_shift = kOperandShift;
  steps.product = Wide{steps.delta >> kOperandShift} * (region.scale >> kOperandShift);
  steps.product_shift = kProductShift;
  steps.quotient = steps.product >> kProductShift;
  return steps;
}

}  // namespace

Result<State, CallError> vax_profil(const State&, const ProfilArguments& arguments, unsigned) {
  const auto longword = [](std::uint64_t value) { return bit_field(value, 0, kVaxWordBits); };
  return profile_words(Region{GuestAddr(longword(arguments.buff)), longword(arguments.bufsiz),
                              GuestAddr(longword(arguments.offset)), longword(arguments.scale)},
                       kVaxWordBits, kVaxHighestOffScale);
}

// blss looks at the sign of the 32-bit difference; the quotient's upper longword has to be 0; incl
// and the rest are 32-bit again, so that rounding up can wrap to the buffer's beginning.
Lookup vax_lookup(const State& state, GuestAddr pc, VaxRounding rounding) {
  if (!state.on()) return Miss{Miss::Reason::off, 0, {}};
  const Region& region = state.regions.front();
  const auto difference = static_cast<std::uint32_t>(pc - region.offset);
  if (static_cast<std::int32_t>(difference) < 0) return Miss{Miss::Reason::below_offset, 0, {}};
  if (region.size == 0) return Miss{Miss::Reason::empty_buffer, 0, {}};
  const Steps steps = steps_to(region, difference);
  if (steps.quotient >> kVaxWordBits != 0) return Miss{Miss::Reason::beyond_buffer, 0, steps};
  auto byte_offset = static_cast<std::uint32_t>(steps.quotient);
  if (rounding == VaxRounding::up) ++byte_offset;
  byte_offset &= ~std::uint32_t{1};
  if (byte_offset >= region.size) {
    return Miss{Miss::Reason::beyond_buffer, 0, steps, byte_offset};
  }
  return Access{0, counter_address(state, region, byte_offset), kShortBytes, byte_offset, steps};
}

}  // namespace hardclock::profil
