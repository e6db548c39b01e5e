// A br.ret whose frame cannot be loaded. SDM 2, 6.6 and 6.8: the processor branches, and the first
// instruction at the target has the fault, with its frame incomplete.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "sim/base/endian.h"
#include "tests/support/ia64_machine.h"

namespace hardclock::ia64 {
namespace {

constexpr std::uint64_t text = 0x10000, target = 0x20000, store = 0x30000;
constexpr FrameMarker callers{.sof = 4, .sol = 4};

// Its caller's four registers are in the backing store below `store` + 0x20, in little-endian
// order.
class ReturnFault : public ::testing::TestWithParam<bool> {
 protected:
  ReturnFault() {
    // ia64-linux-gnu-as: { .mib: nop.m 0; nop.i 0; br.ret.sptk.many b0;; }
    constexpr std::array<std::uint8_t, 16> code = {0x11, 0, 0, 0,    0x01, 0, 0,    0,
                                                   0,    2, 0, 0x80, 0x08, 0, 0x84, 0};
    machine.load(GuestAddr(text), code);
    Registers& registers = machine.registers();
    registers.stack.start(store + 0x20, {});
    registers.br[0] = target + 0xc;  // the bundle's address counts
    registers.pfs = pack_pfs(callers, 5, 3);
  }
  Stop step() { return machine.run(machine.far, Instructions(1)); }

  support::Ia64Machine machine{support::ia64_cpu("ia64"),
                               {.functional = true, .reference = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(BothEngines, ReturnFault, ::testing::Bool());

TEST_P(ReturnFault, IsTheTargets) {
  const Stop stop = machine.run();
  EXPECT_EQ(stop.reason, StopReason::trap);
  EXPECT_EQ(stop.trap.kind, TrapKind::memory);
  EXPECT_EQ(stop.trap.fault.address, GuestAddr(store + 0x18));
  EXPECT_EQ(stop.trap.fault.access, Access::read);
  ASSERT_TRUE(machine.registers().faulted_return.has_value());
  EXPECT_EQ(machine.registers().faulted_return->target, target);
  EXPECT_EQ(machine.registers().faulted_return->pfs, pack_pfs(callers, 5, 3));
}

// What a kernel does that has mapped the page, as for any load.
TEST_P(ReturnFault, IsGoneWhenTheMemoryIsThere) {
  ASSERT_EQ(machine.run().reason, StopReason::trap);
  ASSERT_TRUE(machine.memory.map(GuestAddr(store), page_size, machine.all, "store").ok());
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(machine.memory.write(GuestAddr(store + 8 * i), 0xa0 + i).ok());
  }
  machine.cpu->interrupted();
  EXPECT_FALSE(machine.registers().faulted_return.has_value());
  EXPECT_EQ(step().reason, StopReason::limit);
  const Registers& registers = machine.registers();
  EXPECT_EQ(registers.pc, target);
  EXPECT_EQ(registers.stack.marker(), callers);
  EXPECT_EQ(registers.ec, 5U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(registers.stack.value(32 + i), 0xa0U + i);
}

}  // namespace
}  // namespace hardclock::ia64
