#include "sim/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace hardclock::report {
namespace {

constexpr std::size_t least_last_column = 8;  // of one that is cut
// A last column is cut to this before another goes.
constexpr std::size_t enough_of_last_column = 20;

std::string padding(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, columns_of(text)), ' ');
}

std::string line(const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                 std::string_view between, auto text_of) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != 0) line += between;
    const std::string& text = text_of(columns[i]);
    const std::string blank = padding(text, widths[i]);
    line += columns[i].align == Align::left ? text + blank : blank + text;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::size_t width_of(const std::vector<Column>& columns, std::string_view between) {
  std::size_t width = (columns.size() - 1) * between.size();
  for (const Column& each : columns) width += each.width();
  return width;
}

// What the columns take if the last one may be cut.
std::size_t least_width_of(const std::vector<Column>& columns, std::string_view between) {
  const std::size_t width = width_of(columns, between);
  const std::size_t last = columns.back().width();
  const bool may_cut = columns.back().align == Align::left && last > enough_of_last_column;
  return may_cut ? width - (last - enough_of_last_column) : width;
}

// The titles of the columns that had to go.
std::vector<std::string> leave_out(std::vector<Column>& columns, const TableStyle& style) {
  std::vector<std::string> titles;
  while (!style.terminal.fits(least_width_of(columns, style.between))) {
    const auto last = std::ranges::max_element(columns, {}, &Column::rank);
    if (last->rank == 0) break;
    const bool has_title = last->title.find_first_not_of(' ') != std::string::npos;
    if (has_title) titles.push_back(last->title);
    columns.erase(last);
  }
  return titles;
}

void cut_last(std::vector<Column>& columns, const TableStyle& style) {
  Column& last = columns.back();
  const std::size_t width = width_of(columns, style.between);
  if (style.terminal.fits(width) || last.align != Align::left) return;
  const std::size_t others = width - last.width();
  const std::size_t room = style.terminal.columns - std::min(style.terminal.columns, others);
  for (std::string& cell : last.cells) cell = cut_to(cell, std::max(room, least_last_column));
}

}  // namespace

std::size_t Column::width() const {
  std::size_t width = columns_of(title);
  for (const std::string& cell : cells) width = std::max(width, columns_of(cell));
  return width;
}

std::string printable_name(std::string name) {
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return name;
}

std::string table_text(std::vector<Column> columns, const TableStyle& style) {
  const std::vector<std::string> missing = leave_out(columns, style);
  cut_last(columns, style);
  std::vector<std::size_t> widths;
  for (const Column& each : columns) widths.push_back(each.width());
  const auto add = [&](std::string& text, Tone tone, auto text_of) {
    text += toned(line(columns, widths, style.between, text_of), tone, style.terminal) + '\n';
  };
  std::string text;
  add(text, Tone::heading, [](const Column& each) -> const std::string& { return each.title; });
  for (std::size_t i = 0; i < columns.front().cells.size(); ++i) {
    add(text, i < style.tones.size() ? style.tones[i] : Tone::plain,
        [i](const Column& each) -> const std::string& { return each.cells[i]; });
  }
  if (missing.empty()) return text;
  const std::string note = fmt::format("(left out to fit: {})", fmt::join(missing, ", "));
  return text + toned(fitted(note, style.terminal), Tone::faint, style.terminal) + '\n';
}

}  // namespace hardclock::report
