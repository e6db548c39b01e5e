// What a caller may leave out of a program, and bound.
#pragma once

#include <cstdint>
#include <limits>

namespace hardclock {

struct LoadOptions {
  // The most bytes that the segments have in memory together, zeros behind them included.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
  bool symbols = true;
};

}  // namespace hardclock
