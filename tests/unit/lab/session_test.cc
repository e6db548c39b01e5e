// A way through the toy machine's run, whose every instruction is known.
#include "sim/lab/session.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/unit/lab/toy_machine.h"

namespace hardclock::lab {
namespace {

Session toy_session(unsigned* made = nullptr) {
  return Session(std::make_unique<ToyMachine>(made));
}

TEST(Session, BeginsBehindTheFirstInstruction) {
  const Session session = toy_session();
  ASSERT_NE(session.frame(), nullptr);
  EXPECT_EQ(session.frame()->number, 1U);
  EXPECT_EQ(session.frame()->pc, GuestAddr(0x1000));
  EXPECT_EQ(session.ending(), "");
}

TEST(Session, StepsForwardAndBack) {
  Session session = toy_session();
  EXPECT_EQ(session.step(24), "");
  EXPECT_EQ(session.frame()->number, 25U);
  EXPECT_EQ(session.step_back(5), "");
  EXPECT_EQ(session.frame()->number, 20U);
  EXPECT_EQ(session.frame()->registers[1], 20U);
  EXPECT_EQ(session.step(2), "");
  EXPECT_EQ(session.frame()->number, 22U);
  EXPECT_EQ(session.frame_before(21)->number, 1U);
  EXPECT_EQ(session.frame_before(22), nullptr);
}

TEST(Session, FurtherBackThanItKeepsTheProgramRunsAnew) {
  unsigned made = 0;
  Session session = toy_session(&made);
  session.step(Session::most_frames + 100);
  const std::uint64_t number = session.frame()->number;
  session.step_back(Session::most_frames - 1);
  EXPECT_EQ(made, 1U) << "these are kept";
  EXPECT_EQ(session.step_back(3), "");
  EXPECT_EQ(made, 2U);
  EXPECT_EQ(session.frame()->number, number - Session::most_frames - 2);
  EXPECT_EQ(session.frame()->registers[1], session.frame()->number);
  session.step(5);
  EXPECT_EQ(session.frame()->number, number - Session::most_frames + 3);
}

TEST(Session, NothingIsBeforeTheFirstInstruction) {
  Session session = toy_session();
  session.step(3);
  EXPECT_EQ(session.step_back(100), "this is the first instruction");
  EXPECT_EQ(session.frame()->number, 1U);
}

TEST(Session, EndsWithTheProgram) {
  Session session = toy_session();
  EXPECT_EQ(session.step(ToyMachine::length + 5), "the program has ended: exit status 0");
  EXPECT_EQ(session.frame()->number, ToyMachine::length);
  EXPECT_EQ(session.ending(), "exit status 0");
  session.step_back(1);
  EXPECT_EQ(session.ending(), "") << "it is not there yet";
}

// Ticks are due in cycles 3,000, 6,000 and 9,000.
TEST(Session, GoesFromTickToTick) {
  Session session = toy_session();
  for (const std::uint64_t tick : {3'000U, 6'000U, 9'000U}) {
    EXPECT_EQ(session.next_tick(), "");
    EXPECT_EQ(session.frame()->number, tick);
    EXPECT_TRUE(session.frame()->clock.has_value());
    EXPECT_NE(session.frame_before(100), nullptr) << "what led to it can be seen";
  }
  EXPECT_EQ(session.next_tick(), "the program has ended: exit status 0");
  EXPECT_EQ(session.frame()->number, ToyMachine::length);
  session.step_back(ToyMachine::length - 2'999);
  EXPECT_EQ(session.frame()->number, 2'999U);
  session.next_tick();
  EXPECT_EQ(session.frame()->number, 3'000U) << "a tick near by is not passed over";
}

TEST(Session, GoesOverManyTicksAtOnce) {
  unsigned looked_at = 0;
  Session session(std::make_unique<ToyMachine>(nullptr, "loop", &looked_at));
  EXPECT_EQ(session.next_tick(3), "");
  EXPECT_EQ(session.frame()->number, 9'000U);
  EXPECT_NE(session.frame_before(100), nullptr);
  EXPECT_LT(looked_at, 1'000U) << "those before the last tick";
  session.step_back(8'000);
  EXPECT_EQ(session.next_tick(2), "");
  EXPECT_EQ(session.frame()->number, 6'000U);
  EXPECT_EQ(session.next_tick(2), "the program has ended: exit status 0");
  EXPECT_EQ(session.frame()->number, ToyMachine::length);
}

const Place last{GuestAddr(0x1024), false, {}}, nowhere{GuestAddr(0x3000), false, {}};

// The instruction at 0x1024 is every tenth, from the tenth on.
TEST(Session, RunsToAnInstruction) {
  Session session = toy_session();
  EXPECT_EQ(session.run_to(last), "");
  EXPECT_EQ(session.frame()->number, 10U);
  EXPECT_EQ(session.run_to(last), "");
  EXPECT_EQ(session.frame()->number, 20U);
  EXPECT_EQ(session.run_to(last, 700), "");
  EXPECT_EQ(session.frame()->number, 7'000U);
  EXPECT_NE(session.frame_before(100), nullptr);
  EXPECT_EQ(session.run_to(last, 7), "");
  EXPECT_EQ(session.frame()->number, 70U) << "times count from the program's start";
}

// As in gdb, less and vi.
TEST(Session, StaysWhereItIsIfAPlaceIsNotReached) {
  Session session = toy_session();
  session.step(4'321);
  session.step_back(21);
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(session.run_to(last, 1'001), "the program ends before that: exit status 0");
    EXPECT_EQ(session.frame()->number, 4'301U);
    EXPECT_EQ(session.run_to(nowhere), "the program ends before that: exit status 0");
    EXPECT_EQ(session.frame()->number, 4'301U);
    EXPECT_NE(session.frame_before(100), nullptr);
  }
  session.step(1);
  EXPECT_EQ(session.frame()->number, 4'302U);
}

TEST(Session, StaysWhereItIsIfItIsStopped) {
  Session session = toy_session();
  session.step(99);
  unsigned asked = 0;
  session.stop_if([&asked] { return ++asked == 3; });
  EXPECT_EQ(session.run_to(nowhere), "stopped");
  EXPECT_EQ(asked, 3U);
  EXPECT_EQ(session.frame()->number, 100U);
  EXPECT_EQ(session.run_to(last), "");
  EXPECT_EQ(session.frame()->number, 110U);
}

// Instruction 3,000 is the tenth of the loop; the tick finds the next one, the first.
TEST(Session, JudgesGuesses) {
  Session session = toy_session();
  EXPECT_EQ(session.guess({0}), "Right: the tick found loop+0: counter 0. 1 of 1 right");
  EXPECT_EQ(session.guess({7}),
            "Wrong, you said counter 7: the tick found loop+0: counter 0. 1 of 2 right");
  EXPECT_EQ(session.guess({std::nullopt}),
            "Wrong, you said no counter: the tick found loop+0: counter 0. 1 of 3 right");
  EXPECT_EQ(session.guess({0}), "the program has ended: exit status 0; the guess does not count");
  EXPECT_EQ(session.score().guesses, 3U);
}

}  // namespace
}  // namespace hardclock::lab
