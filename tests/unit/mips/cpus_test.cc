// The processors of isa/mips/timing: every file is complete and says where its numbers come from.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isa/mips/any_level.h"
#include "isa/mips/cpu.h"
#include "isa/mips/mips_decode.h"
#include "sim/process/kernel_costs.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/description_library.h"
#include "sim/timing/in_order.h"
#include "sim/timing/memory_description.h"
#include "sim/timing/tick_source.h"
#include "sim/trace/stages.h"
#include "tests/support/mips_machine.h"

namespace hardclock::mips {
namespace {

std::vector<const char*> class_names() {
  std::vector<const char*> names;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  return names;
}

TEST(Cpus, AreInAlphabeticalOrderAndHaveOneName) {
  std::vector<std::string> names;
  for (const CpuDescription& cpu : cpus()) names.push_back(cpu.name);
  ASSERT_FALSE(names.empty());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Cpus, DescribeThemselves) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    EXPECT_FALSE(cpu.about.empty());
    EXPECT_GE(cpu.clock, Hertz(1'000'000));
    EXPECT_FALSE(to_text(cpu).empty());
  }
}

// The parser wants a grade and a source of every row; the builder a row for every class.
TEST(Cpus, DescribeEveryTimingClass) {
  unsigned in_order = 0;
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    EXPECT_FALSE(cpu.rows.empty());
    if (cpu.kind != PipelineKind::in_order) continue;
    ++in_order;
    const auto pipeline = make_in_order(cpu, class_names(), absent_timing_classes(cpu));
    EXPECT_TRUE(pipeline.ok()) << pipeline.error();
  }
  EXPECT_GE(in_order, 7u);
}

// What `hardclock run --machine` takes for granted.
TEST(Machines, AreComplete) {
  std::vector<std::string> names;
  for (const MachineDescription& machine : machines()) {
    SCOPED_TRACE(machine.name);
    names.push_back(machine.name);
    EXPECT_FALSE(machine.about.empty());
    EXPECT_FALSE(to_text(machine).empty());
    const CpuDescription* const cpu = find_cpu(machine.processor);
    ASSERT_NE(cpu, nullptr) << machine.processor;
    const auto memory = describe_memory(*cpu, machine.rows, machine.clock);
    ASSERT_TRUE(memory.ok()) << memory.error();
    EXPECT_TRUE(memory->l1i.present() && memory->l1d.present() && memory->tlb.present());
    EXPECT_GT(memory->memory_cycles, 0u);
    const auto costs = kernel_costs(machine.rows, machine.clock);
    ASSERT_TRUE(costs.ok()) << costs.error();
    EXPECT_FALSE(error_in(*costs, machine.clock, Hertz(100)).has_value());
    const auto counter = tick_counter(*cpu, machine.rows, machine.clock);
    ASSERT_TRUE(counter.ok()) << counter.error();
    EXPECT_TRUE(counter->has_value());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"indigo", "indigo2-r4400", "indy-r4600", "indy-r5000",
                                             "o2", "octane", "origin2000"}));
}

// Rows that nobody reads would be a wish, not a description.
TEST(Cpus, DescribeTheirCaches) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    const auto memory = describe_memory(cpu, {}, cpu.clock);
    EXPECT_TRUE(memory.ok()) << memory.error();
    if (cpu.functional()) continue;
    EXPECT_TRUE(memory->l1i.present() && memory->l1d.present() && memory->tlb.present());
  }
}

// Linux, arch/mips: sgi-ip22/ip22-time.c and sgi-ip30, sgi-ip32 (Count and Compare), sgi-ip27
// (NSEC_PER_CYCLE, 800); NetBSD, sys/arch/sgimips/dev/int.c (500000 Hz on IP12, and Count at half
// the processor's frequency). In cycles of the processor's clock.
TEST(Machines, HaveTheirTimers) {
  const std::pair<const char*, double> cycles_a_count[] = {
      {"indigo", 33e6 / 500'000}, {"indy-r4600", 2}, {"indy-r5000", 2},        {"o2", 2},
      {"indigo2-r4400", 2},       {"octane", 2},     {"origin2000", 195 * 0.8}};
  for (const auto& [name, expected] : cycles_a_count) {
    const MachineDescription* const machine = find_description(machines(), name);
    ASSERT_NE(machine, nullptr) << name;
    const auto counter = tick_counter(*find_cpu(machine->processor), machine->rows, machine->clock);
    ASSERT_TRUE(counter.ok() && counter->has_value()) << name;
    const TickCounter& read = **counter;
    EXPECT_DOUBLE_EQ(static_cast<double>(read.cycles) / static_cast<double>(read.counts), expected)
        << name;
  }
}

TEST(Cpus, DescribeTheirTimersAndStages) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    const auto counter = tick_counter(cpu, {}, cpu.clock);
    EXPECT_TRUE(counter.ok()) << counter.error();
    for (const TimingRow& row : cpu.rows) {
      if (row.keyword != "stages") continue;
      const auto stages = read_stage_names(row);
      EXPECT_TRUE(stages.ok()) << stages.error();
    }
  }
}

TEST(Cpus, CanBeMade) {
  for (const CpuDescription& cpu : cpus()) {
    for (const bool functional : {false, true}) {
      const support::MipsMachine machine(Endian::big, cpu, {.functional = functional});
      EXPECT_EQ(machine.cpu->counts().cycles, Cycles(0));
    }
  }
}

// The flags as the host's <elf.h> defines them.
TEST(Cpus, DefaultFollowsTheElfFlags) {
  const std::vector<std::pair<std::uint32_t, std::string>> expected = {
      {EF_MIPS_ARCH_1, "r3000"},   {EF_MIPS_ARCH_2, "r4400"},  {EF_MIPS_ARCH_3, "r4400"},
      {EF_MIPS_ARCH_4, "r5000"},   {EF_MIPS_ARCH_32, "24kf"},  {EF_MIPS_ARCH_64, "5kf"},
      {EF_MIPS_ARCH_32R2, "24kf"}, {EF_MIPS_ARCH_64R2, "5kef"}};
  for (const auto& [arch, name] : expected) {
    for (const std::uint32_t others : {0, EF_MIPS_NOREORDER | EF_MIPS_PIC | EF_MIPS_ABI2}) {
      const CpuDescription* const cpu = default_cpu(arch | others);
      ASSERT_NE(cpu, nullptr) << name;
      EXPECT_EQ(cpu->name, name);
    }
  }
  for (const std::uint32_t arch : std::initializer_list<std::uint32_t>{EF_MIPS_ARCH_5, 0x9000'0000,
                                                                       0xa000'0000, 0xf000'0000}) {
    EXPECT_EQ(default_cpu(arch), nullptr) << std::hex << arch;
  }
}

// Programs with libraries: the set that has all instructions of each (MIPS32 grew from MIPS II,
// MIPS64 from MIPS IV and MIPS32: "MIPS64 Architecture For Programmers", volume I, chapter 2).
TEST(Cpus, DefaultHasTheInstructionsOfEveryFile) {
  const std::vector<std::pair<std::vector<std::uint32_t>, std::string>> expected = {
      {{EF_MIPS_ARCH_1, EF_MIPS_ARCH_1}, "r3000"},
      {{EF_MIPS_ARCH_1, EF_MIPS_ARCH_2}, "r4400"},
      {{EF_MIPS_ARCH_4, EF_MIPS_ARCH_1, EF_MIPS_ARCH_3}, "r5000"},
      {{EF_MIPS_ARCH_1, EF_MIPS_ARCH_32R2}, "24kf"},
      {{EF_MIPS_ARCH_3, EF_MIPS_ARCH_32R2}, "5kef"},
      {{EF_MIPS_ARCH_4, EF_MIPS_ARCH_64}, "5kf"}};
  for (const auto& [flags, name] : expected) {
    const CpuDescription* const cpu = default_cpu(flags);
    ASSERT_NE(cpu, nullptr) << name;
    EXPECT_EQ(cpu->name, name);
  }
  const Mode wide{.operation_bits = 64, .address_bits = 64, .fr = true};
  const std::uint32_t unmarked[] = {EF_MIPS_ARCH_1};
  EXPECT_EQ(default_cpu(unmarked, wide)->name, "r4400");
  const std::uint32_t unknown[] = {EF_MIPS_ARCH_1, EF_MIPS_ARCH_5};
  EXPECT_EQ(default_cpu(unknown), nullptr);
}

// What --isa=any makes of each: a processor that has a row for each class of its new instructions,
// and executes what the level's do.
TEST(Cpus, CanBeGivenAllInstructions) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    const CpuDescription widened = with_any_level(cpu);
    const bool wide = supports(cpu, {.operation_bits = 64});
    EXPECT_EQ(widened.isa, wide ? "mips64r2" : "mips32r2");
    EXPECT_EQ(widened.name, cpu.name);
    EXPECT_TRUE(has_architecture(widened, EF_MIPS_ARCH_32R2));
    EXPECT_EQ(mistake_in(widened), std::nullopt);
    const support::MipsMachine machine(Endian::big, widened, {});
    EXPECT_EQ(machine.cpu->counts().cycles, Cycles(0));
  }
}

// "MIPS64 Architecture For Programmers", volume III, section 4.2: 64-bit operations are MIPS III's
// and MIPS64's; FR = 1 came to MIPS32 with release 2.
TEST(Cpus, SupportModesThatTheirRegistersCanHold) {
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    const bool wide = cpu.isa == "mips3" || cpu.isa == "mips4" || cpu.isa.starts_with("mips64");
    EXPECT_TRUE(supports(cpu, {}));
    EXPECT_EQ(supports(cpu, {.operation_bits = 64}), wide);
    EXPECT_EQ(supports(cpu, {.operation_bits = 64, .address_bits = 64, .fr = true}), wide);
    EXPECT_EQ(supports(cpu, {.fr = true}), wide || cpu.isa == "mips32r2");
  }
}

// The ABIs' use of the processor: Linux, arch/mips/include/asm/elf.h, SET_PERSONALITY and
// arch/mips/kernel/elf.c; EF_MIPS_FP64 is 0x200 (GNU binutils, include/elf/mips.h).
TEST(Cpus, ModeFollowsTheAbi) {
  const auto is = [](const Mode& mode, unsigned operations, unsigned addresses, bool fr) {
    return mode.operation_bits == operations && mode.address_bits == addresses && mode.fr == fr;
  };
  EXPECT_TRUE(is(mode_of_program(EF_MIPS_ARCH_1, 32), 32, 32, false));
  EXPECT_TRUE(is(mode_of_program(EF_MIPS_ARCH_32R2 | 0x200, 32), 32, 32, true));
  EXPECT_TRUE(is(mode_of_program(EF_MIPS_ARCH_3 | EF_MIPS_ABI2, 32), 64, 32, true));
  EXPECT_TRUE(is(mode_of_program(EF_MIPS_ARCH_4, 64), 64, 64, true));
}

}  // namespace
}  // namespace hardclock::mips
