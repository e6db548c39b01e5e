// How surprising counts of ticks are, had the ticks come at random times: by the exact law, also
// where few are expected, with the number of counts that are looked at taken into account.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/report/flat.h"

namespace hardclock::report {

// A count of which fewer are expected is not called beyond chance, whatever it is.
inline constexpr double least_expected = 5;

// How often ticks at random may have anything in a table called beyond chance: in one table of a
// hundred.
inline constexpr double significance = 0.01;

// How probable it is that of `n` samples, each with the probability `p`, a number as far from n p
// as `count` or farther is counted: twice the smaller exact tail of the binomial distribution, at
// most 1. 0 <= count <= n; 0 <= p <= 1; count and n may have fractions, as those of shared
// counters.
double probability_of_count(double count, double n, double p);

// Whether chance hardly explains `count`, when it is one of `looks` that are looked at: the bound
// for each is `significance` divided by their number (Bonferroni).
bool is_beyond_chance(double count, double n, double p, std::size_t looks);

// A table's counts as a whole: Pearson's chi-square test of the counts against the expected ones.
// Cells are the rows of at least `least_expected`, and the rest in lumps of as many.
struct ChanceVerdict {
  double chi_square = 0;
  std::size_t cells = 0;   // at least 2; the degrees of freedom are one fewer
  double probability = 0;  // of a chi-square at least as large, had the ticks come at random

  bool is_beyond_chance() const { return probability < significance; }
};

struct ExpectedCount {
  double expected = 0;
  double counted = 0;
};

// None if there are too few ticks for two cells. The sums of both columns should be the same.
std::optional<ChanceVerdict> chance_verdict(std::span<const ExpectedCount> counts);

// Of a report with exact cycles: its ticks against the exact shares of them.
std::optional<ChanceVerdict> chance_verdict(const FlatReport& report);

// How probable ticks at random make a row's count. `report` has exact cycles.
double probability_of(const FlatReport& report, const FlatRow& row);
// Which rows of it chance hardly explains, all rows looked at; in their order.
std::vector<bool> rows_beyond_chance(const FlatReport& report);

// One sentence for people, without a line end.
std::string verdict_text(const std::optional<ChanceVerdict>& verdict);
// The same below a table, as lines that fit.
std::string verdict_line(const FlatReport& report, const Terminal& terminal);

// As "34 %", "0.2 %", "2e-07 %".
std::string probability_text(double probability);

}  // namespace hardclock::report
