#include "sim/load/line_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hardclock::testing {
namespace {

using ::testing::ElementsAre;

LineRange range_of(std::uint64_t start, std::uint64_t end, std::uint32_t file, std::uint32_t line) {
  return {GuestAddr(start), GuestAddr(end), file, line};
}

TEST(LineTable, FindsTheRangeOfAnAddress) {
  LineTableBuilder builder;
  const std::uint32_t file = *builder.file("a.c");
  builder.add(GuestAddr(0x100), GuestAddr(0x108), file, 3);
  builder.add(GuestAddr(0x110), GuestAddr(0x118), file, 4);
  const LineTable table = std::move(builder).finish();
  EXPECT_EQ(table.find(GuestAddr(0xff)), nullptr);
  EXPECT_EQ(*table.find(GuestAddr(0x107)), range_of(0x100, 0x108, file, 3));
  EXPECT_EQ(table.find(GuestAddr(0x108)), nullptr);
  EXPECT_EQ(table.find(GuestAddr(0x110))->line, 4U);
  EXPECT_EQ(table.find(GuestAddr(0x118)), nullptr);
  EXPECT_EQ(table.next_start(GuestAddr(0x108)), GuestAddr(0x110));
  EXPECT_EQ(table.next_start(GuestAddr(0x110)), std::nullopt);
}

// Neighbours of one line are one range; the one that starts last has what two claim; line 0 and
// empty ranges are none.
TEST(LineTable, RangesDoNotOverlap) {
  LineTableBuilder builder;
  const std::uint32_t file = *builder.file("a.c");
  builder.add(GuestAddr(0x120), GuestAddr(0x128), file, 9);
  builder.add(GuestAddr(0x100), GuestAddr(0x108), file, 3);
  builder.add(GuestAddr(0x108), GuestAddr(0x118), file, 3);
  builder.add(GuestAddr(0x110), GuestAddr(0x114), file, 5);
  builder.add(GuestAddr(0x120), GuestAddr(0x124), file, 10);
  builder.add(GuestAddr(0x200), GuestAddr(0x204), file, 0);
  builder.add(GuestAddr(0x204), GuestAddr(0x204), file, 7);
  const LineTable table = std::move(builder).finish();
  EXPECT_THAT(table.ranges(),
              ElementsAre(range_of(0x100, 0x110, file, 3), range_of(0x110, 0x114, file, 5),
                          range_of(0x120, 0x124, file, 10)));
}

TEST(LineTable, NamesLeaveTheFolderOfTheCompilationOut) {
  LineTableBuilder builder;
  builder.file("/build/src/a.c", "/build");
  builder.file("/build/main.c", "/build/");
  builder.file("/usr/include/stdio.h", "/build");
  builder.file("/builder/b.c", "/build");
  builder.file("/other/main.c", "/other");
  EXPECT_EQ(builder.file("/build/src/a.c"), 0U) << "the same file";
  const LineTable table = std::move(builder).finish();
  EXPECT_THAT(table.files(), ElementsAre(SourceFile{"/build/src/a.c", "src/a.c"},
                                         SourceFile{"/build/main.c", "/build/main.c"},
                                         SourceFile{"/usr/include/stdio.h", "/usr/include/stdio.h"},
                                         SourceFile{"/builder/b.c", "/builder/b.c"},
                                         SourceFile{"/other/main.c", "/other/main.c"}));
}

TEST(LineTable, ItsSizeIsLimited) {
  LineTableBuilder builder;
  const std::uint32_t file = *builder.file("a.c");
  constexpr std::uint64_t most = std::uint64_t{1} << 22;
  for (std::uint64_t i = 0; i < most; ++i) {
    builder.add(GuestAddr(8 * i), GuestAddr(8 * i + 4), file, 1);
  }
  EXPECT_FALSE(builder.is_full());
  builder.add(GuestAddr(8 * most), GuestAddr(8 * most + 4), file, 1);
  EXPECT_TRUE(builder.is_full());
  EXPECT_EQ(std::move(builder).finish().ranges().size(), most);

  LineTableBuilder paths;
  const std::string long_path((std::size_t{16} << 20) - 1, 'a');
  EXPECT_TRUE(paths.file(long_path).has_value());
  EXPECT_FALSE(paths.file("b").has_value());
  EXPECT_TRUE(paths.is_full());
}

}  // namespace
}  // namespace hardclock::testing
