// struct rusage: 4.2BSD's, which SVR4 took over.
#pragma once

#include <array>
#include <cstdint>

#include "sim/process/process.h"

namespace hardclock::posix {

// Two timevals and 14 longs. Only the times are kept; the counts are 0.
inline constexpr std::size_t rusage_long_count = 18, rusage_times = 2;
std::array<std::uint64_t, rusage_long_count> rusage_longs(const CpuTime& time, Hertz tick_rate);

}  // namespace hardclock::posix
