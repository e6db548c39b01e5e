// A user's mistake, as one line: what is wrong and where; what to do next.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/result.h"

namespace hardclock {

struct UsageError {
  std::string message;  // one line, without "hardclock: " and without a newline
};

inline Failure<UsageError> usage(std::string message) {
  return Failure{UsageError{std::move(message)}};
}

// `text` made fit for one line: control characters as \xNN, and only the first `most` bytes.
std::string printable(std::string_view text, std::size_t most = 200);

// The same of a file's name, which is known by its end: only the last `most` bytes.
std::string printable_path(std::string_view path, std::size_t most = 200);

// The name closest to `wrong`: at most a third of its letters inserted, deleted, replaced or
// swapped with a neighbour. Empty if none is that close; the first of equals.
std::string_view closest_name(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace hardclock
