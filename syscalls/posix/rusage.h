// struct rusage of 32-bit programs: 4.2BSD's, which SVR4 took over.
#pragma once

#include <array>
#include <cstdint>

#include "sim/process/process.h"

namespace hardclock::posix {

// Two timevals and 14 longs. Only the times are kept; the counts are 0.
inline constexpr std::size_t rusage_word_count = 18;
std::array<std::uint32_t, rusage_word_count> rusage_words(const CpuTime& time, Hertz tick_rate);

}  // namespace hardclock::posix
