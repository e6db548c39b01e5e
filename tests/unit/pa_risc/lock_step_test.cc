// The block engine against the one-instruction-at-a-time interpreter (tests/support/lock_step.h).
// The interpreter's own correctness is checked elsewhere (qemu_test, qemu_blocks_test,
// nullification_test).
#include "tests/support/lock_step.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/pa_risc/pa_risc_decode.h"
#include "tests/support/pa_risc_machine.h"
#include "tests/unit/pa_risc/random_program.h"

namespace hardclock {
namespace {

using pa_risc::Level;
using pa_risc::Mix;
using support::Conduct;

// The timing classes whose names begin so, as a list.
std::string classes(std::string_view beginning) {
  std::string list;
  for (unsigned i = 0; i < pa_risc::timing_class_count; ++i) {
    const std::string name = pa_risc::timing_class_name(static_cast<pa_risc::TimingClass>(i));
    if (name.starts_with(beginning)) list += (list.empty() ? "" : ",") + name;
  }
  return list;
}

// One that issues two instructions in a cycle, and one with lost cycles after branches and units
// that count on while a miss freezes the rest.
CpuDescription processor(bool issues_two, Level level) {
  const std::string grade = " unverified: invented\n";
  const std::string rows =
      issues_two
          ? "issue 2" + grade + "pair " + classes("alu") + "," + classes("load") + " with " +
                classes("fp_add") + "," + classes("branch") + "," + classes("shift") + grade
          : "issue 1" + grade + "redirect " + classes("branch") + " taken 2" + grade +
                "continues " + classes("fp_div") + "," + classes("load") + " in stalls" + grade;
  return support::invented_pa_risc(level, 5, rows);
}

struct Guest {
  using Machine = support::PaRiscMachine;
  using Mix = pa_risc::Mix;
  using Program = pa_risc::RandomProgram;

  static constexpr GuestAddr data_start = pa_risc::data_start;
  static constexpr std::uint64_t data_size = pa_risc::data_size;
  static constexpr GuestAddr read_only_page{0x1100'0000};
  static constexpr std::uint64_t code_alignment = 4;
  static constexpr unsigned pipelines = 3;
  static constexpr bool translates = true;

  static Machine machine(const Mix& mix, Endian, unsigned pipeline,
                         const support::EngineOptions& options) {
    // The last pipeline is a PA-7100LC's, whose rows have bundles, locks and predicted branches, or
    // a PA-8000's, out of order.
    const bool is_2_0 = mix.level == Level::pa2_0;
    return Machine(pipeline < 2 ? processor(pipeline != 0, mix.level)
                                : support::pa_risc_cpu(is_2_0 ? "pa8000" : "pa7100lc"),
                   {.functional = options.functional,
                    .reference = options.reference,
                    .memory = options.memory,
                    .mode = mix.mode,
                    .translation = options.translation});
  }
  // The gateway page has an entry at every fourth word.
  static void prepare(Machine& machine) {
    EXPECT_TRUE(machine.memory.map(read_only_page, page_size, {.read = true}, "read only"));
    std::vector<std::uint8_t> page(page_size);
    for (std::size_t at = 0; at < page.size(); at += 4) {
      using pa_risc::Opcode;
      const Opcode opcode = at % 16 == 0 ? Opcode::b_gate : Opcode::or_;
      store_bytes(&page[at], pa_risc::info(opcode).match, Endian::big);
    }
    EXPECT_TRUE(machine.memory.map(pa_risc::gateway_page, page_size, {.execute = true}, "gateway"));
    EXPECT_TRUE(machine.memory.initialize(pa_risc::gateway_page, page));
  }
  static Endian endian(std::uint32_t) { return Endian::big; }
  static std::uint64_t next(const pa_risc::Registers& registers) { return registers.next_pc; }
};

void compare(std::uint32_t cases, const Mix& mix, const Conduct& conduct,
             std::uint32_t longest_program) {
  support::compare_engines<Guest>(cases, mix, conduct, longest_program);
}

TEST(LockStep, StraightLines) {
  compare(400, Mix{.branches = 0}, Conduct{}, 40);
}

TEST(LockStep, Nullification) {
  compare(600, Mix{.branches = 0, .nullifying_percent = 100}, Conduct{}, 40);
  compare(600, Mix{.memory = 10, .branches = 35, .traps = 5, .nullifying_percent = 90}, Conduct{},
          40);
}

TEST(LockStep, Loops) {
  compare(600, Mix{.branches = 30}, Conduct{}, 30);
}

TEST(LockStep, LongPrograms) {
  compare(40, Mix{}, Conduct{.longest_slice = 3000, .instructions = 8000}, 900);
}

TEST(LockStep, TinySlices) {
  compare(400, Mix{.branches = 25, .floating_point = 20, .nullifying_percent = 80},
          Conduct{.longest_slice = 8, .limit_percent = 0}, 60);
}

TEST(LockStep, FloatingPoint) {
  const Mix mix{.memory = 20, .branches = 15, .floating_point = 40, .nullifying_percent = 60};
  compare(400, mix, Conduct{}, 60);
  compare(20, mix, Conduct{.longest_slice = 3000, .instructions = 8000}, 300);
  const MemoryDescription memory = support::small_memory(1);
  compare(150, mix, Conduct{.memory = &memory}, 80);
}

// Nearly half of it is arithmetic of halfwords.
TEST(LockStep, Halfwords) {
  compare(300, Mix{.memory = 10, .branches = 10, .halfwords = 45, .level = Level::pa1_1_max},
          Conduct{}, 40);
  compare(300, Mix{.memory = 10, .branches = 10, .halfwords = 45, .level = Level::pa2_0}, Conduct{},
          40);
}

TEST(LockStep, Traps) {
  compare(800, Mix{.branches = 20, .traps = 10, .register_jumps = 8}, Conduct{}, 80);
}

TEST(LockStep, BranchesInDelaySlots) {
  compare(600, Mix{.branches = 50, .traps = 5, .register_jumps = 8, .branch_in_slots = true},
          Conduct{}, 40);
}

TEST(LockStep, SelfModifyingCode) {
  compare(600, Mix{.branches = 20, .traps = 3, .code_stores = 12}, Conduct{}, 60);
}

TEST(LockStep, CodeThatTheKernelChanges) {
  compare(400, Mix{.branches = 20, .code_stores = 5}, Conduct{.kernel_write_percent = 30}, 60);
}

// The other levels and wide mode, with everything in the mix.
TEST(LockStep, EveryLevelAndMode) {
  const pa_risc::Mode narrow{.gateway_page = pa_risc::gateway_page},
      wide{.wide = true, .gateway_page = pa_risc::gateway_page};
  for (const auto& [level, mode] :
       {std::pair(Level::pa1_0, narrow), std::pair(Level::pa2_0, narrow),
        std::pair(Level::pa2_0, wide)}) {
    SCOPED_TRACE(std::string(pa_risc::level_name(level)) + (mode.wide ? ", wide" : ""));
    const Mix mix{.branches = 20,
                  .floating_point = 15,
                  .traps = 5,
                  .code_stores = 3,
                  .register_jumps = 6,
                  .branch_in_slots = true,
                  .level = level,
                  .mode = mode};
    compare(200, mix, Conduct{}, 60);
  }
}

// A third of the programs runs on the PA-8000.
TEST(LockStep, OutOfOrder) {
  const Mix mix{.memory = 30,
                .branches = 30,
                .traps = 3,
                .register_jumps = 5,
                .nullifying_percent = 40,
                .level = Level::pa2_0};
  compare(300, mix, Conduct{}, 60);
  compare(150, mix, Conduct{.longest_slice = 8, .limit_percent = 0}, 40);
  compare(15, mix, Conduct{.longest_slice = 3000, .instructions = 8000}, 300);
  for (std::uint32_t kind = 0; kind < support::small_memories; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    compare(60, mix, Conduct{.kernel_write_percent = 5, .memory = &memory}, 80);
  }
}

TEST(LockStep, Caches) {
  for (std::uint32_t kind = 0; kind < support::small_memories; ++kind) {
    SCOPED_TRACE(kind);
    const MemoryDescription memory = support::small_memory(kind);
    ASSERT_EQ(memory_mistake(memory), "");
    compare(200,
            Mix{.memory = 35,
                .branches = 20,
                .traps = 2,
                .code_stores = 2,
                .register_jumps = 3,
                .branch_in_slots = true},
            Conduct{.kernel_write_percent = 5, .memory = &memory}, 80);
    compare(20, Mix{.memory = 35},
            Conduct{.longest_slice = 3000, .instructions = 8000, .memory = &memory}, 900);
  }
}

// Which registers translations keep in the host's makes no difference.
TEST(LockStep, PinsThatChange) {
  const Mix mix{.branches = 25, .traps = 3, .code_stores = 2, .nullifying_percent = 40};
  compare(300, mix, Conduct{.changes_pins = true}, 60);
  const MemoryDescription memory = support::small_memory(1);
  compare(200, mix, Conduct{.memory = &memory, .changes_pins = true}, 60);
}

// What a process has made of the code goes on to the next, as far as the code is still the same.
TEST(LockStep, ProcessesThatEnd) {
  const Mix mix{.branches = 25, .traps = 6, .code_stores = 2, .nullifying_percent = 40};
  const Conduct conduct{.kernel_write_percent = 10, .processes_end = true};
  compare(80, mix, conduct, 60);
  const MemoryDescription memory = support::small_memory(1);
  Conduct with_caches = conduct;
  with_caches.memory = &memory;
  compare(50, mix, with_caches, 60);
}

TEST(LockStep, WithoutAPipeline) {
  compare(400, Mix{.branches = 25, .traps = 5, .code_stores = 3, .branch_in_slots = true},
          Conduct{.functional = true}, 60);
}

}  // namespace
}  // namespace hardclock
