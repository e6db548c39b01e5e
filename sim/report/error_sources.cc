#include "sim/report/error_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/report/chance.h"
#include "sim/report/sweep.h"
#include "sim/report/text_table.h"

namespace hardclock::report {
namespace {

bool are_of_one_place(const FlatRow& a, const FlatRow& b) {
  return std::tie(a.function, a.object, a.address) == std::tie(b.function, b.object, b.address);
}

std::string hundredths(double value) {
  return fmt::format("{:.2f}", value);
}

std::string signed_hundredths(double value) {
  const double rounded = std::round(value * 100) / 100;
  return rounded == 0 ? "0.00" : fmt::format("{:+.2f}", rounded);
}

}  // namespace

std::vector<ErrorSources> error_sources(const FlatReport& counters, const FlatReport& samples) {
  std::vector<ErrorSources> all;
  for (const FlatRow& row : samples.rows) {
    ErrorSources& sources = all.emplace_back();
    sources.function = row.function;
    sources.samples = samples.sampled_percent(row);
    sources.exact = samples.exact_percent(row);
  }
  for (const FlatRow& row : counters.rows) {
    const auto same = std::ranges::find_if(
        samples.rows, [&](const FlatRow& other) { return are_of_one_place(row, other); });
    const auto index = static_cast<std::size_t>(same - samples.rows.begin());
    const bool is_known = same != samples.rows.end();
    if (!is_known) all.emplace_back().function = row.function;
    (is_known ? all[index] : all.back()).counters = counters.sampled_percent(row);
  }
  std::ranges::stable_sort(all, std::greater(), &ErrorSources::exact);
  return all;
}

std::string error_sources_text(const std::vector<ErrorSources>& rows, Ticks ticks,
                               const Terminal& terminal) {
  // What binning and chance are of, and that chance's measure, can go where there is no room.
  std::vector<Column> columns = {{.title = "counters%", .cells = {}, .rank = 2},
                                 {.title = "binning", .cells = {}},
                                 {.title = "samples%", .cells = {}, .rank = 3},
                                 {.title = "chance, beat", .cells = {}},
                                 {.title = "error", .cells = {}, .rank = 4},
                                 {.title = "off", .cells = {}, .rank = 1},
                                 {.title = "exact%", .cells = {}},
                                 {.title = "function", .align = Align::left, .cells = {}}};
  std::vector<Tone> tones;
  for (const ErrorSources& row : rows) {
    const double error =
        100 * standard_error_of_share(row.exact / 100, static_cast<double>(ticks.value()));
    // The standard error is no measure of rare things.
    const bool is_rare = row.exact / 100 * static_cast<double>(ticks.value()) < least_expected;
    const std::string off = error > 0 && !is_rare
                                ? fmt::format("{:.1f}", std::abs(row.chance_and_beat()) / error)
                                : "-";
    const std::string cells[] = {hundredths(row.counters), signed_hundredths(row.binning()),
                                 hundredths(row.samples),  signed_hundredths(row.chance_and_beat()),
                                 hundredths(error),        off,
                                 hundredths(row.exact),    printable_name(row.function)};
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back(cells[i]);
    tones.push_back(tone_of_share(row.exact));
  }
  return table_text(std::move(columns), {.terminal = terminal, .tones = std::move(tones)});
}

}  // namespace hardclock::report
