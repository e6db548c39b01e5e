// profil(2) of the Seventh Edition on the PDP-11, whose words have 16 bits.
//
// Sources: v7unix/v7unix v7/usr/sys: conf/mch.s addupc, sys/clock.c clock(), sys/trap.c trap(),
// sys/sys4.c profil(), sys/sys1.c getxfile(); its page v7/usr/man/man2/profil.2, whose text 4.1BSD
// kept. The original kernel of 1979 was observed under SIMH (docs/observed.md, section 2). Where
// page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B5   02 "maps all instructions onto the beginning of buff": only those below offset + 32 KiB;
//          the others round up into the second word.
//   A-B7   "may be turned off" by a memory fault: it is.
//   A-B8   every 60th second; later systems have other rates.
//   A-B9   0177777 is "1-1" because the place is rounded up, and only up to offset + 0100000, which
//          shares a word with offset + 0100002.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#pragma once

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr Hertz v7_tick_rate{60};  // A-B8; h/param.h HZ

const SystemRules& v7_system();

}  // namespace hardclock::profil
