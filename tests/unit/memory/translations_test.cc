// Translations that were remembered before a change of the address space.
#include "sim/memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/unit/memory/small_memory.h"

namespace hardclock {
namespace {

class Translations : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(memory.flat_translations(), nullptr);
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

TEST_F(Translations, OfWriteOnlyMemoryServeNoReadBeforeAWrite) {
  ASSERT_TRUE(memory.map(at(0x9000), page_size, w, "w"));
  EXPECT_FALSE(memory.read<std::uint32_t>(at(0x9000)).ok());
  EXPECT_FALSE(may_hit(memory, 0x9000, Access::read));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(0x9000), 2));
  EXPECT_EQ(*memory.read<std::uint32_t>(at(0x9000)), 2u);
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
  EXPECT_TRUE(!may_hit(memory, 0x1000, Access::read) || entry.host(0x1000)[3] == 9);
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

// The entries' table has room for one of them.
TEST_F(Translations, OfTwoPagesInOnePlaceOfTheTableStayInTheFlatOne) {
  const std::uint64_t other = 0x1000 + memory.translations().entries().size() * page_size;
  ASSERT_TRUE(memory.map(at(other), page_size, rw, "other"));
  ASSERT_TRUE(memory.write<std::uint32_t>(at(other), 2));
  for (const std::uint64_t address : {std::uint64_t{0x1000}, other}) {
    EXPECT_NE(flat_host(memory, address, Access::read), nullptr);
    EXPECT_NE(flat_host(memory, address, Access::write), nullptr);
  }
  ASSERT_TRUE(memory.unmap(at(other), page_size));
  EXPECT_EQ(flat_host(memory, other, Access::read), nullptr);
}

// Pages that come and go all the time, and then all at once.
TEST(FlatTranslations, AreForgottenOneByOneAndTogether) {
  CacheBudget caches(0);
  const auto table = FlatTable::make(caches);
  ASSERT_NE(table, nullptr);
  std::vector<std::uint8_t> page(page_size);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::uint64_t number = i % 100;
    table->enter(number << page_shift, page.data(), true, i % 2 == 0);
    EXPECT_NE(table->words()[number], 0u);
    EXPECT_EQ(table->words()[FlatTable::pages + number] != 0, i % 2 == 0);
    if (i % 3 == 0) continue;
    table->forget(number << page_shift);
    EXPECT_EQ(table->words()[number], 0u);
  }
  table->clear();
  for (std::uint64_t number = 0; number < 100; ++number) {
    EXPECT_EQ(table->words()[number], 0u);
    EXPECT_EQ(table->words()[FlatTable::pages + number], 0u);
  }
}

// Of a process that has ended, whether it had few pages or many.
TEST(FlatTranslations, LeaveNothingToTheNextProcess) {
  CacheBudget caches(0);
  std::vector<std::uint8_t> page(page_size);
  for (const std::uint64_t entered : {1u, 200u, 5000u, 3u}) {
    const auto table = FlatTable::make(caches);
    ASSERT_NE(table, nullptr);
    for (std::uint64_t number = 0; number < 6000; ++number) {
      ASSERT_EQ(table->words()[number], 0u);
      ASSERT_EQ(table->words()[FlatTable::pages + number], 0u);
    }
    for (std::uint64_t number = 0; number < entered; ++number)
      table->enter(number << page_shift, page.data(), true, true);
  }
}

// 64-bit addresses would not find their place in the table.
TEST(FlatTranslations, AreForAddressesOf32Bits) {
  AddressSpace wide(pages(4), Endian::big, GuestAddr(std::uint64_t{1} << 40));
  EXPECT_EQ(wide.flat_translations(), nullptr);
}

// Without a limit a guest of many processes could fill the host's memory with them.
TEST(FlatTranslations, AreOfFewProcessesAtATime) {
  CacheBudget caches(0);
  std::vector<std::unique_ptr<FlatTable>> tables;
  for (unsigned i = 0; i < FlatTable::most; ++i) tables.push_back(FlatTable::make(caches));
  EXPECT_NE(tables.back(), nullptr);
  EXPECT_EQ(FlatTable::make(caches), nullptr);
  tables.pop_back();
  EXPECT_NE(FlatTable::make(caches), nullptr);
}

}  // namespace
}  // namespace hardclock
