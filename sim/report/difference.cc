#include "sim/report/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/chance.h"
#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

// All rows of one name are one: functions of two files may share it.
using Costs = std::map<std::string, double>;

Costs costs_of(const FlatReport& report, bool of_cycles) {
  Costs costs;
  for (const FlatRow& row : report.rows) {
    costs[row.function] += of_cycles ? static_cast<double>(row.cycles.value()) : row.ticks;
  }
  return costs;
}

std::string percent(const DifferenceRow& row) {
  if (row.change() == 0) return "0.0";
  if (row.before == 0) return "new";
  if (row.after == 0) return "gone";
  return fmt::format("{:+.1f}", 100 * row.change() / row.before);
}

template <class Cell>
Column column(const Difference& of, std::string title, Cell cell) {
  Column column{.title = std::move(title), .align = Align::right, .cells = {}};
  for (const DifferenceRow& row : of.rows) column.cells.push_back(cell(row));
  column.cells.push_back(cell(of.total));
  return column;
}

// Ticks may have fractions, where a counter is divided among functions.
std::string number(double value, bool of_cycles) {
  return fmt::format("{:.{}f}", value, of_cycles || value == std::floor(value) ? 0 : 1);
}

// If nothing changed, each of a function's ticks may as well be of the one profile as of the other.
bool chance_explains(const DifferenceRow& row, std::size_t looks) {
  constexpr double half = 0.5;
  return !is_beyond_chance(row.after, row.before + row.after, half, looks);
}

// More cost is bad. A change of nothing, or one that chance explains, is no news.
Tone tone_of(const DifferenceRow& row, bool of_cycles, std::size_t looks) {
  if (row.change() == 0 || (!of_cycles && chance_explains(row, looks))) return Tone::plain;
  return row.change() > 0 ? Tone::bad : Tone::good;
}

}  // namespace

double Difference::standard_error(const DifferenceRow& row) {
  return std::sqrt(row.before + row.after);
}

Difference difference(const FlatReport& before, const FlatReport& after) {
  Difference result;
  result.of_cycles = before.has_cycles && after.has_cycles;
  const Costs first = costs_of(before, result.of_cycles);
  const Costs second = costs_of(after, result.of_cycles);
  std::map<std::string, DifferenceRow> rows;
  for (const auto& [function, cost] : first) rows[function].before = cost;
  for (const auto& [function, cost] : second) rows[function].after = cost;
  result.total.function = "total";
  for (auto& [function, row] : rows) {
    row.function = function;
    result.total.before += row.before;
    result.total.after += row.after;
    if (row.before != 0 || row.after != 0) result.rows.push_back(row);
  }
  std::ranges::stable_sort(result.rows, std::ranges::greater(),
                           [](const DifferenceRow& row) { return std::abs(row.change()); });
  return result;
}

std::string to_text(const Difference& difference, const Terminal& terminal) {
  const bool of_cycles = difference.of_cycles;
  const std::string unit = of_cycles ? "cycles" : "ticks";
  const auto plain = [&](double value) { return number(value, of_cycles); };
  std::vector<Column> columns;
  columns.push_back(column(difference, unit + " before",
                           [&](const DifferenceRow& row) { return plain(row.before); }));
  columns.push_back(column(difference, unit + " after",
                           [&](const DifferenceRow& row) { return plain(row.after); }));
  columns.push_back(column(difference, "change", [&](const DifferenceRow& row) {
    return (row.change() > 0 ? "+" : "") + plain(row.change());
  }));
  if (!of_cycles) {
    columns.push_back(column(difference, "+-", [](const DifferenceRow& row) {
      return fmt::format("{:.1f}", Difference::standard_error(row));
    }));
  }
  columns.push_back(column(difference, "%", percent));
  columns.push_back(column(difference, "function",
                           [](const DifferenceRow& row) { return printable_name(row.function); }));
  columns.back().align = Align::left;
  columns[0].rank = 2;
  columns[1].rank = 1;
  std::vector<Tone> tones;
  for (const DifferenceRow& row : difference.rows) {
    tones.push_back(tone_of(row, of_cycles, difference.rows.size()));
  }
  tones.push_back(Tone::heading);
  return table_text(std::move(columns), {.terminal = terminal, .tones = std::move(tones)});
}

}  // namespace hardclock::report
