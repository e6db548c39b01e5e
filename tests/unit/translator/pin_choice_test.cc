// Which guest registers are kept in host registers.
#include "sim/translator/pin_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hardclock {
namespace {

constexpr Resource registers = 32;

GuestMode mode_of(const std::vector<Resource>& pinned) {
  return {.place =
              [](Resource resource) {
                return RegisterPlace{static_cast<std::uint16_t>(8 * resource), 8};
              },
          .pinned = pinned,
          .may_pin = [](Resource resource) { return resource < registers; }};
}

// Reads the first and writes the second.
Recording move(Resource from, Resource to) {
  const Step read{.operation = Operation::read_register, .resource = from};
  const Step write{.operation = Operation::write_register, .resource = to};
  return {.steps = {read, write}};
}

// Offers a block of such instructions until it is taken so many times. Whether the pins changed.
bool sample(PinChoice& choice, const std::vector<Recording>& block, unsigned times,
            std::size_t translated = 1) {
  bool has_changed = false;
  while (times != 0) {
    if (!choice.wants_sample()) continue;
    for (const Recording& each : block) choice.add(each, block.size());
    has_changed |= choice.choose(translated);
    --times;
  }
  return has_changed;
}

constexpr unsigned enough = 64;
const std::vector<Resource> first_eight = {0, 1, 2, 3, 4, 5, 6, 7};

TEST(PinChoice, IsTheGivenOneAtFirst) {
  PinChoice choice(mode_of(first_eight), 0);
  EXPECT_EQ(choice.pinned(), first_eight);
  EXPECT_FALSE(sample(choice, {move(20, 21)}, 1)) << "after one sample";
  EXPECT_EQ(choice.pinned(), first_eight);
}

TEST(PinChoice, TakesTheRegistersThatAreUsedMost) {
  PinChoice choice(mode_of(first_eight), 0);
  std::vector<Recording> block;
  for (Resource resource = 10; resource < 20; ++resource) {
    // The lower the number, the more often.
    for (Resource i = resource; i < 20; ++i) block.push_back(move(resource, resource));
  }
  EXPECT_TRUE(sample(choice, block, enough));
  EXPECT_EQ(choice.pinned(), (std::vector<Resource>{10, 11, 12, 13, 14, 15, 16, 17}));
}

TEST(PinChoice, StaysWithThoseThatAreNearlyAsGood) {
  PinChoice choice(mode_of(first_eight), 0);
  std::vector<Recording> block;
  for (Resource resource = 0; resource < 8; ++resource) {
    for (int i = 0; i < 10; ++i) block.push_back(move(resource, resource));
  }
  for (int i = 0; i < 11; ++i) block.push_back(move(8, 8));
  EXPECT_FALSE(sample(choice, block, enough));
  EXPECT_EQ(choice.pinned(), first_eight);
}

// What new translations cost must be less than what the time until now would have been shorter by.
TEST(PinChoice, StaysWhereManyBlocksWouldBeTranslatedAnew) {
  constexpr std::size_t many = 20'000;
  PinChoice choice(mode_of(first_eight), 0);
  EXPECT_FALSE(sample(choice, {move(20, 21)}, enough, many));
  EXPECT_EQ(choice.pinned(), first_eight);
  EXPECT_TRUE(sample(choice, {move(20, 21)}, 8 * enough, many)) << "a program that runs for long";
}

TEST(PinChoice, LeavesOtherRegistersAlone) {
  PinChoice choice(mode_of(first_eight), 0);
  EXPECT_TRUE(sample(choice, {move(registers, 9), move(registers + 1, 9)}, enough));
  EXPECT_EQ(choice.pinned(), (std::vector<Resource>{9}));
}

// A long block runs for longer, so that fewer samples of a short one stand for as many executions.
TEST(PinChoice, CountsUsesInEqualTimes) {
  PinChoice choice(mode_of({}), 0);
  std::vector<Recording> block(20, move(registers, registers));
  block.push_back(move(1, 1));
  for (unsigned i = 0; i < 20; ++i) {
    sample(choice, block, 2);
    sample(choice, {move(2, 2)}, 1);
  }
  ASSERT_GE(choice.pinned().size(), 2u);
  EXPECT_EQ(choice.pinned().front(), 2);
}

TEST(PinChoice, WantsSamplesMoreAndMoreSeldom) {
  PinChoice choice(mode_of(first_eight), 0);
  unsigned taken = 0;
  for (unsigned offered = 0; offered < 100'000; ++offered) {
    if (!choice.wants_sample()) continue;
    choice.add(move(1, 2), 1);
    choice.choose(1);
    ++taken;
  }
  EXPECT_GT(taken, 100u);
  EXPECT_LT(taken, 1000u);
}

TEST(PinChoice, AtRandomStaysAmongThoseThatMayBe) {
  PinChoice choice(mode_of(first_eight), 1);
  std::vector<std::vector<Resource>> seen;
  for (unsigned i = 0; i < 100; ++i) {
    EXPECT_TRUE(sample(choice, {move(1, 2)}, 1));
    std::vector<Resource> pinned = choice.pinned();
    EXPECT_LE(pinned.size(), 8u);
    std::sort(pinned.begin(), pinned.end());
    EXPECT_EQ(std::adjacent_find(pinned.begin(), pinned.end()), pinned.end());
    for (const Resource resource : pinned) EXPECT_LT(resource, registers);
    seen.push_back(pinned);
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  EXPECT_GT(seen.size(), 50u);
}

}  // namespace
}  // namespace hardclock
