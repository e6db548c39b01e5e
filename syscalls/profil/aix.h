// profil of AIX 4.3 to 7.2, for comparison. The only source is IBM's "profil Subroutine" page
// (Technical Reference: Base Operating System, volume 1). Where the page is silent, the rule is
// marked and follows the other systems of its family.
//
//   A-A1  the scaled number is compared with BufferSize / sizeof(short) as if it counted counters,
//         yet 0xFFFF maps each pair of bytes to one: it is a byte offset, compared with BufferSize.
//   A-A2  only the low 16 bits of the scale count: 0x10000 is 0, hence off.
//   A-A3  02 "maps all instructions to the same location", but from offset + 32 KiB up the product
//         rounds up to the second counter: plain arithmetic, as in V7.
//   A-A4  1 is off; AIX 2.2.1 for the RT counted everything in the first counter.
//   A-A5  "always returns a value of 0", yet errors are listed: nothing is examined.
//   A-A6  the second form, an array of struct prof with BufferSize -1, is not offered: EINVAL.
//
// Open: pcs below offset, memory faults, odd addresses, the length of "each clock tick" (AIX 2.2.1
// says 60 a second), system time, threads.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr unsigned aix_scale_bits = 16;                      // A-A2
inline constexpr std::uint64_t aix_highest_off_scale = 1;           // A-A4
inline constexpr std::uint64_t aix_round_up = 1;                    // to "the next half-word"
inline constexpr unsigned aix_fraction_bits = 16;                   // "shifted right 16 bits"
inline constexpr std::uint64_t aix_array_form = 0xffffffff;         // BufferSize -1 (A-A6)
inline constexpr Hertz aix_tick_rate{100};                          // inferred
inline constexpr SystemTicks aix_system_ticks = SystemTicks::none;  // not stated

const SystemRules& aix_system();

}  // namespace hardclock::profil
