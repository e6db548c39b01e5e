// What a stream shows to its reader: how wide it is, and whether it has colours.
#pragma once

#include <cstddef>

namespace hardclock {

struct Terminal {
  static constexpr std::size_t no_limit = 0;

  std::size_t columns = no_limit;  // no_limit: a file, or a terminal that does not say
  bool has_colour = false;

  // Whether lines of so many columns fit.
  bool fits(std::size_t width) const { return columns == no_limit || width <= columns; }
};

}  // namespace hardclock
