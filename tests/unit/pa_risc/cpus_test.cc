// The processors of isa/pa_risc/timing and the machines: every file is complete and says where its
// numbers come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isa/pa_risc/cpu.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "sim/process/kernel_costs.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/in_order.h"
#include "sim/timing/memory_description.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/tick_source.h"
#include "sim/trace/stages.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock::pa_risc {
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

// The parser wants a grade and a source of every row; the builder a row for every class.
TEST(Cpus, DescribeEveryTimingClass) {
  std::vector<std::string> in_order, out_of_order;
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    EXPECT_FALSE(cpu.about.empty());
    EXPECT_FALSE(to_text(cpu).empty());
    const auto counter = tick_counter(cpu, {}, cpu.clock);
    EXPECT_TRUE(counter.ok()) << counter.error();
    for (const TimingRow& row : cpu.rows) {
      if (row.keyword != "stages") continue;
      EXPECT_TRUE(read_stage_names(row).ok());
    }
    if (cpu.kind == PipelineKind::out_of_order) {
      out_of_order.push_back(cpu.name);
      const auto core = make_out_of_order(cpu, class_names(), absent_timing_classes(cpu));
      EXPECT_TRUE(core.ok()) << core.error();
    }
    if (cpu.kind != PipelineKind::in_order) continue;
    in_order.push_back(cpu.name);
    const auto pipeline = make_in_order(cpu, class_names(), absent_timing_classes(cpu));
    EXPECT_TRUE(pipeline.ok()) << pipeline.error();
  }
  EXPECT_EQ(in_order,
            (std::vector<std::string>{"pa7000", "pa7100", "pa7100lc", "pa7200", "pa7300lc"}));
  EXPECT_EQ(out_of_order,
            (std::vector<std::string>{"pa8000", "pa8200", "pa8500", "pa8600", "pa8700"}));
}

// What `hardclock run --machine` takes for granted.
TEST(Machines, AreComplete) {
  std::vector<std::string> names;
  for (const MachineDescription& machine : machines()) {
    SCOPED_TRACE(machine.name);
    names.push_back(machine.name);
    EXPECT_FALSE(machine.about.empty());
    const CpuDescription* const cpu = find_cpu(machine.processor);
    ASSERT_NE(cpu, nullptr) << machine.processor;
    const auto memory = describe_memory(*cpu, machine.rows, machine.clock);
    ASSERT_TRUE(memory.ok()) << memory.error();
    EXPECT_EQ(memory_mistake(*memory), "");
    EXPECT_TRUE(memory->l1.present() || (memory->l1i.present() && memory->l1d.present()));
    EXPECT_TRUE(memory->tlb.present());
    EXPECT_GT(memory->memory_cycles, 0u);
    const auto costs = kernel_costs(machine.rows, machine.clock);
    ASSERT_TRUE(costs.ok()) << costs.error();
    EXPECT_FALSE(error_in(*costs, machine.clock, Hertz(100)).has_value());
    const auto counter = tick_counter(*cpu, machine.rows, machine.clock);
    ASSERT_TRUE(counter.ok()) << counter.error();
    EXPECT_TRUE(counter->has_value());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"712-80", "735-99", "b132l", "c180", "c3000"}));
}

// NetBSD, cpu(4): 1 KB for instructions on the chip of the PA-7100LC, the rest outside. Rows of two
// levels stand for the one cache outside; they have the same lines.
TEST(Machines, The712HasASmallCacheForInstructions) {
  const auto machine = std::ranges::find(machines(), "712-80", &MachineDescription::name);
  ASSERT_NE(machine, machines().end());
  const auto memory = describe_memory(*find_cpu(machine->processor), machine->rows, machine->clock);
  ASSERT_TRUE(memory.ok()) << memory.error();
  EXPECT_EQ(memory->l1i.size, 1024u);
  EXPECT_FALSE(memory->l1.present());
  EXPECT_EQ(memory->l1d.size, memory->l2.size);
  EXPECT_EQ(memory->l1d.ways, memory->l2.ways);
  EXPECT_EQ(memory->l1d.line, memory->l2.line);
  EXPECT_TRUE(memory->inclusive);
}

TEST(Cpus, CanBeMade) {
  for (const CpuDescription& cpu : cpus()) {
    for (const bool functional : {false, true}) {
      const support::PaRiscMachine machine(cpu, {.functional = functional});
      EXPECT_EQ(machine.cpu->counts().cycles, Cycles(0));
    }
  }
}

// The system ids of SOM, GNU binutils, include/som/aout.h; e_flags of ELF, include/elf/hppa.h.
TEST(Cpus, DefaultFollowsTheProgram) {
  const std::pair<std::uint32_t, const char*> expected[] = {
      {0x20b, "pa7100"}, {0x210, "pa7100"}, {0x211, "pa7100"}, {0x214, "pa2_0"}};
  for (const auto& [flags, name] : expected) {
    const CpuDescription* const cpu = default_cpu(flags);
    ASSERT_NE(cpu, nullptr) << name;
    EXPECT_EQ(cpu->name, name);
    EXPECT_TRUE(supports(*cpu, flags, {}));
  }
  EXPECT_EQ(default_cpu(0x20a), nullptr);
}

// MAX-1 came with the PA-7100LC: Lee, "Accelerating Multimedia with Enhanced Microprocessors", IEEE
// Micro, April 1995; the PA-7300LC has its core. PA-RISC 2.0 has all of it.
TEST(Cpus, HaveMax1FromThe7100LcOn) {
  for (const CpuDescription& cpu : cpus()) {
    const bool has_it = cpu.name == "pa7100lc" || cpu.name == "pa7300lc" || cpu.name == "pa2_0" ||
                        cpu.name.starts_with("pa8");
    EXPECT_EQ(cpu.isa == "pa1_1_max" || cpu.isa == "pa2_0", has_it) << cpu.name;
  }
}

}  // namespace
}  // namespace hardclock::pa_risc
