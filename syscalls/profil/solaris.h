// profil(2) and pcsample(2) of Solaris, before 2.6 (each LWP separately) and from 2.6 on.
//
// Sources: the Solaris 11.4 profil(2) page with its NOTES on earlier releases, and illumos-gate,
// the openly licensed kernel that OpenSolaris left: usr/src/uts/common/syscall/profil.c profil(),
// pcsample(); common/os/clock.c clock_tick(), profil_tick(); common/os/{fork,exec}.c;
// {intel,sparc}/os/syscall.c post_syscall(). Where the page contradicts itself or its kernel:
//
//   A-S1  "reaches 32767 (the size of a short int), profiling stops" of unsigned shorts: a counter
//         stays at 32767, and the hit that would raise it above stops everything. The sum is taken
//         in 16 bits first, so a counter that the program preset to 65535 wraps to 0 and goes on.
//   A-S2  "maximum value of scale, 0xffff", yet RATIO 1 computes 0200000: there is no maximum.
//   A-S3  0x0002 "maps subdivision 65,536 bytes long to each counter", but the kernel sends
//         every pc to the first one.
//   A-S4  bufsiz 0 is "ineffective", but the kernel does not test the size when scale is 2.
//   A-S5  bytes per counter are "one half the scale": they are 2 * 65536 / scale, as in the list of
//         examples.
//   A-S6  the product is called an index, but the kernel makes it a byte offset.
//   A-S7  the page's void and unsigned int are int, size_t, u_long and u_int in the kernel.
//   A-S8  uintptr_t is the kernel's: 64 bits in later kernels, for every program. Here it is as
//         wide as the program's pointers, as in a kernel of the same width.
//   A-S9  "a buffer of bufsiz bytes": an element that begins there may end behind an odd bufsiz.
//   A-X1  profil and pcsample share one state; the last successful call of either kind makes it.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr std::uint64_t solaris_highest_count = 32767;           // SHRT_MAX (A-S1)
inline constexpr std::uint64_t solaris_highest_off_scale = 1;           // "a scale value of 0 or 1"
inline constexpr std::uint64_t solaris_first_counter_scale = 2;         // A-S3, A-S4
inline constexpr std::int64_t solaris_most32_bit_samples = 0x7fffffff;  // INT32_MAX
inline constexpr Hertz solaris_tick_rate{100};  // the kernel's default hz; sysconf(_SC_CLK_TCK)

const SystemRules& solaris25_system();
const SystemRules& solaris_system();

}  // namespace hardclock::profil
