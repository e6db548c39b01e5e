// Stages against published pipeline diagrams. [HP]: Hennessy and Patterson, Computer Architecture,
// 5th edition, appendix C.6, figures C.43 (a load and its immediate use: two stalls) and C.45 (a
// taken branch: the delay slot and two idle cycles). [PRABHU]: G. Prabhu, Computer Architecture
// Tutorial, Iowa State University, PIPELINE/reqStalls.html, the classic five stages with a load
// interlock.
#include "sim/trace/stages.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hardclock {
namespace {

using Moments = InOrderStages::Moments;

TimingRow stages_row(std::string names, std::vector<std::pair<std::string, std::string>> values) {
  return {"stages", std::move(names), std::move(values), "exact", "a test", 7};
}

StageNames stages_of(std::string names, std::string issue, std::string memory = "") {
  return *read_stage_names(stages_row(std::move(names), {{"issue", std::move(issue)}}), memory);
}

StageNames r4000() {
  return stages_of("IF,IS,RF,EX,DF,DS,TC,WB", "EX");
}
StageNames five_stages() {
  return stages_of("IF,ID,EX,MEM,WB", "EX");
}

// A figure's row: a word a cycle from cycle 1 on, "." before the fetch, "stall" while it is held.
// A stall before the fetch, as some figures have it, is a "." here.
std::string figure_row(const std::vector<PipelineRecord::Stage>& stages) {
  std::string row;
  for (std::uint64_t cycle = 1; cycle < stages.front().begin; ++cycle) row += ". ";
  for (const PipelineRecord::Stage& stage : stages) {
    row += stage.name + " ";
    for (std::uint64_t cycle = stage.begin + 1; cycle < stage.end; ++cycle) row += "stall ";
  }
  row.pop_back();
  return row;
}

// [HP] C.43; the figure ends with cycle 9, the rows go on by a stage a cycle.
TEST(InOrderStages, R4000LoadUseStallsTwoCycles) {
  InOrderStages stages(r4000());
  EXPECT_EQ(figure_row(stages.next({.issue = 4})), "IF IS RF EX DF DS TC WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 7})), ". IF IS RF stall stall EX DF DS TC WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 8})), ". . IF IS stall stall RF EX DF DS TC WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 9})), ". . . IF stall stall IS RF EX DF DS TC WB");
}

// [HP] C.45: the target's fetch is in cycle 5, three after the delay slot's.
TEST(InOrderStages, R4000TakenBranchHasTwoIdleCycles) {
  InOrderStages stages(r4000());
  EXPECT_EQ(figure_row(stages.next({.issue = 4})), "IF IS RF EX DF DS TC WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 5})), ". IF IS RF EX DF DS TC WB");
  const std::uint64_t fetch = fetch_of_issue(r4000(), 5 + 1 + 2);
  EXPECT_EQ(fetch, 5u);
  EXPECT_EQ(figure_row(stages.next({.issue = 8, .fetch = fetch})),
            ". . . . IF IS RF EX DF DS TC WB");
}

// [PRABHU]; its OR row has the stall of AND's fetch before its own.
TEST(InOrderStages, FiveStagesHoldTheFetchBehindALoadInterlock) {
  InOrderStages stages(five_stages());
  EXPECT_EQ(figure_row(stages.next({.issue = 3})), "IF ID EX MEM WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 5})), ". IF ID stall EX MEM WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 6})), ". . IF stall ID EX MEM WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 7})), ". . . . IF ID EX MEM WB");
}

// As in [HP] and [PRABHU], what is held stays in its stage and holds those behind it in theirs.
TEST(InOrderStages, StallsHoldTheirStages) {
  InOrderStages stages(five_stages());
  EXPECT_EQ(figure_row(stages.next({.issue = 3, .memory_stall = 2})),
            "IF ID EX MEM stall stall WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 6, .execution = 1})),
            ". IF ID stall stall EX stall MEM WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 8, .fetch_stall = 2})),
            ". . IF stall stall ID stall EX MEM WB");
}

// An instruction that misses in the cache is still being fetched.
TEST(InOrderStages, AFetchStallHoldsTheFirstStage) {
  InOrderStages stages(r4000());
  EXPECT_EQ(figure_row(stages.next({.issue = 6, .fetch_stall = 2})),
            "IF stall stall IS RF EX DF DS TC WB");
}

TEST(InOrderStages, TheMemoryStageCanBeNamed) {
  InOrderStages stages(stages_of("IF,IS,RF,EX,DF,DS,TC,WB", "EX", "TC"));
  EXPECT_EQ(figure_row(stages.next({.issue = 4, .memory_stall = 2})),
            "IF IS RF EX DF DS TC stall stall WB");
}

// Two neighbours that issue together are side by side in every stage, as in the textbooks' diagrams
// of superscalar pipelines.
TEST(InOrderStages, APairStaysTogether) {
  InOrderStages stages(five_stages());
  stages.next({.issue = 3});
  EXPECT_EQ(figure_row(stages.next({.issue = 6})), ". IF ID stall stall EX MEM WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 6})), ". IF ID stall stall EX MEM WB");
  EXPECT_EQ(figure_row(stages.next({.issue = 7})), ". . IF stall stall ID EX MEM WB");
}

// These are the header's own rules for moments that no figure has.
TEST(InOrderStages, TheIssueGoesBeforeTheRest) {
  InOrderStages late_fetch(five_stages());
  EXPECT_EQ(figure_row(late_fetch.next({.issue = 4, .fetch = 9})), ". IF ID EX MEM WB");
  EXPECT_EQ(figure_row(late_fetch.next({.issue = 5, .fetch_stall = 40})), ". . IF ID EX MEM WB");
}

TEST(InOrderStages, NothingIsBeforeCycleZero) {
  using Stages = std::vector<PipelineRecord::Stage>;
  InOrderStages stages(five_stages());
  EXPECT_EQ(stages.next({.issue = 0}), (Stages{{"EX", 0, 1}, {"MEM", 1, 2}, {"WB", 2, 3}}));
  EXPECT_EQ(stages.next({.issue = 2}),
            (Stages{{"ID", 0, 2}, {"EX", 2, 3}, {"MEM", 3, 4}, {"WB", 4, 5}}));
  EXPECT_EQ(fetch_of_issue(five_stages(), 1), 0u);
}

TEST(InOrderStages, AnIssueStageMayBeTheFirstOrTheLast) {
  using Stages = std::vector<PipelineRecord::Stage>;
  InOrderStages first(stages_of("A,B", "A"));
  EXPECT_EQ(first.next({.issue = 5, .fetch_stall = 3, .execution = 1, .memory_stall = 1}),
            (Stages{{"A", 5, 7}, {"B", 7, 9}}));
  InOrderStages last(stages_of("A,B", "B"));
  EXPECT_EQ(last.next({.issue = 5, .memory_stall = 1}), (Stages{{"A", 4, 5}, {"B", 5, 7}}));
  InOrderStages only(stages_of("A", "A"));
  EXPECT_EQ(only.next({.issue = 1'000'000'000'000}),
            (Stages{{"A", 1'000'000'000'000, 1'000'000'000'001}}));
}

TEST(ReadStageNames, ReadsTheRow) {
  const StageNames names = r4000();
  EXPECT_EQ(names.names,
            (std::vector<std::string>{"IF", "IS", "RF", "EX", "DF", "DS", "TC", "WB"}));
  EXPECT_EQ(names.issue, 3u);
  EXPECT_EQ(names.memory, 4u);
}

TEST(ReadStageNames, NamesTheMistake) {
  struct Mistake {
    TimingRow row;
    const char* memory;
    const char* message;
  };
  const Mistake mistakes[] = {
      {stages_row("IF,EX", {}), "", "line 7: stages IF,EX needs issue"},
      {stages_row("IF,EX", {{"issue", "RF"}}), "", "line 7: no stage 'RF' to issue in"},
      {stages_row("IF,,EX", {{"issue", "EX"}}), "", "line 7: a stage without a name in 'IF,,EX'"},
      {stages_row("IF,IF", {{"issue", "IF"}}), "", "line 7: a stage appears twice in 'IF,IF'"},
      {stages_row("IF,EX", {{"issue", "EX"}, {"speed", "2"}}), "",
       "line 7: unknown word 'speed' in a stages row"},
      {stages_row("IF,EX", {{"issue", "EX"}}), "MEM",
       "line 7: no stage 'MEM' from the issue stage on"},
      {stages_row("IF,EX", {{"issue", "EX"}}), "IF",
       "line 7: no stage 'IF' from the issue stage on"},
  };
  for (const auto& [row, memory, message] : mistakes) {
    const auto names = read_stage_names(row, memory);
    ASSERT_FALSE(names) << message;
    EXPECT_EQ(names.error(), message);
  }
}

}  // namespace
}  // namespace hardclock
