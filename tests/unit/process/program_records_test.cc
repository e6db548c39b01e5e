// What sim/process/program_records.h promises: nothing is lost, and the host's memory is not
// filled.
#include "sim/process/program_records.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hardclock {
namespace {

ProgramRecord run_of(const std::string& program, int pid) {
  ProgramRecord record;
  record.pid = pid;
  record.program = program;
  record.counts = {Instructions(10), Cycles(20)};
  record.time = {Ticks(2), Ticks(1)};
  record.profiled_ticks = Ticks(3);
  record.exit_status = ExitStatus{false, 0};
  return record;
}

std::shared_ptr<MemoryBudget> budget() {
  return std::make_shared<MemoryBudget>(std::uint64_t{1} << 20);
}

TEST(ProgramRecords, TheFirstRunsHaveTheirOwnAndLaterOnesAreSummedUpByProgram) {
  ProgramRecords records(budget(), 2);
  for (int pid = 100; pid < 110; ++pid)
    records.add(run_of(pid % 2 == 0 ? "/bin/a" : "/bin/b", pid));
  ASSERT_EQ(records.all().size(), 4u);
  EXPECT_EQ(records.all()[0]->pid, 100);
  EXPECT_EQ(records.all()[0]->runs, 1u);
  EXPECT_EQ(records.all()[1]->pid, 101);
  const ProgramRecord& sum = *records.all()[2];
  EXPECT_EQ(sum.program, "/bin/a");
  EXPECT_EQ(sum.pid, 102);
  EXPECT_EQ(sum.runs, 4u);
  EXPECT_EQ(sum.counts.instructions, Instructions(40));
  EXPECT_EQ(sum.counts.cycles, Cycles(80));
  EXPECT_EQ(sum.time.user, Ticks(8));
  EXPECT_EQ(sum.time.system, Ticks(4));
  EXPECT_EQ(sum.profiled_ticks, Ticks(12));
  EXPECT_EQ(records.all()[3]->program, "/bin/b");
}

TEST(ProgramRecords, EndlesslyManyProgramsAreOthers) {
  ProgramRecords records(budget(), 0);
  constexpr std::uint64_t programs = 3 * ProgramRecords::most_sums;
  for (std::uint64_t i = 0; i < programs; ++i) {
    records.add(run_of("/tmp/" + std::to_string(i), static_cast<int>(100 + i)));
  }
  ASSERT_EQ(records.all().size(), ProgramRecords::most_sums + 1);
  EXPECT_EQ(records.all().back()->program, ProgramRecords::others);
  Instructions sum;
  std::uint64_t runs = 0;
  for (const auto& record : records.all()) {
    sum += record->counts.instructions;
    runs += record->runs;
  }
  EXPECT_EQ(sum, Instructions(10 * programs));
  EXPECT_EQ(runs, programs);
}

// A profile of 1000 pages of code in each of 1000 processes would take 8 GB.
TEST(ProgramRecords, ProfilesAreSummedUpWhenTheyFillTheirMemory) {
  const auto memory = budget();
  ProgramRecords records(memory);
  constexpr std::uint64_t runs = 50, pages = 1000;
  for (std::uint64_t i = 0; i < runs; ++i) {
    ProgramRecord record = run_of("/bin/a", static_cast<int>(100 + i));
    record.profile.emplace();
    record.profile->text_hash = "1234";
    record.profile->tick_samples[GuestAddr(0x1000)] = 1;
    for (std::uint64_t page = 0; page < pages; ++page) {
      record.profile->cycles.add(GuestAddr(page * page_size), CycleReason::issue, 1);
    }
    records.add(std::move(record));
  }
  EXPECT_LE(memory->profile_bytes(), memory->most_profile_bytes());
  std::uint64_t cycles = 0, samples = 0;
  for (const auto& record : records.all()) {
    EXPECT_EQ(record->profile->text_hash, "1234");
    EXPECT_EQ(record->profile->cycles.own().elsewhere(), 0u);
    cycles += record->profile->cycles.own().total();
    samples += record->profile->tick_samples.at(GuestAddr(0x1000));
  }
  EXPECT_EQ(cycles, runs * pages);
  EXPECT_EQ(samples, runs);
  EXPECT_LT(records.all().size(), runs);
}

}  // namespace
}  // namespace hardclock
