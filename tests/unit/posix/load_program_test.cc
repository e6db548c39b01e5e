#include "syscalls/posix/load_program.h"

#include <gtest/gtest.h>

namespace hardclock::posix {
namespace {

constexpr Permissions text{.read = true, .write = false, .execute = true};
constexpr Layout layout;  // with pages of 4 KiB
constexpr Permissions data{.read = true, .write = true, .execute = false};

AddressSpace make_memory(std::uint64_t bytes = 1 << 20) {
  return AddressSpace(std::make_shared<MemoryBudget>(bytes), Endian::big, GuestAddr(0x80000000));
}

// exec(2): the segments' bytes at their addresses, zeros up to the memory size and to the page's
// end.
TEST(MapImage, PlacesSegmentsAndZeros) {
  AddressSpace memory = make_memory();
  Image image;
  image.segments = {{GuestAddr(0x400000), 4, text, {1, 2, 3, 4}, 0x1000},
                    {GuestAddr(0x10000ffe), 8, data, {5, 6, 7}, 0x2ffe}};
  ASSERT_TRUE(map_image(layout, memory, image, "/bin/prog").ok());
  EXPECT_EQ(memory.read<std::uint32_t>(GuestAddr(0x400000)).value(), 0x01020304u);
  EXPECT_EQ(memory.write<std::uint8_t>(GuestAddr(0x400000), 0).error().kind,
            Fault::Kind::protection);
  EXPECT_EQ(memory.read<std::uint8_t>(GuestAddr(0x10001000)).value(), 7);
  EXPECT_EQ(memory.read<std::uint8_t>(GuestAddr(0x10001fff)).value(), 0);
  EXPECT_FALSE(memory.read<std::uint8_t>(GuestAddr(0x10002000)).ok());
  EXPECT_EQ(end_of_image(layout, image), GuestAddr(0x10002000));
  // Of its two segments one is code.
  EXPECT_EQ(memory.code_files().all(),
            (std::vector<FileRange>{{GuestAddr(0x400000), 4, "/bin/prog", 0x1000}}));
}

// A kernel maps whole pages, so a page that two segments share can do what either may.
TEST(MapImage, SegmentsMayShareAPage) {
  AddressSpace memory = make_memory();
  Image image;
  image.segments = {{GuestAddr(0x400000), 4, text, {1, 2, 3, 4}},
                    {GuestAddr(0x400010), 0x1000, data, {9}}};
  ASSERT_TRUE(map_image(layout, memory, image, "/bin/prog").ok());
  EXPECT_EQ(memory.read<std::uint8_t>(GuestAddr(0x400000)).value(), 1);
  EXPECT_EQ(memory.read<std::uint8_t>(GuestAddr(0x400010)).value(), 9);
  EXPECT_TRUE(memory.write<std::uint8_t>(GuestAddr(0x400000), 7).ok());
  EXPECT_TRUE(memory.write<std::uint8_t>(GuestAddr(0x401000), 7).ok());
}

// A layout with larger pages maps those: what is behind the segment's bytes up to the page's end
// can be used, as under Linux on IA-64, whose loader (fs/binfmt_elf.c, elf_map()) knows no others.
TEST(MapImage, MapsThePagesOfTheLayout) {
  Layout large;
  large.page_bytes = 0x4000;
  AddressSpace memory = make_memory();
  Image image;
  image.segments = {{GuestAddr(0x401000), 4, text, {1, 2, 3, 4}},
                    {GuestAddr(0x406000), 4, data, {5, 6, 7, 8}}};
  ASSERT_TRUE(map_image(large, memory, image, "/bin/prog").ok());
  EXPECT_EQ(memory.read<std::uint8_t>(GuestAddr(0x400000)).value(), 0);
  EXPECT_EQ(memory.read<std::uint8_t>(GuestAddr(0x403fff)).value(), 0);
  EXPECT_TRUE(memory.write<std::uint8_t>(GuestAddr(0x407fff), 9).ok());
  EXPECT_FALSE(memory.read<std::uint8_t>(GuestAddr(0x408000)).ok());
  EXPECT_EQ(end_of_image(large, image), GuestAddr(0x408000));
}

TEST(MapImage, SaysWhatDoesNotFit) {
  AddressSpace memory = make_memory();
  Image image;
  image.segments = {{GuestAddr(0x400000), 0x40000000, data, {}}};
  EXPECT_EQ(map_image(layout, memory, image, "/bin/prog").error(),
            "segment at 0x00400000 (0x40000000 bytes) does not fit the memory limit; raise "
            "--max-memory");
  image.segments = {{GuestAddr(0x7ffff000), 0x2000, data, {}}};
  EXPECT_EQ(map_image(layout, memory, image, "/bin/prog").error(),
            "segment at 0x7ffff000 (0x2000 bytes) lies outside the user's address space; link it "
            "lower");
  // The address behind it is 0.
  image.segments = {{GuestAddr(0xfffffffffffffff0), 0x10, data, {}}};
  EXPECT_EQ(map_image(layout, memory, image, "/bin/prog").error(),
            "segment at 0xfffffffffffffff0 (0x10 bytes) lies outside the user's address space; "
            "link it lower");
}

}  // namespace
}  // namespace hardclock::posix
