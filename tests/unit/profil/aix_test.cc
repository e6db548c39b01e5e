// AIX: the sentences of IBM's "profil Subroutine" page (AIX 4.3 and 7.2) and the resolutions of
// aix.cc.
#include "syscalls/profil/system.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>

#include "syscalls/profil/charge.h"
#include "tests/unit/profil/awkward_number.h"
#include "tests/unit/profil/byte_memory.h"

namespace hardclock::profil {
namespace {

constexpr std::uint64_t buf = 0x10010000;
constexpr std::uint64_t text_address = 0x400000;

State profile(std::uint64_t size, std::uint64_t scale) {
  return aix_system.profil(State{}, {buf, size, text_address, scale}, 32).value();
}

std::optional<std::uint64_t> place(const State& state, std::uint64_t pc) {
  const Lookup lookup = aix_system.lookup(state, GuestAddr(pc));
  const Access* access = std::get_if<Access>(&lookup);
  if (access == nullptr) return std::nullopt;
  return access->byte_offset;
}

// "rounded up to the next half-word aligned value", "it remains USHRT_MAX".
TEST(Aix, RoundsUpAndSaturates) {
  ByteMemory memory(Endian::big);
  memory.map(buf, 64);
  memory.set_counter(buf + 2, 65535);
  State state = profile(64, 0xffff);
  for (const std::uint64_t pc : {text_address, text_address + 2, text_address + 4}) {
    tick(aix_system, state, pc, memory);
  }
  EXPECT_EQ(memory.counter(buf), 1u);
  EXPECT_EQ(memory.counter(buf + 2), 65535u);
  EXPECT_EQ(memory.counter(buf + 4), 1u);
  EXPECT_TRUE(state.on());
  EXPECT_EQ(aix_system.increment(65535, 2, Ticks(1)).effect, Increment::Effect::saturated);
  EXPECT_EQ(aix_system.increment(65530, 2, Ticks(9)).after, 65535u);
  EXPECT_EQ(aix_system.increment(65530, 2, Ticks(5)).effect, Increment::Effect::counted);
}

// "The least significant 16 bits of the Scale parameter are interpreted"; 01 and 00: "Turns
// profiling off" (A-A2, A-A4).
TEST(Aix, ScaleHasSixteenBits) {
  EXPECT_FALSE(profile(64, 0).on());
  EXPECT_FALSE(profile(64, 1).on());
  EXPECT_FALSE(profile(64, 0x10000).on());
  EXPECT_FALSE(profile(64, 0x10001).on());
  EXPECT_EQ(profile(64, 0x3ffff), profile(64, 0xffff));
}

// 02 (A-A3): one location for the first 32 KiB only.
TEST(Aix, CoreClock) {
  EXPECT_EQ(place(profile(64, 2), text_address + 0x7fff), 0u);
  EXPECT_EQ(place(profile(64, 2), text_address + 0x8000), 2u);
}

// A-A1: 0xFFFF maps "each pair of bytes in the instruction space to a unique short", as many as the
// buffer has; 0x7FFF four bytes.
TEST(Aix, BufferSizeIsInBytes) {
  for (std::uint64_t i = 0; i < 32; ++i) {
    EXPECT_EQ(place(profile(64, 0xffff), text_address + 2 * i), 2 * i);
    EXPECT_EQ(place(profile(64, 0x7fff), text_address + 4 * i), 2 * i);
  }
  EXPECT_EQ(place(profile(64, 0xffff), text_address + 64), std::nullopt);
  EXPECT_EQ(place(profile(0, 0xffff), text_address), std::nullopt);
  EXPECT_EQ(place(profile(64, 0xffff), text_address - 2), std::nullopt);
}

// A-A6: "(ProfBuffer, -1, 0, 0)" is another form of the call.
TEST(Aix, ArrayForm) {
  const auto state = aix_system.profil(State{}, {buf, 0xffffffff, 0, 0}, 32);
  EXPECT_EQ(state.error(), CallError::invalid);
}

// The page's operations one after the other, in numbers that cannot overflow: the multiplication as
// a sum of shifted differences.
std::optional<std::uint64_t> page_arithmetic(std::uint64_t pc, std::uint64_t size,
                                             std::uint64_t offset, std::uint64_t scale) {
  if (scale <= 1 || pc < offset) return std::nullopt;
  Wide result = 0;
  for (unsigned bit = 0; bit < 16; ++bit) {
    if ((scale >> bit & 1) != 0) result += Wide{pc - offset} << bit;
  }
  result >>= 16;
  while (result % 2 != 0) ++result;
  if (result >= size) return std::nullopt;
  return static_cast<std::uint64_t>(result);
}

TEST(Aix, ArithmeticIsThePages) {
  std::mt19937_64 random(4);
  unsigned counted = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t offset = awkward_number(random, 64);
    const std::uint64_t pc =
        random() % 2 == 0 ? awkward_number(random, 64) : offset + awkward_number(random, 20);
    const std::uint64_t size = awkward_number(random, 32) % 0xffffffff;
    const std::uint64_t scale = awkward_number(random, 16);
    const State state = aix_system.profil(State{}, {buf, size, offset, scale}, 64).value();
    const auto expected = page_arithmetic(pc, size, offset, scale);
    ASSERT_EQ(place(state, pc), expected) << pc << " " << size << " " << offset << " " << scale;
    if (expected) ++counted;
  }
  EXPECT_GT(counted, 100'000u);
  EXPECT_LT(counted, 900'000u);
}

}  // namespace
}  // namespace hardclock::profil
