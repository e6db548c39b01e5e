// The processors of isa/ia64/timing and the machines: every file is complete, every mistake in one
// is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isa/ia64/cpu.h"
#include "isa/ia64/ia64_decode.h"
#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/memory_description.h"
#include "sim/timing/tick_source.h"

namespace hardclock::ia64 {
namespace {

TEST(Cpus, DescribeEveryTimingClass) {
  std::vector<std::string> in_bundles;
  for (const CpuDescription& cpu : cpus()) {
    SCOPED_TRACE(cpu.name);
    EXPECT_FALSE(cpu.about.empty());
    EXPECT_EQ(mistake_in(cpu), std::nullopt);
    const auto counter = tick_counter(cpu, {}, cpu.clock);
    EXPECT_TRUE(counter.ok()) << counter.error();
    if (cpu.kind == PipelineKind::bundles) in_bundles.push_back(cpu.name);
  }
  EXPECT_EQ(in_bundles, (std::vector<std::string>{"madison", "mckinley", "merced"}));
}

TEST(Machines, AreComplete) {
  std::vector<std::string> names;
  for (const MachineDescription& machine : machines()) {
    SCOPED_TRACE(machine.name);
    names.push_back(machine.name);
    const CpuDescription* const cpu = find_cpu(machine.processor);
    ASSERT_NE(cpu, nullptr) << machine.processor;
    const auto memory = describe_memory(*cpu, machine.rows, machine.clock);
    ASSERT_TRUE(memory.ok()) << memory.error();
    EXPECT_TRUE(memory->l1i.present() && memory->l1d.present() && memory->l2.present() &&
                memory->l3.present() && memory->tlb.present());
    const auto counter = tick_counter(*cpu, machine.rows, machine.clock);
    ASSERT_TRUE(counter.ok()) << counter.error();
    EXPECT_TRUE(counter->has_value());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"i2000", "rx2600-1300", "rx2600-900"}));
}

// 7-cpu.com, Itanium 2, measured on an rx2600 of 1300 MHz: a chain of pointers takes 6 cycles an
// element in L2, 10 in 256 KB of it, of which the first-level TLB's 32 entries of 4 KB map half, 20
// in L3, 35 and 160 ns in memory, 15 of these for the TLB. The pipeline has 2.
TEST(Machines, AnRx2600TakesWhatWasMeasured) {
  const auto machine = std::ranges::find(machines(), "rx2600-1300", &MachineDescription::name);
  ASSERT_NE(machine, machines().end());
  const auto memory = describe_memory(*find_cpu(machine->processor), machine->rows, machine->clock);
  ASSERT_TRUE(memory.ok()) << memory.error();
  EXPECT_EQ(2 + memory->l1d.miss_cycles, 6u);
  EXPECT_EQ(memory->load_tlb.entries, 32u);
  EXPECT_EQ(2 + memory->l1d.miss_cycles + memory->load_tlb.refill_cycles, 10u);
  EXPECT_EQ(10 + memory->l2.miss_cycles, 20u);
  EXPECT_EQ(memory->l3.miss_cycles, 0u);
  EXPECT_EQ(memory->tlb.refill_cycles, 15u);
  EXPECT_EQ(memory->memory_cycles, 208u);  // 160 ns
}

TEST(BundleDescription, NamesTheMistake) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"window 3 exact: x", "line 3: window needs 1 or 2 bundles, not '3'"},
      {"ports Q number 2 order any exact: x", "line 3: "},
      {"ports I number 2 order any exact: x", "line 3: "},
      {"ports M number 5 order any exact: x", "line 3: "},
      {"ports M order any exact: x", "line 3: ports M needs number"},
      {"class ld latency 1 ports M0 exact: x", "line 3: no ports row has a port M0"},
      {"class nonsense latency 1 exact: x", "line 3: "},
      {"class ld ports M0 exact: x", "line 3: class ld needs latency"},
      {"class ld latency 1 exact: x\nclass ld latency 2 exact: x",
       "line 4: a second row for class ld"},
      {"split mii exact: x", "line 3: split mii needs at"},
      {"split xyz at end exact: x", "line 3: "},
      {"split_after ld at end exact: x", "line 3: "},
      {"second ld as st,stf exact: x", "line 3: second needs one class after as"},
      {"in_slots I classes ld as st,stf exact: x", "line 3: in_slots needs one class after as"},
      {"bypass ld to st latency 3 early 2 exact: x", "line 3: "},
      {"redirect br taken 1 exact: x", "line 3: redirect br needs mispredicted"},
      {"predictor counters sets 4 ways 1 history 1 exact: x",
       "line 3: unknown predictor 'counters'"},
      {"predictor two_level sets 4 ways 1 exact: x", "line 3: predictor two_level needs history"},
      {"predictor two_level sets 6 ways 1 history 1 exact: x", "line 3: sets is no power of two"},
      {"predictor two_level sets 4 ways 1 history 9 exact: x", "line 3: "},
      {"", "x: no row for timing class"}};
  std::vector<const char*> names;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  for (const auto& [rows, message] : mistakes) {
    const auto cpu = parse_cpu_description("cpu x\npipeline bundles\n" + std::string(rows) +
                                           "\nclock 1 exact: x");
    if (!cpu) {
      EXPECT_TRUE(("x: " + cpu.error()).find(message) != std::string::npos)
          << rows << ": " << cpu.error();
      continue;
    }
    const auto pipeline = make_bundle_pipeline(*cpu, names);
    ASSERT_FALSE(pipeline.ok()) << rows;
    EXPECT_NE(pipeline.error().find(message), std::string::npos) << pipeline.error();
  }
}

}  // namespace
}  // namespace hardclock::ia64
