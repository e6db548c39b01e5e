// The rules of access that sim/memory/address_space.h states, one by one: byte order, alignment,
// permissions, bytes and strings. The model test looks for combinations.
#include "sim/memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

TEST(Access, ByteOrderIsTheGuests) {
  // The definition of the two orders: most significant byte first, or last.
  for (const Endian endian : {Endian::big, Endian::little}) {
    Memory memory(endian);
    ASSERT_TRUE(memory.map(at(0), page_size, rw, "data"));
    ASSERT_TRUE(memory.write<std::uint32_t>(at(8), 0x0102'0304));
    ASSERT_TRUE(memory.write<std::uint16_t>(at(16), 0x0506));
    ASSERT_TRUE(memory.write<std::uint64_t>(at(24), 0x1112'1314'1516'1718));
    const bool big = endian == Endian::big;
    EXPECT_EQ(*memory.read<std::uint8_t>(at(8)), big ? 1 : 4);
    EXPECT_EQ(*memory.read<std::uint16_t>(at(10)), big ? 0x0304 : 0x0102);
    EXPECT_EQ(*memory.read<std::uint8_t>(at(17)), big ? 6 : 5);
    EXPECT_EQ(*memory.read<std::uint32_t>(at(24)), big ? 0x1112'1314u : 0x1516'1718u);
  }
}

TEST(Access, MisalignedIsAFault) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0), 2 * page_size, rw, "data"));
  for (int twice = 0; twice < 2; ++twice) {  // the second time with a translation at hand
    EXPECT_TRUE(
        faults(memory.read<std::uint16_t>(at(1)), Fault::Kind::misaligned, Access::read, at(1)));
    EXPECT_TRUE(faults(memory.write<std::uint32_t>(at(0xffe), 1), Fault::Kind::misaligned,
                       Access::write, at(0xffe)));
    EXPECT_TRUE(
        faults(memory.read<std::uint64_t>(at(4)), Fault::Kind::misaligned, Access::read, at(4)));
    EXPECT_TRUE(faults(memory.fetch<4>(at(2), Access::read), Fault::Kind::misaligned,
                       Access::execute, at(2)));
    ASSERT_TRUE(memory.read<std::uint8_t>(at(0)));
  }
}

// IA-64 bundles have 16 bytes, little-endian whatever the order of data.
TEST(Access, TextIsBytesInMemoryOrder) {
  for (const Endian endian : {Endian::big, Endian::little}) {
    Memory memory(endian);
    ASSERT_TRUE(memory.map(at(0x1000), page_size, rx, "code"));
    std::array<std::uint8_t, 16> bundle{};
    std::iota(bundle.begin(), bundle.end(), std::uint8_t{1});
    ASSERT_TRUE(memory.initialize(at(0x1ff0), bundle));
    EXPECT_EQ(*memory.fetch<16>(at(0x1ff0), Access::execute), bundle);
    EXPECT_EQ(*memory.fetch<4>(at(0x1ff4), Access::execute),
              (std::array<std::uint8_t, 4>{5, 6, 7, 8}));
  }
}

TEST(Access, TextIsAlignedToItsLength) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, rx, "code"));
  EXPECT_TRUE(faults(memory.fetch<16>(at(0x1008), Access::execute), Fault::Kind::misaligned,
                     Access::execute, at(0x1008)));
  // Across the end of a page, of which the next is not mapped.
  EXPECT_TRUE(faults(memory.fetch<16>(at(0x1ff8), Access::execute), Fault::Kind::misaligned,
                     Access::execute, at(0x1ff8)));
  EXPECT_TRUE(faults(memory.fetch<16>(at(0x2000), Access::execute), Fault::Kind::unmapped,
                     Access::execute, at(0x2000)));
}

TEST(Access, PermissionsAreChecked) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, r, "r"));
  ASSERT_TRUE(memory.map(at(0x2000), page_size, w, "w"));
  ASSERT_TRUE(memory.map(at(0x3000), page_size, none, "none"));
  ASSERT_TRUE(memory.map(at(0x4000), page_size, rx, "rx"));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x1000), 1), Fault::Kind::protection,
                     Access::write, at(0x1000)));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x2000)), Fault::Kind::protection, Access::read,
                     at(0x2000)));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x2000), 1));
  EXPECT_EQ(*memory.read<std::uint8_t>(at(0x2000)), 1) << "no MIPS page is valid for stores alone";
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x3000)), Fault::Kind::protection, Access::read,
                     at(0x3000)));
  EXPECT_TRUE(faults(memory.fetch<4>(at(0x1000), Access::execute), Fault::Kind::protection,
                     Access::execute, at(0x1000)));
  EXPECT_TRUE(memory.fetch<4>(at(0x4000), Access::execute));
  EXPECT_TRUE(memory.fetch<4>(at(0x1000), Access::read));
}

TEST(Access, BytesCrossPagesAndStopAtAHole) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 2 * page_size, rw, "data"));
  const std::array<std::uint8_t, 6> bytes = {1, 2, 3, 4, 5, 6};
  ASSERT_TRUE(memory.write_bytes(at(0x1ffd), bytes));
  std::array<std::uint8_t, 6> back{};
  ASSERT_TRUE(memory.read_bytes(at(0x1ffd), back));
  EXPECT_EQ(back, bytes);
  EXPECT_TRUE(faults(memory.write_bytes(at(0x2ffe), bytes), Fault::Kind::unmapped, Access::write,
                     at(0x3000)));
  EXPECT_EQ(*memory.read<std::uint16_t>(at(0x2ffe)), 0x0102) << "the prefix is stored";
  EXPECT_TRUE(memory.read_bytes(at(0x9000), {})) << "no byte, no access";
}

TEST(Access, BytesDoNotWrapAround) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0), page_size, rw, "zero"));
  std::array<std::uint8_t, 32> bytes{};
  EXPECT_FALSE(memory.read_bytes(at(all_ones - 15), bytes).ok());
  EXPECT_FALSE(memory.read_bytes(at(0xffff'fff0), bytes).ok());
  EXPECT_FALSE(memory.probe(at(all_ones), all_ones, Access::read).ok());
  EXPECT_FALSE(memory.probe(at(0), all_ones, Access::write).ok());
}

TEST(Access, ProbeAnswersAsTheAccessWould) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, rw, "rw"));
  ASSERT_TRUE(memory.map(at(0x2000), page_size, r, "r"));
  EXPECT_TRUE(memory.probe(at(0x1800), page_size, Access::read));
  EXPECT_TRUE(faults(memory.probe(at(0x1800), page_size, Access::write), Fault::Kind::protection,
                     Access::write, at(0x2000)));
  EXPECT_TRUE(memory.probe(at(0x1800), 0x800, Access::write));
}

TEST(Access, Strings) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, rw, "data"));
  const std::string text = "irix";
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  ASSERT_TRUE(memory.write_bytes(at(0x1100), bytes));
  EXPECT_EQ(*memory.read_string(at(0x1100), 100), "irix");
  EXPECT_EQ(*memory.read_string(at(0x1100), 3), "iri");
  EXPECT_EQ(*memory.read_string(at(0x1100), 0), "");
  EXPECT_EQ(*memory.read_string(at(0x1104), 100), "");
  ASSERT_TRUE(memory.write_bytes(at(0x1ffc), bytes));
  EXPECT_EQ(*memory.read_string(at(0x1ffc), 4), "irix");
  EXPECT_TRUE(
      faults(memory.read_string(at(0x1ffc), 5), Fault::Kind::unmapped, Access::read, at(0x2000)));
  EXPECT_FALSE(memory.read_string(at(all_ones), all_ones).ok());
}

TEST(Access, InitializeIgnoresPermissionsAndStaysInRegions) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, r, "text"));
  const std::array<std::uint8_t, 4> bytes = {0xde, 0xad, 0xbe, 0xef};
  ASSERT_TRUE(memory.initialize(at(0x1000), bytes));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 0xdeadbeefu);
  EXPECT_FALSE(memory.write<std::uint8_t>(at(0x1000), 0).ok());
  EXPECT_FALSE(memory.initialize(at(0x1ffe), bytes).ok());
}

}  // namespace
}  // namespace hardclock
