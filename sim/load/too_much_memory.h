// The error for a program that needs more memory than there is. Internal to the loaders.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "sim/load/load_error.h"

namespace hardclock {

// `most` is LoadOptions::memory.
inline LoadError too_much_memory(std::uint64_t most) {
  return {
      LoadError::Kind::memory,
      fmt::format("segments: together they need more than the {} bytes of memory that are left; "
                  "raise --max-memory",
                  most)};
}

}  // namespace hardclock
