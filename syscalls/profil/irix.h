// profil(2) and sprofil(2) of IRIX.
//
// Sources: routines of the IRIX 6.2 kernel, run as a black box on eight machines (calls and clock
// ticks in; counters, results and state out); for what they did not show, the profil(2) and
// sprofil(2) pages of IRIX 5.1, 5.3 and 6.2. Where kernel and page differ, the kernel rules, and
// the difference has a number:
//
//   A-I1   "16-bit fraction", yet the maximum is 0x10000: the scale has 32 bits, all of them count.
//   A-I2   0x10000 maps "pc's to 4-byte words" of 2-byte counters: every second counter is used.
//   A-I3   0x0002 "by convention" maps the entire region to the first counter: so it does.
//   A-I4   bufsiz 0 is "ineffective", for scale 2 as well.
//   A-I5   overflow gives "no indication": the counter wraps.
//   A-I6   the index is rounded down to a counter before it is compared with the buffer's size, so
//          the last counter may end after the buffer.
//   A-I7   a counter at an unaligned address is a memory fault.
//   A-I8   the product is called an index into the array, but is a byte offset.
//   A-I9   ticks inside the kernel count as well, in one step at the return to user mode.
//   A-I10  a fault turns off the region, not the process's profiling: sprofil(2)'s words.
//   A-I11  in a 64-bit program the product uses only the low 32 bits of pc - offset, and the
//          counter's address is truncated to 32 bits.
//   A-I13  scale is "the reciprocal of the number of instructions in a subdivision": of bytes.
//   A-I14  of overlapping regions the one with "the largest offset less than" pc counts: a pc equal
//          to an offset belongs to the region before.
//   A-I15  E2BIG, and EINVAL for flags: the kernel returns neither.
//   A-I16  EINVAL for an overflow bin that is not last: only if it is the first of several.
//   A-I17  a region with scale 0 or 1 "is not enabled": the first one's scale decides over all.
//   A-I18  PROF_FAST stays on until profiling is turned off.
//   A-X1   a process has one profiling state; the last successful call of either kind makes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr std::uint64_t irix_highest_off_scale = 1;    // "a scale of 0 or 1"
inline constexpr std::uint64_t irix_first_counter_scale = 2;  // A-I3

// "once every 10 milliseconds" (profil(2)), "once every millisecond" (sprofil(2) of 6.2).
inline constexpr Hertz irix_tick_rate{100};
inline constexpr Hertz irix_fast_tick_rate{1000};

// The flags of sprofil. The kernel examines only PROF_UINT and PROF_FAST.
inline constexpr std::uint32_t irix_prof_ushort = 1;
inline constexpr std::uint32_t irix_prof_uint = 2;
inline constexpr std::uint32_t irix_prof_fast = 4;

// The number of fast ticks' pcs that the kernel has room for.
inline constexpr std::size_t irix_fast_buffer = 11;

}  // namespace hardclock::profil
