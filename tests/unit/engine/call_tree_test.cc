// What sim/engine/call_tree.h promises.
#include "sim/engine/call_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/settled_calls.h"

namespace hardclock {
namespace {

using Way = CallTree::Way;

// A function every 0x100 bytes from 0x1000 to 0x2000, which calls may enter 0xc bytes further, too;
// nothing is known of what lies around them.
class RegularFunctions final : public FunctionFinder {
 public:
  FunctionRange find(const AddressSpace&, GuestAddr pc) override {
    if (pc.value() < 0x1000) return {.low = 0, .high = 0x1000};
    if (pc.value() >= 0x2000) return {.low = 0x2000, .high = ~std::uint64_t{0}};
    const std::uint64_t low = pc.value() / 0x100 * 0x100;
    return {.low = low, .high = low + 0x100, .function = low, .inner_entry = low + 0xc};
  }
};

// A path of calls: "1000 1100".
std::string path_of(const CallRecord& record, CallRecord::Number number) {
  const CallRecord::Node& node = record.nodes()[number];
  char text[20];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(node.function.value()));
  if (node.parent == CallRecord::none) return text;
  return path_of(record, node.parent) + " " + text;
}

// The cycles of each path.
std::map<std::string, std::uint64_t> cycles_of(const CallRecord& record) {
  std::map<std::string, std::uint64_t> cycles;
  for (CallRecord::Number i = 0; i < record.nodes().size(); ++i) {
    cycles[path_of(record, i)] += record.nodes()[i].cycles;
  }
  return cycles;
}

std::map<std::string, std::uint64_t> calls_of(const CallRecord& record) {
  std::map<std::string, std::uint64_t> calls;
  for (CallRecord::Number i = 0; i < record.nodes().size(); ++i) {
    calls[path_of(record, i)] += record.nodes()[i].calls;
  }
  return calls;
}

CallRecord::Arc arc_of(const CallRecord& record, std::uint64_t site, std::uint64_t function) {
  for (const auto& [key, arc] : record.arcs()) {
    if (key == CallRecord::ArcKey{GuestAddr(site), GuestAddr(function)}) return arc;
  }
  return {};
}

// A thread, whose stack has `depth` bytes and whose calls come back two instructions later.
class Thread {
 public:
  explicit Thread(std::uint64_t pc) { arrive(Way::straight, 0, pc); }

  void call(std::uint64_t site, std::uint64_t to) { arrive(Way::call, site, to); }
  void jump(std::uint64_t site, std::uint64_t to) { arrive(Way::straight, site, to); }
  void always(std::uint64_t site, std::uint64_t to) { arrive(Way::jump, site, to); }
  void go(std::uint64_t site, std::uint64_t to) { arrive(Way::indirect, site, to); }
  void interrupt(std::uint64_t at, std::uint64_t to, std::uint64_t depth_there) {
    const std::uint64_t before = depth;
    depth = depth_there;
    tree.arrive({.way = Way::kernel,
                 .site = at,
                 .pc = to,
                 .depth = depth,
                 .depth_before = before,
                 .cycles = now});
  }
  void pass(std::uint64_t cycles) { now += cycles; }
  CallRecord record() const { return tree.record(now); }

  AddressSpace memory{std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                      GuestAddr(0x80000000)};
  CallTree tree{std::make_shared<RegularFunctions>(), memory};
  std::uint64_t depth = 0x100;
  std::uint64_t now = 0;

 private:
  void arrive(Way way, std::uint64_t site, std::uint64_t pc) {
    tree.arrive({.way = way,
                 .site = site,
                 .pc = pc,
                 .comes_back_to = site + 8,
                 .depth = depth,
                 .cycles = now});
  }
};

TEST(CallTree, CountsCallsAndWhatTheyTake) {
  Thread thread(0x1010);
  thread.pass(5);
  thread.call(0x1020, 0x1100);
  thread.pass(7);
  thread.go(0x1110, 0x1028);
  thread.pass(1);
  thread.call(0x1030, 0x1100);
  thread.pass(7);
  thread.call(0x1120, 0x1200);
  thread.tree.tick();
  thread.pass(20);
  thread.go(0x1200, 0x1128);
  thread.go(0x1130, 0x1038);
  thread.pass(2);
  const CallRecord record = thread.record();
  EXPECT_EQ(cycles_of(record), (std::map<std::string, std::uint64_t>{
                                   {"1000", 8}, {"1000 1100", 14}, {"1000 1100 1200", 20}}));
  EXPECT_EQ(calls_of(record), (std::map<std::string, std::uint64_t>{
                                  {"1000", 1}, {"1000 1100", 2}, {"1000 1100 1200", 1}}));
  EXPECT_EQ(record.nodes()[2].ticks, 1u);
  EXPECT_EQ(arc_of(record, 0x1020, 0x1100), (CallRecord::Arc{1, 7}));
  EXPECT_EQ(arc_of(record, 0x1030, 0x1100), (CallRecord::Arc{1, 27}));
  EXPECT_EQ(arc_of(record, 0x1120, 0x1200), (CallRecord::Arc{1, 20}));
}

TEST(CallTree, CallsThatHaveNotReturnedCount) {
  Thread thread(0x1000);
  thread.call(0x1020, 0x1100);
  thread.pass(9);
  EXPECT_EQ(arc_of(thread.record(), 0x1020, 0x1100), (CallRecord::Arc{1, 9}));
  EXPECT_EQ(cycles_of(thread.record()).at("1000 1100"), 9u);
}

// Depth 10, each call at one place: the function has two places in the tree, and what the outermost
// call takes counts once.
TEST(CallTree, RecursionIsFolded) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x1100);
  for (int i = 0; i < 9; ++i) {
    thread.depth += 16;
    thread.pass(1);
    thread.call(0x1140, 0x1100);
  }
  thread.pass(1);
  for (int i = 0; i < 9; ++i) {
    thread.go(0x1180, 0x1148);
    thread.depth -= 16;
    thread.pass(1);
  }
  thread.go(0x1180, 0x1018);
  thread.pass(100);
  const CallRecord record = thread.record();
  EXPECT_EQ(cycles_of(record), (std::map<std::string, std::uint64_t>{
                                   {"1000", 100}, {"1000 1100", 2}, {"1000 1100 1100", 17}}));
  EXPECT_EQ(calls_of(record).at("1000 1100 1100"), 9u);
  EXPECT_EQ(arc_of(record, 0x1010, 0x1100), (CallRecord::Arc{1, 19}));
  EXPECT_EQ(arc_of(record, 0x1140, 0x1100), (CallRecord::Arc{9, 17}));
}

// As the link editor of IRIX 5.3 has them: behind the words with which MIPS code finds its data.
// What falls through these, as 1200 does, has been called once.
TEST(CallTree, CallsMayEnterBehindTheSymbol) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x110c);
  thread.depth += 16;
  thread.pass(1);
  thread.call(0x1140, 0x110c);
  thread.depth += 16;
  thread.pass(2);
  thread.call(0x1140, 0x1200);
  thread.jump(0x1208, 0x120c);
  thread.pass(4);
  thread.go(0x1230, 0x1148);
  thread.go(0x1180, 0x1148);
  thread.depth -= 16;
  thread.jump(0x1150, 0x110c);  // a loop
  thread.go(0x1150, 0x110c);    // the same
  thread.depth -= 16;
  thread.go(0x1180, 0x1018);
  const CallRecord record = thread.record();
  EXPECT_EQ(calls_of(record),
            (std::map<std::string, std::uint64_t>{
                {"1000", 1}, {"1000 1100", 1}, {"1000 1100 1100", 1}, {"1000 1100 1100 1200", 1}}));
  EXPECT_EQ(arc_of(record, 0x1010, 0x1100), (CallRecord::Arc{1, 7}));
  EXPECT_EQ(arc_of(record, 0x1140, 0x1100), (CallRecord::Arc{1, 6}));
  EXPECT_EQ(arc_of(record, 0x1140, 0x1200), (CallRecord::Arc{1, 4}));
}

// 1100 has called 1200, which jumps to the inner entry of 1100: that is no way back into the call
// that waits.
TEST(CallTree, AJumpToAnInnerEntryIsNoReturn) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x110c);
  thread.call(0x1140, 0x120c);
  thread.go(0x1210, 0x110c);
  thread.pass(3);
  thread.go(0x1180, 0x1148);
  thread.go(0x1180, 0x1018);
  const auto calls = calls_of(thread.record());
  EXPECT_EQ(calls.at("1000 1100"), 1u);
  EXPECT_EQ(calls.at("1000 1100 1200 1100"), 1u);
}

// 1100 jumps to 1200, which returns to whoever called 1100; 1200 jumps back in between.
TEST(CallTree, TailCallsReturnTogether) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x1100);
  thread.pass(3);
  thread.jump(0x1104, 0x1200);
  thread.pass(4);
  thread.jump(0x1210, 0x1180);
  thread.pass(5);
  thread.jump(0x1190, 0x1200);
  thread.pass(6);
  thread.go(0x1220, 0x1018);
  thread.pass(7);
  const CallRecord record = thread.record();
  EXPECT_EQ(cycles_of(record), (std::map<std::string, std::uint64_t>{
                                   {"1000", 7}, {"1000 1100", 8}, {"1000 1100 1200", 10}}));
  EXPECT_EQ(arc_of(record, 0x1010, 0x1100), (CallRecord::Arc{1, 18}));
  EXPECT_EQ(arc_of(record, 0x1104, 0x1200), (CallRecord::Arc{1, 4}));
  EXPECT_EQ(arc_of(record, 0x1190, 0x1200), (CallRecord::Arc{1, 6}));
}

// 1000 calls setjmp (1f00), which returns, and then down to 1300, which calls longjmp (1e00).
TEST(CallTree, LongjmpEndsWhatItLeaves) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x1f00);
  thread.go(0x1f10, 0x1018);
  for (const std::uint64_t function : {0x1100, 0x1200, 0x1300}) {
    thread.call(function - 0x100 + 0x20, function);
    thread.depth += 32;
  }
  thread.pass(5);
  thread.call(0x1350, 0x1e00);
  thread.depth = 0x100;
  thread.go(0x1e10, 0x1018);
  thread.pass(3);
  thread.call(0x1040, 0x1100);
  thread.pass(2);
  thread.go(0x1110, 0x1048);
  const CallRecord record = thread.record();
  EXPECT_EQ(cycles_of(record).at("1000"), 3u);
  EXPECT_EQ(cycles_of(record).at("1000 1100"), 2u);
  EXPECT_EQ(calls_of(record).at("1000 1100"), 2u);
  EXPECT_EQ(arc_of(record, 0x1020, 0x1100), (CallRecord::Arc{1, 5}));
}

TEST(CallTree, HandlersOfSignalsAreCalledByWhatTheyInterrupt) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x1100);
  thread.depth += 16;
  thread.pass(3);
  thread.interrupt(0x1150, 0x1700, thread.depth + 256);
  thread.pass(2);
  thread.call(0x1710, 0x1800);
  thread.pass(1);
  thread.go(0x1810, 0x1718);
  thread.interrupt(0x1720, 0x1150, 0x110);  // sigreturn
  thread.pass(4);
  thread.depth -= 16;
  thread.go(0x1160, 0x1018);
  thread.pass(8);
  EXPECT_EQ(cycles_of(thread.record()),
            (std::map<std::string, std::uint64_t>{
                {"1000", 8}, {"1000 1100", 7}, {"1000 1100 1700", 2}, {"1000 1100 1700 1800", 1}}));
}

// Its addresses are above those of the interrupted one, as if less were on it.
TEST(CallTree, HandlersMayRunOnAnotherStack) {
  Thread thread(0x1000);
  thread.depth = 0x1000;
  thread.call(0x1010, 0x1100);
  thread.interrupt(0x1150, 0x1700, 0x10);
  thread.call(0x1710, 0x1800);
  thread.pass(1);
  thread.go(0x1810, 0x1718);
  thread.interrupt(0x1720, 0x1150, 0x1000);
  thread.pass(4);
  thread.go(0x1160, 0x1018);
  thread.pass(8);
  EXPECT_EQ(cycles_of(thread.record()),
            (std::map<std::string, std::uint64_t>{
                {"1000", 8}, {"1000 1100", 4}, {"1000 1100 1700", 0}, {"1000 1100 1700 1800", 1}}));
}

// It has changed where the program goes on: behind what was interrupted.
TEST(CallTree, HandlersMayChangeThePc) {
  for (const std::uint64_t stack : {0x2000, 0x10}) {
    Thread thread(0x1000);
    thread.depth = 0x1000;
    for (int i = 0; i < 3; ++i) {
      thread.call(0x1010, 0x1100);
      thread.interrupt(0x1150, 0x1700, stack);
      thread.call(0x1710, 0x1800);
      thread.go(0x1810, 0x1718);
      thread.interrupt(0x1720, 0x1154, 0x1000);
      thread.pass(4);
      thread.go(0x1160, 0x1018);
    }
    EXPECT_EQ(
        calls_of(thread.record()),
        (std::map<std::string, std::uint64_t>{
            {"1000", 1}, {"1000 1100", 3}, {"1000 1100 1700", 3}, {"1000 1100 1700 1800", 3}}));
    EXPECT_EQ(cycles_of(thread.record()).at("1000 1100"), 12u);
  }
}

// As programs do that survive the overflow of their stack.
TEST(CallTree, LongjmpFromAnotherStackOutOfManyCalls) {
  Thread thread(0x1000);
  thread.depth = 0x10000;
  for (int i = 0; i < 200; ++i) {
    thread.depth += 16;
    thread.call(i == 0 ? 0x1010 : 0x1110, 0x1100);
  }
  thread.interrupt(0x1150, 0x1700, 0x10);
  thread.call(0x1710, 0x1e00);
  thread.depth = 0x10000;
  thread.go(0x1e10, 0x1020);
  thread.call(0x1030, 0x1200);
  thread.pass(5);
  EXPECT_EQ(cycles_of(thread.record()).at("1000 1200"), 5u);
}

// A stack that is changed by hand: nobody has called what goes on there.
TEST(CallTree, TheMiddleOfAFunctionIsNotCalled) {
  Thread thread(0x1000);
  thread.depth = 0x1000;
  thread.call(0x1010, 0x1100);
  thread.depth = 0x10;
  thread.go(0x1120, 0x1240);
  thread.pass(3);
  const CallRecord record = thread.record();
  for (const CallRecord::Node& node : record.nodes()) {
    if (node.function != GuestAddr(0x1200)) continue;
    EXPECT_EQ(node.calls, 0u);
    EXPECT_EQ(node.cycles, 3u);
  }
  EXPECT_EQ(arc_of(record, 0x1120, 0x1200), CallRecord::Arc());
}

TEST(CallTree, LongjmpOutOfAHandler) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x1100);
  thread.depth += 16;
  thread.interrupt(0x1150, 0x1700, thread.depth + 256);
  thread.call(0x1710, 0x1e00);
  thread.depth = 0x100;
  thread.go(0x1e10, 0x1030);
  thread.pass(6);
  thread.call(0x1040, 0x1200);
  thread.pass(2);
  const auto cycles = cycles_of(thread.record());
  EXPECT_EQ(cycles.at("1000"), 6u);
  EXPECT_EQ(cycles.at("1000 1200"), 2u);
}

// BAL to the next instruction but one, for the pc; a subroutine without a name of its own.
TEST(CallTree, CallsWithinAFunctionAreNone) {
  Thread thread(0x1000);
  thread.call(0x1010, 0x1018);
  thread.call(0x1020, 0x1080);
  thread.pass(5);
  thread.go(0x1090, 0x1028);
  thread.pass(5);
  EXPECT_EQ(cycles_of(thread.record()), (std::map<std::string, std::uint64_t>{{"1000", 10}}));
}

// Where a file has no symbols, a function is where somebody calls.
TEST(CallTree, WithoutSymbolsFunctionsAreWhatIsCalled) {
  Thread thread(0x5000);
  thread.pass(1);
  thread.call(0x5010, 0x6000);
  thread.pass(2);
  thread.jump(0x6010, 0x7000);
  thread.pass(3);
  thread.call(0x7000, 0x7008);
  thread.call(0x7008, 0x8000);
  thread.pass(4);
  thread.go(0x8004, 0x7010);
  thread.go(0x7020, 0x5018);
  thread.pass(5);
  EXPECT_EQ(cycles_of(thread.record()), (std::map<std::string, std::uint64_t>{
                                            {"5000", 6}, {"5000 6000", 5}, {"5000 6000 8000", 4}}));
}

// 6000 ends with a jump to 8000, behind 7000; which of the two others is called first tells
// nothing.
TEST(CallTree, WithoutSymbolsAJumpBehindAnotherFunctionIsACall) {
  for (const bool early : {false, true}) {
    Thread thread(0x5000);
    const auto call_between = [&] {
      thread.call(0x5020, 0x7000);
      thread.pass(2);
      thread.go(0x7004, 0x5028);
    };
    if (early) call_between();
    thread.call(0x5010, 0x6000);
    thread.pass(3);
    thread.always(0x6010, 0x6020);  // over what is not run
    thread.pass(4);
    thread.always(0x6030, 0x8000);
    thread.pass(10);
    thread.always(0x8010, 0x8020);
    thread.pass(20);
    thread.always(0x8020, 0x8000);
    thread.pass(30);
    thread.go(0x8030, 0x5018);
    if (!early) call_between();
    const CallRecord record = settled(thread.record());
    EXPECT_EQ(cycles_of(record),
              (std::map<std::string, std::uint64_t>{
                  {"5000", 0}, {"5000 6000", 7}, {"5000 6000 8000", 60}, {"5000 7000", 2}}));
    EXPECT_EQ(arc_of(record, 0x5010, 0x6000), (CallRecord::Arc{1, 67}));
    EXPECT_EQ(arc_of(record, 0x6030, 0x8000).cycles, 60u);
  }
}

// As code that compilers put elsewhere does, which is seldom run.
TEST(CallTree, WithoutSymbolsAJumpBackIsNoCall) {
  Thread thread(0x5000);
  thread.call(0x5020, 0x7000);
  thread.go(0x7004, 0x5028);
  thread.call(0x5010, 0x6000);
  thread.pass(1);
  thread.always(0x6010, 0x8000);
  thread.pass(2);
  thread.always(0x8010, 0x6018);
  thread.pass(4);
  thread.go(0x6030, 0x5018);
  const auto cycles = cycles_of(settled(thread.record()));
  EXPECT_EQ(cycles.at("5000 6000"), 5u);
  EXPECT_EQ(cycles.at("5000 6000 8000"), 2u);
  EXPECT_EQ(cycles.size(), 4u);
}

TEST(CallTree, AForkStandsWhereItsParentDoes) {
  Thread thread(0x1000);
  thread.pass(50);
  thread.call(0x1010, 0x1100);
  thread.pass(50);
  CallTree child = thread.tree.fork(thread.memory);
  child.arrive({.way = Way::indirect, .site = 0x1120, .pc = 0x1018, .depth = 0x100, .cycles = 6});
  const CallRecord record = child.record(10);
  EXPECT_EQ(cycles_of(record),
            (std::map<std::string, std::uint64_t>{{"1000", 4}, {"1000 1100", 6}}));
  EXPECT_EQ(calls_of(record),
            (std::map<std::string, std::uint64_t>{{"1000", 0}, {"1000 1100", 0}}));
}

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

TEST(CallRecord, AddsUp) {
  Thread a(0x1000), b(0x1000);
  a.pass(1);
  a.call(0x1010, 0x1100);
  a.pass(2);
  b.pass(10);
  b.call(0x1010, 0x1200);
  b.pass(20);
  b.go(0x1210, 0x1018);
  b.call(0x1010, 0x1100);
  b.pass(40);
  CallRecord sum = a.record();
  sum.add(b.record());
  EXPECT_EQ(cycles_of(sum), (std::map<std::string, std::uint64_t>{
                                {"1000", 11}, {"1000 1100", 42}, {"1000 1200", 20}}));
  EXPECT_EQ(arc_of(sum, 0x1010, 0x1100), (CallRecord::Arc{2, 42}));
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
