// --cache's notation, and what a change leaves of a machine's cache.
#include "sim/timing/cache_change.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/timing/memory_description.h"

namespace hardclock {
namespace {

CacheChange cache_change(const std::string& text) {
  const auto change = parse_cache_change(text);
  EXPECT_TRUE(change.has_value()) << text;
  return change.value_or(CacheChange{});
}

TEST(CacheChange, ReadsSizesInKibibytesAndMebibytes) {
  const CacheChange expected = {.level = "l1d", .size = 16384, .line = 32, .ways = 2};
  for (const char* const text : {"l1d=16k,32,2", "l1d=16K,32,2", "l1d=16384,32,2"}) {
    EXPECT_EQ(cache_change(text), expected) << text;
    EXPECT_EQ(to_text(cache_change(text)), "l1d=16k,32,2");
  }
  EXPECT_EQ(cache_change("l2=1M,1k,256").size, 1048576U);
  EXPECT_EQ(cache_change("l2=1M,1k,256").line, 1024U);
  EXPECT_EQ(to_text(cache_change("l3=1024k,128,4")), "l3=1m,128,4");
  EXPECT_EQ(to_text(cache_change("l1i=1000,4,1")), "l1i=1000,4,1");
}

TEST(CacheChange, RefusesTheRest) {
  for (const char* const text : {"",
                                 "l1d",
                                 "l1d=",
                                 "l1d=16k",
                                 "l1d=16k,32",
                                 "l1d=16k,32,",
                                 "l1d=16k,,2",
                                 "l1d=,32,2",
                                 "l1d=16k,32,2,1",
                                 "l1d=16k,32,2x",
                                 "l1d=16kk,32,2",
                                 "l1d=-1,32,2",
                                 "l1d=0,32,2",
                                 "l1d=16k,0,2",
                                 "l1d=16k,32,0",
                                 "l4=16k,32,2",
                                 "L1D=16k,32,2",
                                 " l1d=16k,32,2",
                                 "=1,1,1",
                                 "l1d=1.5k,32,2",
                                 "l1d=99999999999999999999,32,2",
                                 "l1d=4096m,32,2",
                                 "l1d=16k,32,2k"}) {
    EXPECT_FALSE(parse_cache_change(text).has_value()) << text;
  }
}

// The figures are made up, all different.
class ChangedCaches : public ::testing::Test {
 protected:
  ChangedCaches() {
    memory_.l1i = {.size = 16384, .line = 16, .refill = 16, .miss_cycles = 3};
    memory_.l1d = {.size = 32768,
                   .ways = 2,
                   .line = 4,
                   .refill = 64,
                   .policy = WritePolicy::write_through,
                   .write_miss = WriteMiss::validate,
                   .replacement = Replacement::random,
                   .miss_cycles = 4,
                   .victim_cycles = 5,
                   .physical_index = true};
    memory_.l2 = {.size = 1048576, .line = 128, .refill = 128, .miss_cycles = 6};
  }

  std::string error(const std::vector<std::string>& texts) {
    std::vector<CacheChange> changes;
    for (const std::string& text : texts) changes.push_back(cache_change(text));
    const auto changed = change_caches(memory_, changes);
    return changed ? "" : changed.error();
  }

  MemoryDescription memory_;
};

TEST_F(ChangedCaches, KeepAllButTheirSizes) {
  MemoryDescription expected = memory_;
  expected.l1d.size = 8192;
  expected.l1d.line = 8;
  expected.l1d.ways = 1;
  EXPECT_EQ(error({"l1d=8k,8,1"}), "");
  EXPECT_TRUE(memory_ == expected);
}

TEST_F(ChangedCaches, RefillOneOfTheirNewLinesIfTheyDid) {
  EXPECT_EQ(error({"l1i=8k,64,2", "l2=64k,256,4"}), "");
  EXPECT_EQ(memory_.l1i.refill, 64U);
  EXPECT_EQ(memory_.l2.refill, 256U);
  EXPECT_EQ(memory_.l1d.refill, 64U);
}

TEST_F(ChangedCaches, AreOnlyThoseThatTheMachineHas) {
  EXPECT_EQ(error({"l3=1m,128,1"}),
            "l3=1m,128,1: the machine has only l1i, l1d, l2; what a miss would cost is not known: "
            "describe it in a file for --machine");
  memory_ = {};
  EXPECT_TRUE(error({"l1d=1k,16,1"}).starts_with("l1d=1k,16,1: the machine has no caches;"));
}

TEST_F(ChangedCaches, HaveASizeThatCanBe) {
  const struct {
    const char* change;
    const char* mistake;
  } mistakes[] = {{"l1i=12k,16,1", "size needs to be ways times line times a power of two"},
                  {"l1i=16k,24,1", "line needs a power of two"},
                  {"l1i=16k,2,1", "line needs a number from 4 to 4096"},
                  {"l1i=16k,8192,1", "line needs a number from 4 to 4096"},
                  {"l1i=128m,16,1", "size needs a number from 4 to 67108864"},
                  {"l1i=16k,16,512", "ways needs a number from 1 to 256"},
                  {"l1d=16k,128,1",
                   "refill needs a power of two from one line to the size of a "
                   "way, and a miss brings 64 bytes here"},
                  {"l2=64k,16,1", "a line of cache l2 needs to be as long as what l1 refills, 64"}};
  for (const auto& [change, mistake] : mistakes) {
    const MemoryDescription before = memory_;
    EXPECT_TRUE(error({change}).starts_with(std::string(change) + ": " + mistake))
        << error({change});
    memory_ = before;
  }
}

}  // namespace
}  // namespace hardclock
