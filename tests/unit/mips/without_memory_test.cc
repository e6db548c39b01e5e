// A processor whose n-th allocation fails, for every n, while it makes and runs blocks, knows only
// of the blocks that it has: its code may change, and it can be destroyed.
#include "tests/support/without_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <vector>

#include "sim/engine/translation.h"
#include "tests/support/mips_machine.h"

namespace hardclock::support {
namespace {

constexpr std::uint64_t base = 0x400000, blocks = 600;  // on two pages

// Blocks of two instructions, each branching to the next, and a system call behind them.
std::vector<std::uint8_t> chain() {
  constexpr std::uint32_t branch_to_next_block = 0x10000001, system_call = 0x0000000c;
  std::vector<std::uint8_t> code(8 * blocks + 4);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    store_bytes(&code[8 * i], branch_to_next_block, Endian::big);
  }
  store_bytes(&code[8 * blocks], system_call, Endian::big);
  return code;
}

TEST(WithoutMemory, AnEngineKnowsWhichBlocksItHas) {
  const std::vector<std::uint8_t> code = chain();
  const CpuDescription& cpu = mips_cpu("r3000");
  const auto run = [&] {
    MipsMachine machine(Endian::big, cpu);
    machine.load(GuestAddr(base), code);
    try {
      EXPECT_EQ(machine.run().reason, StopReason::trap);
    } catch (const std::bad_alloc&) {
      CHECK(machine.memory.unmap(GuestAddr(base), code.size()).ok());
      throw;
    }
  };
  run();  // what is made once for all processors
  EXPECT_GT(allocations_that_may_fail(run), 100U);
}

}  // namespace
}  // namespace hardclock::support
