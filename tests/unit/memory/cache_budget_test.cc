// What sim/memory/cache_budget.h promises.
#include "sim/memory/cache_budget.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hardclock {
namespace {

class Keeper final : public CacheBudget::Keeper {
 public:
  explicit Keeper(CacheBudget& budget) : CacheBudget::Keeper(budget) {}
  void run() { use(); }
  void make(std::uint64_t bytes) {
    kept += bytes;
    keep(kept);
  }
  std::uint64_t kept = 0;

 private:
  void forget() override {
    kept = 0;
    keep(0);
  }
};

TEST(CacheBudget, WhoRanLeastRecentlyForgetsFirst) {
  CacheBudget budget(0);
  Keeper a(budget), b(budget), c(budget);
  for (Keeper* keeper : {&a, &b, &c}) {
    keeper->run();
    keeper->make(budget.limit() / 3);
  }
  EXPECT_EQ(budget.bytes(), budget.limit() / 3 * 3);
  a.run();
  a.make(3);  // that is over the limit
  EXPECT_EQ(b.kept, 0u);
  EXPECT_EQ(c.kept, 0u) << "down to a half";
  EXPECT_EQ(a.kept, budget.limit() / 3 + 3);
  EXPECT_EQ(budget.bytes(), a.kept);
}

TEST(CacheBudget, WhoIsAloneForgetsHisOwn) {
  CacheBudget budget(0);
  Keeper only(budget);
  only.run();
  only.make(budget.limit());
  EXPECT_EQ(only.kept, budget.limit());
  only.make(1);
  EXPECT_EQ(budget.bytes(), 0u);
}

TEST(CacheBudget, WhoIsGoneKeepsNothing) {
  CacheBudget budget(0);
  {
    Keeper gone(budget);
    gone.run();
    gone.make(1000);
    EXPECT_EQ(budget.bytes(), 1000u);
  }
  EXPECT_EQ(budget.bytes(), 0u);
  Keeper next(budget);
  next.run();
  next.make(budget.limit() + 1);
  EXPECT_EQ(budget.bytes(), 0u);
}

TEST(CacheBudget, GrowsWithTheGuestsMemory) {
  EXPECT_EQ(CacheBudget(std::uint64_t{8} << 30).limit() - CacheBudget(0).limit(),
            std::uint64_t{1} << 30);
}

TEST(CacheBudget, WhatIsCommonLivesAsLongAsSomebodyHasIt) {
  CacheBudget budget(0);
  int made = 0;
  const auto number = [&](int wanted) {
    return budget.common<int>([&](int known) { return known == wanted; },
                              [&] { return ++made, std::make_shared<int>(wanted); });
  };
  auto one = number(1);
  const auto two = number(2);
  EXPECT_EQ(number(1), one);
  EXPECT_EQ(number(2), two);
  const auto text = budget.common<std::string>([](const std::string&) { return true; },
                                               [] { return std::make_shared<std::string>("1"); });
  EXPECT_EQ(*text, "1") << "one of another type is no answer";
  EXPECT_EQ(made, 2);
  one.reset();
  number(1);
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace hardclock
