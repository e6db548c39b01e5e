// The example of the viewers' tests.
#pragma once

#include "sim/load/image.h"
#include "sim/report/call_graph.h"
#include "sim/report/flat.h"
#include "sim/report/profile.h"

namespace hardclock::report {

inline SymbolTable symbols_of_sorting() {
  return SymbolTable({{.address = GuestAddr(0x1000), .size = 16, .name = "main"},
                      {.address = GuestAddr(0x1010), .size = 16, .name = "sort<a;b>"},
                      {.address = GuestAddr(0x1020), .size = 16, .name = "less"}},
                     GuestAddr(0x1030));
}

// main calls sort, which calls itself once and less from both; something is in a library. Cycles
// are 10 + 20 + 30 + 15 + 25 and 4, ticks 1 + 2 + 3 + 1 + 3 and 0: 104 and 10.
inline Profile profile_of_sorting() {
  const GuestAddr main(0x1000), sort(0x1010), less(0x1020), library(0x5000);
  ProcessProfile process;
  process.pid = 100;
  process.program = "/bin/s";
  process.mappings = {{GuestAddr(0x1000), 0x1000, "/bin/s", 0},
                      {GuestAddr(0x5000), 0x1000, "/lib/l.so", 0}};
  process.cycles = {{main, 10}, {sort, 50}, {less, 40}, {library, 4}};
  process.samples = {{main, 1}, {sort, 5}, {less, 4}};
  process.call_tree = {{CallNode::none, main, 1, 10, 1},
                       {0, sort, 1, 20, 2},
                       {1, less, 7, 15, 1},
                       {1, sort, 1, 30, 3},
                       {3, less, 9, 25, 3},
                       {0, library, 2, 4, 0}};
  process.call_arcs = {{main + 4, sort, 1, 90},
                       {main + 8, library, 2, 4},
                       {sort + 4, less, 16, 40},
                       {sort + 8, sort, 1, 55}};
  Profile profile;
  profile.command = "s \"1\"";
  profile.cpu = Hertz(33'000'000);
  profile.tick_rate = Hertz(100);
  profile.processes.push_back(std::move(process));
  return profile;
}

// The same without calls.
inline Profile flat_profile_of_sorting() {
  Profile profile = profile_of_sorting();
  profile.processes[0].call_tree.clear();
  profile.processes[0].call_arcs.clear();
  return profile;
}

// main's 10 cycles issue, sort's 50 wait for operands, less's 40 are 24 that issue and 16 data
// misses, the library's 4 are of the TLB. The kernel works 9 cycles for main's second instruction,
// at which nothing else passes.
inline Profile with_reasons(Profile profile) {
  auto& reasons = profile.processes[0].reasons;
  reasons[CycleReason::issue][GuestAddr(0x1000)] = 10;
  reasons[CycleReason::operand][GuestAddr(0x1010)] = 50;
  reasons[CycleReason::issue][GuestAddr(0x1020)] = 24;
  reasons[CycleReason::data_miss][GuestAddr(0x1020)] = 16;
  reasons[CycleReason::tlb][GuestAddr(0x5000)] = 4;
  reasons[CycleReason::kernel][GuestAddr(0x1004)] = 9;
  return profile;
}

inline CallGraph graph_of_sorting(const Profile& profile) {
  return call_graph(profile, symbols_of_sorting(), &profile, {.name = "s"});
}
inline CallGraph graph_of_sorting() {
  return graph_of_sorting(profile_of_sorting());
}

// A damaged file's: a path of `depth` functions, each with a cycle.
inline Profile deep_profile(std::uint32_t depth) {
  Profile profile = profile_of_sorting();
  auto& tree = profile.processes[0].call_tree;
  tree.clear();
  for (std::uint32_t i = 0; i < depth; ++i) {
    const GuestAddr function = i % 2 == 0 ? GuestAddr(0x1000) : GuestAddr(0x1010);
    tree.push_back({i == 0 ? CallNode::none : i - 1, function, 1, 1, 0});
  }
  return profile;
}

}  // namespace hardclock::report
