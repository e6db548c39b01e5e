// Diagrams as text. [HP]: Hennessy and Patterson, Computer Architecture, 5th edition, figures C.43
// and C.45, whose rows stand here with "-" for their "stall". Pages are put together again by a
// reader that knows only the header comment's description of them.
#include "sim/trace/pipeline_diagram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/trace/stages.h"
#include "tests/unit/trace/random_records.h"

namespace hardclock {
namespace {

constexpr DiagramLayout narrow_label = {.width = 100, .label_width = 24};

std::string diagram_of(const std::vector<PipelineRecord>& records, DiagramLayout layout) {
  std::ostringstream out;
  PipelineDiagram diagram(out, layout);
  for (const PipelineRecord& record : records) diagram.add(record);
  diagram.finish();
  return out.str();
}

PipelineRecord record_of(std::uint64_t number, std::string text,
                         std::vector<PipelineRecord::Stage> stages,
                         std::vector<std::string> notes = {}) {
  PipelineRecord record;
  record.number = number;
  record.pc = GuestAddr(0x400100 + 4 * number);
  record.text = std::move(text);
  record.stages = std::move(stages);
  record.notes = std::move(notes);
  return record;
}

InOrderStages r4000() {
  const TimingRow row = {
      "stages", "IF,IS,RF,EX,DF,DS,TC,WB", {{"issue", "EX"}}, "published", "[HP]", 1};
  return InOrderStages(*read_stage_names(row));
}

// [HP] C.43.
TEST(PipelineDiagram, R4000LoadUse) {
  InOrderStages stages = r4000();
  const std::vector<PipelineRecord> records = {
      record_of(0, "ld $1,0($2)", stages.next({.issue = 4})),
      record_of(1, "daddu $2,$1", stages.next({.issue = 7}), {"waits for $1"}),
      record_of(2, "dsubu $3,$1", stages.next({.issue = 8})),
      record_of(3, "or $4,$1", stages.next({.issue = 9})),
  };
  EXPECT_EQ(diagram_of(records, narrow_label), R"(cycles 1 to 13
                          1   2   3   4   5   6   7   8   9   10  11  12  13
00400100  ld $1,0($2)     IF  IS  RF  EX  DF  DS  TC  WB
00400104  daddu $2,$1         IF  IS  RF  -   -   EX  DF  DS  TC  WB  waits for $1
00400108  dsubu $3,$1             IF  IS  -   -   RF  EX  DF  DS  TC  WB
0040010c  or $4,$1                    IF  -   -   IS  RF  EX  DF  DS  TC  WB
)");
}

// [HP] C.45; the two idle cycles are the fetches that the figure's stall rows would have made.
TEST(PipelineDiagram, R4000TakenBranch) {
  InOrderStages stages = r4000();
  const std::vector<PipelineRecord> records = {
      record_of(0, "bnez $1,400200", stages.next({.issue = 4}), {"taken branch 2"}),
      record_of(1, "nop", stages.next({.issue = 5})),
      record_of(2, "lw $2,0($3)", stages.next({.issue = 8, .fetch = 5})),
  };
  EXPECT_EQ(diagram_of(records, narrow_label), R"(cycles 1 to 12
                          1   2   3   4   5   6   7   8   9   10  11  12
00400100  bnez $1,400200  IF  IS  RF  EX  DF  DS  TC  WB  taken branch 2
00400104  nop                 IF  IS  RF  EX  DF  DS  TC  WB
00400108  lw $2,0($3)                     IF  IS  RF  EX  DF  DS  TC  WB
)");
}

TEST(PipelineDiagram, BreaksIntoPagesOfCycles) {
  InOrderStages stages = r4000();
  const std::vector<PipelineRecord> records = {
      record_of(0, "nop", stages.next({.issue = 4})),
      record_of(1, "lw", stages.next({.issue = 5, .memory_stall = 2}), {"l1d miss 2"}),
  };
  EXPECT_EQ(diagram_of(records, {.width = 38, .label_width = 13, .name_width = 2}),
            R"(cycles 1 to 8
               1  2  3  4  5  6  7  8
00400100  nop  IF IS RF EX DF DS TC WB
00400104  lw      IF IS RF EX DF -  -

cycles 9 to 11
               9  10 11
00400104  lw   DS TC WB  l1d miss 2
)");
}

TEST(PipelineDiagram, PassesOverCyclesInWhichNothingMoves) {
  const std::vector<PipelineRecord> records = {
      record_of(0, "lw", {{"EX", 1, 2}, {"DF", 2, 1'000'000'000'000}}),
      record_of(1, "nop", {{"EX", 999'999'999'998, 1'000'000'000'001}}),
  };
  EXPECT_EQ(diagram_of(records, {.width = 29, .label_width = 13, .name_width = 2}),
            R"(cycles 1 to 5
               1  2  3  4  5
00400100  lw   EX DF -  -  -

cycles 6 to 999999999997: nothing moves

cycles 999999999998 to 1000000000000
               98 99 00
00400100  lw   DF -
00400104  nop  EX -  -
)");
}

TEST(PipelineDiagram, SaysWhatWasFlushed) {
  PipelineRecord record = record_of(0, "break", {{"IF", 5, 6}}, {"breakpoint"});
  record.completed = false;
  EXPECT_EQ(diagram_of({record}, narrow_label),
            "cycles 5 to 5\n"
            "                          5\n"
            "00400100  break           IF  flushed; breakpoint\n");
}

TEST(PipelineDiagram, NotesWithoutRoomHaveTheirOwnLines) {
  const std::vector<std::string> notes = {"waits for $9", "l1d miss 13", "tlb refill"};
  EXPECT_EQ(diagram_of({record_of(0, "lw", {{"IF", 5, 6}}, notes)},
                       {.width = 35, .label_width = 13, .name_width = 2}),
            "cycles 5 to 5\n"
            "               5\n"
            "00400100  lw   IF  waits for $9\n"
            "          l1d miss 13; tlb refill\n");
}

TEST(PipelineDiagram, LongNamesAndLabelsAreCut) {
  const std::vector<PipelineRecord> records = {
      record_of(0, "jal\tprintf", {{"fetch", 5, 6}, {"graduate", 6, 8}})};
  EXPECT_EQ(diagram_of(records, {.width = 60, .label_width = 17}),
            "cycles 5 to 7\n"
            "                   5   6   7\n"
            "00400100  jal p..  fet gra -\n");
}

TEST(PipelineDiagram, NoInstructionsAreNoText) {
  EXPECT_EQ(diagram_of({}, {}), "");
}

TEST(PipelineDiagram, AnInstructionWithoutStagesHasItsRow) {
  EXPECT_EQ(diagram_of({record_of(0, "nop", {}, {"nullified"})}, {.label_width = 14}),
            "cycles 0 to 0\n"
            "                0\n"
            "00400100  nop   nullified\n");
}

TEST(PipelineDiagram, APageHasAtLeastOneCycle) {
  EXPECT_EQ(diagram_of({record_of(0, "nop", {{"IF", 1, 2}, {"EX", 2, 3}})},
                       {.width = 1, .label_width = 8, .name_width = 0}),
            "cycles 1 to 1\n          1\n004001..  IF\n\n"
            "cycles 2 to 2\n          2\n004001..  EX\n");
}

// The pages of a diagram by instruction: what stands in each cycle.
using Cells = std::map<std::string, std::map<std::uint64_t, std::string>>;

Cells cells_of(const std::string& diagram, const DiagramLayout& layout) {
  Cells cells;
  std::istringstream in(diagram);
  const std::size_t label = layout.label_width + 2;
  const std::size_t cell = layout.name_width + 1;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("cycles ")) {
      std::istringstream words(line);
      std::string word;
      words >> word >> first >> word >> last;
      continue;
    }
    if (line.size() < label || line[0] == ' ') continue;
    const std::string text = line.substr(0, line.find("  ", 10));
    for (std::uint64_t cycle = first; cycle <= last; ++cycle) {
      const std::size_t at = label + (cycle - first) * cell;
      if (at >= line.size() || line[at] == ' ') continue;
      cells[text][cycle] = line.substr(at, line.find(' ', at) - at);
    }
  }
  return cells;
}

RC_GTEST_PROP(PipelineDiagram, PagesShowEveryCycle, ()) {
  const DiagramLayout layout = {
      .width = *rc::gen::inRange<std::size_t>(30, 130), .label_width = 30, .name_width = 2};
  std::vector<PipelineRecord> records = random_records();
  for (PipelineRecord& record : records) {
    record.notes.clear();
    record.completed = true;
  }
  const std::string diagram = diagram_of(records, layout);
  std::istringstream in(diagram);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("cycles "))
      RC_ASSERT(line.size() <= std::max<std::size_t>(layout.width, 34));
  }
  Cells cells = cells_of(diagram, layout);
  for (const PipelineRecord& record : records) {
    auto& row = cells[label_of(record)];
    for (const PipelineRecord::Stage& stage : record.stages) {
      if (stage.begin < stage.end) RC_ASSERT(row[stage.begin] == stage.name);
      for (const auto& [cycle, text] : row) {
        if (cycle <= stage.begin || cycle >= stage.end) continue;
        RC_ASSERT(text == "-" || text == stage.name);
      }
      if (stage.begin < stage.end) RC_ASSERT(row.contains(stage.end - 1));
    }
    for (const auto& [cycle, text] : row) {
      const auto holds = [&, at = cycle](const PipelineRecord::Stage& stage) {
        return stage.begin <= at && at < stage.end;
      };
      RC_ASSERT(std::any_of(record.stages.begin(), record.stages.end(), holds));
    }
  }
}

// Long streams: a page is written as soon as nothing more can belong to it.
TEST(PipelineDiagram, KeepsOnlyAPage) {
  std::ostringstream out;
  PipelineDiagram diagram(out, {.width = 50, .label_width = 28});
  for (std::uint64_t i = 0; i < 1000; ++i) diagram.add(record_of(i, "nop", {{"EX", i, i + 1}}));
  const std::string text = out.str();
  EXPECT_NE(text.find(label_of(record_of(990, "nop", {}))), std::string::npos);
}

}  // namespace
}  // namespace hardclock
