// Formats that have each path whole. Every expected figure is worked out by hand in sorting.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/viewers/viewers.h"
#include "tests/unit/report/viewers/sorting.h"

namespace hardclock::report {
namespace {

TEST(Folded, CyclesByPath) {
  EXPECT_EQ(*to_folded(graph_of_sorting()),
            "main 10\nmain;sort<a:b> 20\nmain;sort<a:b>;sort<a:b> 30\n"
            "main;sort<a:b>;sort<a:b>;less 25\nmain;sort<a:b>;less 15\n"
            "main;(l.so: pass -L DIR) 4\n");
}

TEST(Folded, TicksByPath) {
  EXPECT_EQ(*to_folded_ticks(graph_of_sorting()),
            "main 1\nmain;sort<a:b> 2\nmain;sort<a:b>;sort<a:b> 3\n"
            "main;sort<a:b>;sort<a:b>;less 3\nmain;sort<a:b>;less 1\n");
}

TEST(Folded, WithoutCallsAFunctionIsAPath) {
  EXPECT_EQ(*to_folded(graph_of_sorting(flat_profile_of_sorting())),
            "sort<a:b> 50\nless 40\nmain 10\n(l.so: pass -L DIR) 4\n");
}

// A stack's begin and end share its period, and lie half a cycle inside: then half-way between two
// stacks, where speedscope divides, is where one ends. At 33 MHz, 9.5 cycles are 288 nanoseconds,
// 10.5 are 318, 29.5 are 894. A single tick has one sample.
TEST(PerfScript, EventsWithPeriods) {
  const std::string text = *to_perf_script(graph_of_sorting());
  EXPECT_THAT(text, testing::StartsWith("s_ 1 0.000000000: 5 cycles: \n"
                                        "\t            1000 main (/bin/s)\n\n"
                                        "s_ 1 0.000000288: 5 cycles: \n"
                                        "\t            1000 main (/bin/s)\n\n"
                                        "s_ 1 0.000000318: 10 cycles: \n"
                                        "\t            1010 sort<a;b> (/bin/s)\n"
                                        "\t            1000 main (/bin/s)\n\n"
                                        "s_ 1 0.000000894: 10 cycles: \n"));
  EXPECT_THAT(text, testing::HasSubstr("\t               0 [l.so: pass -L DIR] (/lib/l.so)\n"));
  EXPECT_THAT(text, testing::HasSubstr("\ns_ 1 0.000000000: 1 ticks: \n"));
  EXPECT_THAT(text, testing::HasSubstr("\ns_ 1 0.100000000: 1 ticks: \n"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr(": 0 ")));
}

// 300 000 functions deep, all paths together have 4.5 * 10^10 functions.
TEST(Stacks, TooLongIsSaid) {
  const CallGraph graph = graph_of_sorting(deep_profile(300'000));
  for (const Written& written :
       {to_folded(graph), to_perf_script(graph), to_speedscope(graph), to_pprof(graph)}) {
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error(), testing::HasSubstr("more than 256 MiB"));
    EXPECT_THAT(written.error(), testing::HasSubstr("write callgrind or firefox"));
  }
  EXPECT_TRUE(to_firefox(graph));
}

}  // namespace
}  // namespace hardclock::report
