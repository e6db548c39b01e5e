// What the clocks of a sweep saw, as tables for terminals and for spreadsheets.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/report/sweep.h"
#include "sim/report/text_table.h"
#include "sim/report/viewers/text.h"

namespace hardclock::report {
namespace {

double percent(double share) {
  return 100 * share;
}

std::string total_of(const ClockTicks& ticks, const Sweep& sweep, std::size_t rate) {
  std::uint64_t sum = 0;
  for (std::uint32_t phase = 0; phase < sweep.phases; ++phase)
    sum += ticks[sweep.clock(rate, phase)];
  return std::to_string(sum);
}

std::vector<Column> titled(std::initializer_list<const char*> titles) {
  std::vector<Column> columns;
  for (const char* const title : titles) columns.push_back({.title = title, .cells = {}});
  return columns;
}

void add_line(std::vector<Column>& columns, std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(std::move(cells[i]));
}

// Where the ticks fell, whatever the function.
std::string modes(const SweepTable& table, const Terminal& terminal) {
  const Sweep& sweep = *table.sweep;
  std::vector<Column> columns = titled({"hz", "user ticks", "kernel", "idle"});
  for (std::size_t rate = 0; rate < sweep.rates.size(); ++rate) {
    add_line(columns, {std::to_string(sweep.rates[rate].value()), total_of(table.user, sweep, rate),
                       total_of(table.kernel, sweep, rate), total_of(table.idle, sweep, rate)});
  }
  return table_text(std::move(columns), {.terminal = terminal});
}

std::string function_table(const SweepTable& table, const SweepRow& row, const Terminal& terminal) {
  const Sweep& sweep = *table.sweep;
  const bool has_phases = sweep.phases > 1;
  std::vector<Column> columns = has_phases
                                    ? titled({"hz", "mean%", "lowest", "highest", "error", "worst"})
                                    : titled({"hz", "seen%", "error", "off"});
  if (has_phases) columns[2].rank = columns[3].rank = 1;
  std::vector<Tone> tones;
  const auto two = [](double value) { return fmt::format("{:.2f}", value); };
  for (std::size_t rate = 0; rate < sweep.rates.size(); ++rate) {
    const SeenShare seen = seen_share(table, row, rate);
    tones.push_back(seen.is_beyond_chance ? Tone::bad : Tone::plain);
    std::vector<std::string> cells = {std::to_string(sweep.rates[rate].value())};
    if (seen.clocks == 0) {
      cells.resize(columns.size(), "-");
      add_line(columns, std::move(cells));
      continue;
    }
    cells.push_back(two(percent(seen.mean)));
    if (has_phases) {
      cells.push_back(two(percent(seen.lowest)));
      cells.push_back(two(percent(seen.highest)));
    }
    cells.push_back(two(percent(seen.standard_error)));
    cells.push_back(seen.standard_error > 0 ? fmt::format("{:.1f}", seen.worst) : "-");
    add_line(columns, std::move(cells));
  }
  return table_text(std::move(columns), {.terminal = terminal, .tones = std::move(tones)});
}

}  // namespace

std::string sweep_text(const SweepTable& table, const Terminal& terminal) {
  const Sweep& sweep = *table.sweep;
  const std::string head = fmt::format(
      "{} rate{}, {} phase{} each; the machine's own clock: {} Hz\n"
      "error: the standard error, in percent, of as many ticks at random\n"
      "{}: how many of these {} is away from the exact share\n\n",
      sweep.rates.size(), sweep.rates.size() == 1 ? "" : "s", sweep.phases,
      sweep.phases == 1 ? "" : "s", sweep.tick_rate.value(), sweep.phases == 1 ? "off" : "worst",
      sweep.phases == 1 ? "the clock" : "the farthest phase");
  std::string text = fitted(head, terminal) + modes(table, terminal);
  for (const SweepRow& row : main_rows(table)) {
    const std::string about =
        fmt::format("\n{}: exactly {:.2f} % of {} cycles\n", printable_name(row.place.function),
                    percent(table.exact_share(row)), table.cycles.value());
    text += fitted(about, terminal) + function_table(table, row, terminal);
  }
  return text;
}

std::string sweep_csv(const SweepTable& table) {
  const Sweep& sweep = *table.sweep;
  std::string text =
      "hz,phase,phases,function,object,exact_cycles,exact_share,ticks,user_ticks,share,"
      "standard_error\n";
  for (std::size_t rate = 0; rate < sweep.rates.size(); ++rate) {
    for (std::uint32_t phase = 0; phase < sweep.phases; ++phase) {
      const std::size_t clock = sweep.clock(rate, phase);
      const auto user = static_cast<double>(table.user[clock]);
      for (const SweepRow& row : table.rows) {
        const double exact = table.exact_share(row);
        // A clock without user ticks saw no share.
        const std::string seen =
            table.user[clock] == 0
                ? ","
                : fmt::format("{:.8f},{:.8f}", static_cast<double>(row.ticks[clock]) / user,
                              standard_error_of_share(exact, user));
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{:.8f},{},{},{}\n",
                       sweep.rates[rate].value(), phase, sweep.phases,
                       csv_cell(printable_name(row.place.function)),
                       csv_cell(printable_name(row.place.object)), row.place.cycles.value(), exact,
                       row.ticks[clock], table.user[clock], seen);
      }
    }
  }
  return text;
}

}  // namespace hardclock::report
