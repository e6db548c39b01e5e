// What the Berkeley systems for the VAX share: 4.1BSD, 4.2BSD and 4.3BSD differ in how they round
// and in their clocks. Source: robohack/ucb-csrg-bsd sys/vax/vax/locore.s addupc, of which each
// system's header names the commit.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

inline constexpr unsigned kVaxWordBits = 32;
inline constexpr std::uint64_t kVaxHighestOffScale = 0;                 // A-B2
inline constexpr SystemTicks kVaxSystemTicks = SystemTicks::resume_pc;  // trap.c: locr0[PC]

// What becomes of a byte offset that is not a multiple of 2.
enum class VaxRounding : std::uint8_t { up, down };

// The arguments are cut to 32 bits, whatever the width of the program's pointers; the call cannot
// fail.
Result<State, CallError> vax_profil(const State& state, const ProfilArguments& arguments,
                                    unsigned address_bits);

// Of `pc` the low 32 bits count.
Lookup vax_lookup(const State& state, GuestAddr pc, VaxRounding rounding);

}  // namespace hardclock::profil
