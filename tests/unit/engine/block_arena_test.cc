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
  const BlockArena::Piece first = arena.allocate(100);
  const BlockArena::Piece second = arena.allocate(1);
  EXPECT_EQ(address(first.memory) % BlockArena::alignment, 0u);
  EXPECT_EQ(address(second.memory), address(first.memory) + 112) << "100, to a multiple of 16";
  BlockArena::release(first);
  BlockArena::release(second);
}

TEST(BlockArena, PiecesAreApart) {
  BlockArena arena;
  std::vector<BlockArena::Piece> pieces;
  for (int i = 0; i < 1000; ++i) {
    pieces.push_back(arena.allocate(300));
    std::memset(pieces.back().memory, i, 300);
  }
  for (int i = 0; i < 1000; ++i) {
    const auto* const bytes =
        static_cast<const std::uint8_t*>(pieces[static_cast<std::size_t>(i)].memory);
    EXPECT_EQ(bytes[0], static_cast<std::uint8_t>(i));
    EXPECT_EQ(bytes[299], static_cast<std::uint8_t>(i));
  }
  for (const BlockArena::Piece& piece : pieces) BlockArena::release(piece);
}

TEST(BlockArena, KeepsNoMemoryOfWhatWasReleased) {
  BlockArena arena;
  BlockArena::release(arena.allocate(1000));
  const std::uint64_t least = arena.bytes();
  std::vector<BlockArena::Piece> pieces;
  for (int i = 0; i < 1000; ++i) pieces.push_back(arena.allocate(1000));
  EXPECT_GE(arena.bytes(), 1'000'000u);
  for (const BlockArena::Piece& piece : pieces) BlockArena::release(piece);
  EXPECT_EQ(arena.bytes(), least);
}

}  // namespace
}  // namespace hardclock
