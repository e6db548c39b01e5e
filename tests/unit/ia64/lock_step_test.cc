// The block engine against the one-instruction-at-a-time interpreter (tests/support/lock_step.h),
// with ticks at every slot. The interpreter's own correctness is checked elsewhere.
#include "tests/support/lock_step.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "sim/engine/instruction_layout.h"
#include "tests/support/ia64_machine.h"
#include "tests/unit/ia64/random_program.h"

namespace hardclock {
namespace {

using ia64::Mix;
using support::Conduct;

struct Guest {
  using Machine = support::Ia64Machine;
  using Mix = ia64::Mix;
  using Program = ia64::RandomProgram;

  static constexpr GuestAddr data_start = ia64::data_start;
  static constexpr std::uint64_t data_size = ia64::data_size;
  static constexpr GuestAddr other_start = ia64::backing_store;
  static constexpr std::uint64_t other_size = ia64::backing_store_size;
  static constexpr std::uint64_t code_alignment = ia64::bundle_bytes;
  static constexpr unsigned pipelines = 2;
  static constexpr bool translates = true;

  static Machine machine(const Mix&, Endian, unsigned pipeline,
                         const support::EngineOptions& options) {
    return Machine(support::ia64_cpu(pipeline == 0 ? "mckinley" : "ia64"),
                   {.functional = options.functional || pipeline != 0,
                    .reference = options.reference,
                    .memory = options.memory,
                    .translation = options.translation});
  }
  static void prepare(Machine& machine) {
    EXPECT_TRUE(machine.memory.map(ia64::backing_store, ia64::backing_store_size,
                                   {.read = true, .write = true}, "backing store"));
  }
  static Endian endian(std::uint32_t) { return Endian::little; }
  static std::uint64_t next(const ia64::Registers& registers) {
    return BundleLayout::after(registers.pc, 1);
  }
};

void compare(std::uint32_t cases, const Mix& mix, const Conduct& conduct,
             std::uint32_t longest_program) {
  support::compare_engines<Guest>(cases, mix, conduct, longest_program);
}

TEST(LockStep, StraightLines) {
  compare(300, Mix{.branches = 0, .frames = 0}, Conduct{}, 160);
}

TEST(LockStep, Loops) {
  compare(400, Mix{}, Conduct{}, 120);
}

TEST(LockStep, FramesAndRotation) {
  compare(400, Mix{.branches = 40, .frames = 60}, Conduct{}, 160);
}

// Spills and fills: in caches, too, and with ticks in each of their cycles.
TEST(LockStep, TheRegisterStackTakesTime) {
  const Mix mix{.branches = 80, .frames = 95};
  compare(200, mix, Conduct{}, 160);
  compare(200, mix, Conduct{.longest_slice = 8, .limit_percent = 0}, 160);
  for (std::uint32_t kind = 0; kind < support::small_memories; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    compare(60, mix, Conduct{.memory = &memory}, 160);
    compare(60, mix, Conduct{.longest_slice = 8, .memory = &memory}, 160);
  }
}

// The same where the registers have no NaT bits, so that the translated code itself spills and
// fills: down and up over collections, and over the end of the backing store.
TEST(LockStep, TranslatedCodeSpillsAndFills) {
  const auto mix = [](std::uint64_t room) {
    return Mix{.memory = 10,
               .branches = 80,
               .frames = 95,
               .anything = 0,
               .predicated = 10,
               .nats = 0,
               .stack_room = room};
  };
  const Conduct conduct{.longest_slice = 2000, .instructions = 3000};
  compare(80, mix(ia64::backing_store_size), conduct, 160);
  compare(80, mix(0x600), conduct, 160);
  compare(80, mix(ia64::backing_store_size),
          Conduct{.longest_slice = 60, .instructions = 1500, .limit_percent = 5}, 160);
}

TEST(LockStep, LongPrograms) {
  compare(40, Mix{}, Conduct{.longest_slice = 3000, .instructions = 8000}, 3600);
}

TEST(LockStep, TinySlices) {
  compare(400, Mix{.predicated = 60}, Conduct{.longest_slice = 8, .limit_percent = 0}, 160);
}

// A block that is issued whole in the cycle before takes no cycles: what is left of the
// instructions has to stop it.
TEST(LockStep, FewInstructions) {
  const MemoryDescription memory = support::small_memory(1);
  compare(400, Mix{.memory = 60}, Conduct{.limit_percent = 70, .memory = &memory}, 160);
}

TEST(LockStep, Traps) {
  compare(400, Mix{.anything = 20}, Conduct{}, 160);
}

TEST(LockStep, BigEndianData) {
  compare(200, Mix{.memory = 80, .big_endian = true}, Conduct{}, 160);
}

TEST(LockStep, SelfModifyingCode) {
  compare(300, Mix{.code_stores = 20}, Conduct{}, 160);
}

TEST(LockStep, CodeThatTheKernelChanges) {
  compare(300, Mix{.code_stores = 5}, Conduct{.kernel_write_percent = 30}, 160);
}

// What a process has made of the code goes on to the next, as far as the code is still the same.
TEST(LockStep, ProcessesThatEnd) {
  const Mix mix{.branches = 50, .frames = 30, .code_stores = 5};
  const Conduct conduct{.kernel_write_percent = 10, .processes_end = true};
  compare(50, mix, conduct, 160);
  const MemoryDescription memory = support::small_memory(1);
  Conduct with_caches = conduct;
  with_caches.memory = &memory;
  compare(25, mix, with_caches, 160);
}

// What is off waits for nothing, so blocks that often end by returns take different times: also
// where the return is left to the interpreter, and in caches.
TEST(LockStep, PredicatesDecideWhatWaits) {
  const Mix mix{.memory = 20, .branches = 90, .frames = 80, .anything = 0, .predicated = 70};
  compare(200, mix, Conduct{}, 160);
  for (std::uint32_t kind = 0; kind < support::small_memories; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    compare(60, mix, Conduct{.memory = &memory}, 160);
  }
}

// Caches and TLBs: misses in fetch and data, in the middle of blocks.
TEST(LockStep, Caches) {
  for (std::uint32_t kind = 0; kind < support::small_memories; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    compare(100, Mix{.memory = 60}, Conduct{.memory = &memory}, 160);
  }
}

}  // namespace
}  // namespace hardclock
