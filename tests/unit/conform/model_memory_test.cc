// The model's memory against the simplest one: a byte and its protection for each address.
#include "syscalls/conform/model_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>

namespace hardclock::conform {
namespace {

constexpr std::uint64_t highest = 0xff;

struct Byte {
  std::uint8_t value = 0;
  Protection protection;
};
using Bytes = std::array<std::optional<Byte>, highest + 1>;

TEST(ModelMemory, AgreesWithBytes) {
  std::mt19937 random(1);
  ModelMemory memory(highest);
  Bytes bytes;
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t first = random() % (highest + 1);
    const std::uint64_t size = 1 + random() % (highest + 1 - first);
    const Protection protection = {random() % 2 == 0, random() % 2 == 0, false};
    const auto value = static_cast<std::uint8_t>(random() % 3);
    const int what = static_cast<int>(random() % 5);
    if (what == 0) memory.map(GuestAddr(first), size, protection);
    if (what == 1) memory.unmap(GuestAddr(first), size);
    if (what == 2) memory.protect(GuestAddr(first), size, protection);
    for (std::uint64_t at = first; at < first + size; ++at) {
      if (what == 0) bytes[at] = Byte{0, protection};
      if (what == 1) bytes[at].reset();
      if (what == 2 && bytes[at]) bytes[at]->protection = protection;
    }
    if (what == 3 && bytes[first]) {
      memory.write(GuestAddr(first), std::span(&value, 1));
      bytes[first]->value = value;
    }
    constexpr std::uint64_t page_bytes = 16;
    bool has_page = false;
    for (std::uint64_t page = first & ~(page_bytes - 1); page < first + size; page += page_bytes) {
      bool is_whole = true;
      for (std::uint64_t at = page; at < page + page_bytes; ++at) {
        is_whole = is_whole && (at < first || at >= first + size || bytes[at]);
      }
      has_page = has_page || is_whole;
    }
    ASSERT_EQ(memory.has_page(GuestAddr(first), size, page_bytes), has_page) << step;
    bool mapped = true, writable = true;
    for (std::uint64_t at = first; at < first + size; ++at) {
      mapped = mapped && bytes[at];
      writable = writable && bytes[at] && bytes[at]->protection.write;
    }
    ASSERT_EQ(memory.is_mapped(GuestAddr(first), size), mapped) << step;
    ASSERT_EQ(memory.is_writable(GuestAddr(first), size), writable) << step;
    ASSERT_EQ(memory.is_accessible(GuestAddr(first), static_cast<unsigned>(size)), writable);
    const auto nonzero = memory.nonzero_bytes(GuestAddr(first), size);
    for (std::uint64_t at = first; at < first + size; ++at) {
      const std::uint8_t expected = bytes[at] ? bytes[at]->value : 0;
      const auto found = nonzero.find(at - first);
      ASSERT_EQ(found == nonzero.end() ? 0 : found->second, expected) << step;
    }
  }
}

TEST(ModelMemory, WrapsAndHoldsTheWholeAddressSpace) {
  ModelMemory memory(~std::uint64_t{0});
  memory.map(GuestAddr(0), ~std::uint64_t{0}, {});
  EXPECT_TRUE(memory.is_mapped(GuestAddr(0), ~std::uint64_t{0}));
  EXPECT_FALSE(memory.is_accessible(GuestAddr(~std::uint64_t{0}), 2));
  memory.map(GuestAddr(~std::uint64_t{0}), 1, {});
  // No counter goes on at the beginning of the address space (charge.h).
  EXPECT_TRUE(memory.is_accessible(GuestAddr(~std::uint64_t{0}), 1));
  EXPECT_FALSE(memory.is_accessible(GuestAddr(~std::uint64_t{0}), 2));
  memory.store(GuestAddr(~std::uint64_t{0}), 2, 0x0102);
  std::array<std::uint8_t, 1> byte{};
  memory.read(GuestAddr(0), byte);
  EXPECT_EQ(byte[0], 2);
  memory.unmap(GuestAddr(1), ~std::uint64_t{0} - 1);
  EXPECT_TRUE(memory.is_mapped(GuestAddr(~std::uint64_t{0}), 2));
  EXPECT_FALSE(memory.is_mapped(GuestAddr(0), 2));
}

// 4.4BSD's vm_map_lookup() looks at the protection when there is no page yet.
TEST(ModelMemory, WriteOnlyPagesCanBeReadOnceStoredTo) {
  ModelMemory memory(0xffffffff, true);
  memory.map(GuestAddr(0x1000), 0x2000, {.read = false, .write = true});
  EXPECT_FALSE(memory.is_accessible(GuestAddr(0x1000), 2));
  memory.store(GuestAddr(0x1100), 2, 0);
  EXPECT_TRUE(memory.is_accessible(GuestAddr(0x1000), 2));
  EXPECT_FALSE(memory.is_accessible(GuestAddr(0x2000), 2));
  memory.map(GuestAddr(0x1000), 0x1000, {.read = false, .write = true});
  EXPECT_FALSE(memory.is_accessible(GuestAddr(0x1000), 2));
}

}  // namespace
}  // namespace hardclock::conform
