// profil(2) and sprofil(2) of IRIX 5.3 and 6.5.
//
// Sources: the IRIX profil(2) page, complete; the IRIX sprofil(2) page as far as its copies on the
// web go (up to the flags); for the rest glibc's <sys/profil.h>, which lists how it differs from
// IRIX 6.5's sprofil(2), and the HP-UX sprofil(2) page, whose rules about overlaps and the overflow
// bin fit that list. Where the page contradicts itself or is silent, this is how it is read:
//
//   A-I1   "16-bit fraction", yet the maximum is 0x10000: a 32-bit number with 16 fraction bits;
//          anything above 0x10000 is plain arithmetic too.
//   A-I2   0x10000 maps "pc's to 4-byte words" of 2-byte counters: every second counter is used.
//   A-I3   0x0002 would map 64 KiB to a counter, but "by convention" the entire region goes to the
//          first one: a special case, as in the System V kernel that illumos descends from.
//   A-I4   bufsiz 0 is "ineffective", for scale 2 as well.
//   A-I5   overflow gives "no indication": the counter wraps.
//   A-I6   a counter belongs to the buffer when its byte offset does, even if its end does not.
//   A-I7   a counter at an unaligned address is a MIPS address error, hence a memory fault.
//   A-I8   the product is called an index into the array, but the examples make it a byte offset.
//   A-I9   whether ticks inside the kernel count is not said: they do not.
//   A-I10  "a buff update would cause a memory fault": that of the one counter, and only when
//          paging cannot cure it; there is no signal, and all profiling of the process ends.
//   A-I11  `unsigned int offset` is zero-extended in a 64-bit program; the rest is 64-bit.
//   A-I12  "A 0 ... is always returned": profil validates nothing.
//   A-X1   a process has one profiling state; the last successful call of either kind makes it.
//
// The errors of sprofil and their order (profcnt, flags) are the HP-UX page's: IRIX's are not
// known.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr std::uint64_t kIrixHighestOffScale = 1;            // "a scale of 0 or 1"
inline constexpr std::uint64_t kIrixFirstCounterScale = 2;          // A-I3
inline constexpr SystemTicks kIrixSystemTicks = SystemTicks::none;  // A-I9

// "once every 10 milliseconds" (profil(2)); pcsamp's "10- or 1-millisecond intervals" (SpeedShop
// User's Guide, table 4-1) are the two rates that PROF_FAST chooses from.
inline constexpr Hertz kIrixTickRate{100};
inline constexpr Hertz kIrixFastTickRate{1000};

// The flags of sprofil; the values are glibc's, IRIX's own are not published.
inline constexpr std::uint32_t kIrixProfUshort = 0;
inline constexpr std::uint32_t kIrixProfUint = 1;
inline constexpr std::uint32_t kIrixProfFast = 2;

// IRIX has an "a priori limit on number of text sections" (glibc's <sys/profil.h>, by contrast to
// its own) of unknown value. This one is ours, generous for a program and all of its libraries.
inline constexpr std::size_t kIrixMaxRegions = 1024;

const System& irix_system();

}  // namespace hardclock::profil
