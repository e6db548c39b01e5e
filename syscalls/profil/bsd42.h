// profil(2) of 4.2BSD on the VAX.
//
// Sources: robohack/ucb-csrg-bsd at fcf5662808 ("4.2 distribution", July 1983):
// sys/vax/vax/locore.s addupc, sys/vax/vax/trap.c trap(), syscall(), sys/kern/kern_clock.c
// hardclock(), softclock(), profil(); sys/kern/kern_exec.c getxfile() 6.2 of August 1983, as on the
// tape (dspinellis/unix-history-repo usr/src/sys/sys/kern_exec.c); the profil(2) page in the SCCS
// file of CSRG, delta 5.1. Where page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B5   0x2 "maps all instructions onto the beginning of buff": only those below offset +
//          64 KiB.
//   A-B6   "binary point at the left", yet 0x10000 has 17 bits: 16 bits of fraction.
//   A-B8   10 milliseconds; 4.1BSD had 1/60 s.
//   A-B9   this kernel rounds down (commit 7d8653673c), so 0x10000 is 1-1 and 0177777 is not.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#pragma once

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr Hertz bsd42_tick_rate{100};  // A-B8; sys/conf/param.c HZ

const SystemRules& bsd42_system();

}  // namespace hardclock::profil
