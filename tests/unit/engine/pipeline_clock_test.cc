// Which waits PipelineClock calls mere delays, against what the pipeline itself does when it is
// frozen there.
#include "sim/timing/pipeline_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sim/timing/cpu_description.h"
#include "sim/timing/in_order.h"
#include "tests/unit/timing/made_in_order.h"

namespace hardclock {
namespace {

constexpr const char* class_names[] = {"alu", "load", "mult", "fp_add", "fp_div_d"};
enum TestClass : std::uint8_t { alu, load, mult, fp_add, fp_div_d };

// As the R4000's, with shorter operations: products and quotients go on while a miss is served.
constexpr const char* one_at_a_time = R"(
cpu   test
clock 100                                           unverified: none, a test
class alu      latency 1                            unverified: none, a test
class load     latency 3                            unverified: none, a test
class mult     latency 5 repeat 5 unit hilo         unverified: none, a test
class fp_add   latency 4 repeat 2 unit fpadd        unverified: none, a test
class fp_div_d latency 7 repeat 7 unit fpdiv        unverified: none, a test
continues mult,fp_div_d in stalls                   unverified: none, a test
)";

constexpr Resource lo = 65;

std::shared_ptr<const Pipeline> made(const std::string& text) {
  return made_in_order(text, class_names);
}

using Instructions = std::vector<InstructionTiming>;

struct Passage {
  std::uint32_t cycles = 0;
  PipelineState state;

  bool operator==(const Passage&) const = default;
};

// The instructions, with a wait before the first and behind each.
Passage pass(const Pipeline& pipeline, const Instructions& instructions, PipelineState state,
             const std::vector<std::uint32_t>& waits) {
  std::uint32_t cycles = waits[0];
  pipeline.freeze(state, waits[0]);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    cycles += pipeline.issue(state, instructions[i]) + waits[i + 1];
    pipeline.freeze(state, waits[i + 1]);
  }
  return {cycles, state};
}

// What the clock says of these instructions, behind `before`.
std::vector<bool> mere_delays(const std::string& description, const Instructions& before,
                              const Instructions& instructions) {
  PipelineClock clock(made(description));
  const auto block_of = [](const Instructions& all, std::vector<const InstructionTiming*>& kept) {
    for (const InstructionTiming& each : all) kept.push_back(&each);
    TimedBlock block;
    block.rest->instructions = kept;
    return block;
  };
  std::vector<const InstructionTiming*> kept_before, kept;
  TimedBlock first = block_of(before, kept_before), second = block_of(instructions, kept);
  if (!before.empty()) clock.leave(first, clock.enter(first), BlockExit::straight);
  return clock.mere_delays(second, clock.enter(second));
}

TEST(MereDelays, AreAllWaitsWhereNothingContinues) {
  const Instructions block = {{load, {4}, {8}}, {alu, {8}, {9}}, {fp_add, {36}, {38}}};
  EXPECT_EQ(mere_delays(one_at_a_time, {}, block), std::vector<bool>(4, true));
}

// The product is there 5 cycles after its issue: for what issues in the fifth cycle behind it.
TEST(MereDelays, AreNotThoseInWhichAProductIsComputed) {
  const Instructions block = {{alu, {}, {}}, {mult, {4, 5}, {lo}}, {alu, {}, {}}, {alu, {}, {}},
                              {alu, {}, {}}, {alu, {}, {}},        {alu, {}, {}}};
  const std::vector<bool> found = mere_delays(one_at_a_time, {}, block);
  EXPECT_EQ(found, (std::vector<bool>{true, true, false, false, false, false, true, true}));
}

TEST(MereDelays, BeginOnceTheReaderOfTheProductHasIssued) {
  const Instructions block = {{mult, {4, 5}, {lo}}, {alu, {lo}, {8}}, {alu, {}, {}}};
  EXPECT_EQ(mere_delays(one_at_a_time, {}, block), (std::vector<bool>{true, false, true, true}));
}

TEST(MereDelays, AreNoneWhereSomethingContinuesFromBefore) {
  const Instructions block = {{alu, {}, {}}, {alu, {}, {}}, {alu, {}, {}}, {alu, {}, {}},
                              {alu, {}, {}}, {alu, {}, {}}, {alu, {}, {}}};
  EXPECT_EQ(mere_delays(one_at_a_time, {{mult, {4, 5}, {lo}}}, block), std::vector<bool>(8, false));
}

// The quotient begins while the product is waited for. With
// a wait in between, it begins as much later, but the product's reader issues when it would have:
// behind that reader the quotient is over later than without that wait.
TEST(MereDelays, AreNoneOnceTwoThatContinueMayHaveOverlapped) {
  const Instructions block = {{mult, {4, 5}, {lo}}, {fp_div_d, {36, 38}, {40}},
                              {alu, {lo}, {8}},     {alu, {}, {}},
                              {alu, {}, {}},        {alu, {}, {}},
                              {alu, {}, {}},        {alu, {}, {}}};
  EXPECT_EQ(mere_delays(one_at_a_time, {}, block),
            (std::vector<bool>{true, false, false, false, false, false, false, false, false}));
}

InstructionTiming random_instruction(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  InstructionTiming made;
  made.timing_class = static_cast<std::uint8_t>(below(2) * below(5));  // often an alu's
  // Few registers, so that many wait for one another.
  for (std::uint32_t i = below(3); i > 0; --i)
    made.reads.push_back(static_cast<Resource>(1 + below(5)));
  if (below(4) != 0) made.writes.push_back(static_cast<Resource>(1 + below(5)));
  return made;
}

Instructions random_instructions(std::mt19937& random, std::size_t most) {
  Instructions made(random() % most + 1);
  for (InstructionTiming& each : made) each = random_instruction(random);
  return made;
}

std::vector<std::uint32_t> random_waits(std::mt19937& random, std::size_t count) {
  std::vector<std::uint32_t> waits(count);
  for (std::uint32_t& each : waits) each = random() % 3 == 0 ? random() % 9 : 0;
  return waits;
}

// The definition: such a wait makes the passage longer, and that is all that it does, whatever else
// has waited.
void expect_mere(const std::string& description, std::uint32_t blocks) {
  const auto pipeline = made(description);
  std::uint32_t mere_with_continuing = 0;
  for (std::uint32_t seed = 0; seed < blocks; ++seed) {
    std::mt19937 random(seed);
    const Instructions before = random_instructions(random, 3);
    const Instructions block = random_instructions(random, 14);
    const std::vector<bool> mere = mere_delays(description, before, block);
    PipelineState state;
    for (const InstructionTiming& each : before) pipeline->issue(state, each);
    for (std::uint32_t times = 0; times < 20; ++times) {
      const std::vector<std::uint32_t> waits = random_waits(random, block.size() + 1);
      const std::size_t at = random() % waits.size();
      if (!mere[at]) continue;
      std::vector<std::uint32_t> without = waits, with = waits;
      without[at] = 0;
      with[at] = 1 + random() % 5;
      Passage expected = pass(*pipeline, block, state, without);
      expected.cycles += with[at];
      ASSERT_TRUE(pass(*pipeline, block, state, with) == expected)
          << "seed " << seed << ", wait at " << at << " of " << block.size();
    }
    const auto count = [&](bool value) { return std::count(mere.begin(), mere.end(), value); };
    if (count(false) != 0) mere_with_continuing += static_cast<std::uint32_t>(count(true));
  }
  EXPECT_GT(mere_with_continuing, blocks / 2) << "most such waits are not seen";
}

TEST(MereDelays, LeaveThePipelineAsItWas) {
  expect_mere(one_at_a_time, 4000);
}

TEST(MereDelays, LeaveAPipelineAsItWasThatIssuesTwo) {
  expect_mere(std::string(one_at_a_time) + R"(
issue 2                                             unverified: none, a test
pair alu with load,mult,fp_add,fp_div_d             unverified: none, a test
)",
              4000);
}

// ---- What blocks cost: by what a clock remembers, as by the pipeline itself.

// A block of random instructions, which may end with a transfer of control.
struct KeptBlock {
  KeptBlock(const std::vector<InstructionTiming>& all, std::mt19937& random) {
    for (std::size_t i = random() % 6 + 1; i > 0; --i) kept.push_back(&all[random() % all.size()]);
    timed.rest->instructions = kept;
    if (random() % 2 == 0) timed.rest->followed = static_cast<std::uint8_t>(random() % 5);
    timed.rest->last_may_be_nullified = random() % 4 == 0;
  }
  BlockExit random_exit(std::mt19937& random) const {
    const bool is_nullified = timed.rest->last_may_be_nullified && random() % 2 == 0;
    const bool is_taken = timed.rest->followed && random() % 2 == 0;
    if (is_nullified) return is_taken ? BlockExit::taken_nullified : BlockExit::nullified;
    return is_taken ? BlockExit::taken : BlockExit::straight;
  }
  // The same by the pipeline, which says it anew each time.
  std::uint32_t pass(const Pipeline& pipeline, BlockExit exit, PipelineState& state) const {
    std::uint32_t cycles = 0;
    const bool is_nullified = exit == BlockExit::nullified || exit == BlockExit::taken_nullified;
    for (std::size_t i = 0; i < kept.size() - (is_nullified ? 1 : 0); ++i)
      cycles += pipeline.issue(state, *kept[i]);
    if (is_nullified) {
      cycles += pipeline.nullified_cycles();
      pipeline.pass(state, pipeline.nullified_cycles());
    }
    if (timed.rest->followed) {
      const bool is_taken = exit == BlockExit::taken || exit == BlockExit::taken_nullified;
      pipeline.redirect(state, *timed.rest->followed, is_taken);
    }
    return cycles;
  }

  std::vector<std::uint32_t> issued(const Pipeline& pipeline, PipelineState state) const {
    std::vector<std::uint32_t> issued;
    std::uint32_t cycles = 0;
    for (const InstructionTiming* each : kept)
      issued.push_back(cycles += pipeline.issue(state, *each));
    return issued;
  }

  std::vector<const InstructionTiming*> kept;
  TimedBlock timed;
};

TEST(PipelineClock, PassesBlocksAsThePipelineDoes) {
  const auto pipeline = made(std::string(one_at_a_time) + R"(
redirect load,alu taken 2 not_taken 1               unverified: none, a test
)");
  std::mt19937 random(1);
  std::vector<InstructionTiming> all(40);
  for (InstructionTiming& each : all) each = random_instruction(random);
  std::vector<KeptBlock> blocks;
  for (int i = 0; i < 200; ++i) blocks.emplace_back(all, random);
  PipelineClock clock(pipeline);
  PipelineState state;
  for (int times = 0; times < 50000; ++times) {
    KeptBlock& block = blocks[random() % blocks.size()];
    const BlockExit exit = block.random_exit(random);
    TimedBlock::Entry& entry = clock.enter(block.timed);
    ASSERT_EQ(block.timed.details(entry).issued, block.issued(*pipeline, state));
    const std::uint32_t longest = entry.longest;
    const std::uint32_t cycles = clock.leave(block.timed, entry, exit);
    ASSERT_EQ(cycles, block.pass(*pipeline, exit, state));
    ASSERT_LE(cycles, longest);
  }
}

// Also of a block that always ends as its predictor had not said: it would never be translated.
TEST(TimedBlock, EveryEdgeIsAnExecution) {
  TimedBlock block;
  std::uint64_t sum = 0;
  for (const BlockExit way :
       {BlockExit::straight, BlockExit::taken, BlockExit::nullified, BlockExit::taken_nullified,
        BlockExit::overruled, BlockExit::taken_overruled}) {
    block.edge(block.entry, way).executions = std::uint64_t{1} << static_cast<unsigned>(way);
    sum += std::uint64_t{1} << static_cast<unsigned>(way);
    EXPECT_EQ(block.executions(block.entry), sum);
  }
}

}  // namespace
}  // namespace hardclock
