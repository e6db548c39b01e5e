#include "sim/report/chance.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "sim/base/terminal_text.h"

namespace hardclock::report {
namespace {

// A damaged profile may have any numbers: the best guess is taken for them, and soon.
using namespace boost::math::policies;
using Tolerant =
    policy<domain_error<ignore_error>, pole_error<ignore_error>, overflow_error<ignore_error>,
           underflow_error<ignore_error>, evaluation_error<ignore_error>,
           rounding_error<ignore_error>, max_series_iterations<10000>>;

// P(X >= count) of the binomial distribution; its continuous form between whole numbers. Of very
// many samples, its limits: the normal distribution, or that of Poisson for what is rare.
double upper_tail(double count, double n, double p) {
  constexpr double very_many = 1e7, narrow = 1e4;
  if (count <= 0) return 1;
  if (count > n) return 0;
  if (n < very_many) return boost::math::ibeta(count, n - count + 1, p, Tolerant());
  const double variance = n * p * (1 - p);
  if (variance > narrow) return std::erfc((count - 0.5 - n * p) / std::sqrt(2 * variance)) / 2;
  if (p < 0.5) return boost::math::gamma_p(count, n * p, Tolerant());
  return boost::math::gamma_q(n - count + 1, n * (1 - p), Tolerant());
}

}  // namespace

double probability_of_count(double count, double n, double p) {
  count = std::min(count, n);  // sums of parts of counters may have a little more
  if (p <= 0 || p >= 1) return count == n * p ? 1 : 0;
  const double above = upper_tail(count, n, p);
  const double below = upper_tail(n - count, n, 1 - p);
  return std::min(1.0, 2 * std::min(above, below));
}

bool is_beyond_chance(double count, double n, double p, std::size_t looks) {
  if (n * p < least_expected) return false;
  const auto all = static_cast<double>(std::max<std::size_t>(looks, 1));
  return probability_of_count(count, n, p) < significance / all;
}

std::optional<ChanceVerdict> chance_verdict(std::span<const ExpectedCount> counts) {
  std::vector<ExpectedCount> rows(counts.begin(), counts.end());
  std::ranges::sort(rows, std::greater(), &ExpectedCount::expected);
  std::vector<ExpectedCount> cells;
  for (const ExpectedCount& row : rows) {
    if (cells.empty() || cells.back().expected >= least_expected) cells.emplace_back();
    cells.back().expected += row.expected;
    cells.back().counted += row.counted;
  }
  // What is left is too little for a cell of its own.
  if (cells.size() > 1 && cells.back().expected < least_expected) {
    cells[cells.size() - 2].expected += cells.back().expected;
    cells[cells.size() - 2].counted += cells.back().counted;
    cells.pop_back();
  }
  if (cells.size() < 2) return std::nullopt;
  ChanceVerdict verdict{.cells = cells.size()};
  for (const ExpectedCount& cell : cells) {
    const double away = cell.counted - cell.expected;
    verdict.chi_square += away * away / cell.expected;
  }
  const auto freedom = static_cast<double>(cells.size() - 1);
  verdict.probability = boost::math::gamma_q(freedom / 2, verdict.chi_square / 2, Tolerant());
  return verdict;
}

std::optional<ChanceVerdict> chance_verdict(const FlatReport& report) {
  if (!report.has_cycles) return std::nullopt;
  std::vector<ExpectedCount> counts;
  for (const FlatRow& row : report.rows) {
    counts.push_back({.expected = row.ticks - report.difference(row), .counted = row.ticks});
  }
  return chance_verdict(counts);
}

double probability_of(const FlatReport& report, const FlatRow& row) {
  const auto n = static_cast<double>(report.ticks.value());
  return probability_of_count(row.ticks, n, report.exact_percent(row) / 100);
}

std::vector<bool> rows_beyond_chance(const FlatReport& report) {
  const auto n = static_cast<double>(report.ticks.value());
  const auto is_looked_at = [&](const FlatRow& row) {
    return n * report.exact_percent(row) / 100 >= least_expected;
  };
  const auto looks = static_cast<std::size_t>(std::ranges::count_if(report.rows, is_looked_at));
  std::vector<bool> beyond;
  for (const FlatRow& row : report.rows) {
    beyond.push_back(is_beyond_chance(row.ticks, n, report.exact_percent(row) / 100, looks));
  }
  return beyond;
}

std::string probability_text(double probability) {
  const double percent = 100 * probability;
  if (percent >= 9.95) return fmt::format("{:.0f} %", percent);
  if (percent >= 0.01) return fmt::format("{:.2g} %", percent);
  return percent > 0 ? fmt::format("{:.0e} %", percent) : "0 %";
}

std::string verdict_text(const std::optional<ChanceVerdict>& verdict) {
  if (!verdict) return "Too few ticks to tell their errors from chance.";
  return fmt::format(
      "Ticks at random times are as far off in {} of runs (chi-square {:.1f}, {} groups): {}.",
      probability_text(verdict->probability), verdict->chi_square, verdict->cells,
      verdict->is_beyond_chance() ? "beyond chance" : "within chance");
}

std::string verdict_line(const FlatReport& report, const Terminal& terminal) {
  return fitted(verdict_text(chance_verdict(report)) + "\n", terminal);
}

}  // namespace hardclock::report
