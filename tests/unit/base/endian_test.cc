// Source of the byte orders: IEN 137, Danny Cohen, "On Holy Wars and a Plea for Peace" (1980): the
// big-endian order has the most significant byte at the lowest address. glibc's <endian.h> is the
// peer for random values.
#include "sim/base/endian.h"

#include <endian.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace hardclock {
namespace {

constexpr std::array<std::uint8_t, 8> eight_bytes = {0x01, 0x23, 0x45, 0x67,
                                                     0x89, 0xab, 0xcd, 0xef};

TEST(LoadBytes, Big) {
  EXPECT_EQ(load_bytes<std::uint8_t>(eight_bytes.data(), Endian::big), 0x01);
  EXPECT_EQ(load_bytes<std::uint16_t>(eight_bytes.data(), Endian::big), 0x0123);
  EXPECT_EQ(load_bytes<std::uint32_t>(eight_bytes.data(), Endian::big), 0x01234567u);
  EXPECT_EQ(load_bytes<std::uint64_t>(eight_bytes.data(), Endian::big), 0x0123456789abcdefu);
}

TEST(LoadBytes, Little) {
  EXPECT_EQ(load_bytes<std::uint8_t>(eight_bytes.data(), Endian::little), 0x01);
  EXPECT_EQ(load_bytes<std::uint16_t>(eight_bytes.data(), Endian::little), 0x2301);
  EXPECT_EQ(load_bytes<std::uint32_t>(eight_bytes.data(), Endian::little), 0x67452301u);
  EXPECT_EQ(load_bytes<std::uint64_t>(eight_bytes.data(), Endian::little), 0xefcdab8967452301u);
}

TEST(LoadBytes, NeedsNoAlignment) {
  EXPECT_EQ(load_bytes<std::uint32_t>(eight_bytes.data() + 1, Endian::big), 0x23456789u);
  EXPECT_EQ(load_bytes<std::uint16_t>(eight_bytes.data() + 3, Endian::little), 0x8967);
}

TEST(StoreBytes, WritesExactlyItsBytes) {
  std::array<std::uint8_t, 8> bytes{};
  store_bytes<std::uint32_t>(bytes.data() + 1, 0xa1b2c3d4, Endian::big);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 8>{0, 0xa1, 0xb2, 0xc3, 0xd4, 0, 0, 0}));
  store_bytes<std::uint16_t>(bytes.data() + 6, 0xe5f6, Endian::little);
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 8>{0, 0xa1, 0xb2, 0xc3, 0xd4, 0, 0xf6, 0xe5}));
}

TEST(StoreBytes, AgreesWithGlibc) {
  std::uint64_t value = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 1000; ++i, value = value * 6364136223846793005u + 1442695040888963407u) {
    std::uint64_t big = 0;
    std::uint64_t little = 0;
    store_bytes(&big, value, Endian::big);
    store_bytes(&little, value, Endian::little);
    ASSERT_EQ(big, htobe64(value));
    ASSERT_EQ(little, htole64(value));
    ASSERT_EQ(load_bytes<std::uint64_t>(&big, Endian::big), value);
    ASSERT_EQ(load_bytes<std::uint64_t>(&little, Endian::little), value);
  }
}

TEST(ByteSwap, EveryWidth) {
  static_assert(byte_swap(std::uint8_t{0x12}) == 0x12);
  static_assert(byte_swap(std::uint16_t{0x1234}) == 0x3412);
  static_assert(byte_swap(std::uint32_t{0x12345678}) == 0x78563412);
  static_assert(byte_swap(std::uint64_t{0x0123456789abcdef}) == 0xefcdab8967452301);
}

TEST(HostOrder, ExactlyOneIs) {
  EXPECT_NE(is_host_order(Endian::big), is_host_order(Endian::little));
  EXPECT_EQ(is_host_order(Endian::little), __BYTE_ORDER == __LITTLE_ENDIAN);
}

}  // namespace
}  // namespace hardclock
