#include "sim/timing/inherited_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock {
namespace {

CpuDescription described(const std::string& name, const std::string& rows,
                         const std::string& kind = "in-order") {
  auto cpu = parse_cpu_description("cpu " + name + "\nisa mips1\npipeline " + kind +
                                   "\nclock 10 exact: own\n" + rows);
  EXPECT_TRUE(cpu.ok()) << cpu.error();
  return *std::move(cpu);
}

// Each row as a line: keyword, name, values, grade, and what it is taken from.
std::vector<std::string> rows_of(const CpuDescription& cpu) {
  std::vector<std::string> lines;
  for (const TimingRow& row : cpu.rows) {
    std::string line = row.keyword + " " + row.name;
    for (const auto& [key, value] : row.values) line += " " + key + " " + value;
    line += " " + row.grade + ": " + row.source;
    lines.push_back(row.of.empty() ? line : line + " (" + row.of + ")");
  }
  return lines;
}

std::vector<std::string> inherited(std::vector<CpuDescription> cpus) {
  const auto made = inherit_rows(cpus);
  EXPECT_TRUE(made.ok()) << made.error();
  return rows_of(cpus.front());
}

using Rows = std::vector<std::string>;

TEST(InheritedRows, AreThoseThatTheFileDoesNotState) {
  EXPECT_EQ(inherited({described("b", "like a published: x\nclass load latency 3 measured: own\n"),
                       described("a",
                                 "issue 1 exact: one\nclass alu latency 1 published: two\n"
                                 "class load latency 2 published: three\n"
                                 "redirect jump taken 1 exact: four\n")}),
            (Rows{"clock 10 exact: own", "like a published: x", "issue 1 published: one (a)",
                  "class alu latency 1 published: two (a)", "class load latency 3 measured: own",
                  "redirect jump taken 1 published: four (a)"}));
}

TEST(InheritedRows, AClassIsReplacedWithinAList) {
  EXPECT_EQ(inherited({described("b", "like a exact: x\nclass mult latency 9 exact: own\n"),
                       described("a", "class alu,mult,div latency 4 published: all\n")}),
            (Rows{"clock 10 exact: own", "like a exact: x", "class mult latency 9 exact: own",
                  "class alu,div latency 4 published: all (a)"}));
}

TEST(InheritedRows, RowsOfAKeywordThatStandsOnceAreReplacedWhateverTheirNames) {
  EXPECT_EQ(inherited({described("b", "issue 2 exact: own\nlike a exact: x\n"),
                       described("a", "issue 1 published: one\n")}),
            (Rows{"clock 10 exact: own", "like a exact: x", "issue 2 exact: own"}));
}

TEST(InheritedRows, EachKeywordCanComeWithItsOwnGradeOrFromAnotherProcessor) {
  EXPECT_EQ(
      inherited({described("c",
                           "like a unverified: x\nlike a rows issue published: y\n"
                           "like b rows redirect exact: z\n"),
                 described("a",
                           "issue 1 exact: one\nclass alu latency 1 exact: two\n"
                           "redirect jump taken 1 exact: of a\n"),
                 described("b", "issue 2 exact: no\nredirect jump taken 2 exact: of b\n")}),
      (Rows{"clock 10 exact: own", "like a unverified: x", "like a rows issue published: y",
            "like b rows redirect exact: z", "issue 1 published: one (a)",
            "class alu latency 1 unverified: two (a)", "redirect jump taken 2 exact: of b (b)"}));
}

TEST(InheritedRows, SayWhereTheyStandFirst) {
  EXPECT_EQ(inherited({described("c", "like b exact: x\n"),
                       described("b", "like a unverified: y\nissue 1 published: of b\n"),
                       described("a", "class alu latency 1 exact: of a\nissue 2 exact: of a\n")}),
            (Rows{"clock 10 exact: own", "like b exact: x",
                  "class alu latency 1 unverified: of a (a)", "issue 1 published: of b (b)"}));
}

// What a chip answers when it is asked who it is, it cannot have from another one.
TEST(InheritedRows, IdentityIsNotInherited) {
  EXPECT_EQ(inherited({described("b", "like a exact: x\n"),
                       described("a", "revision processor value 0x230 exact: x\nnote of a\n")}),
            (Rows{"clock 10 exact: own", "like a exact: x"}));
}

TEST(InheritedRows, MistakesAreNamed) {
  const auto error_of = [](std::vector<CpuDescription> cpus) {
    const auto made = inherit_rows(cpus);
    return made.ok() ? std::string() : made.error();
  };
  EXPECT_EQ(error_of({described("b", "like a exact: x\n")}),
            "b.timing: line 5: there is no cpu a to be like; name one with a .timing file here");
  EXPECT_EQ(error_of({described("b", "like a exact: x\n"), described("a", "", "out-of-order")}),
            "b.timing: line 5: a has another kind of pipeline; be like one of the same kind");
  EXPECT_EQ(error_of({described("b", "like a exact: x\n"), described("a", "like b exact: x\n")}),
            "b.timing: its like rows lead back to it; remove one of them");
  EXPECT_EQ(error_of({described("b", "like a rows clock exact: x\n"), described("a", "")}),
            "b.timing: line 5: no rows of keyword 'clock' can be inherited");
  EXPECT_EQ(error_of({described("b", "like a rows glass exact: x\n"), described("a", "")}),
            "b.timing: line 5: no rows of keyword 'glass' can be inherited");
  EXPECT_EQ(error_of({described("b", "like a but this exact: x\n"), described("a", "")}),
            "b.timing: line 5: unknown word 'but' in a like row");
}

TEST(InheritedRows, ThePageSaysWhose) {
  std::vector<CpuDescription> cpus{described("b", "like a unverified: assumed\n"),
                                   described("a", "issue 1 published: the manual\n")};
  ASSERT_TRUE(inherit_rows(cpus).ok());
  EXPECT_NE(to_text(cpus.front()).find("unverified      as a: the manual"), std::string::npos)
      << to_text(cpus.front());
}

}  // namespace
}  // namespace hardclock
