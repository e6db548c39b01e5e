// A BlockArena that gets no memory for a chunk can be destroyed: it counts only those that it has.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "sim/engine/block_arena.h"

namespace {
bool fails = false;
}

void* operator new(std::size_t size) {
  void* const memory = fails ? nullptr : std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace hardclock {
namespace {

TEST(ArenaWithoutMemory, CanBeDestroyed) {
  bool has_thrown = false;
  {
    BlockArena arena;
    fails = true;
    try {
      (void)arena.allocate(16);
    } catch (const std::bad_alloc&) {
      has_thrown = true;
    }
    fails = false;
    EXPECT_EQ(arena.bytes(), 0U);
  }
  EXPECT_TRUE(has_thrown);
}

}  // namespace
}  // namespace hardclock
