// The R4000's pipeline against the tables of Hennessy and Patterson, "Computer Architecture" (H&P),
// the section on that pipeline. GCC is GCC 12's gcc/config/mips/4000.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/unit/timing/issued_program.h"

namespace hardclock {
namespace {

// H&P's stages of the R4000's FPU: add U, S+A, A+R, R+S; multiply U, E+M, M, M, M, N, N+A, R;
// divide U, A, R, 27 D, D+A, D+R, D+A, D+R, A, R.
constexpr const char* r4000 = R"(
cpu   r4000
clock 100                                           published: none, a test
class alu,fp_store latency 1                        published: H&P
class load     latency 3                            published: H&P
class branch   latency 1                            published: H&P
class mult     latency 10 repeat 10 unit hilo       published: GCC r4k_imul
class div      latency 69 repeat 69 unit hilo       published: GCC r4k_idiv
class fp_add   latency 4  reserve U,S+A,A+R,R+S     published: H&P
class fp_mul_d latency 8  reserve U,E+M,M,M,M,N,N+A,R published: H&P
class fp_div_d latency 36 repeat 35 unit fpdiv \
               reserve U,A,R,D*27,D+A,D+R,D+A,D+R,A,R published: H&P
class other    latency 1                            unverified: none, a test
redirect branch taken 2                             published: H&P
)";

// H&P: two cycles of delay after a load.
TEST(R4000Pipeline, ALoadIsUsableInTheThirdCycle) {
  for (const std::uint32_t between : {0u, 1u, 2u}) {
    Program program(r4000);
    program.issue(load, {4}, {9});
    program.idle(between);
    EXPECT_EQ(program.issue(alu, {9}, {10}), 3u) << between;
  }
}

// H&P: a taken branch has one delay slot and two idle cycles; one that is not taken only the slot.
TEST(R4000Pipeline, ATakenBranchLosesTwoCyclesAfterItsSlot) {
  for (const bool taken : {true, false}) {
    Program program(r4000);
    EXPECT_EQ(program.issue(branch, {8}, {}), 0u);
    EXPECT_EQ(program.issue(alu, {}, {}), 1u);
    if (taken) program.take(branch);
    EXPECT_EQ(program.issue(alu, {}, {}), taken ? 4u : 2u);
  }
}

// The cycle in which `second` issues when it is the instruction `distance` places after `first`.
std::uint32_t second_issues(TestClass first, TestClass second, std::uint32_t distance) {
  Program program(r4000);
  program.issue(first, {f6}, {f4});
  program.idle(distance - 1);
  return program.issue(second, {f6}, {f8});
}

// H&P, table "A FP multiply issued at clock cycle 0 followed by a single FP add issued between
// clock cycles 1 and 7": the adds of cycles 4 and 5 stall, for two cycles and one.
TEST(R4000Pipeline, AnAddAfterAMultiplyStallsAtDistanceFourAndFive) {
  const std::map<std::uint32_t, std::uint32_t> stalls = {{1, 0}, {2, 0}, {3, 0}, {4, 2},
                                                         {5, 1}, {6, 0}, {7, 0}};
  for (const auto& [distance, stall] : stalls) {
    EXPECT_EQ(second_issues(fp_mul_d, fp_add, distance), distance + stall) << distance;
  }
}

// H&P, table "A FP add issued at cycle 0 followed by a multiply": never a stall, since the shorter
// operation clears the shared stages before the longer reaches them.
TEST(R4000Pipeline, AMultiplyAfterAnAddNeverStalls) {
  for (std::uint32_t distance = 1; distance <= 8; ++distance) {
    EXPECT_EQ(second_issues(fp_add, fp_mul_d, distance), distance);
  }
}

// H&P, table "A FP divide can cause a stall for an add that starts near the end of the divide": the
// adds that would start in cycles 28 to 33.
TEST(R4000Pipeline, AnAddNearTheEndOfADivideStalls) {
  for (std::uint32_t distance = 3; distance <= 40; ++distance) {
    const bool stalls = distance >= 28 && distance <= 33;
    EXPECT_EQ(second_issues(fp_div_d, fp_add, distance), stalls ? 34 : distance) << distance;
  }
}

// H&P, table "A double-precision add is followed by a double-precision divide": if the divide
// starts one cycle after the add, it stalls; later ones do not.
TEST(R4000Pipeline, ADivideStallsRightAfterAnAdd) {
  EXPECT_EQ(second_issues(fp_add, fp_div_d, 1), 2u);
  for (std::uint32_t distance = 2; distance <= 8; ++distance) {
    EXPECT_EQ(second_issues(fp_add, fp_div_d, distance), distance);
  }
}

// H&P, table of latencies and initiation intervals: add 4 and 3, multiply 8 and 4, divide 36
// and 35.
TEST(R4000Pipeline, HasThePublishedLatenciesAndIntervals) {
  const struct {
    TestClass timing_class;
    std::uint32_t latency;
    std::uint32_t interval;
  } published[] = {{fp_add, 4, 3}, {fp_mul_d, 8, 4}, {fp_div_d, 36, 35}};
  for (const auto& [timing_class, latency, interval] : published) {
    Program dependent(r4000);
    dependent.issue(timing_class, {f6}, {f4});
    EXPECT_EQ(dependent.issue(alu, {f4}, {}), latency);
    EXPECT_EQ(second_issues(timing_class, timing_class, 1), interval);
  }
}

// An add that is issued `distance` after a multiply that is `between` after a divide, worked out
// with H&P's strings by a table of which stage is busy in which cycle.
TEST(R4000Pipeline, AgreesWithATableOfStages) {
  using Stages = std::vector<std::string>;
  const Stages add = {"U", "SA", "AR", "RS"};
  const Stages multiply = {"U", "EM", "M", "M", "M", "N", "NA", "R"};
  Stages divide = {"U", "A", "R"};
  divide.insert(divide.end(), 27, "D");
  for (const char* const last : {"DA", "DR", "DA", "DR", "A", "R"}) divide.emplace_back(last);
  const auto place = [](std::map<char, std::vector<bool>>& busy, const Stages& stages,
                        std::uint32_t from) {
    const auto free_at = [&](std::uint32_t cycle) {
      for (std::size_t i = 0; i < stages.size(); ++i) {
        for (const char stage : stages[i]) {
          std::vector<bool>& cycles = busy[stage];
          cycles.resize(400);
          if (cycles[cycle + i]) return false;
        }
      }
      return true;
    };
    while (!free_at(from)) ++from;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      for (const char stage : stages[i]) busy[stage][from + i] = true;
    }
    return from;
  };
  for (std::uint32_t between = 1; between < 40; ++between) {
    for (std::uint32_t distance = 1; distance < 10; ++distance) {
      std::map<char, std::vector<bool>> busy;
      const std::uint32_t divided = place(busy, divide, 0);
      const std::uint32_t multiplied = place(busy, multiply, divided + between);
      const std::uint32_t added = place(busy, add, multiplied + distance);
      Program program(r4000);
      program.issue(fp_div_d, {f6}, {f4});
      program.idle(between - 1);
      EXPECT_EQ(program.issue(fp_mul_d, {f6}, {f8}), multiplied) << between;
      program.idle(distance - 1);
      EXPECT_EQ(program.issue(fp_add, {f6}, {10}), added) << between << " " << distance;
    }
  }
}

}  // namespace
}  // namespace hardclock
