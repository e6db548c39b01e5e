// What most of these kernels have in common: profil() stores four words of which it examines none
// but the scale, counters have 16 bits, and a fault or an exec clears the scale and nothing else.
// An off State does not keep the other words: only a call, which brings new ones, could use them.
#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "syscalls/profil/profil.h"

namespace hardclock::profil {

inline constexpr unsigned kShortBytes = 2;
inline constexpr std::uint64_t kShortMax = 0xffff;

// The state that the four words make, already cut to the kernel's types. Scales up to
// `highest_off_scale` stop profiling.
State profile_words(const Region& words, unsigned address_bits, std::uint64_t highest_off_scale);

// A 16-bit addition without a look at the carry. `width` is 2, `before` at most 65535.
Increment wrapping_increment(std::uint64_t before, unsigned width, Ticks ticks);

// An off state stays as it is.
State off_after_fault(const State& state, std::size_t region);
State off_after_exec(const State& state);

// The child's copy of the parent's words.
State copied_by_fork(const State& parent);

}  // namespace hardclock::profil
