// What shows a stream to its reader: how wide it is, and whether it has colours.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hardclock {

struct Terminal {
  static constexpr std::size_t no_limit = 0;

  std::size_t columns = no_limit;  // no_limit: a file, or a terminal that does not say
  bool has_colour = false;

  // Whether lines of so many columns fit.
  bool fits(std::size_t width) const { return columns == no_limit || width <= columns; }
};

// The terminal of a stream: `window` are its columns by the host, 0: unknown; nullopt: it is none.
// `variable` is getenv(): COLUMNS, if it is a number of 20 or more, counts before the window, also
// for a stream that is no terminal. There is colour on terminals, unless TERM is "dumb" or NO_COLOR
// is there and not empty (no-color.org).
Terminal terminal_of(std::optional<std::size_t> window,
                     const std::function<const char*(const char*)>& variable);

// That of a descriptor of this process.
Terminal terminal_of(int descriptor);

}  // namespace hardclock
