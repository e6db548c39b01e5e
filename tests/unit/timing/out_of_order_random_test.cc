// The out-of-order model against a processor that steps one cycle at a time (naive_out_of_order.h):
// random instruction streams on random machines; every instruction must be fetched, decoded,
// issued, complete and graduate in the same cycle in both.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/timing/naive_out_of_order.h"
#include "tests/unit/timing/random_out_of_order.h"

namespace hardclock {
namespace {

std::string text(const OutOfOrderCore::Times& times) {
  const auto word = [](std::uint64_t cycle) { return " " + std::to_string(cycle); };
  return word(times.fetch) + word(times.decode) + word(times.issue) + word(times.complete) +
         word(times.graduate);
}

// Empty when every instruction took the same way through both.
std::string first_difference(const NaiveMachine& machine,
                             const std::vector<NaiveInstruction>& stream) {
  NaiveProcessor naive(machine, stream);
  const std::vector<OutOfOrderCore::Times> expected = naive.run();
  const auto description = described(machine);
  if (description == nullptr) return "no description";
  OutOfOrderCore core(description);
  std::uint64_t graduated = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    graduated += core.retire(stream[i].timing, stream[i].dynamic);
    if (stream[i].transfers) core.resolve(stream[i].outcome);
    if (text(core.last()) != text(expected[i]) || graduated != expected[i].graduate) {
      return "instruction " + std::to_string(i) + " (" +
             machine.classes[stream[i].timing.timing_class].name + "):" + text(core.last()) +
             ", naive:" + text(expected[i]);
    }
  }
  if (core.mispredicted() != naive.wrong_predictions()) return "mispredictions differ";
  return {};
}

TEST(OutOfOrderRandom, AgreesCycleForCycleWithASteppedProcessor) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    const std::vector<NaiveInstruction> stream = Stream(random).make(250);
    ASSERT_EQ(first_difference(machine, stream), "") << "seed " << seed << "\n" << machine.text();
  }
}

TEST(OutOfOrderRandom, AgreesInLongStreams) {
  for (unsigned seed = 1000; seed < 1003; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    const std::vector<NaiveInstruction> stream = Stream(random).make(4000);
    ASSERT_EQ(first_difference(machine, stream), "") << "seed " << seed;
  }
}

// After drain() the machine is as new, but for what the predictor has learnt.
TEST(OutOfOrderRandom, ADrainedCoreBehavesLikeANewOne) {
  for (unsigned seed = 2000; seed < 2050; ++seed) {
    Random random(seed);
    const NaiveMachine machine = random_machine(random);
    const auto description = described(machine);
    ASSERT_NE(description, nullptr);
    OutOfOrderCore used(description);
    for (const NaiveInstruction& one : Stream(random).make(100)) {
      if (!one.transfers) used.retire(one.timing, one.dynamic);
    }
    used.drain();
    OutOfOrderCore fresh(description);
    for (const NaiveInstruction& one : Stream(random).make(100)) {
      if (one.transfers) continue;
      ASSERT_EQ(used.retire(one.timing, one.dynamic), fresh.retire(one.timing, one.dynamic))
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace hardclock
