// The clock's part of profiling: what a clock tick notes of a process, and what the process is
// charged when it leaves the kernel. Pure, like the rest: the caller has the clocks, the pcs and
// the memory, and makes the charges (charge.h).
#pragma once

#include <vector>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

enum class Clock { normal, fast };

// What becomes of a clock tick that finds the process in user mode.
enum class TickFate {
  charge,   // the caller charges one tick to the pc at once
  owed,     // the process leaves the kernel through take_due(), which has the tick
  waits,    // its pc waits for the next normal tick or kernel exit
  lost,     // as `waits`, but as many pcs wait as the kernel has room for
  fetches,  // it counts nothing itself; the process leaves the kernel through take_due()
  ignored,  // the process is profiled by the other clock
};

// Notes the tick in `state` where the fate says so. A tick of a state that is off is to be charged,
// which finds that out.
TickFate user_tick(const System& system, State& state, GuestAddr pc, Clock clock);

// Ticks to charge to a pc in one step.
struct Due {
  enum class Kind {
    sample,  // a fast tick that waited
    tick,    // user ticks that were owed
    system,  // ticks inside the kernel; 0: the counter is only probed
  };

  Kind kind = Kind::tick;
  GuestAddr pc;
  Ticks ticks;

  friend bool operator==(const Due&, const Due&) = default;
};

// How a process leaves the kernel.
struct KernelExit {
  GuestAddr resume_pc;  // at which it goes on
  GuestAddr trap_pc;    // of the instruction that entered the kernel
  Ticks system_ticks;   // that it owes for its stay
};

// What the process is charged at a kernel exit, in this order. The state forgets what it noted.
std::vector<Due> take_due(const System& system, State& state, const KernelExit& exit);

// The fast ticks that wait, alone.
std::vector<Due> take_waiting(State& state);

}  // namespace hardclock::profil
