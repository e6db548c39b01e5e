// The clock's part of profiling: what a clock tick notes for a process, and what the process is
// charged when it leaves the kernel. Pure, like the rest: the caller has the clocks, the pcs and
// the memory, and makes the charges (charge.h).
#pragma once

#include <vector>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

enum class Clock { normal, fast };

// The effect of a clock tick that finds the process in user mode.
enum class TickFate {
  charge,   // the caller charges one tick to the pc at once
  owed,     // the process must leave the kernel through take_due(), which returns the tick
  waits,    // its pc waits for the next normal tick or kernel exit
  lost,     // like `waits`, but the kernel's buffer of waiting pcs is full
  fetches,  // it counts nothing itself; the process must leave the kernel through take_due()
  ignored,  // the process is profiled by the other clock
};

// Notes the tick in `state` where the fate says so. In a state that is off, the fate is to charge
// the tick, and the charge then finds that profiling is off.
TickFate user_tick(const SystemRules& system, State& state, GuestAddr pc, Clock clock);

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

// A process's exit from the kernel.
struct KernelExit {
  GuestAddr resume_pc;  // where the process continues, or would without charges_before_signals
  GuestAddr trap_pc;    // of the instruction that entered the kernel
  Ticks system_ticks;   // owed for its stay
};

// The charges at a kernel exit, in this order. Clears what the state noted.
std::vector<Due> take_due(const SystemRules& system, State& state, const KernelExit& exit);

// Only the fast ticks that wait.
std::vector<Due> take_waiting(State& state);

}  // namespace hardclock::profil
