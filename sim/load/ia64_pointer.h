// Pointers of 32-bit programs for IA-64, which HP-UX has.
#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace hardclock {

// The address that the low 32 bits of `pointer` stand for: their two highest bits also choose the
// region, as the instruction addp4 has it ("Intel Itanium Architecture Software Developer's
// Manual", revision 2.3, volume 3, addp4).
constexpr GuestAddr ia64_address_of(std::uint64_t pointer) {
  const std::uint64_t low = pointer & 0xffffffff;
  return GuestAddr(low >> 30 << 61 | low);
}

}  // namespace hardclock
