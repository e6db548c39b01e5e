// struct rusage as IRIX's o32 programs see it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/process/process.h"

namespace hardclock::irix {

// Two timevals and 14 longs. Only the times are kept; the counts are 0.
inline constexpr std::size_t rusage_word_count = 18;
std::array<std::uint32_t, rusage_word_count> rusage_words(const CpuTime& time, Hertz tick_rate);

}  // namespace hardclock::irix
