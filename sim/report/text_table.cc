#include "sim/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace hardclock::report {
namespace {

std::string line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                 std::string_view between, auto text_of) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!line.empty()) line += between;
    const std::string& text = text_of(columns[i]);
    line += columns[i].align == Align::left ? fmt::format("{:<{}}", text, widths[i])
                                            : fmt::format("{:>{}}", text, widths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::size_t Column::width() const {
  std::size_t width = title.size();
  for (const std::string& cell : cells) width = std::max(width, cell.size());
  return width;
}

std::string printable_name(std::string name) {
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return name;
}

std::string table_text(const std::vector<Column>& columns, std::string_view between) {
  std::vector<std::size_t> widths;
  for (const Column& each : columns) widths.push_back(each.width());
  std::string text = line(columns, widths, between,
                          [](const Column& each) -> const std::string& { return each.title; });
  for (std::size_t i = 0; i < columns.front().cells.size(); ++i) {
    text += line(columns, widths, between,
                 [i](const Column& each) -> const std::string& { return each.cells[i]; });
  }
  return text;
}

}  // namespace hardclock::report
