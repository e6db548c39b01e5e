// profil(2) and sprofil(2) of HP-UX on PA-RISC and Itanium.
//
// Sources: the HP-UX sprofil(2) and profil(2) pages (11i v2 and v3); a copy of sprofil(2) that had
// lost its bold words was completed from HP's own. No kernel source is public. Where the pages
// contradict themselves or are silent:
//
//   A-H1   "If profcnt is 0, profiling is disabled", yet E2BIG for "less than or equal to 0": 0
//          disables and succeeds whatever profp and flags are; tvp is set ("If non-NULL, tvp points
//          to a timeval structure which on return contains ..."); less than 0 is E2BIG.
//   A-H2   the range formula lost "pc -" in print: ((pc - pr_offset) * pr_scale) / 65536.
//   A-H3   the formula has no lower bound: a pc below pr_offset never matches.
//   A-H4   the formula is in bytes, the counters are elements: byte offset, then rounded down.
//   A-H5   ascending pr_offset, yet the overflow descriptor's is 0 and it is last: it is exempt.
//   A-H6   overlapping regions are EINVAL, yet a rule says which of them counts: EINVAL. The search
//          still has the rule.
//   A-H7   "largest offset less than" the pc: not above it, for the formula takes pc == pr_offset.
//   A-H8   "Each call disables profiling": a failing call changes nothing. That is a reading.
//   A-H9   a misaligned pr_base is not among the errors: accepted, then treated as an invalid
//          address.
//   A-H10  the pc's privilege bits (PA-RISC); Itanium's slot is in IPSR.ri, not in the pc: the bits
//          below an instruction or a bundle are cleared before the search.
//   A-H11  profil() is "sprofil() with just one member", but takes what sprofil() refuses: it is
//          not validated (a reading); scale 2 with offset 0 is the overflow bin, else scale 2 is
//          arithmetic.
//   A-H12  less than one instruction an element is "undefined behavior": plain arithmetic.
//   A-H13  the tables count "instructions": on Itanium, bundles of three.
//   A-H14  2^46 * pr_scale / 65536 exceeds pr_size's 32 bits except for scales 2 and 3: tested as
//          printed.
//   A-H15  CLK_TICK here, CLK_TCK there: one rate.
//   A-H16  "an overflow bin should always be last", or else EINVAL: EINVAL.
//   A-H17  an entry with scale 0 or 1 "is ignored": it is not validated either, and does not count
//          as following an overflow descriptor.
//   A-H18  the order of errors: profcnt, flags, profp, the entries in order, tvp.
//   A-H19  PROFIL_MAX has no number: 1024.
//   A-X1   a process has one profiling state; the last successful call of either kind makes it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

// The flags of sprofil. The first two are from HP's simulator Ski (src/hpux/syscall-hpux.c), which
// predates the third: its value is ours.
inline constexpr std::uint32_t hpux_prof_ushort = 1;
inline constexpr std::uint32_t hpux_prof_uint = 2;
inline constexpr std::uint32_t hpux_prof_uint64 = 4;

// sysconf(_SC_PROFIL_MAX). HP's value is not published; this one is ours.
inline constexpr std::size_t hpux_profil_max = 1024;

inline constexpr std::uint64_t hpux_highest_ignored_scale = 1;  // "pr_scale field is set to 0 or 1"
inline constexpr std::uint64_t hpux_overflow_scale = 2;         // with pr_offset 0
inline constexpr unsigned hpux_longest_text_bits = 46;  // "(2^46 * pr_scale) / 65536" (A-H14)
inline constexpr Hertz hpux_tick_rate{100};             // CLK_TCK (A-H15)

}  // namespace hardclock::profil
