// Common parts of most of these kernels: profil() stores four words and examines only the scale,
// counters have 16 bits, and a fault or an exec clears only the scale. An off State does not keep
// the other words: only a call could use them, and it brings new ones.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr unsigned short_bytes = 2;
inline constexpr std::uint64_t short_max = 0xffff;

// The state that the four words make, already truncated to the kernel's types. Scales up to
// `highest_off_scale` stop profiling.
State profile_words(const Region& words, unsigned address_bits, std::uint64_t highest_off_scale);

// addupc of the PDP-11 and the VAX, up to the rounding: both operands halved, so that the signed
// multiplication sees no sign, and the product shifted 14 places to the right. `difference` is pc -
// offset as the kernel's registers have it.
Steps halved_steps(const Region& region, std::uint64_t difference);

// A 16-bit addition without a look at the carry. `width` is 2, `before` at most 65535.
Increment wrapping_increment(std::uint64_t before, unsigned width, Ticks ticks);

// An off state stays as it is.
State off_after_fault(const State& state, std::size_t region);
State off_after_exec(const State& state);

// The child's copy of the parent's words.
State copied_by_fork(const State& parent);

// ---- V7 and 2.11BSD: profil() and addupc on the PDP-11, whose words have 16 bits. The files of
// the two have the sources.
inline constexpr unsigned pdp11_word_bits = 16;              // A-B10
inline constexpr std::uint64_t pdp11_highest_off_scale = 0;  // A-B2
inline constexpr std::uint64_t pdp11_round_up = 1;           // A-B9, added to the place

// The arguments are cut to 16 bits, whatever the width of the program's pointers; the call cannot
// fail.
Result<State, CallError> pdp11_profil(const State& state, const ProfilArguments& arguments,
                                      unsigned address_bits);
// Of `pc` the low 16 bits count.
Lookup pdp11_lookup(const State& state, GuestAddr pc);

// `own` completed by what the two have in common.
constexpr SystemRules pdp11_system(SystemRules own) {
  own.word_bits = pdp11_word_bits;
  own.system_ticks = SystemTicks::resume_pc;  // trap.c trap()
  own.owes_until_exit = true;
  own.probes_on_kernel_exit = true;
  own.profil = pdp11_profil;
  own.lookup = pdp11_lookup;
  own.increment = wrapping_increment;
  own.after_fault = off_after_fault;
  own.after_exec = off_after_exec;
  own.after_fork = copied_by_fork;
  return own;
}

// ---- The Berkeley systems for the VAX: 4.1BSD, 4.2BSD and 4.3BSD differ in how they round and in
// their clocks. Source: robohack/ucb-csrg-bsd sys/vax/vax/locore.s addupc; each system's file names
// the commit.
inline constexpr unsigned vax_word_bits = 32;
inline constexpr std::uint64_t vax_highest_off_scale = 0;  // A-B2

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
  own.system_ticks = SystemTicks::resume_pc;  // trap.c: locr0[PC]
  own.user_ticks = UserTicks::as_one;
  own.owes_until_exit = true;
  own.updates_unaligned = true;
  own.profil = vax_profil;
  own.increment = wrapping_increment;
  own.after_fault = off_after_fault;
  own.after_exec = off_after_exec;
  own.after_fork = copied_by_fork;
  return own;
}

}  // namespace hardclock::profil
