// The .timing format, as sim/timing/cpu_description.h defines it, and its mistakes.
#include "sim/timing/cpu_description.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock {
namespace {

constexpr const char* complete = R"(
# a comment
cpu      test1000     # another
isa      mips1
clock    12.5
pipeline in-order
about    a processor for tests
class alu  latency 1  published: manual, page 1
class mul  latency 5 repeat 3 unit m  measured: a bench
note one
note two
)";

TEST(CpuDescription, ReadsEveryKeyword) {
  const auto cpu = parse_cpu_description(complete);
  ASSERT_TRUE(cpu.ok()) << cpu.error();
  EXPECT_EQ(cpu->name, "test1000");
  EXPECT_EQ(cpu->isa, "mips1");
  EXPECT_EQ(cpu->clock, Hertz(12'500'000));
  EXPECT_FALSE(cpu->functional);
  EXPECT_EQ(cpu->about, "a processor for tests");
  EXPECT_EQ(cpu->notes, (std::vector<std::string>{"one", "two"}));
  ASSERT_EQ(cpu->rows.size(), 2u);
  EXPECT_EQ(cpu->rows[0].timing_class, "alu");
  EXPECT_EQ(cpu->rows[0].latency, 1u);
  EXPECT_EQ(cpu->rows[0].unit, "");
  EXPECT_EQ(cpu->rows[0].grade, "published");
  EXPECT_EQ(cpu->rows[0].source, "manual, page 1");
  EXPECT_EQ(cpu->rows[1].latency, 5u);
  EXPECT_EQ(cpu->rows[1].repeat, 3u);
  EXPECT_EQ(cpu->rows[1].unit, "m");
  EXPECT_EQ(cpu->rows[1].grade, "measured");
}

struct Mistake {
  const char* line;
  const char* message;  // a part of it
};

TEST(CpuDescription, NamesTheLineAndTheMistake) {
  const Mistake mistakes[] = {
      {"cpu", "line 1: cpu needs a value"},
      {"note", "line 1: note needs a value"},
      {"speed 5", "line 1: unknown keyword 'speed'"},
      {"clock fast", "line 1: clock needs a number of MHz, not 'fast'"},
      {"clock 0", "line 1: clock needs"},
      {"clock -5", "line 1: clock needs"},
      {"clock 5 MHz", "line 1: clock needs"},
      {"clock nan", "line 1: clock needs"},
      {"clock inf", "line 1: clock needs"},
      {"clock 1e300", "line 1: clock needs"},
      {"clock 1e999", "line 1: clock needs"},
      {"pipeline out-of-order", "line 1: unknown pipeline 'out-of-order'"},
      {"class", "line 1: a class row ends with its grade"},
      {"class alu", "line 1: a class row ends with its grade"},
      {"class alu latency 1", "line 1: a class row ends with its grade"},
      {"class alu latency", "line 1: latency needs"},
      {"class alu latency 0 exact: x", "line 1: latency needs"},
      {"class alu latency -1 exact: x", "line 1: latency needs"},
      {"class alu latency 1001 exact: x", "line 1: latency needs"},
      {"class alu latency 99999999999 exact: x", "line 1: latency needs"},
      {"class alu latency one exact: x", "line 1: latency needs"},
      {"class alu latency 1 repeat 0 unit u exact: x", "line 1: repeat needs"},
      {"class alu lat 1 exact: x", "line 1: unknown word 'lat'"},
      {"class alu latency 1 guessed: x", "line 1: a class row ends with its grade"},
      {"class alu latency 1 : x", "line 1: a class row ends with its grade"},
      {"class alu latency 1 exact:", "line 1: the row names no source"},
      {"class alu latency 1 exact: # none", "line 1: the row names no source"},
      {"class alu latency 1 repeat 2 exact: x", "line 1: repeat without a unit"},
      {"isa mips1\ncpu\n", "line 2: cpu needs a value"},
      {"", "no cpu line"},
      {"cpu x", "no clock line"},
      {"clock 5", "no cpu line"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto cpu = parse_cpu_description(mistake.line);
    ASSERT_FALSE(cpu.ok()) << mistake.line;
    EXPECT_NE(cpu.error().find(mistake.message), std::string::npos)
        << mistake.line << ": " << cpu.error();
  }
}

TEST(MakePipeline, TakesLatenciesAndUnitsFromTheRows) {
  const auto cpu = parse_cpu_description(complete);
  ASSERT_TRUE(cpu.ok());
  const char* const names[] = {"mul", "alu"};
  const auto pipeline = make_pipeline(*cpu, names);
  ASSERT_TRUE(pipeline.ok()) << pipeline.error();
  PipelineState state;
  EXPECT_EQ((*pipeline)->issue(state, {0, {}, {1}}), 0u);
  EXPECT_EQ((*pipeline)->issue(state, {0, {}, {2}}), 2u) << "repeat 3";
  EXPECT_EQ((*pipeline)->issue(state, {1, {1}, {}}), 1u) << "latency 5, in cycle 5";
}

TEST(MakePipeline, WantsARowForEachClassAndAClassForEachRow) {
  const auto cpu = parse_cpu_description(complete);
  ASSERT_TRUE(cpu.ok());
  const char* const more[] = {"mul", "alu", "load"};
  const auto missing = make_pipeline(*cpu, more);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error(), "test1000: no row for timing class load");
  const char* const fewer[] = {"alu"};
  const auto unknown = make_pipeline(*cpu, fewer);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error(), "test1000: unknown timing class mul");
}

TEST(MakePipeline, RefusesTwoRowsForAClass) {
  const auto cpu = parse_cpu_description(
      "cpu x\nclock 1\nclass alu latency 1 exact: a\nclass alu latency 2 exact: b\n");
  ASSERT_FALSE(cpu.ok());
  EXPECT_EQ(cpu.error(), "line 4: a second row for alu");
}

TEST(MakePipeline, FunctionalNeedsNoRows) {
  const auto cpu = parse_cpu_description("cpu x\nclock 100\npipeline functional\n");
  ASSERT_TRUE(cpu.ok());
  EXPECT_TRUE(make_pipeline(*cpu, {}).ok());
}

TEST(ToText, ShowsEachRowsEvidence) {
  const auto cpu = parse_cpu_description(complete);
  ASSERT_TRUE(cpu.ok());
  const std::string text = to_text(*cpu);
  for (const char* const part : {"test1000", "12.5 MHz", "manual, page 1", "measured", "two"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace hardclock
