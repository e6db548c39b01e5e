// The flat report as a table for terminals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/chance.h"
#include "sim/report/flat.h"
#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

// One cell for each row by `cell`, and the cell of the totals.
template <class Cell>
Column column(const FlatReport& report, std::string title, Cell cell, std::string total) {
  Column result{.title = std::move(title), .align = Align::right, .cells = {}};
  for (const FlatRow& row : report.rows) result.cells.push_back(cell(row));
  result.cells.push_back(std::move(total));
  return result;
}

// Tenths are shown when any row has a fraction of a tick.
int tick_decimals(const FlatReport& report) {
  const bool whole = std::all_of(report.rows.begin(), report.rows.end(), [](const FlatRow& row) {
    return row.ticks == std::floor(row.ticks);
  });
  return whole ? 0 : 1;
}

std::string signed_tenths(double value) {
  const double tenths = std::round(value * 10) / 10;
  return tenths == 0 ? "0.0" : fmt::format("{:+.1f}", tenths);
}

// What a narrow terminal can do without; the highest goes first.
enum Rank : unsigned { stays, difference, cycles, bar, seconds };

std::vector<Column> number_columns(const FlatReport& report) {
  const int decimals = tick_decimals(report);
  const auto ticks = [&](double value) { return fmt::format("{:.{}f}", value, decimals); };
  const auto total_ticks = static_cast<double>(report.ticks.value());
  std::vector<Column> columns;
  columns.push_back(column(
      report, "ticks", [&](const FlatRow& row) { return ticks(row.ticks); }, ticks(total_ticks)));
  if (report.tick_rate != Hertz()) {
    const auto rate = static_cast<double>(report.tick_rate.value());
    columns.push_back(column(
        report, "seconds",
        [&](const FlatRow& row) { return fmt::format("{:.3f}", row.ticks / rate); },
        fmt::format("{:.3f}", total_ticks / rate)));
    columns.back().rank = Rank::seconds;
  }
  columns.push_back(column(
      report, "ticks%",
      [&](const FlatRow& row) { return fmt::format("{:.1f}", report.sampled_percent(row)); },
      report.ticks == Ticks() ? "0.0" : "100.0"));
  return columns;
}

std::vector<Column> exact_columns(const FlatReport& report) {
  std::vector<Column> columns;
  if (!report.has_cycles) return columns;
  columns.push_back(column(
      report, "cycles", [](const FlatRow& row) { return fmt::format("{}", row.cycles.value()); },
      fmt::format("{}", report.cycles.value())));
  columns.back().rank = Rank::cycles;
  columns.push_back(column(
      report, "cycles%",
      [&](const FlatRow& row) { return fmt::format("{:.1f}", report.exact_percent(row)); },
      "100.0"));
  columns.push_back(column(
      report, "diff", [&](const FlatRow& row) { return signed_tenths(report.difference(row)); },
      ""));
  columns.back().rank = Rank::difference;
  return columns;
}

Column bar_column(const FlatReport& report, std::size_t width) {
  double most = 0;
  for (const FlatRow& row : report.rows) most = std::max(most, row.ticks);
  const auto bar = [&](const FlatRow& row) -> std::string {
    if (row.ticks <= 0) return {};
    const double length = std::round(row.ticks / most * static_cast<double>(width));
    return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(length)), '#');
  };
  Column result = column(report, "", bar, "");
  result.title.resize(width, ' ');
  result.align = Align::left;
  result.rank = Rank::bar;
  return result;
}

Column name_column(const FlatReport& report, std::string_view title) {
  Column result = column(
      report, std::string(title), [](const FlatRow& row) { return printable_name(row.function); },
      "total");
  result.align = Align::left;
  return result;
}

// What the other columns leave of the line, within reason.
std::size_t bar_width(const std::vector<Column>& others, const TextStyle& style) {
  constexpr std::size_t shortest = 8;
  constexpr std::size_t longest = 40;
  constexpr std::size_t longest_name = 24;  // beyond it names run over the edge, not into the bars
  std::size_t used = 0;
  for (const Column& each : others) used += each.width() + gap.size();
  const std::size_t name = others.back().width();
  used -= name - std::min(name, longest_name);
  const std::size_t width = style.terminal.fits(style.width) ? style.width : style.terminal.columns;
  return std::clamp(width > used ? width - used : 0, shortest, longest);
}

// By the truth, where that is known.
std::vector<Tone> tones_of(const FlatReport& report) {
  std::vector<Tone> tones;
  for (const FlatRow& row : report.rows) {
    tones.push_back(
        tone_of_share(report.has_cycles ? report.exact_percent(row) : report.sampled_percent(row)));
  }
  tones.push_back(Tone::heading);
  return tones;
}

}  // namespace

std::string to_text(const FlatReport& report, const TextStyle& style) {
  std::vector<Column> columns = number_columns(report);
  const auto after_bar = static_cast<std::ptrdiff_t>(columns.size());
  for (Column& each : exact_columns(report)) columns.push_back(std::move(each));
  columns.push_back(name_column(report, style.rows));
  columns.insert(columns.begin() + after_bar, bar_column(report, bar_width(columns, style)));
  const std::string table =
      table_text(std::move(columns), {.terminal = style.terminal, .tones = tones_of(report)});
  return table + (report.has_cycles ? verdict_line(report, style.terminal) : "");
}

}  // namespace hardclock::report
