// The terminal that a stream of this process is, if it is one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "sim/base/terminal.h"

namespace hardclock {

// The terminal of a stream: `window` are its columns by the host, 0: unknown; nullopt: it is none.
// `variable` is getenv(): COLUMNS, if it is a number of 20 or more, counts before the window, also
// for a stream that is no terminal. There is colour on terminals, unless TERM is "dumb" or NO_COLOR
// is there and not empty (no-color.org).
Terminal terminal_of(std::optional<std::size_t> window,
                     const std::function<const char*(const char*)>& variable);

// That of a descriptor of this process.
Terminal terminal_of(int descriptor);

}  // namespace hardclock
