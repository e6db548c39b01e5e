// Where things lie in the agent's data, in bytes from its start.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/memory/page.h"

namespace hardclock::conform {

inline constexpr std::uint64_t path_at = 0, timeval_at = 64, timeval_room = 16, lwp_at = 80,
                               dev_zero_at = 96, missing_at = 112;
inline constexpr std::uint64_t context_at = 2048, prof_at = page_size;

inline std::vector<std::uint8_t> c_string(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.push_back(0);
  return bytes;
}

}  // namespace hardclock::conform
