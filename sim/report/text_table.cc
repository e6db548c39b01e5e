#include "sim/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace hardclock::report {
namespace {

std::string line(const std::vector<Column>& columns, auto text_of) {
  std::string line;
  for (const Column& each : columns) {
    if (!line.empty()) line += gap;
    const std::string& text = text_of(each);
    line += each.align == Align::left ? fmt::format("{:<{}}", text, each.width())
                                      : fmt::format("{:>{}}", text, each.width());
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

std::string table_text(const std::vector<Column>& columns) {
  std::string text =
      line(columns, [](const Column& each) -> const std::string& { return each.title; });
  for (std::size_t i = 0; i < columns.front().cells.size(); ++i) {
    text += line(columns, [i](const Column& each) -> const std::string& { return each.cells[i]; });
  }
  return text;
}

}  // namespace hardclock::report
