// Expectations: what sim/base/result.h and sim/base/check.h promise their callers.
#include "sim/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace hardclock {
namespace {

enum class Errno { access = 13, fault = 14 };

Result<int, Errno> half(int number) {
  if (number % 2 != 0) return Failure{Errno::fault};
  return number / 2;
}

TEST(Result, HoldsAValue) {
  const Result<int, Errno> result = half(42);
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 21);
  EXPECT_EQ(*result, 21);
}

TEST(Result, HoldsAnError) {
  const Result<int, Errno> result = half(41);
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error(), Errno::fault);
}

TEST(Result, ErrorAndValueOfOneTypeStayApart) {
  const Result<std::string, std::string> good = std::string("fine");
  const Result<std::string, std::string> bad = Failure{std::string("not found")};
  EXPECT_TRUE(good.ok());
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(good->size(), 4u);
  EXPECT_EQ(bad.error(), "not found");
}

TEST(Result, FailureConvertsToTheErrorType) {
  const Result<int, std::string> result = Failure{"no such file"};
  EXPECT_EQ(result.error(), "no such file");
}

TEST(Result, CarriesMoveOnlyValues) {
  Result<std::unique_ptr<int>, Errno> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, ValueCanBeChangedInPlace) {
  Result<std::string, Errno> result = std::string("tick");
  *result += "s";
  result->push_back('!');
  EXPECT_EQ(result.value(), "ticks!");
}

TEST(Result, OkIsTheValueOfNoValue) {
  const Result<Ok, Errno> done = Ok{};
  const Result<Ok, Errno> refused = Failure{Errno::access};
  EXPECT_TRUE(done.ok());
  EXPECT_EQ(refused.error(), Errno::access);
}

TEST(Result, ConvertsToBoolOnlyWhereAsked) {
  static_assert(!std::is_convertible_v<Result<int, Errno>, bool>);
  static_assert(!std::is_convertible_v<Result<int, Errno>, int>);
}

TEST(ResultDeathTest, TheAbsentSideIsABug) {
  EXPECT_DEATH(static_cast<void>(half(41).value()), "internal error: .*result.h:[0-9]+: ok\\(\\)");
  EXPECT_DEATH(static_cast<void>(half(42).error()), "internal error: .*please report this");
}

TEST(CheckDeathTest, NamesTheConditionAndThePlace) {
  const int ticks = 3;
  CHECK(ticks == 3);
  EXPECT_DEATH(CHECK(ticks == 4), "internal error: .*result_test.cc:[0-9]+: ticks == 4");
}

}  // namespace
}  // namespace hardclock
