// What a caller of the loader may leave out, and limit.
#pragma once

#include <cstdint>
#include <limits>

namespace hardclock {

struct LoadOptions {
  // The most bytes that the segments together take in memory, including trailing zeros.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
  bool symbols = true;
};

}  // namespace hardclock
