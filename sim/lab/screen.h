// The lab's screen: the panes, one above the other.
#pragma once

#include <cstddef>
#include <string>

#include "sim/lab/panes.h"
#include "sim/lab/ui.h"

namespace hardclock::lab {

struct ScreenSize {
  static constexpr std::size_t least_columns = 40, least_rows = 12;
  std::size_t columns = 80;
  std::size_t rows = 24;
};

// Exactly `rows` lines of at most `columns` columns. What has no room is left out; of sizes below
// the least the text says so.
Lines screen_of(const Ui& ui, const ScreenSize& size);

// The same as text, without styles and without blanks at the ends of lines.
std::string text_of(const Lines& lines);

}  // namespace hardclock::lab
