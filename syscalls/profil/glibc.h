// profil(3) and sprofil(3) of the GNU C library on Linux: no calls of the kernel, but functions
// over setitimer(ITIMER_PROF), whose SIGPROF's handler counts.
//
// Sources: glibc 2.42 (commit 04e750e75b; 2.36 does the same), sysdeps/posix/profil.c __profil(),
// profil_count(); sysdeps/posix/sprofil.c __sprofil(), add_region(), insert(), index_to_pc(),
// pc_to_index(), profil_count(); gmon/sys/profil.h; sysdeps/unix/sysv/linux/prof-freq.c. The
// Linux page profil(3). Where the page, the header and the functions differ:
//
//   A-G1   scale 0 "disables profiling": only a null buffer does. Scale 0 counts every pc in the
//          first counter.
//   A-G2   a counter that cannot be updated is the program's own SIGSEGV, with all signals blocked:
//          it ends the process. So do a bad profp and a bad tvp.
//   A-G3   a child has no timer (fork(2)): no tick comes there until it calls profil() itself.
//   A-G4   the timer outlives exec(2), the handler does not: the new program ends by SIGPROF.
//   A-G5   sprofil() while it profiles stops, whatever it is given, and never gets out of that: the
//          call after it frees the table once more, and abort(3) ends the process.
//   A-G6   *tvp is 10 milliseconds, but the timer's period is 1 microsecond: the ticks come as
//   often
//          as the machine's kernel looks at timers.
//   A-G7   the tick that finds another region than the last one did takes the overflow bin's offset
//          and scale: it counts in the bin, or in a wrong element of the new region.
//   A-G8   a pc below all regions lets the search run out of its table: SIGSEGV.
//   A-G9   regions of which index_to_pc() does not find the end fail its assertion: abort(3).
//   A-G10  the bin's own counter wraps, all others of sprofil() saturate; those of profil() wrap.
//   A-X1   profil() and sprofil() each have a state, but there is one timer and one handler: the
//          last call has them. Here is one state, made by the last call.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

// gmon/sys/profil.h. PROF_USHORT is what there is without PROF_UINT.
inline constexpr std::uint32_t kGlibcProfUshort = 0;
inline constexpr std::uint32_t kGlibcProfUint = 1;
inline constexpr std::uint32_t kGlibcProfFast = 2;  // "has no effect"

inline constexpr Hertz kGlibcTickRate{100};  // __profile_frequency(): AT_CLKTCK

const System& glibc_system();

}  // namespace hardclock::profil
