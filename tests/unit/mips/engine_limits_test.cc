// The block cache has a bound; a program larger than it must not notice.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/support/mips_machine.h"

namespace hardclock::support {
namespace {

constexpr std::uint32_t branch_to_next_block = 0x10000001;  // beq zero,zero,.+8
constexpr std::uint32_t nop = 0;
constexpr std::uint32_t system_call = 0x0000000c;

// `count` blocks of two instructions, each branching to the next, and a system call behind them.
std::vector<std::uint8_t> chain(std::uint64_t count) {
  std::vector<std::uint8_t> code(8 * count + 4);
  for (std::uint64_t i = 0; i < count; ++i) {
    store_bytes(&code[8 * i], branch_to_next_block, Endian::big);
    store_bytes(&code[8 * i + 4], nop, Endian::big);
  }
  store_bytes(&code[8 * count], system_call, Endian::big);
  return code;
}

TEST(BlockCache, ForgetsBlocksAndKeepsTheirCycles) {
  constexpr std::uint64_t blocks = 100'000;
  constexpr std::uint64_t instructions = 2 * blocks + 1;  // by counting the program
  MipsMachine machine(Endian::big, mips_cpu("r3000"));
  machine.cpu->collect_cycle_profile();
  machine.load(GuestAddr(0x400000), chain(blocks));
  for (std::uint64_t pass = 1; pass <= 2; ++pass) {
    machine.registers().set_pc(0x400000);
    const Stop stop = machine.run();
    EXPECT_EQ(stop.reason, StopReason::trap);
    EXPECT_EQ(machine.cpu->counts().instructions, Instructions(pass * instructions));
    EXPECT_EQ(Cycles(machine.cpu->cycle_profile().total()), machine.now);
    EXPECT_EQ(machine.now, Cycles(pass * instructions)) << "nothing in it ever waits";
  }
}

}  // namespace
}  // namespace hardclock::support
