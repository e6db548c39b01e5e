#include "sim/memory/file_ranges.h"

#include <gtest/gtest.h>

namespace hardclock {
namespace {

using Ranges = std::vector<FileRange>;

TEST(FileRanges, AreInTheOrderOfTheirAddresses) {
  FileRanges ranges;
  ranges.add({GuestAddr(0x3000), 0x1000, "b", 0});
  ranges.add({GuestAddr(0x1000), 0x1000, "a", 0x2000});
  ranges.add({GuestAddr(0x9000), 0, "empty", 0});
  EXPECT_EQ(ranges.all(), (Ranges{{GuestAddr(0x1000), 0x1000, "a", 0x2000},
                                  {GuestAddr(0x3000), 0x1000, "b", 0}}));
}

TEST(FileRanges, TheLatestCutsWhatItCovers) {
  FileRanges ranges;
  ranges.add({GuestAddr(0x1000), 0x5000, "a", 0});
  ranges.add({GuestAddr(0x6000), 0x1000, "gone", 0});
  ranges.add({GuestAddr(0x7000), 0x2000, "b", 0x100});
  ranges.add({GuestAddr(0x2000), 0x1000, "middle", 0});
  ranges.add({GuestAddr(0x5000), 0x3000, "over three", 0});
  EXPECT_EQ(ranges.all(), (Ranges{{GuestAddr(0x1000), 0x1000, "a", 0},
                                  {GuestAddr(0x2000), 0x1000, "middle", 0},
                                  {GuestAddr(0x3000), 0x2000, "a", 0x2000},
                                  {GuestAddr(0x5000), 0x3000, "over three", 0},
                                  {GuestAddr(0x8000), 0x1000, "b", 0x1100}}));
}

// A guest that maps without end does not fill the host's memory; what came first stays.
TEST(FileRanges, AreLimited) {
  FileRanges ranges;
  for (std::uint64_t i = 0; i < 2000; ++i) ranges.add({GuestAddr(i << 20), 0x1000, "a", 0});
  const Ranges all = ranges.all();
  ASSERT_EQ(all.size(), 1024U);
  EXPECT_EQ(all.back().start, GuestAddr(std::uint64_t{1023} << 20));
}

}  // namespace
}  // namespace hardclock
