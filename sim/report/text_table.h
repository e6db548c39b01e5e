// Aligned tables for terminals. A part of reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock::report {

enum class Align : std::uint8_t { left, right };

struct Column {
  std::string title;
  Align align = Align::right;
  std::vector<std::string> cells;  // the same number in all columns of a table

  std::size_t width() const;
};

inline constexpr std::string_view gap = "  ";  // between columns

// Names come from files that anyone may have written; a terminal must not obey them.
std::string printable_name(std::string name);

// A line of titles and one for each cell, each ended by '\n'.
std::string table_text(const std::vector<Column>& columns, std::string_view between = gap);

}  // namespace hardclock::report
