// Callgrind's format: by its specification in Valgrind's manual, and as callgrind_annotate reads it
// (skipped where that is absent). Every expected figure is worked out by hand beside it.
#include "sim/report/callgrind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace hardclock::report {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::Not;

const std::string annotate_tool = "/usr/bin/callgrind_annotate";

SymbolTable hot_and_cold() {
  return SymbolTable({{.address = GuestAddr(0x400100), .size = 8, .name = "hot"},
                      {.address = GuestAddr(0x400108), .size = 8, .name = "cold"}},
                     GuestAddr(0x400110));
}

Profile of_program(ProcessProfile process) {
  process.program = "/bin/p";
  Profile profile;
  profile.command = "p 1";
  profile.processes.push_back(std::move(process));
  return profile;
}

// 70 + 5 + 20 + 4 + 1 cycles are 100.
Profile hundred_cycles() {
  ProcessProfile process;
  process.samples = {{GuestAddr(0x400100), 6}, {GuestAddr(0x40010c), 2}};
  process.cycles = {{GuestAddr(0x400100), 70},
                    {GuestAddr(0x400104), 5},
                    {GuestAddr(0x40010c), 20},
                    {GuestAddr(0x500000), 4}};
  process.cycles[GuestAddr(0x7000)] = 1;
  process.mappings = {{.start = GuestAddr(0x400000), .size = 0x1000, .file = "/bin/p", .offset = 0},
                      {.start = GuestAddr(0x500000), .size = 0x10, .file = "/lib/l", .offset = 0}};
  return of_program(process);
}

std::string text_of(const CallGraph& graph, const Lines& lines = {}) {
  std::ostringstream text;
  to_callgrind(graph, lines, text);
  return text.str();
}

std::string written(const Profile& profile, bool with_cycles = true) {
  return text_of(
      call_graph(profile, hot_and_cold(), with_cycles ? &profile : nullptr, {.name = "p"}));
}

TEST(Callgrind, CyclesAndTicksByAddress) {
  EXPECT_EQ(written(hundred_cycles()),
            "# callgrind format\nversion: 1\ncreator: hardclock\ncmd: p 1\n"
            "positions: instr\nevents: Cycles Ticks\nsummary: 100 8\n"
            "\nob=(outside)\nfl=???\nfn=(outside p)\n0x7000 1 0\n"
            "\nob=/bin/p\nfl=???\nfn=hot\n0x400100 70 6\n0x400104 5 0\n"
            "fl=???\nfn=cold\n0x40010c 20 2\n"
            "\nob=/lib/l\nfl=???\nfn=(l: pass -L DIR)\n0x500000 4 0\n");
}

TEST(Callgrind, TicksAloneWithoutExactCycles) {
  EXPECT_THAT(written(hundred_cycles(), false),
              EndsWith("events: Ticks\nsummary: 8\n\nob=/bin/p\nfl=???\nfn=hot\n0x400100 6\n"
                       "fl=???\nfn=cold\n0x40010c 2\n"));
}

// fl is where the function begins; fi is another file, fe that file again. 0x40010c has no line.
TEST(Callgrind, LinesAndTheFilesOfInlinedCode) {
  LineTableBuilder lines;
  const std::uint32_t own = *lines.file("/src/hot.c"), header = *lines.file("/src/x.h");
  lines.add(GuestAddr(0x400100), GuestAddr(0x400102), own, 7);
  lines.add(GuestAddr(0x400102), GuestAddr(0x400104), header, 2);
  lines.add(GuestAddr(0x400104), GuestAddr(0x40010c), own, 9);
  ProcessProfile process;
  for (std::uint64_t at = 0x400100; at < 0x400110; at += 2) process.cycles[GuestAddr(at)] = 1;
  const Profile profile = of_program(process);
  const CallGraph graph = call_graph(profile, hot_and_cold(), &profile, {.name = "p"});
  Lines all;
  all.emplace("", std::move(lines).finish());
  EXPECT_THAT(text_of(graph, all),
              EndsWith("\nob=/bin/p\nfl=/src/hot.c\nfn=hot\n0x400100 7 1 0\n"
                       "fi=/src/x.h\n0x400102 2 1 0\nfe=/src/hot.c\n0x400104 9 1 0\n"
                       "0x400106 9 1 0\nfl=/src/hot.c\nfn=cold\n0x400108 9 1 0\n"
                       "0x40010a 9 1 0\n0x40010c 0 1 0\n0x40010e 0 1 0\n"));
}

// Counters of 16/3 bytes begin at 0, 5 1/3 and 10 2/3: the second one's first whole address is 6.
TEST(Callgrind, CountersStandAtTheirFirstAddress) {
  ProcessProfile process;
  process.histograms = {{GuestAddr(0x400100), GuestAddr(0x400110), {3, 5, 0}}};
  EXPECT_THAT(written(of_program(process), false), EndsWith("fn=hot\n0x400100 3\n0x400106 5\n"));
}

// 70 cycles of hot issue, its next 5 are instruction misses; all others wait for the unit. The
// kernel works for 9 cycles where nothing else passes.
Profile with_reasons(Profile profile) {
  for (const auto& [pc, cycles] : profile.processes[0].cycles) {
    const CycleReason reason = pc == GuestAddr(0x400100)   ? CycleReason::issue
                               : pc == GuestAddr(0x400104) ? CycleReason::instruction_miss
                                                           : CycleReason::unit;
    profile.processes[0].reasons[reason][pc] = cycles;
  }
  profile.processes[0].reasons[CycleReason::kernel][GuestAddr(0x400108)] = 9;
  return profile;
}

TEST(Callgrind, ReasonsAreEvents) {
  EXPECT_EQ(written(with_reasons(hundred_cycles())),
            "# callgrind format\nversion: 1\ncreator: hardclock\ncmd: p 1\n"
            "positions: instr\n"
            "event: Issue : cycles, issue\nevent: Operand : cycles, operand\n"
            "event: Unit : cycles, unit\nevent: Branch : cycles, branch\n"
            "event: InstructionMiss : cycles, instruction miss\n"
            "event: DataMiss : cycles, data miss\nevent: SecondLevel : cycles, second level\n"
            "event: Tlb : cycles, tlb\nevent: WriteBuffer : cycles, write buffer\n"
            "event: Kernel : cycles, kernel\n"
            "events: Cycles Ticks Issue Operand Unit Branch InstructionMiss DataMiss SecondLevel "
            "Tlb WriteBuffer Kernel\nsummary: 100 8 70 0 25 0 5 0 0 0 0 9\n"
            "\nob=(outside)\nfl=???\nfn=(outside p)\n0x7000 1 0 0 0 1 0 0 0 0 0 0 0\n"
            "\nob=/bin/p\nfl=???\nfn=hot\n0x400100 70 6 70 0 0 0 0 0 0 0 0 0\n"
            "0x400104 5 0 0 0 0 0 5 0 0 0 0 0\n"
            "fl=???\nfn=cold\n0x400108 0 0 0 0 0 0 0 0 0 0 0 9\n"
            "0x40010c 20 2 0 0 20 0 0 0 0 0 0 0\n"
            "\nob=/lib/l\nfl=???\nfn=(l: pass -L DIR)\n0x500000 4 0 0 0 4 0 0 0 0 0 0 0\n");
}

// A name with a line end would be a line of its own.
TEST(Callgrind, NamesStayOnTheirLine) {
  Profile profile = hundred_cycles();
  profile.command = "p\nfn=evil";
  EXPECT_THAT(written(profile), Not(testing::HasSubstr("\nfn=evil")));
}

// hot calls cold from two places, and itself. What is below cold is 30 cycles and 4 ticks.
Profile with_calls() {
  Profile profile = hundred_cycles();
  ProcessProfile& process = profile.processes[0];
  process.cycles = {{GuestAddr(0x400100), 70}, {GuestAddr(0x40010c), 30}};
  process.samples = {{GuestAddr(0x400100), 6}, {GuestAddr(0x40010c), 4}};
  const GuestAddr hot(0x400100), cold(0x400108);
  process.call_tree = {{CallNode::none, hot, 1, 50, 5},
                       {0, hot, 2, 20, 1},
                       {0, cold, 3, 18, 3},
                       {1, cold, 1, 12, 1}};
  process.call_arcs = {{GuestAddr(0x400100), hot, 2, 32},
                       {GuestAddr(0x400104), cold, 3, 20},
                       {GuestAddr(0x400106), cold, 1, 10}};
  return profile;
}

// The 4 ticks of cold by cycles: 20 of 30 are 2 2/3, rounded down, and what is left.
TEST(Callgrind, CallsByPlace) {
  EXPECT_THAT(written(with_calls()),
              EndsWith("fn=hot\n0x400100 70 6\n"
                       "cob=/bin/p\ncfi=???\ncfn=hot\ncalls=2 0x400100\n0x400100 32 2\n"
                       "cob=/bin/p\ncfi=???\ncfn=cold\ncalls=3 0x400108\n0x400104 20 2\n"
                       "cob=/bin/p\ncfi=???\ncfn=cold\ncalls=1 0x400108\n0x400106 10 2\n"
                       "fl=???\nfn=cold\n0x40010c 30 4\n"));
}

// A call has the line of its place and the file and line of what it calls.
TEST(Callgrind, CallsHaveLines) {
  LineTableBuilder lines;
  const std::uint32_t hot = *lines.file("/src/hot.c"), cold = *lines.file("/src/cold.c");
  lines.add(GuestAddr(0x400100), GuestAddr(0x400104), hot, 7);
  lines.add(GuestAddr(0x400104), GuestAddr(0x400108), cold, 3);
  lines.add(GuestAddr(0x400108), GuestAddr(0x400110), cold, 9);
  const Profile profile = with_calls();
  const CallGraph graph = call_graph(profile, hot_and_cold(), &profile, {.name = "p"});
  Lines all;
  all.emplace("", std::move(lines).finish());
  EXPECT_THAT(
      text_of(graph, all),
      EndsWith("fl=/src/hot.c\nfn=hot\n0x400100 7 70 6\n"
               "cob=/bin/p\ncfi=/src/hot.c\ncfn=hot\ncalls=2 0x400100 7\n0x400100 7 32 2\n"
               "fi=/src/cold.c\n"
               "cob=/bin/p\ncfi=/src/cold.c\ncfn=cold\ncalls=3 0x400108 9\n0x400104 3 20 2\n"
               "cob=/bin/p\ncfi=/src/cold.c\ncfn=cold\ncalls=1 0x400108 9\n0x400106 3 10 2\n"
               "fl=/src/cold.c\nfn=cold\n0x40010c 9 30 4\n"));
}

// Readers take "(1) main" for the first use of a short name, "(1)", and add its costs to main's
// (valgrind 3.19 docs, callgrind format, "Name Compression"; KCachegrind looks for a digit only).
TEST(Callgrind, NamesAreNoNumbers) {
  ProcessProfile process;
  process.cycles = {{GuestAddr(0x400100), 70}, {GuestAddr(0x400108), 30}};
  process.mappings = {{.start = GuestAddr(0x400000), .size = 0x1000, .file = "(2)", .offset = 0}};
  process.program = "(2)";
  Profile profile;
  profile.processes.push_back(process);
  const SymbolTable symbols(
      {{GuestAddr(0x400100), 8, "main"}, {GuestAddr(0x400108), 8, "(1) main"}},
      GuestAddr(0x400110));
  EXPECT_THAT(text_of(call_graph(profile, symbols, &profile, {.name = "(2)"})),
              EndsWith("\nob='(2)\nfl=???\nfn=main\n0x400100 70 0\n"
                       "fl=???\nfn='(1) main\n0x400108 30 0\n"));
}

// What callgrind_annotate prints of a file; empty where it is absent.
std::string annotated(const Profile& profile, const std::string& options) {
  const std::string file =
      testing::TempDir() + "hardclock_callgrind_test." + std::to_string(getpid());
  std::ofstream(file) << written(profile);
  std::FILE* const pipe = popen((annotate_tool + options + " " + file).c_str(), "r");
  if (pipe == nullptr) return {};
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  std::remove(file.c_str());
  return said;
}

TEST(Callgrind, AnnotateReadsIt) {
  if (access(annotate_tool.c_str(), X_OK) != 0) GTEST_SKIP() << annotate_tool << " is absent";
  const std::string said = annotated(hundred_cycles(), " --threshold=100");
  EXPECT_THAT(said, ContainsRegex("100 \\(100\\.0%\\)  *8 \\(100\\.0%\\)  *PROGRAM TOTALS"));
  EXPECT_THAT(said, ContainsRegex("75 \\(75\\.00%\\)  *6 \\(75\\.00%\\)  *.*:hot \\[/bin/p\\]"));
  EXPECT_THAT(said, ContainsRegex("20 \\(20\\.00%\\)  *2 \\(25\\.00%\\)  *.*:cold \\[/bin/p\\]"));
}

// The columns are Cycles, InstructionMiss and Kernel.
TEST(Callgrind, AnnotateShowsReasons) {
  if (access(annotate_tool.c_str(), X_OK) != 0) GTEST_SKIP() << annotate_tool << " is absent";
  const std::string options = " --threshold=100 --show=Cycles,InstructionMiss,Kernel";
  const std::string said = annotated(with_reasons(hundred_cycles()), options);
  EXPECT_THAT(said,
              ContainsRegex("100 \\(100\\.0%\\)  *5 \\(100\\.0%\\)  *9 \\(100\\.0%\\)  *PROGRAM"));
  EXPECT_THAT(said,
              ContainsRegex("75 \\(75\\.00%\\)  *5 \\(100\\.0%\\)  *0  *.*:hot \\[/bin/p\\]"));
  EXPECT_THAT(said,
              ContainsRegex("20 \\(20\\.00%\\)  *0  *9 \\(100\\.0%\\)  *.*:cold \\[/bin/p\\]"));
}

// The cycles of calls are known, their reasons are not: with what was called, it shows none of
// them.
TEST(Callgrind, AnnotateTakesReasonsOfCallsForNone) {
  if (access(annotate_tool.c_str(), X_OK) != 0) GTEST_SKIP() << annotate_tool << " is absent";
  const std::string options = " --threshold=100 --show=Cycles,Unit";
  const Profile profile = with_reasons(with_calls());
  EXPECT_THAT(annotated(profile, options),
              ContainsRegex("30 \\(30\\.00%\\)  *30 \\(100\\.0%\\)  *.*:cold"));
  const std::string tree = annotated(profile, options + " --tree=both");
  EXPECT_THAT(tree, ContainsRegex("100 \\(100\\.0%\\) 30 \\(100\\.0%\\)  *PROGRAM TOTALS"));
  EXPECT_THAT(tree, ContainsRegex("30 \\(30\\.00%\\)  *\\.  *> .*:cold \\(4x\\)"));
}

// "<" marks callers, "*" the function, ">" what it calls, with the calls in parentheses.
TEST(Callgrind, AnnotateShowsCallersAndCalled) {
  if (access(annotate_tool.c_str(), X_OK) != 0) GTEST_SKIP() << annotate_tool << " is absent";
  const std::string said = annotated(with_calls(), " --threshold=100 --tree=both");
  EXPECT_THAT(said, ContainsRegex("100 \\(100\\.0%\\)  *10 \\(100\\.0%\\)  *PROGRAM TOTALS"));
  EXPECT_THAT(said, ContainsRegex("30 \\(30\\.00%\\)  *4 \\(40\\.00%\\)  *< .*:hot \\(4x\\)"));
  EXPECT_THAT(said, ContainsRegex("30 \\(30\\.00%\\)  *4 \\(40\\.00%\\)  *\\* .*:cold"));
  EXPECT_THAT(said, ContainsRegex("30 \\(30\\.00%\\)  *4 \\(40\\.00%\\)  *> .*:cold \\(4x\\)"));
}

}  // namespace
}  // namespace hardclock::report
