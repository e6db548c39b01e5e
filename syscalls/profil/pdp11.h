// What V7 and 2.11BSD share: profil() and addupc on the PDP-11, whose words have 16 bits. The
// headers of the two have the sources.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {

inline constexpr unsigned pdp11_word_bits = 16;              // A-B10
inline constexpr std::uint64_t pdp11_highest_off_scale = 0;  // A-B2
inline constexpr std::uint64_t pdp11_round_up = 1;           // A-B9, added to the place
inline constexpr SystemTicks pdp11_system_ticks = SystemTicks::resume_pc;  // trap.c trap()

// The arguments are cut to 16 bits, whatever the width of the program's pointers; the call cannot
// fail.
Result<State, CallError> pdp11_profil(const State& state, const ProfilArguments& arguments,
                                      unsigned address_bits);
// Of `pc` the low 16 bits count.
Lookup pdp11_lookup(const State& state, GuestAddr pc);

// `own` completed by what the two have in common.
constexpr SystemRules pdp11_system(SystemRules own) {
  own.word_bits = pdp11_word_bits;
  own.system_ticks = pdp11_system_ticks;
  own.owes_until_exit = true;
  own.probes_on_kernel_exit = true;
  own.owner = Owner::process;
  own.updates_unaligned = false;
  own.profil = pdp11_profil;
  own.lookup = pdp11_lookup;
  own.increment = wrapping_increment;
  own.after_fault = off_after_fault;
  own.after_exec = off_after_exec;
  own.after_fork = copied_by_fork;
  return own;
}

}  // namespace hardclock::profil
