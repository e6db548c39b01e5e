// What sim/engine/call_tree.h promises.
#include "sim/engine/call_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/settled_calls.h"
#include "tests/unit/engine/called_thread.h"

namespace hardclock {
namespace {

using namespace call_trees;

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

}  // namespace
}  // namespace hardclock
