// profil(2) of 4.3BSD on the VAX: 4.2BSD's arithmetic and clock (bsd42.h).
//
// Sources: robohack/ucb-csrg-bsd at 97cd35aec4 (4.3BSD release): sys/vax/vax/locore.s addupc,
// sys/vax/vax/trap.c trap(), syscall(), sys/kern/kern_clock.c hardclock(), softclock(), profil(),
// sys/kern/kern_exec.c getxfile(), sys/kern/kern_fork.c newproc(); the profil(2) page in the SCCS
// file of CSRG, delta 6.2. The GENERIC kernel of June 1986 was observed under SIMH
// (docs/observed.md, section 2). Where page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B8   10 milliseconds; 4.1BSD had 1/60 s.
//   A-B9   this kernel rounds down, so 0x10000 is 1-1 and V7's 0177777 is not.
//   A-B10  `char *buff` points to unsigned 16-bit words; the `int` sizes are unsigned.
//   A-B12  a word "inside buff": one that begins there, so it may end behind an odd bufsiz.
#pragma once

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr Hertz bsd43_tick_rate{100};  // A-B8; sys/conf/param.c HZ

const SystemRules& bsd43_system();

}  // namespace hardclock::profil
