// profil(2) of 4.1BSD on the VAX.
//
// Sources: robohack/ucb-csrg-bsd at b4cbfd0490 (June 1981): sys/vax/vax/locore.s addupc,
// sys/vax/vax/trap.c trap(), syscall(), sys/kern/kern_clock.c softclock(), sys/kern/kern_proc.c
// getxfile(); the profil(2) page in the SCCS file of CSRG, delta 4.1. Where page and kernel differ,
// the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B5   02 "maps all instructions onto the beginning of buff": only those below offset + 32 KiB.
//   A-B7   "may be turned off" by a memory fault: it is.
//   A-B8   every 60th second; 4.2BSD has 10 milliseconds.
//   A-B9   0177777 is "1-1" because the place is rounded up, and only up to offset + 32 KiB.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#pragma once

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr Hertz bsd41_tick_rate{60};  // A-B8; sys/vax/include/clock.h "60 HZ"

const SystemRules& bsd41_system();

}  // namespace hardclock::profil
