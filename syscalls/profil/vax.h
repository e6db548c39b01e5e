// Common parts of the Berkeley systems for the VAX: 4.1BSD, 4.2BSD and 4.3BSD differ in how they
// round and in their clocks. Source: robohack/ucb-csrg-bsd sys/vax/vax/locore.s addupc; each
// system's header names the commit.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"
#include "syscalls/profil/words.h"

namespace hardclock::profil {

inline constexpr unsigned vax_word_bits = 32;
inline constexpr std::uint64_t vax_highest_off_scale = 0;                // A-B2
inline constexpr SystemTicks vax_system_ticks = SystemTicks::resume_pc;  // trap.c: locr0[PC]

// The arguments are truncated to 32 bits, whatever the width of the program's pointers; the call
// cannot fail.
Result<State, CallError> vax_profil(const State& state, const ProfilArguments& arguments,
                                    unsigned address_bits);

// Of `pc` the low 32 bits count. A byte offset that is not a multiple of 2 is rounded up by 4.1BSD,
// down by its successors.
Lookup vax_lookup_rounding_up(const State& state, GuestAddr pc);
Lookup vax_lookup_rounding_down(const State& state, GuestAddr pc);

// `own` completed by what the three have in common.
constexpr SystemRules vax_system(SystemRules own) {
  own.word_bits = vax_word_bits;
  own.system_ticks = vax_system_ticks;
  own.user_ticks = UserTicks::as_one;
  own.owes_until_exit = true;
  own.probes_on_kernel_exit = false;
  own.owner = Owner::process;
  own.updates_unaligned = true;
  own.profil = vax_profil;
  own.increment = wrapping_increment;
  own.after_fault = off_after_fault;
  own.after_exec = off_after_exec;
  own.after_fork = copied_by_fork;
  return own;
}

}  // namespace hardclock::profil
