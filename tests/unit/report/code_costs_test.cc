// What instructions took, by address. Every expected figure is worked out by hand beside it.
#include "sim/report/code_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace hardclock::report {
namespace {

using testing::ElementsAre;

std::vector<GuestAddr> addresses(std::uint64_t first, std::size_t count, std::uint64_t apart = 4) {
  std::vector<GuestAddr> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(GuestAddr(first) + i * apart);
  return all;
}

Profile profile_with(ProcessProfile process) {
  Profile profile;
  profile.processes.push_back(std::move(process));
  return profile;
}

std::vector<CodeCost> costs_at(const std::vector<GuestAddr>& at, const Profile& profile,
                               const Identity& program = {}) {
  return costs_of(at, at.back() + 4, "", profile, SymbolTable(), &profile, program, {});
}

CodeCost took(std::uint64_t cycles, std::uint64_t ticks) {
  return {.cycles = Cycles(cycles), .ticks = ticks};
}
constexpr CodeCost same_counter = {.cycles = Cycles(), .ticks = 0, .shares_counter = true};

TEST(CodeCosts, SamplesAndCyclesAreOfTheirAddress) {
  ProcessProfile process;
  process.samples = {{GuestAddr(0x400100), 50}, {GuestAddr(0x400108), 25}};
  process.cycles = {{GuestAddr(0x400100), 7000}, {GuestAddr(0x400104), 520}};
  EXPECT_THAT(costs_at(addresses(0x400100, 3), profile_with(process)),
              ElementsAre(took(7000, 50), took(520, 0), took(0, 25)));
}

// Two processes of the program: reasons are added up as cycles are.
TEST(CodeCosts, ReasonsAreOfTheirAddress) {
  ProcessProfile process;
  process.cycles = {{GuestAddr(0x400100), 7}};
  process.reasons[CycleReason::tlb][GuestAddr(0x400100)] = 7;
  process.reasons[CycleReason::kernel][GuestAddr(0x400104)] = 3;
  Profile profile = profile_with(process);
  profile.processes.push_back(process);
  CodeCost first = took(14, 0), second = took(0, 0);
  first.reasons[CycleReason::tlb] = 14;
  second.reasons[CycleReason::kernel] = 6;
  EXPECT_THAT(costs_at(addresses(0x400100, 2), profile), ElementsAre(first, second));
}

TEST(CodeCosts, WithoutExactCyclesThereAreNone) {
  ProcessProfile process;
  process.samples = {{GuestAddr(0x400100), 1}};
  process.cycles = {{GuestAddr(0x400100), 7000}};
  const Profile profile = profile_with(process);
  EXPECT_THAT(costs_of(addresses(0x400100, 1), GuestAddr(0x400104), "", profile, SymbolTable(),
                       nullptr, {}, {}),
              ElementsAre(took(0, 1)));
}

// Two instructions to a counter of eight bytes; the last one is behind the counters.
TEST(CodeCosts, ACountersTicksStandAtItsFirstInstruction) {
  ProcessProfile process;
  process.histograms = {{GuestAddr(0x400100), GuestAddr(0x400110), {3, 5}}};
  EXPECT_THAT(costs_at(addresses(0x400100, 5), profile_with(process)),
              ElementsAre(took(0, 3), same_counter, took(0, 5), same_counter, took(0, 0)));
}

// A function may begin in the middle of a counter: the ticks are those of what is before it.
TEST(CodeCosts, NothingIsShownTwice) {
  ProcessProfile process;
  process.histograms = {{GuestAddr(0x400100), GuestAddr(0x400110), {3, 5}}};
  EXPECT_THAT(costs_at(addresses(0x400104, 2), profile_with(process)),
              ElementsAre(same_counter, took(0, 5)));
}

// Counters of a byte: 1 + 2 + 4 + 8 and 16 + 32 + 64 + 128.
TEST(CodeCosts, NothingIsLost) {
  ProcessProfile process;
  process.histograms = {{GuestAddr(0x1000), GuestAddr(0x1008), {1, 2, 4, 8, 16, 32, 64, 128}}};
  EXPECT_THAT(costs_at(addresses(0x1000, 2), profile_with(process)),
              ElementsAre(took(0, 15), took(0, 240)));
}

// Counters of 16/3 bytes: they begin at 0, 5 1/3 and 10 2/3, so within instructions 0, 1 and 2; in
// the last one none begins.
TEST(CodeCosts, CountersMayEndWithinAByte) {
  ProcessProfile process;
  process.histograms = {{GuestAddr(0x1000), GuestAddr(0x1010), {1, 2, 4}}};
  EXPECT_THAT(costs_at(addresses(0x1000, 4), profile_with(process)),
              ElementsAre(took(0, 1), took(0, 2), took(0, 4), same_counter));
}

// What a damaged profile may say: neither a file without a name nor another file is the program.
TEST(CodeCosts, OnlyTheProgramIsTheProgram) {
  ProcessProfile process;
  process.program = "/bin/p";
  process.mappings = {{.start = GuestAddr(0x400000), .size = 0x100, .file = "", .offset = 0},
                      {.start = GuestAddr(0x500000), .size = 0x100, .file = "/bin/p", .offset = 0}};
  process.samples = {{GuestAddr(0x400000), 7}, {GuestAddr(0x500000), 2}};
  EXPECT_THAT(costs_at(addresses(0x400000, 1), profile_with(process)), ElementsAre(took(0, 0)));
  EXPECT_THAT(costs_at(addresses(0x500000, 1), profile_with(process)), ElementsAre(took(0, 2)));
}

// The program lies 0x1000 above its own addresses, the object's text 0x5000 above.
TEST(CodeCosts, FilesThatMoved) {
  ProcessProfile process;
  process.program = "/bin/p";
  process.moved_by = 0x1000;
  process.mappings = {
      {.start = GuestAddr(0x401000), .size = 0x100, .file = "/bin/p", .offset = 0},
      {.start = GuestAddr(0x7000), .size = 0x100, .file = "/lib/l.so", .offset = 0x400}};
  process.samples = {{GuestAddr(0x401004), 2}, {GuestAddr(0x7004), 3}, {GuestAddr(0x2004), 4}};
  Image library;
  Segment& text = library.segments.emplace_back();
  text.address = GuestAddr(0x2000);
  text.file_offset = 0x400;
  text.bytes.resize(0x100);
  const Objects objects = {{"/lib/l.so", library}};
  const Profile profile = profile_with(process);
  const auto of = [&](std::uint64_t first, std::string_view object) {
    return costs_of(addresses(first, 2), GuestAddr(first) + 8, object, profile, SymbolTable(),
                    nullptr, {}, objects);
  };
  EXPECT_THAT(of(0x400000, ""), ElementsAre(took(0, 0), took(0, 2)));
  EXPECT_THAT(of(0x2000, "/lib/l.so"), ElementsAre(took(0, 0), took(0, 3)));
}

// As after a fork; the third ran something else.
TEST(CodeCosts, ProcessesOfTheProgramAreSummed) {
  ProcessProfile process;
  process.program = "/bin/p";
  process.samples = {{GuestAddr(0x400100), 1}};
  process.cycles = {{GuestAddr(0x400100), 10}};
  Profile profile = profile_with(process);
  profile.processes.push_back(process);
  profile.processes.push_back(process);
  profile.processes.back().program = "/bin/other";
  EXPECT_THAT(costs_at(addresses(0x400100, 1), profile, {.name = "p"}), ElementsAre(took(20, 2)));
}

}  // namespace
}  // namespace hardclock::report
