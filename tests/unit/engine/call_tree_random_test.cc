// CallTree follows any program, with any number of functions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/engine/called_thread.h"

namespace hardclock {
namespace {

using namespace call_trees;

// A guest that calls ever new functions without end, from one another or in turn, fills no more
// memory than there is for profiles, and no cycle is lost.
class BoundedCallTree : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(CallTree, BoundedCallTree, testing::Bool());

TEST_P(BoundedCallTree, KeepsEachCycle) {
  const bool returns = GetParam();
  Thread thread(0x5000);
  constexpr std::uint64_t calls = 3'000'000;
  for (std::uint64_t i = 0; i < calls; ++i) {
    thread.pass(1);
    if (!returns) ++thread.depth;
    thread.call(0x10000 + 16 * i, 0x10010 + 16 * i);
    if (returns) thread.go(0x10010 + 16 * i, 0x10008 + 16 * i);
  }
  EXPECT_LE(thread.memory.budget()->profile_bytes(), thread.memory.budget()->most_profile_bytes());
  const CallRecord record = thread.record();
  EXPECT_GT(record.not_kept(), 0u);
  EXPECT_LT(record.nodes().size(), calls);
  std::uint64_t cycles = 0;
  for (const CallRecord::Node& node : record.nodes()) cycles += node.cycles;
  EXPECT_EQ(cycles, calls);
}

// Random programs, whose true stack is known: each cycle is on the path of the functions on it, as
// long as none is there twice.
RC_GTEST_PROP(CallTree, FollowsAnyProgram, ()) {
  struct Activation {
    std::uint64_t function;
    std::uint64_t comes_back_to;
    std::uint64_t depth;  // at its call
    bool is_tail;
  };
  std::vector<Activation> stack = {{0x1000, 0, 0x100, false}};
  Thread thread(0x1000);
  std::map<std::string, std::uint64_t> expected;
  const auto path = [&] {
    std::string text;
    for (const Activation& each : stack) {
      char function[20];
      std::snprintf(function, sizeof function, text.empty() ? "%llx" : " %llx",
                    static_cast<unsigned long long>(each.function));
      text += function;
    }
    return text;
  };
  const auto is_on_stack = [&](std::uint64_t function) {
    return std::any_of(stack.begin(), stack.end(),
                       [&](const Activation& each) { return each.function == function; });
  };
  for (int step = 0; step < 200; ++step) {
    const auto passed = *rc::gen::inRange<std::uint64_t>(0, 50);
    thread.pass(passed);
    expected[path()] += passed;
    const std::uint64_t here = stack.back().function;
    const std::uint64_t site = here + 4 * *rc::gen::inRange<std::uint64_t>(1, 40);
    const std::uint64_t function = 0x1000 + 0x100 * *rc::gen::inRange<std::uint64_t>(0, 16);
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
      case 1:
        if (is_on_stack(function)) break;
        stack.push_back({function, site + 8, thread.depth, false});
        thread.call(site, function);
        thread.depth += *rc::gen::inRange<std::uint64_t>(1, 4) * 16;
        break;
      case 2:
        if (is_on_stack(function) || stack.size() == 1) break;
        thread.depth = stack.back().depth;
        stack.push_back({function, stack.back().comes_back_to, stack.back().depth, true});
        *rc::gen::arbitrary<bool>() ? thread.jump(site, function) : thread.go(site, function);
        thread.depth += 16;
        break;
      case 3: {
        if (stack.size() == 1) break;
        const std::uint64_t to = stack.back().comes_back_to;
        thread.depth = stack.back().depth;
        while (stack.back().is_tail) stack.pop_back();
        stack.pop_back();
        thread.go(site, to);
        break;
      }
      default: {  // longjmp to a function that has called another
        const auto keeps = *rc::gen::inRange<std::size_t>(1, stack.size() + 1);
        if (keeps == stack.size() || stack[keeps].is_tail) break;
        thread.depth = stack[keeps].depth;
        stack.resize(keeps);
        thread.go(site, stack.back().function + 0xf0);
      }
    }
  }
  auto found = cycles_of(thread.record());
  std::erase_if(found, [](const auto& each) { return each.second == 0; });
  std::erase_if(expected, [](const auto& each) { return each.second == 0; });
  RC_ASSERT(found == expected);
}

// Of few functions and sites, so that most calls are of what the site has called before. What
// follows a call may be the next function.
CallTree::Arrival any_arrival(std::uint64_t now) {
  const auto place = [](std::uint64_t step, int places) {
    return 0xe00 + step * *rc::gen::inRange<std::uint64_t>(0, places);
  };
  const std::uint64_t site = place(0x80, 10);
  return {.way = *rc::gen::element(Way::call, Way::call, Way::call, Way::straight, Way::indirect,
                                   Way::kernel),
          .site = site,
          .pc = place(0x100, 5) + *rc::gen::element<std::uint64_t>(0, 0, 0, 0x88),
          .comes_back_to = site + 0x80,
          .depth = *rc::gen::inRange<std::uint64_t>(1, 6),
          .depth_before = *rc::gen::inRange<std::uint64_t>(1, 6),
          .cycles = now};
}

RC_GTEST_PROP(CallTree, KnownCallsAreFollowedAsOthersAre, ()) {
  AddressSpace memory{std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                      GuestAddr(0x80000000)};
  const auto functions = std::make_shared<RegularFunctions>();
  CallTree tree(functions, memory), knowing(functions, memory);
  std::map<std::uint64_t, CallTree::KnownCall> known;  // by site
  std::vector<CallTree::Arrival> calls;                // that may return
  std::uint64_t now = 0;
  for (int step = 0; step < 300; ++step) {
    now += *rc::gen::inRange<std::uint64_t>(0, 50);
    CallTree::Arrival arrival = any_arrival(now);
    if (!calls.empty() && *rc::gen::inRange(0, 5) < 2) {
      arrival.way = Way::indirect;
      arrival.pc = calls.back().comes_back_to;
      arrival.depth = calls.back().depth;
      calls.pop_back();
    } else if (arrival.way == Way::call) {
      calls.push_back(arrival);
    }
    tree.arrive(arrival);
    knowing.arrive(arrival, known[arrival.site]);
    if (step % 8 == 0) {
      tree.tick();
      knowing.tick();
    }
    RC_ASSERT(knowing.record(now) == tree.record(now));
  }
}

}  // namespace
}  // namespace hardclock
