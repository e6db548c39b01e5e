// The block engine against the one-instruction-at-a-time interpreter (tests/support/lock_step.h).
// The interpreter's own correctness is checked elsewhere (qemu_test, kernels_test).
#include "tests/support/lock_step.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/mips_machine.h"
#include "tests/unit/mips/random_program.h"

namespace hardclock {
namespace {

using mips::Mix;
using support::Conduct;
using support::MipsMachine;

struct Guest {
  using Machine = MipsMachine;
  using Mix = mips::Mix;
  using Program = mips::RandomProgram;

  static constexpr GuestAddr data_start = mips::data_start;
  static constexpr std::uint64_t data_size = mips::data_size;
  static constexpr GuestAddr read_only_page{0x1100'0000};
  // One without anything particular, one with stages and lost cycles after branches, one that
  // issues two instructions in a cycle, and one out of order.
  static constexpr std::array timings = {"r3000", "r4000", "r5000", "r10000"};
  static constexpr std::uint64_t code_alignment = 4;
  static constexpr unsigned pipelines = timings.size();
  static constexpr bool translates = true;

  static Machine machine(const Mix& mix, Endian endian, unsigned pipeline,
                         const support::EngineOptions& options) {
    return {endian,
            support::with_timing_of(timings[pipeline], mips::level_name(mix.level)),
            {.functional = options.functional,
             .reference = options.reference,
             .translation = options.translation,
             .memory = options.memory,
             .mode = mix.mode}};
  }
  static void prepare(Machine& machine) {
    EXPECT_TRUE(machine.memory.map(read_only_page, page_size, {.read = true}, "read only"));
  }
  static Endian endian(std::uint32_t seed) { return seed % 2 == 0 ? Endian::big : Endian::little; }
  static std::uint64_t next(const mips::Registers& registers) { return registers.epc() + 4; }
};

void compare(std::uint32_t cases, const Mix& mix, const Conduct& conduct,
             std::uint32_t longest_program) {
  support::compare_engines<Guest>(cases, mix, conduct, longest_program);
}

TEST(LockStep, StraightLines) {
  compare(600, Mix{.branches = 0, .multiply = 20}, Conduct{}, 40);
}

TEST(LockStep, Loops) {
  compare(800, Mix{.branches = 30}, Conduct{}, 30);
}

// Sums that overflow take longer on the R4000, but not while a product is waited for.
TEST(LockStep, LoopsWithProducts) {
  compare(400, Mix{.branches = 30, .multiply = 25}, Conduct{}, 24);
}

// A block with a sampler's moments in it goes on; one of its sums that is slow runs again.
TEST(LockStep, SumsInPlace) {
  Mix mix{.memory = 0, .branches = 10, .floating_point = 0, .multiply = 0, .sums = 80};
  for (const bool changes_pins : {true, false}) {
    compare(1500, mix, Conduct{.changes_pins = changes_pins}, 30);
  }
  mix.level = mips::Level::mips4;
  mix.mode = {.operation_bits = 64, .address_bits = 64, .fr = true};
  compare(1500, mix, Conduct{.changes_pins = true}, 30);
}

TEST(LockStep, LongPrograms) {
  compare(60, Mix{}, Conduct{.longest_slice = 3000, .instructions = 8000}, 900);
}

TEST(LockStep, TinySlices) {
  compare(400, Mix{.branches = 25, .floating_point = 30, .multiply = 15},
          Conduct{.longest_slice = 8, .limit_percent = 0}, 60);
}

TEST(LockStep, Traps) {
  compare(1000, Mix{.branches = 20, .traps = 10, .register_jumps = 3}, Conduct{}, 80);
}

TEST(LockStep, BranchesInDelaySlots) {
  compare(500, Mix{.branches = 50, .traps = 5, .register_jumps = 5, .branch_in_slots = true},
          Conduct{}, 40);
}

TEST(LockStep, SelfModifyingCode) {
  compare(1000, Mix{.branches = 20, .traps = 3, .code_stores = 12}, Conduct{}, 60);
}

TEST(LockStep, CodeThatTheKernelChanges) {
  compare(500, Mix{.branches = 20, .code_stores = 5}, Conduct{.kernel_write_percent = 30}, 60);
}

// The other levels and modes, with everything in the mix.
TEST(LockStep, EveryLevelAndMode) {
  using mips::Level;
  const mips::Mode o32, fr{.fr = true}, n32{.operation_bits = 64, .fr = true},
      n64{.operation_bits = 64, .address_bits = 64, .fr = true};
  const std::pair<Level, mips::Mode> machines[] = {
      {Level::mips3, n32},   {Level::mips4, n64},  {Level::mips4, o32},    {Level::mips32r2, o32},
      {Level::mips32r2, fr}, {Level::mips64, n32}, {Level::mips64r2, n64}, {Level::mips64r2, n32}};
  for (const auto& [level, mode] : machines) {
    SCOPED_TRACE(mips::level_name(level));
    const Mix mix{.branches = 20,
                  .floating_point = 20,
                  .traps = 5,
                  .code_stores = 3,
                  .register_jumps = 3,
                  .level = level,
                  .mode = mode};
    compare(150, mix, Conduct{}, 60);
  }
}

TEST(LockStep, Caches) {
  for (std::uint32_t kind = 0; kind < support::small_memories; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    ASSERT_EQ(memory_mistake(memory), "");
    compare(200, Mix{.memory = 35, .branches = 20, .multiply = 12, .traps = 2, .code_stores = 2},
            Conduct{.kernel_write_percent = 5, .memory = &memory}, 80);
    compare(20, Mix{.memory = 35},
            Conduct{.longest_slice = 3000, .instructions = 8000, .memory = &memory}, 900);
  }
}

// RDHWR of the cycle counter is at the mercy of nothing but the cycle it runs in.
TEST(LockStep, CycleCounter) {
  for (const bool reference : {true, false}) {
    MipsMachine machine(Endian::big, support::with_r3000_timing("mips32r2"),
                        {.reference = reference});
    const std::array<std::uint32_t, 6> code = {
        0x0109'0018,  // mult t0,t1
        0x0000'1012,  // mflo v0, which waits for the product
        0x7c02'103b,  // rdhwr v0,hwr_cc
        0x1000'0002,  // b to the break
        0x7c03'103b,  // rdhwr v1,hwr_cc
        0x0000'000d,  // break, which is not reached
    };
    std::vector<std::uint8_t> bytes(4 * code.size() + 4);
    for (std::size_t i = 0; i < code.size(); ++i) store_bytes(&bytes[4 * i], code[i], Endian::big);
    store_bytes(&bytes[4 * code.size()], std::uint32_t{0x0000'000d}, Endian::big);
    machine.now = Cycles(1000);
    machine.load(GuestAddr(0x40'0000), bytes);
    EXPECT_EQ(machine.run().trap.kind, TrapKind::breakpoint);
    // Every second cycle counts (R4000 User's Manual, Count register): 13 cycles for the product.
    EXPECT_EQ(machine.registers().gpr[2], (1000u + 14) / 2);
    EXPECT_EQ(machine.registers().gpr[3], (1000u + 16) / 2);
  }
}

// All translations go when there is no room for another one.
TEST(LockStep, FullCodeMemory) {
  compare(300, Mix{.branches = 25, .floating_point = 10, .traps = 5, .code_stores = 3},
          Conduct{.kernel_write_percent = 5, .fills_code_memory = true}, 120);
}

// Which registers translations keep in the host's makes no difference.
TEST(LockStep, PinsThatChange) {
  const Mix mix{.branches = 25, .floating_point = 10, .multiply = 10, .traps = 3, .code_stores = 2};
  compare(300, mix, Conduct{.changes_pins = true}, 60);
  Mix wide = mix;
  wide.level = mips::Level::mips4;
  wide.mode = {.operation_bits = 64, .address_bits = 64, .fr = true};
  compare(200, wide, Conduct{.changes_pins = true}, 60);
  const MemoryDescription memory = support::small_memory(1);
  compare(200, mix, Conduct{.memory = &memory, .changes_pins = true}, 60);
}

// What a process has made of the code goes on to the next, as far as the code is still the same.
TEST(LockStep, ProcessesThatEnd) {
  const Mix mix{.branches = 25, .floating_point = 10, .multiply = 10, .traps = 6, .code_stores = 2};
  const Conduct conduct{.kernel_write_percent = 10, .processes_end = true};
  compare(80, mix, conduct, 60);
  for (const std::uint32_t kind : {1u, 7u}) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    Conduct with_caches = conduct;
    with_caches.memory = &memory;
    compare(50, mix, with_caches, 60);
  }
  Conduct full = conduct;
  full.fills_code_memory = full.changes_pins = true;
  compare(50, mix, full, 60);
}

TEST(LockStep, WithoutAPipeline) {
  compare(300, Mix{.branches = 25, .traps = 5, .code_stores = 3}, Conduct{.functional = true}, 60);
}

}  // namespace
}  // namespace hardclock
