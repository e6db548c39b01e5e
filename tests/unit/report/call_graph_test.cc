// The call graph. Every expected figure is worked out by hand beside it.
#include "sim/report/call_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock::report {
namespace {

using testing::ElementsAre;

constexpr GuestAddr at_main{0x1000};
constexpr GuestAddr at_sort{0x1010};
constexpr GuestAddr at_less{0x1020};

SymbolTable main_sort_less() {
  return SymbolTable({{.address = at_main, .size = 16, .name = "main"},
                      {.address = at_sort, .size = 16, .name = "sort"},
                      {.address = at_less, .size = 16, .name = "less"}},
                     GuestAddr(0x1030));
}

// main calls sort, which calls itself once and less from both. 10 + 20 + 30 + 15 + 25 are 100.
Profile sorting() {
  ProcessProfile process;
  process.program = "/bin/s";
  process.cycles = {{at_main, 10}, {at_sort, 50}, {at_less, 40}};
  process.samples = {{at_main, 1}, {at_sort, 5}, {at_less, 4}};
  process.call_tree = {{CallNode::none, at_main, 1, 10, 1},
                       {0, at_sort, 1, 20, 2},
                       {1, at_less, 7, 15, 1},
                       {1, at_sort, 1, 30, 3},
                       {3, at_less, 9, 25, 3}};
  Profile profile;
  profile.cpu = Hertz(33'000'000);
  profile.tick_rate = Hertz(100);
  profile.processes.push_back(std::move(process));
  return profile;
}

CallGraph graph_of(const Profile& profile) {
  return call_graph(profile, main_sort_less(), &profile);
}

// "main;sort 2/20/90": calls, own and inclusive cycles.
std::vector<std::string> lines_of(const CallGraph& graph) {
  std::vector<std::string> lines;
  for (const CallPath& path : graph.paths) {
    std::string names;
    for (const CallPath* at = &path;; at = &graph.paths[at->parent]) {
      names = graph.functions[at->function].label + (names.empty() ? "" : ";" + names);
      if (at->parent == CallPath::none) break;
    }
    lines.push_back(names + " " + std::to_string(path.calls) + "/" +
                    std::to_string(path.own.cycles) + "/" + std::to_string(path.inclusive.cycles));
  }
  return lines;
}

const ProfiledFunction& function_of(const CallGraph& graph, const std::string& label) {
  for (const ProfiledFunction& function : graph.functions) {
    if (function.label == label) return function;
  }
  static const ProfiledFunction none;
  ADD_FAILURE() << label;
  return none;
}

// Of sort's callees the inner sort has 55 cycles and less 15.
TEST(CallGraph, PathsInPreorderMostFirst) {
  EXPECT_THAT(lines_of(graph_of(sorting())),
              ElementsAre("main 1/10/100", "main;sort 1/20/90", "main;sort;sort 1/30/55",
                          "main;sort;sort;less 9/25/25", "main;sort;less 7/15/15"));
}

// Of sort within sort, the outermost counts: 20 + 15 + 30 + 25.
TEST(CallGraph, InclusiveCostsCountRecursionOnce) {
  const CallGraph graph = graph_of(sorting());
  EXPECT_EQ(function_of(graph, "sort").inclusive, (Cost{90, 9}));
  EXPECT_EQ(function_of(graph, "sort").own, (Cost{50, 5}));
  EXPECT_EQ(function_of(graph, "sort").calls, 2U);
  EXPECT_EQ(function_of(graph, "less").inclusive, (Cost{40, 4}));
  EXPECT_EQ(function_of(graph, "main").inclusive, (Cost{100, 10}));
  EXPECT_EQ(graph.total, (Cost{100, 10}));
  EXPECT_EQ(graph.cycles_per_tick(), 330'000U);
}

// fork: twice the same; exec: one root.
TEST(CallGraph, ProcessesAreAddedUp) {
  Profile profile = sorting();
  profile.processes.push_back(profile.processes[0]);
  profile.processes.push_back(profile.processes[0]);
  profile.processes[2].program = "/bin/cc";
  const CallGraph graph = graph_of(profile);
  EXPECT_THAT(lines_of(graph),
              ElementsAre("main 2/20/200", "main;sort 2/40/180", "main;sort;sort 2/60/110",
                          "main;sort;sort;less 18/50/50", "main;sort;less 14/30/30",
                          "(other program cc) 0/100/100"));
  EXPECT_EQ(graph.total, (Cost{300, 30}));
  const FlatReport table = flat(profile, main_sort_less(), &profile);
  EXPECT_EQ(graph.total.cycles, table.cycles.value());
  EXPECT_EQ(graph.total.ticks, table.ticks.value());
}

TEST(CallGraph, WithoutTreesFunctionsAreRoots) {
  Profile profile = sorting();
  profile.processes[0].call_tree.clear();
  const CallGraph graph = graph_of(profile);
  EXPECT_THAT(lines_of(graph), ElementsAre("sort 0/50/50", "less 0/40/40", "main 0/10/10"));
  EXPECT_FALSE(graph.has_calls);
}

// mon.out knows no paths: its ticks stand beside the tree, and the tree's own are not counted.
TEST(CallGraph, TicksOfAnotherProfileAreRoots) {
  const Profile exact = sorting();
  Profile counters;
  counters.tick_rate = Hertz(100);
  counters.processes.emplace_back();
  counters.processes[0].histograms = {{at_main, GuestAddr(0x1030), {2, 0, 7}}};
  const CallGraph graph = call_graph(counters, main_sort_less(), &exact);
  EXPECT_EQ(graph.total, (Cost{100, 9}));
  ASSERT_EQ(graph.paths.size(), 6U);
  EXPECT_EQ(graph.paths[0].own, (Cost{10, 2}));
  EXPECT_EQ(lines_of(graph)[5], "less 0/0/0");
  EXPECT_EQ(graph.paths[5].own, (Cost{0, 7}));
}

// Two addresses of one function are one node.
TEST(CallGraph, NodesOfOneFunctionAreAddedUp) {
  Profile profile = sorting();
  profile.processes[0].call_tree.push_back({0, at_sort + 4, 2, 8, 0});
  EXPECT_EQ(lines_of(graph_of(profile))[1], "main;sort 3/28/98");
}

// A stripped program's functions have their addresses for names, on paths and at places of calls.
TEST(CallGraph, FunctionsWithoutSymbolsAreByAddress) {
  Profile profile = sorting();
  profile.processes[0].call_arcs = {{at_main + 4, at_sort, 1, 90}};
  const CallGraph graph = call_graph(profile, SymbolTable(), &profile);
  EXPECT_THAT(lines_of(graph), ElementsAre("0x00001000 1/10/100", "0x00001000;0x00001010 1/20/90",
                                           "0x00001000;0x00001010;0x00001010 1/30/55",
                                           "0x00001000;0x00001010;0x00001010;0x00001020 9/25/25",
                                           "0x00001000;0x00001010;0x00001020 7/15/15"));
  EXPECT_EQ(function_of(graph, "0x00001010").address, at_sort);
  ASSERT_EQ(graph.sites.size(), 1U);
  EXPECT_EQ(graph.functions[graph.sites[0].caller].label, "0x00001000");
  EXPECT_EQ(graph.functions[graph.sites[0].callee].label, "0x00001010");
}

// A damaged file's: deeper than any stack of the host, and with sums above 2^64.
TEST(CallGraph, DeepPathsAndLargeNumbers) {
  Profile profile = sorting();
  std::vector<CallNode>& tree = profile.processes[0].call_tree;
  tree.clear();
  constexpr std::uint32_t depth = 300'000;
  for (std::uint32_t i = 0; i < depth; ++i) {
    tree.push_back({i == 0 ? CallNode::none : i - 1, i % 2 == 0 ? at_main : at_sort, 1, 1, 0});
  }
  const CallGraph graph = graph_of(profile);
  ASSERT_EQ(graph.paths.size(), depth);
  EXPECT_EQ(graph.paths[0].inclusive.cycles, depth);
  EXPECT_EQ(graph.paths[depth - 1].depth, depth - 1);
  EXPECT_EQ(function_of(graph, "sort").inclusive.cycles, depth - 1);
  Cost cost{~std::uint64_t{0} - 1, 0};
  cost += {5, 5};
  EXPECT_EQ(cost, (Cost{~std::uint64_t{0}, 5}));
}

}  // namespace
}  // namespace hardclock::report
