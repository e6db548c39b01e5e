// profil(2) of 4.4BSD, on 32-bit and 64-bit machines.
//
// Sources: robohack/ucb-csrg-bsd HEAD (4.4BSD-Lite2): sys/kern/subr_prof.c profil(), addupc_intr(),
// addupc_task(); sys/kern/kern_clock.c statclock(), startprofclock(), stopprofclock();
// sys/kern/{kern_fork,kern_exec}.c; for the MIPS port sys/pmax/pmax/clock.c cpu_initclocks() and
// sys/pmax/pmax/trap.c trap(), softintr(); the profil(2) page in the SCCS file of CSRG, delta 8.1.
// Where page and kernel differ, the kernel rules:
//
//   A-B1   the page's [(pc-offset)/2]*scale/65536 differs from the kernel for odd differences.
//   A-B3   an illegal buffer is said to be EFAULT: the call succeeds, the first tick stops it.
//   A-B4   the page knows no EINVAL; the kernel returns it above scale 65536 and changes nothing.
//   A-B8   "every clock tick" of the profiling clock, whose rate is the machine's.
//   A-B10  `char *samples`, "should really be a vector of type unsigned short"; `int` sizes.
//   A-B11  fork, exec and faults are not on the page; the kernel is as the earlier pages say.
//
// The kernel casts the place to int: on a 64-bit machine pcs 4 GiB apart can share a counter.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr std::uint64_t bsd44_highest_scale = 65536;  // A-B4
inline constexpr std::uint64_t bsd44_highest_off_scale = 0;  // "A scale value of 0 disables"
inline constexpr unsigned bsd44_fraction_bits = 16;
inline constexpr unsigned bsd44_index_bits = 32;  // of the kernel's int, even on 64-bit machines

// The pmax, a MIPS machine, has one clock of 15625 microseconds: its cpu_initclocks() leaves stathz
// 0, so initclocks() sets profhz to hz. Other machines profile at other rates (A-B8).
inline constexpr Hertz bsd44_tick_rate{64};
// The pmax's trap() charges "the trapped pc"; the VAX port charges the pc to be resumed.
inline constexpr SystemTicks bsd44_system_ticks = SystemTicks::trap_pc;

const SystemRules& bsd44_system();

}  // namespace hardclock::profil
