// What processors of one kind have in common.
#include "sim/engine/processor_timing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "sim/memory/cache_budget.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/pipeline.h"

namespace hardclock {
namespace {

CpuDescription described(const char* text) {
  return *parse_cpu_description(text);
}

constexpr const char* slow = "cpu a\nisa x\nclock 50   unverified: none, a test\n";
constexpr const char* fast = "cpu a\nisa x\nclock 100  unverified: none, a test\n";

class CommonTiming : public testing::Test {
 protected:
  ProcessorTiming timing(const char* text, std::uint8_t variant) {
    return common_timing(caches_, described(text), variant, [this] {
      ++made_;
      return ProcessorTiming{std::make_shared<FunctionalPipeline>(), nullptr};
    });
  }

  CacheBudget caches_{0};
  int made_ = 0;
};

TEST_F(CommonTiming, IsMadeOnceForEachKind) {
  const ProcessorTiming first = timing(slow, 0), same = timing(slow, 0);
  EXPECT_EQ(first.in_order, same.in_order);
  EXPECT_EQ(made_, 1);
  EXPECT_NE(timing(fast, 0).in_order, first.in_order);
  EXPECT_NE(timing(slow, 1).in_order, first.in_order);
  EXPECT_EQ(made_, 3);
}

TEST_F(CommonTiming, LivesAsLongAsItsPipelineIsUsed) {
  std::shared_ptr<const Pipeline> pipeline = timing(slow, 0).in_order;
  EXPECT_EQ(timing(slow, 0).in_order, pipeline);
  EXPECT_EQ(made_, 1);
  pipeline.reset();
  EXPECT_NE(timing(slow, 0).in_order, nullptr);
  EXPECT_EQ(made_, 2);
}

TEST_F(CommonTiming, HasNoCoreInOrder) {
  EXPECT_EQ(timing(slow, 0).out_of_order, nullptr);
}

}  // namespace
}  // namespace hardclock
