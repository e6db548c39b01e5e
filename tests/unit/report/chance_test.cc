// What chance explains. The binomial tails are sums worked out with exact fractions (Python's
// fractions and math.comb), the quantiles of chi-square those of printed tables.
#include "sim/report/chance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hardclock::report {
namespace {

TEST(Chance, ExactBinomialTails) {
  // P(X <= 3) of B(10, 1/2) = 176/1024, twice.
  EXPECT_NEAR(probability_of_count(3, 10, 0.5), 0.34375, 1e-12);
  EXPECT_NEAR(probability_of_count(7, 10, 0.5), 0.34375, 1e-12);
  EXPECT_DOUBLE_EQ(probability_of_count(5, 10, 0.5), 1);
  // P(X >= 1) of B(23, 0.004/23): a single tick of a rare function is rare, not impossible.
  EXPECT_NEAR(probability_of_count(1, 23, 0.004 / 23), 2 * 0.003992357133681688, 1e-12);
  // P(X >= 90) of B(100, 3/4).
  EXPECT_NEAR(probability_of_count(90, 100, 0.75), 2 * 0.0001371005631679502, 1e-14);
}

// A damaged file may say so: no exception, and no wait.
TEST(Chance, OfTheLargestNumbers) {
  constexpr double most = 1.8e19;
  EXPECT_NEAR(probability_of_count(most / 2, most, 0.5), 1, 1e-6);
  EXPECT_EQ(probability_of_count(most, most, 0.5), 0);
  // 5 where 5 are expected, by Poisson's law: P(X >= 5) = 0.5595, P(X <= 5) = 0.6160.
  EXPECT_NEAR(probability_of_count(5, most, 5 / most), 1, 1e-9);
  EXPECT_NEAR(probability_of_count(20, most, 5 / most), 2 * 3.4521e-7, 1e-10);
  const std::vector<ExpectedCount> rows = {{9e18, 1}, {9e18, 1.8e19}};
  const auto verdict = chance_verdict(rows);
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->is_beyond_chance());
}

TEST(Chance, WhatIsCertainIsNoSurprise) {
  EXPECT_EQ(probability_of_count(0, 10, 0), 1);
  EXPECT_EQ(probability_of_count(10, 10, 1), 1);
  EXPECT_EQ(probability_of_count(1, 10, 0), 0);
}

TEST(Chance, FewExpectedAreNeverCalledBeyondIt) {
  EXPECT_FALSE(is_beyond_chance(4, 4, 0.01, 1));
  EXPECT_FALSE(is_beyond_chance(60, 100, 0.0499, 1));
  EXPECT_TRUE(is_beyond_chance(60, 100, 0.05, 1));
}

// 0.000274 (above) is below 1 %, and above a hundredth of it.
TEST(Chance, MoreLooksWantMore) {
  EXPECT_TRUE(is_beyond_chance(90, 100, 0.75, 1));
  EXPECT_TRUE(is_beyond_chance(90, 100, 0.75, 36));
  EXPECT_FALSE(is_beyond_chance(90, 100, 0.75, 37));
}

// The 95 % quantiles of chi-square: 3.841 of one degree of freedom, 18.307 of ten.
TEST(Chance, ChiSquare) {
  const std::vector<ExpectedCount> two = {{50, 50 + 9.8}, {50, 50 - 9.8}};
  const auto verdict = chance_verdict(two);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->cells, 2U);
  EXPECT_NEAR(verdict->chi_square, 3.8416, 1e-9);
  EXPECT_NEAR(verdict->probability, 0.05, 1e-4);
}

TEST(Chance, RareRowsAreLumped) {
  // 20 and 9 alone, 3 + 2.5, 2 + 2 + 1.5; a rest of 1 has no group of its own.
  const std::vector<ExpectedCount> rows = {{20, 20}, {3, 3}, {9, 9},     {2.5, 2.5},
                                           {2, 2},   {2, 2}, {1.5, 1.5}, {1, 1}};
  const auto verdict = chance_verdict(rows);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->cells, 4U);
  EXPECT_DOUBLE_EQ(verdict->probability, 1);
  EXPECT_FALSE(chance_verdict(std::vector<ExpectedCount>{{9, 9}, {4, 4}}));
  EXPECT_FALSE(chance_verdict(std::vector<ExpectedCount>{}));
}

// Ticks that do come at random, from the shares of a large program: a few functions have much, a
// thousand next to nothing. By the standard error's ±3 nearly every table had a marked row.
TEST(Chance, TicksAtRandomMarkOneTableOfAHundred) {
  std::vector<double> shares;
  double sum = 0;
  for (int i = 1; i <= 1200; ++i) sum += shares.emplace_back(1.0 / (i * i));
  std::mt19937_64 random(49);
  std::discrete_distribution<std::size_t> function(shares.begin(), shares.end());
  int marked = 0, beyond = 0;
  constexpr int tables = 400;
  for (int table = 0; table < tables; ++table) {
    FlatReport report;
    report.rows.resize(shares.size());
    report.has_cycles = true;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      report.rows[i].cycles = Cycles(static_cast<std::uint64_t>(1e12 * shares[i] / sum));
      report.cycles += report.rows[i].cycles;
    }
    for (int tick = 0; tick < 300; ++tick) report.rows[function(random)].ticks += 1;
    report.ticks = Ticks(300);
    const std::vector<bool> rows = rows_beyond_chance(report);
    if (std::count(rows.begin(), rows.end(), true) != 0) ++marked;
    const auto verdict = chance_verdict(report);
    ASSERT_TRUE(verdict);
    if (verdict->is_beyond_chance()) ++beyond;
  }
  // 4 of each are expected; more than 12 come by chance in less than one of 2000.
  EXPECT_LE(marked, 12);
  EXPECT_LE(beyond, 12);
}

// The same table, a tenth of the first function's ticks taken for the second's.
TEST(Chance, WhatIsNotRandomIsSaid) {
  const std::vector<ExpectedCount> rows = {{600, 540}, {200, 260}, {200, 200}};
  const auto verdict = chance_verdict(rows);
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->is_beyond_chance());
  EXPECT_TRUE(verdict_text(verdict).ends_with("beyond chance."));
  EXPECT_EQ(verdict_text(std::nullopt), "Too few ticks to tell their errors from chance.");
}

TEST(Chance, Probabilities) {
  EXPECT_EQ(probability_text(1), "100 %");
  EXPECT_EQ(probability_text(0.342), "34 %");
  EXPECT_EQ(probability_text(0.0034), "0.34 %");
  EXPECT_EQ(probability_text(2e-9), "2e-07 %");
}

}  // namespace
}  // namespace hardclock::report
