// profil(2) of the Seventh Edition on the PDP-11, whose words have 16 bits.
//
// Sources: v7unix/v7unix v7/usr/sys: conf/mch.s addupc, sys/clock.c clock(), sys/trap.c trap(),
// sys/sys4.c profil(), sys/sys1.c getxfile(); its page v7/usr/man/man2/profil.2, whose text 4.1BSD
// kept. The original kernel of 1979 was observed under SIMH (profil-semantics.md, section 9). Where
// page and kernel differ, the kernel rules:
//
//   A-B2   "turned off by giving a scale of 0 or 1": 1 counts every pc in the first word.
//   A-B5   02 "maps all instructions onto the beginning of buff": only those below offset + 32 KiB;
//          the others round up into the second word.
//   A-B7   "may be turned off" by a memory fault: it is.
//   A-B8   every 60th second; later systems have other rates.
//   A-B9   0177777 is "1-1" because the place is rounded up, and only up to offset + 0100000, which
//          shares a word with offset + 0100002.
//   A-B10  `char *buff` of what are unsigned 16-bit words; `int` sizes that are unsigned.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr unsigned kV7WordBits = 16;                            // A-B10
inline constexpr std::uint64_t kV7HighestOffScale = 0;                 // A-B2
inline constexpr std::uint64_t kV7RoundUp = 1;                         // A-B9, added to the place
inline constexpr Hertz kV7TickRate{60};                                // A-B8; h/param.h HZ
inline constexpr SystemTicks kV7SystemTicks = SystemTicks::resume_pc;  // trap.c trap()

const System& v7_system();

// 2.11BSD has the same call and the same arithmetic. The arguments are cut to 16 bits, whatever
// the width of the program's pointers; the call cannot fail.
Result<State, CallError> v7_profil(const State& state, const ProfilArguments& arguments,
                                   unsigned address_bits);
// Of `pc` the low 16 bits count.
Lookup v7_lookup(const State& state, GuestAddr pc);

}  // namespace hardclock::profil
