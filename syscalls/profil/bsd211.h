// profil(2) of 2.11BSD, the Berkeley system for the PDP-11: V7's call and arithmetic (pdp11.h).
//
// Sources: RetroBSD/2.11BSD usr/sys: pdp/mch_xxx.s addupc, pdp/trap.c trap(), syscall(),
// sys/kern_clock.c softclock(), profil(), sys/kern_exec.c getxfile(); usr/man/man2/profil.2, which
// is 4.3BSD's with the PDP-11's scales and rate. Its kernel #115 was observed under SIMH
// (docs/observed.md, section 2). Where page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B8   60 ticks a second; the same page has 100 for the VAX.
//   A-B9   0xffff is "1-1" because the place is rounded up, and only up to offset + 0x8000.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#pragma once

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr Hertz bsd211_tick_rate{60};  // A-B8; GENERIC/param.c hz

const SystemRules& bsd211_system();

}  // namespace hardclock::profil
