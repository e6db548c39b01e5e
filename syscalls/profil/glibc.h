// profil(3) and sprofil(3) of the GNU C library on Linux: not calls of the kernel, but functions
// over setitimer(ITIMER_PROF); the handler of SIGPROF counts.
//
// Sources: glibc 2.42 (commit 04e750e75b; 2.36 does the same), sysdeps/posix/profil.c __profil(),
// profil_count(); sysdeps/posix/sprofil.c __sprofil(), add_region(), insert(), index_to_pc(),
// pc_to_index(), profil_count(); gmon/sys/profil.h; sysdeps/unix/sysv/linux/prof-freq.c. The
// Linux page profil(3). Where the page, the header and the functions differ:
//
//   A-G1   scale 0 "disables profiling": only a null buffer does. Scale 0 counts every pc in the
//          first counter.
//   A-G2   a counter that cannot be updated is the program's own SIGSEGV, with all signals blocked:
//          it ends the process. A bad profp or a bad tvp does the same.
//   A-G3   a child has no timer (fork(2)): it gets no tick until it calls profil() itself.
//   A-G4   the timer outlives exec(2), the handler does not: SIGPROF ends the new program.
//   A-G5   sprofil() during a profile stops it, whatever its arguments, and never recovers: the
//          next call frees the table a second time, and abort(3) ends the process.
//   A-G6   *tvp is 10 milliseconds, but the timer's period is 1 microsecond: the ticks come as
//          often as the machine's kernel checks timers.
//   A-G7   the tick that finds another region than the previous tick did uses the overflow bin's
//          offset and scale: it counts in the bin, or in a wrong element of the new region.
//   A-G8   a pc below all regions makes the search run out of its table: SIGSEGV.
//   A-G9   regions whose end index_to_pc() does not find fail its assertion: abort(3).
//   A-G10  the bin's own counter wraps, all others of sprofil() saturate; those of profil() wrap.
//   A-X1   profil() and sprofil() have a state each, but share one timer and one handler, which the
//          last call owns. Here there is one state, made by the last call.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

// gmon/sys/profil.h. PROF_USHORT is the absence of PROF_UINT.
inline constexpr std::uint32_t glibc_prof_ushort = 0;
inline constexpr std::uint32_t glibc_prof_uint = 1;
inline constexpr std::uint32_t glibc_prof_fast = 2;  // "has no effect"

inline constexpr Hertz glibc_tick_rate{100};  // __profile_frequency(): AT_CLKTCK

}  // namespace hardclock::profil
