// The write buffer against a queue that moves cycle by cycle, and by hand.
#include "sim/timing/write_buffer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/timing/naive_memory.h"
#include "tests/unit/timing/random_memory.h"

namespace hardclock {
namespace {

RC_GTEST_PROP(WriteBuffer, AgreesWithAQueue, ()) {
  const WriteBufferDescription description = any_write_buffer();
  WriteBuffer buffer(description);
  NaiveWriteBuffer naive(description);
  std::uint64_t now = 0;
  for (const unsigned pause : *rc::gen::container<std::vector<unsigned>>(
           *rc::gen::inRange(1, 400), rc::gen::inRange(0u, description.drain_cycles * 2))) {
    now += pause;
    RC_ASSERT(buffer.until_empty(Cycles(now)) == naive.until_empty(now));
    const std::uint32_t waited = buffer.store(Cycles(now));
    RC_ASSERT(waited == naive.store(now));
    now += waited + 1;
  }
}

// Four entries of 5 cycles, a store in every cycle from cycle 0: the first leaves at 5, so the
// stores of cycles 0..3 find a place and the one of cycle 4 waits one cycle; from then on one
// leaves in 5 cycles and one comes.
TEST(WriteBuffer, FullOnes) {
  WriteBuffer buffer(WriteBufferDescription{.depth = 4, .drain_cycles = 5});
  for (std::uint64_t now = 0; now < 4; ++now) EXPECT_EQ(buffer.store(Cycles(now)), 0u);
  EXPECT_EQ(buffer.store(Cycles(4)), 1u);
  EXPECT_EQ(buffer.store(Cycles(6)), 4u);
  EXPECT_EQ(buffer.store(Cycles(11)), 4u);
  EXPECT_EQ(buffer.until_empty(Cycles(16)), 19u);
  EXPECT_EQ(buffer.store(Cycles(100)), 0u);
}

TEST(WriteBuffer, NoneNeverWaits) {
  WriteBuffer buffer;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(buffer.store(Cycles(1)), 0u);
  EXPECT_EQ(buffer.until_empty(Cycles(1)), 0u);
}

}  // namespace
}  // namespace hardclock
