#include "sim/engine/block_arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace hardclock {
namespace {

std::uintptr_t address(const void* piece) {
  return reinterpret_cast<std::uintptr_t>(piece);
}

TEST(BlockArena, PutsOnePieceBehindTheOther) {
  BlockArena arena;
  EXPECT_EQ(arena.bytes(), 0u);
  void* const first = arena.allocate(100);
  void* const second = arena.allocate(1);
  EXPECT_EQ(address(first) % BlockArena::alignment, 0u);
  EXPECT_EQ(address(second), address(first) + 112) << "100, to a multiple of 16";
  BlockArena::release(first);
  BlockArena::release(second);
}

TEST(BlockArena, PiecesAreApart) {
  BlockArena arena;
  std::vector<void*> pieces;
  for (int i = 0; i < 1000; ++i) {
    pieces.push_back(arena.allocate(300));
    std::memset(pieces.back(), i, 300);
  }
  for (int i = 0; i < 1000; ++i) {
    const auto* const bytes = static_cast<const std::uint8_t*>(pieces[static_cast<std::size_t>(i)]);
    EXPECT_EQ(bytes[0], static_cast<std::uint8_t>(i));
    EXPECT_EQ(bytes[299], static_cast<std::uint8_t>(i));
  }
  for (void* const piece : pieces) BlockArena::release(piece);
}

TEST(BlockArena, KeepsNoMemoryOfWhatWasReleased) {
  BlockArena arena;
  BlockArena::release(arena.allocate(1000));
  const std::uint64_t least = arena.bytes();
  std::vector<void*> pieces;
  for (int i = 0; i < 1000; ++i) pieces.push_back(arena.allocate(1000));
  EXPECT_GE(arena.bytes(), 1'000'000u);
  for (void* const piece : pieces) BlockArena::release(piece);
  EXPECT_EQ(arena.bytes(), least);
}

}  // namespace
}  // namespace hardclock
