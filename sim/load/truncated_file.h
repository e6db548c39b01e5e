// The error for a file that ends before its content does. Internal to the loaders.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "sim/load/load_error.h"

namespace hardclock {

// `part` ends at byte `end` of the whole file: "text ends", "segments end".
inline LoadError truncated_file(std::uint64_t size, std::string_view part, std::uint64_t end) {
  return {LoadError::Kind::truncated,
          fmt::format("the file is truncated: it has {} bytes and should have at least {}, where "
                      "its {}; copy it again, in binary mode",
                      size, end, part)};
}

}  // namespace hardclock
