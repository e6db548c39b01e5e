// Descriptions written as files, `hardclock cpus NAME --format=file`, mean what they were made of.
#include "sim/timing/description_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/instruction_sets.h"

namespace hardclock {
namespace {

// Where a row stands in a file does not matter.
void expect_same_rows(const std::vector<TimingRow>& read, const std::vector<TimingRow>& written) {
  std::vector<TimingRow> expected;
  for (const TimingRow& row : written) {
    if (row.keyword != "like") expected.push_back(row);
  }
  ASSERT_EQ(read.size(), expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].keyword, expected[i].keyword);
    EXPECT_EQ(read[i].name, expected[i].name);
    EXPECT_EQ(read[i].values, expected[i].values);
    EXPECT_EQ(read[i].grade, expected[i].grade);
    EXPECT_EQ(read[i].source, expected[i].source);
  }
}

TEST(DescriptionFile, EveryMachineIsReadBack) {
  for (const InstructionSet* const set : instruction_sets()) {
    for (const MachineDescription& machine : set->machines()) {
      SCOPED_TRACE(machine.name);
      const auto read = parse_machine_description(to_file(machine));
      ASSERT_TRUE(read.ok()) << read.error();
      EXPECT_EQ(read->name, machine.name);
      EXPECT_EQ(read->about, machine.about);
      EXPECT_EQ(read->processor, machine.processor);
      EXPECT_EQ(read->clock, machine.clock);
      EXPECT_EQ(read->notes, machine.notes);
      expect_same_rows(read->rows, machine.rows);
    }
  }
}

TEST(DescriptionFile, EveryProcessorIsReadBack) {
  for (const InstructionSet* const set : instruction_sets()) {
    for (const CpuDescription& cpu : set->cpus()) {
      SCOPED_TRACE(cpu.name);
      const auto read = read_cpu(to_file(cpu));
      ASSERT_TRUE(read.ok()) << read.error();
      EXPECT_EQ(read->name, cpu.name);
      EXPECT_EQ(read->other_names, cpu.other_names);
      EXPECT_EQ(read->isa, cpu.isa);
      EXPECT_EQ(read->kind, cpu.kind);
      EXPECT_EQ(read->clock, cpu.clock);
      EXPECT_EQ(read->notes, cpu.notes);
      expect_same_rows(read->rows, cpu.rows);
    }
  }
}

}  // namespace
}  // namespace hardclock
