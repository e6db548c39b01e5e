// The rules that sim/memory/address_space.h states, one by one; the model test next door looks for
// combinations.
#include "sim/memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

template <class T>
testing::AssertionResult faults(const Result<T, Fault>& result, Fault::Kind kind, Access access,
                                GuestAddr address) {
  if (result.ok()) return testing::AssertionFailure() << "no fault";
  const Fault& fault = result.error();
  if (fault.kind == kind && fault.access == access && fault.address == address) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "kind " << static_cast<int>(fault.kind) << ", access " << static_cast<int>(fault.access)
         << ", address " << std::hex << fault.address.value();
}

// ---- Regions.

TEST(Regions, MappedMemoryIsZero) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 2 * page_size, rw, "data"));
  EXPECT_EQ(*memory.read<std::uint64_t>(at(0x1000)), 0u);
  EXPECT_EQ(*memory.read<std::uint8_t>(at(0x2fff)), 0u);
}

TEST(Regions, SizesAreRoundedUpToPages) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 1, rw, "data"));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1fff), 1));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x2000)), Fault::Kind::unmapped, Access::read,
                     at(0x2000)));
  EXPECT_EQ(memory.region_at(at(0x1abc))->end, 0x2000u);
  EXPECT_EQ(memory.region_at(at(0x2000)), nullptr);
}

TEST(Regions, OverlapIsRefused) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x4000), 0x2000, rw, "a"));
  for (const auto& [start, size] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {0x4000, 0x2000}, {0x3000, 0x1001}, {0x5000, 0x1000}, {0x3000, 0x4000}, {0x5000, 1}}) {
    const auto mapped = memory.map(at(start), size, rw, "b");
    ASSERT_FALSE(mapped.ok()) << std::hex << start;
    EXPECT_EQ(mapped.error(), MapError::overlap);
  }
  EXPECT_TRUE(memory.map(at(0x3000), 0x1000, rw, "before"));
  EXPECT_TRUE(memory.map(at(0x6000), 0x1000, rw, "after"));
}

TEST(Regions, HostileRangesAreInvalid) {
  Memory memory;
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges = {
      {0x1000, 0},
      {0x1001, 0x1000},
      {0x7fff'f000, 0x1001},
      {0x8000'0000, 0x1000},
      {0xffff'f000, 0x1000},
      {0xffff'f000, 0x2000},
      {0x1000, 0xffff'ffff},
      {0x1000, all_ones},
      {0x1000, all_ones - page_mask},
      {all_ones - page_mask, page_size},
      {all_ones - page_mask, all_ones},
      {0x1000, 0x8000'0000},
  };
  for (const auto& [start, size] : ranges) {
    SCOPED_TRACE(testing::Message() << std::hex << start << " " << size);
    const auto mapped = memory.map(at(start), size, rw, "x");
    ASSERT_FALSE(mapped.ok());
    EXPECT_EQ(mapped.error(), MapError::invalid);
    EXPECT_FALSE(memory.map_stack(at(start), size, at(0)).ok());
    EXPECT_FALSE(memory.unmap(at(start), size).ok());
    EXPECT_FALSE(memory.protect(at(start), size, rw).ok());
  }
}

TEST(Regions, TheLastUserPageCanBeMapped) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x7fff'f000), page_size, rw, "last"));
  EXPECT_TRUE(memory.write<std::uint32_t>(at(0x7fff'fffc), 7));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x8000'0000)), Fault::Kind::unmapped,
                     Access::read, at(0x8000'0000)));
}

TEST(Regions, AMappingLargerThanTheBudgetIsRefused) {
  Memory memory(Endian::big, 4);
  const auto mapped = memory.map(at(0x1000), 5 * page_size, rw, "x");
  ASSERT_FALSE(mapped.ok());
  EXPECT_EQ(mapped.error(), MapError::memory);
  EXPECT_TRUE(memory.map(at(0x1000), 4 * page_size, rw, "x"));
}

TEST(Regions, UnmapSplitsAndForgets) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 3 * page_size, rw, "data"));
  for (const std::uint64_t page : {0x1000, 0x2000, 0x3000}) {
    ASSERT_TRUE(memory.write<std::uint32_t>(at(page), 1));
  }
  ASSERT_TRUE(memory.unmap(at(0x2000), 1));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 1u);
  EXPECT_TRUE(faults(memory.read<std::uint32_t>(at(0x2000)), Fault::Kind::unmapped, Access::read,
                     at(0x2000)));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x3000)), 1u);
  ASSERT_TRUE(memory.map(at(0x2000), page_size, rw, "again"));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x2000)), 0u);
}

TEST(Regions, UnmappingNothingIsNoError) {
  Memory memory;
  EXPECT_TRUE(memory.unmap(at(0x1000), page_size));
  EXPECT_TRUE(memory.unmap(at(0), kuseg_end.value()));
}

TEST(Regions, ProtectChangesOnlyItsRange) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), 3 * page_size, rw, "data"));
  ASSERT_TRUE(memory.protect(at(0x2000), page_size, r));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1fff), 1));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x2000), 1), Fault::Kind::protection,
                     Access::write, at(0x2000)));
  EXPECT_TRUE(memory.read<std::uint8_t>(at(0x2000)));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x3000), 1));
}

TEST(Regions, ProtectNeedsTheWholeRangeMapped) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x1000), page_size, rw, "a"));
  ASSERT_TRUE(memory.map(at(0x3000), page_size, rw, "b"));
  const auto result = memory.protect(at(0x1000), 3 * page_size, r);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error(), MapError::invalid);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1000), 1)) << "a refused change changes nothing";
}

TEST(Regions, FindFreeTakesTheLowestGap) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), 0x1000, rw, "a"));
  ASSERT_TRUE(memory.map(at(0x4000), 0x2000, rw, "b"));
  EXPECT_EQ(memory.find_free(at(0x1000), at(0x9000), 0x1000), at(0x1000));
  EXPECT_EQ(memory.find_free(at(0x1001), at(0x9000), 0x1000), at(0x3000));
  EXPECT_EQ(memory.find_free(at(0x1800), at(0x9000), 0x1001), at(0x6000));
  EXPECT_EQ(memory.find_free(at(0x4800), at(0x9000), 0x3000), at(0x6000));
  EXPECT_EQ(memory.find_free(at(0x4800), at(0x9000), 0x3001), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x4800), at(0x8fff), 0x3000), std::nullopt);
}

TEST(Regions, FindFreeSurvivesHostileArguments) {
  Memory memory;
  EXPECT_EQ(memory.find_free(at(0x1000), at(0x9000), 0), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x1000), at(0x9000), all_ones), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x9000), at(0x1000), 0x1000), std::nullopt);
  EXPECT_EQ(memory.find_free(at(all_ones), at(all_ones), 0x1000), std::nullopt);
  EXPECT_EQ(memory.find_free(at(0x1000), at(all_ones), 0x8000'0000), std::nullopt)
      << "that would end beyond the user's part";
}

TEST(Regions, IsFreeAgreesWithMap) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), 0x1000, rw, "a"));
  EXPECT_TRUE(memory.is_free(at(0x1000), 0x1000));
  EXPECT_FALSE(memory.is_free(at(0x1000), 0x1001));
  EXPECT_FALSE(memory.is_free(at(0x2800), 0x10));
  EXPECT_TRUE(memory.is_free(at(0x3000), 0x1000));
}

// ---- Stacks.

TEST(Stack, GrowsDownToItsLimit) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x1000, at(0x1c000)));
  EXPECT_TRUE(memory.write<std::uint32_t>(at(0x1e004), 5));
  EXPECT_EQ(memory.region_at(at(0x20000))->start, 0x1e000u);
  EXPECT_TRUE(memory.read<std::uint8_t>(at(0x1c000)));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x1bfff)), Fault::Kind::unmapped, Access::read,
                     at(0x1bfff)));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1e004)), 5u);
}

TEST(Stack, DoesNotGrowThroughAnotherRegion) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x1000, at(0x10000)));
  ASSERT_TRUE(memory.map(at(0x18000), 0x1000, r, "in the way"));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x19000), 1));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x18000), 1), Fault::Kind::protection,
                     Access::write, at(0x18000)));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x17fff), 1), Fault::Kind::unmapped,
                     Access::write, at(0x17fff)));
}

TEST(Stack, OnlyItsLowPartGrowsAfterAHole) {
  Memory memory;
  ASSERT_TRUE(memory.map_stack(at(0x20000), 0x4000, at(0x1c000)));
  ASSERT_TRUE(memory.unmap(at(0x21000), 0x1000));
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x21fff), 1), Fault::Kind::unmapped,
                     Access::write, at(0x21fff)));
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x1ffff), 1));
}

TEST(Stack, GrowsInTheChildAlone) {
  Memory parent;
  ASSERT_TRUE(parent.map_stack(at(0x20000), 0x1000, at(0x10000)));
  const auto child = parent.fork();
  ASSERT_TRUE(child->write<std::uint8_t>(at(0x18000), 1));
  EXPECT_EQ(parent.region_at(at(0x18000)), nullptr);
}

// ---- Typed access.

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
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x2000), 1));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x2000)), Fault::Kind::protection, Access::read,
                     at(0x2000)));
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

// ---- Translations that were remembered before a change.

class Translations : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(memory.map(at(0x1000), page_size, rw, "data"));
    ASSERT_TRUE(memory.write<std::uint32_t>(at(0x1000), 1));
    ASSERT_TRUE(may_hit(memory, 0x1000, Access::write));
    ASSERT_TRUE(may_hit(memory, 0x1000, Access::read));
  }
  Memory memory;
};

TEST_F(Translations, EndWithUnmap) {
  ASSERT_TRUE(memory.unmap(at(0x1000), page_size));
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::read));
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::write));
  EXPECT_FALSE(memory.read<std::uint32_t>(at(0x1000)).ok());
}

TEST_F(Translations, EndWithProtect) {
  ASSERT_TRUE(memory.protect(at(0x1000), page_size, r));
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::write));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 1u);
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::write)) << "after a read";
  EXPECT_FALSE(memory.write<std::uint32_t>(at(0x1000), 2).ok());
  ASSERT_TRUE(memory.protect(at(0x1000), page_size, none));
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::read));
}

TEST_F(Translations, OfWriteOnlyMemoryServeNoRead) {
  ASSERT_TRUE(memory.protect(at(0x1000), page_size, w));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x1000), 2));
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::read));
}

TEST_F(Translations, ForWritingEndWithFork) {
  const auto child = memory.fork();
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::write));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x1000), 2));
  EXPECT_EQ(*child->read<std::uint32_t>(at(0x1000)), 1u);
  ASSERT_TRUE(child->write<std::uint32_t>(at(0x1000), 3));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 2u);
}

TEST_F(Translations, FollowAPageThatAByteWriteCopied) {
  const auto child = memory.fork();
  ASSERT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 1u);
  const std::array<std::uint8_t, 1> byte = {9};
  ASSERT_TRUE(memory.write_bytes(at(0x1003), byte));
  const AccessTable::Entry& entry = memory.translations().at(0x1000);
  EXPECT_TRUE(!may_hit(memory, 0x1000, Access::read) || entry.page[3] == 9);
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 9u);
}

TEST_F(Translations, OfPagesThatShareAnEntryDoNotMix) {
  const std::uint64_t other = 0x1000 + 512 * page_size;
  ASSERT_TRUE(memory.map(at(other), page_size, rw, "other"));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(other), 2));
  EXPECT_FALSE(may_hit(memory, 0x1000, Access::read));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x1000)), 1u);
  EXPECT_EQ(*memory.read<std::uint32_t>(at(other)), 2u);
}

// ---- The memory limit.

TEST(Budget, ExhaustionIsAFaultAndMemoryComesBack) {
  Memory memory(Endian::big, 3);
  ASSERT_TRUE(memory.map(at(0x1000), 3 * page_size, rw, "a"));
  ASSERT_TRUE(memory.map(at(0x8000), 3 * page_size, rw, "b"));
  for (std::uint64_t page = 0; page < 3; ++page) {
    ASSERT_TRUE(memory.write<std::uint8_t>(at(0x1000 + page * page_size), 1));
  }
  EXPECT_EQ(memory.budget()->free_bytes(), 0u);
  EXPECT_TRUE(faults(memory.write<std::uint8_t>(at(0x8000), 1), Fault::Kind::out_of_memory,
                     Access::write, at(0x8000)));
  EXPECT_TRUE(faults(memory.read<std::uint8_t>(at(0x8000)), Fault::Kind::out_of_memory,
                     Access::read, at(0x8000)));
  ASSERT_TRUE(memory.unmap(at(0x2000), page_size));
  EXPECT_EQ(memory.budget()->free_bytes(), page_size);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(0x8000), 1));
  EXPECT_EQ(memory.budget()->peak_bytes(), 3 * page_size);
}

TEST(Budget, ForkCostsAPageOnlyWhenOneSideWrites) {
  const auto budget = pages(3);
  auto parent = std::make_unique<AddressSpace>(budget, Endian::big, kuseg_end);
  ASSERT_TRUE(parent->map(at(0x1000), 2 * page_size, rw, "a"));
  ASSERT_TRUE(parent->write<std::uint8_t>(at(0x1000), 1));
  ASSERT_TRUE(parent->write<std::uint8_t>(at(0x2000), 1));
  auto child = parent->fork();
  EXPECT_EQ(budget->free_bytes(), page_size);
  ASSERT_TRUE(child->write<std::uint8_t>(at(0x1000), 2));
  EXPECT_EQ(budget->free_bytes(), 0u);
  EXPECT_TRUE(faults(child->write<std::uint8_t>(at(0x2000), 2), Fault::Kind::out_of_memory,
                     Access::write, at(0x2000)));
  EXPECT_EQ(*child->read<std::uint8_t>(at(0x2000)), 1);
  parent.reset();
  EXPECT_EQ(budget->free_bytes(), page_size);
  EXPECT_TRUE(child->write<std::uint8_t>(at(0x2000), 2)) << "the page has one owner now";
  child.reset();
  EXPECT_EQ(budget->free_bytes(), budget->limit_bytes());
}

// Linux: Documentation/admin-guide/sysctl/vm.rst, max_map_count; mmap(2) and munmap(2), ENOMEM.
TEST(Budget, ThereAreOnlySoManyRegions) {
  AddressSpace memory(std::make_shared<MemoryBudget>(std::uint64_t{256} << 20), Endian::big,
                      GuestAddr(std::uint64_t{1} << 40));
  constexpr std::uint64_t pages_apart = 4;
  for (std::uint64_t i = 0; i < most_regions; ++i) {
    ASSERT_TRUE(memory.map(at(i * pages_apart * page_size), 3 * page_size, rw, "x")) << i;
  }
  const auto more = memory.map(at(most_regions * pages_apart * page_size), page_size, rw, "x");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error(), MapError::memory);
  EXPECT_EQ(memory.unmap(at(page_size), page_size).error(), MapError::memory);
  EXPECT_EQ(memory.protect(at(page_size), page_size, r).error(), MapError::memory);
  EXPECT_TRUE(memory.write<std::uint8_t>(at(page_size), 1)) << "nothing has changed";
  EXPECT_TRUE(memory.unmap(at(0), 7 * page_size)) << "regions as a whole need none";
  EXPECT_TRUE(memory.unmap(at(9 * page_size), page_size)) << "there are two left";
}

TEST(Budget, TablesAreCharged) {
  const auto budget = std::make_shared<MemoryBudget>(std::uint64_t{1} << 20);
  auto parent = std::make_unique<AddressSpace>(budget, Endian::big, GuestAddr(~std::uint64_t{0}));
  std::uint64_t regions = 0;
  while (parent->map(at(regions * 2 * page_size), page_size, rw, "x")) ++regions;
  EXPECT_GT(regions, 1000u);
  EXPECT_LT(regions, most_regions) << "1 MiB of guest memory is not worth so many";
  EXPECT_GT(budget->table_bytes(), 64 * regions);
  EXPECT_FALSE(parent->may_fork());
  EXPECT_EQ(parent->fork(), nullptr);
  ASSERT_TRUE(parent->unmap(at(0), regions * page_size));
  EXPECT_TRUE(parent->may_fork());
  EXPECT_NE(parent->fork(), nullptr);
  parent.reset();
  EXPECT_EQ(budget->table_bytes(), 0u);
}

TEST(Budget, AForkedTableOfPagesIsCharged) {
  const auto budget = pages(64);
  AddressSpace parent(budget, Endian::big, kuseg_end);
  ASSERT_TRUE(parent.map(at(0), 64 * page_size, rw, "x"));
  const std::uint64_t untouched = budget->table_bytes();
  for (std::uint64_t page = 0; page < 64; ++page) {
    ASSERT_TRUE(parent.write<std::uint8_t>(at(page * page_size), 1));
  }
  const std::uint64_t touched = budget->table_bytes();
  EXPECT_GE(touched - untouched, 64 * 32u);
  const auto child = parent.fork();
  EXPECT_EQ(budget->table_bytes(), 2 * touched);
}

TEST(Budget, SaysOnceThatSomebodyWasRefused) {
  const auto budget = pages(2);
  AddressSpace memory(budget, Endian::big, kuseg_end);
  int told = 0;
  budget->on_refusal([&] { ++told; });
  ASSERT_TRUE(memory.map(at(0), 2 * page_size, rw, "x"));
  EXPECT_EQ(told, 0);
  EXPECT_FALSE(memory.map(at(0x10000), 3 * page_size, rw, "x"));
  EXPECT_FALSE(memory.map(at(0x10000), 3 * page_size, rw, "x"));
  EXPECT_EQ(told, 1);
}

// A call on memory that nobody has touched costs by what was touched, not by its size: page by page
// these would take an hour.
TEST(Budget, RangesMayBeFarLargerThanMemory) {
  constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;
  AddressSpace memory(std::make_shared<MemoryBudget>(gigabyte), Endian::big,
                      GuestAddr(std::uint64_t{1} << 44));
  for (std::uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(memory.map(at(i * gigabyte), gigabyte, rw, "x"));
  }
  ASSERT_TRUE(memory.write<std::uint8_t>(at(7 * gigabyte), 1));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(memory.protect(at(0), 1000 * gigabyte, i % 2 == 0 ? r : rw));
  }
  EXPECT_TRUE(memory.write<std::uint8_t>(at(7 * gigabyte), 2));
  ASSERT_TRUE(memory.unmap(at(0), 1000 * gigabyte));
  EXPECT_EQ(memory.resident_pages(), 0u);
}

TEST(Budget, AHugeProbeStopsAtTheLimit) {
  Memory memory(Endian::big, 4);
  for (std::uint64_t start = 0; start < 8; ++start) {
    ASSERT_TRUE(memory.map(at(start * page_size), page_size, rw, "x"));
  }
  EXPECT_TRUE(faults(memory.probe(at(0), 8 * page_size, Access::read), Fault::Kind::out_of_memory,
                     Access::read, at(4 * page_size)));
}

// ---- Shared mappings.

// ---- Frames that take turns.

TEST(ExchangeFrame, PutsAnotherContentInThePage) {
  Memory memory;
  ASSERT_TRUE(memory.map(at(0x2000), page_size, rw, "prda"));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2004), 1));
  auto first = memory.exchange_frame(at(0x2000), nullptr);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 0U) << "nothing has touched it";
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2004), 2));
  auto second = memory.exchange_frame(at(0x2000), std::move(first));
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 1U);
  memory.exchange_frame(at(0x2000), std::move(second));
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 2U);
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x2004), 3));
  EXPECT_EQ(memory.read<std::uint32_t>(at(0x2004)).value(), 3U);
}

TEST(Shared, PagesTouchedBeforeAndAfterForkAreOne) {
  Memory parent;
  ASSERT_TRUE(parent.map(at(0x1000), 2 * page_size, rw, "shared", true));
  ASSERT_TRUE(parent.write<std::uint32_t>(at(0x1000), 1));
  const auto child = parent.fork();
  const auto grandchild = child->fork();
  ASSERT_TRUE(child->write<std::uint32_t>(at(0x1000), 2));
  ASSERT_TRUE(grandchild->write<std::uint32_t>(at(0x2000), 3));
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x1000)), 2u);
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x2000)), 3u);
  EXPECT_EQ(*child->read<std::uint32_t>(at(0x2000)), 3u);
}

TEST(Shared, ASplitKeepsEachPagesPlace) {
  Memory parent;
  ASSERT_TRUE(parent.map(at(0x1000), 3 * page_size, rw, "shared", true));
  const auto child = parent.fork();
  ASSERT_TRUE(child->unmap(at(0x2000), page_size));
  ASSERT_TRUE(child->protect(at(0x3000), page_size, r));
  ASSERT_TRUE(parent.write<std::uint32_t>(at(0x3000), 3));
  ASSERT_TRUE(child->write<std::uint32_t>(at(0x1000), 1));
  EXPECT_EQ(*child->read<std::uint32_t>(at(0x3000)), 3u);
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x1000)), 1u);
  EXPECT_EQ(*parent.read<std::uint32_t>(at(0x2000)), 0u);
}

}  // namespace
}  // namespace hardclock
