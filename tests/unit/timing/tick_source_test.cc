// tick_source rows, as sim/timing/tick_source.h defines them, and their mistakes.
#include "sim/timing/tick_source.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace hardclock {
namespace {

constexpr Hertz clock_rate{33'000'000};

CpuDescription cpu_with(const std::string& rows) {
  const auto cpu = parse_cpu_description("cpu c\nclock 33 exact: x\n" + rows);
  EXPECT_TRUE(cpu.ok()) << cpu.error();
  return *cpu;
}

std::vector<TimingRow> machine_with(const std::string& rows) {
  const auto machine = parse_machine_description("cpu m\nprocessor c mhz 33 exact: x\n" + rows);
  EXPECT_TRUE(machine.ok()) << machine.error();
  return machine->rows;
}

const char* const two_counters =
    "tick_source count cycles 2 exact: x\ntick_source itc cycles 1 exact: x\n";

TEST(TickSourceRows, AMachineHasTheOneThatItNames) {
  const CpuDescription cpu = cpu_with(two_counters);
  const std::pair<const char*, TickCounter> expected[] = {
      {"tick_source count exact: x", {2, 1}},
      {"tick_source itc exact: x", {1, 1}},
      {"tick_source 8254 hz 500000 exact: x", {33'000'000, 500'000}},
      {"tick_source count cycles 4 exact: x", {4, 1}}};
  for (const auto& [row, counter] : expected) {
    const auto read = tick_counter(cpu, machine_with(row), clock_rate);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(*read, counter) << row;
  }
}

TEST(TickSourceRows, AMachineWithoutARowHasNone) {
  const auto read = tick_counter(cpu_with(two_counters), {}, clock_rate);
  ASSERT_TRUE(read.ok()) << read.error();
  EXPECT_FALSE(read->has_value());
}

TEST(TickSourceRows, NameTheirMistake) {
  const struct {
    const char* cpu_row;
    const char* machine_row;
    const char* message;
  } mistakes[] = {
      {"tick_source count exact: x", "", "line 3: tick_source needs either cycles or hz"},
      {"tick_source count cycles 2 hz 500000 exact: x", "",
       "line 3: tick_source needs either cycles or hz"},
      {"tick_source count cycles 0 exact: x", "", "line 3: cycles needs a number from 1 to 1000"},
      {"tick_source count hz 99999 exact: x", "", "line 3: hz needs a number from 100000 to"},
      {"tick_source count cycles 2 bits 32 exact: x", "", "line 3: unknown word 'bits'"},
      {"", "tick_source count exact: x", "machine, line 3: processor c has no tick_source count"},
      {"", "tick_source a hz 500000 ns 3 exact: x", "machine, line 3: unknown word 'ns'"},
      {"", "tick_source a hz 500000 exact: x\ntick_source b hz 500000 exact: x",
       "machine, line 4: a machine has one tick_source"},
  };
  for (const auto& [cpu_row, machine_row, message] : mistakes) {
    const auto read = tick_counter(cpu_with(cpu_row), machine_with(machine_row), clock_rate);
    ASSERT_FALSE(read.ok()) << cpu_row << machine_row;
    EXPECT_EQ(read.error().find(message), 0u) << read.error();
  }
}

}  // namespace
}  // namespace hardclock
