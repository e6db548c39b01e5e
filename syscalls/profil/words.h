// Common parts of most of these kernels: profil() stores four words and examines only the scale,
// counters have 16 bits, and a fault or an exec clears only the scale. An off State does not keep
// the other words: only a call could use them, and it brings new ones.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"

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

}  // namespace hardclock::profil
