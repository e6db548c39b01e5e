// Aligned tables for terminals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/terminal_text.h"

namespace hardclock::report {

enum class Align : std::uint8_t { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
  std::vector<std::string> cells;  // the same number in all columns of a table
  // Where a table is too wide, its column of highest rank is left out, and so on; 0: never.
  unsigned rank = 0;

  std::size_t width() const;
};

inline constexpr std::string_view gap = "  ";  // between columns

struct TableStyle {
  std::string_view between = gap;
  Terminal terminal = {};
  std::vector<Tone> tones = {};  // of the lines, in order; those that lack are plain
};

// Names come from files that anyone may have written; a terminal must not obey them.
std::string printable_name(std::string name);

// A line of titles and one for each cell, each ended by '\n'. Lines fit the terminal: columns are
// left out by rank, and if that is not enough, a last column of left alignment is cut. A line at
// the end names the columns that were left out.
std::string table_text(std::vector<Column> columns, const TableStyle& style = {});

}  // namespace hardclock::report
