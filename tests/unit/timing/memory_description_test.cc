// The rows that memory_description.h describes, their mistakes, and a machine's rows in the place
// of its processor's. The numbers are made up, all different, but for those that a test names.
#include "sim/timing/memory_description.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hardclock {
namespace {

constexpr Hertz clock_100_mhz(100'000'000);

CpuDescription cpu_with(const std::string& rows) {
  const auto cpu = parse_cpu_description("cpu t\nisa mips3\nclock 100 exact: test\n" + rows);
  EXPECT_TRUE(cpu.ok()) << cpu.error();
  return *cpu;
}

std::vector<TimingRow> machine_with(const std::string& rows) {
  const auto machine =
      parse_machine_description("cpu m\nabout a machine\nprocessor t mhz 100 exact: y\n" + rows);
  EXPECT_TRUE(machine.ok()) << machine.error();
  return machine->rows;
}

Result<MemoryDescription, std::string> describe(const std::string& rows,
                                                const std::string& machine_rows = "") {
  return describe_memory(cpu_with(rows), machine_with(machine_rows), clock_100_mhz);
}

TEST(MemoryDescription, ReadsEveryRow) {
  const auto memory = describe(
      "cache l1i size 16K ways 2 line 32 replacement fifo miss 3 exact: x\n"
      "cache l1d size 16K ways 2 line 4 refill 64 policy write-through allocate validate "
      "replacement random index physical miss 4 victim 5 exact: x\n"
      "cache l2 size 1M ways 1 line 128 allocate no inclusive no miss 6 victim 7 exact: x\n"
      "tlb main entries 48 pages 2 page 16K replacement lru wired 8 refill 20 exact: x\n"
      "write_buffer l1d depth 4 drain 5 misses wait exact: x\n"
      "memory main latency 100 victim 30 line 35 busy 40 open 90 page 4K banks 3 exact: x\n");
  ASSERT_TRUE(memory.ok()) << memory.error();
  MemoryDescription expected;
  expected.l1i = {.size = 16384,
                  .ways = 2,
                  .line = 32,
                  .refill = 32,
                  .policy = WritePolicy::write_back,
                  .write_miss = WriteMiss::fetch,
                  .replacement = Replacement::fifo,
                  .miss_cycles = 3,
                  .victim_cycles = 0};
  expected.l1d = {.size = 16384,
                  .ways = 2,
                  .line = 4,
                  .refill = 64,
                  .policy = WritePolicy::write_through,
                  .write_miss = WriteMiss::validate,
                  .replacement = Replacement::random,
                  .miss_cycles = 4,
                  .victim_cycles = 5,
                  .physical_index = true};
  expected.l2 = {.size = 1 << 20,
                 .ways = 1,
                 .line = 128,
                 .refill = 128,
                 .policy = WritePolicy::write_back,
                 .write_miss = WriteMiss::around,
                 .replacement = Replacement::lru,
                 .miss_cycles = 6,
                 .victim_cycles = 7};
  expected.inclusive = false;
  expected.tlb = {.entries = 48,
                  .pages = 2,
                  .page = 16384,
                  .replacement = Replacement::lru,
                  .wired = 8,
                  .refill_cycles = 20};
  expected.write_buffer = {.depth = 4, .drain_cycles = 5, .misses_wait = true};
  expected.memory_cycles = 100;
  expected.memory_victim_cycles = 30;
  expected.memory_line_cycles = 35;
  expected.memory_busy_cycles = 40;
  expected.open_page_cycles = 90;
  expected.open_page = 4096;
  expected.banks = 3;
  EXPECT_TRUE(*memory == expected);
}

TEST(MemoryDescription, NoRowsAreNoCaches) {
  const auto memory = describe("class alu latency 1 exact: x\n");
  ASSERT_TRUE(memory.ok());
  EXPECT_TRUE(*memory == MemoryDescription{});
  EXPECT_FALSE(memory->data_cache().present());
}

TEST(MemoryDescription, TheMachinesRowsTakeTheProcessorsPlace) {
  const auto memory = describe(
      "cache l1d size 16K ways 2 line 32 miss 3 victim 9 exact: x\n"
      "memory main latency 100 exact: x\n",
      "cache l1d size 8K ways 1 line 16 miss 4 exact: y\n"
      "cache l2 size 512K ways 1 line 32 miss 8 exact: y\n"
      "kernel fork cycles 9 exact: y\n");
  ASSERT_TRUE(memory.ok()) << memory.error();
  EXPECT_EQ(memory->l1d.size, 8192u);
  EXPECT_EQ(memory->l1d.victim_cycles, 0u);
  EXPECT_EQ(memory->l2.size, 524288u);
  EXPECT_EQ(memory->memory_cycles, 100u);
}

// 1018 ns of an Indigo2's memory are 203.6 cycles at 200 MHz (lmbench's table).
TEST(MemoryDescription, NanosecondsAreCyclesOfThisClock) {
  const CpuDescription cpu =
      cpu_with("memory main ns 1018 victim 310 line 320 busy 100 measured: lmbench\n");
  EXPECT_EQ(describe_memory(cpu, {}, Hertz(200'000'000))->memory_cycles, 204u);
  EXPECT_EQ(describe_memory(cpu, {}, Hertz(200'000'000))->memory_victim_cycles, 62u);
  EXPECT_EQ(describe_memory(cpu, {}, Hertz(200'000'000))->memory_line_cycles, 64u);
  EXPECT_EQ(describe_memory(cpu, {}, Hertz(200'000'000))->memory_busy_cycles, 20u);
  EXPECT_EQ(describe_memory(cpu, {}, Hertz(100'000'000))->memory_cycles, 102u);
}

struct Mistake {
  const char* rows;
  const char* message;  // a part of it
};

TEST(MemoryDescription, NamesTheLineAndTheMistake) {
  const Mistake mistakes[] = {
      {"cache l4 size 1K ways 1 line 16 miss 1",
       "line 4: a cache is called l1, l1i, l1d, l2 or l3"},
      {"cache l3 size 1K ways 1 line 16 miss 1 policy write-through", "line 4: l3 writes back"},
      {"cache l1d ways 1 line 16 miss 1", "line 4: cache l1d needs size"},
      {"cache l1d size 1K line 16 miss 1", "line 4: cache l1d needs ways"},
      {"cache l1d size 1K ways 1 line 16", "line 4: cache l1d needs miss"},
      {"cache l1d size 0 ways 1 line 16 miss 1", "line 4: size needs a number from 4 to"},
      {"cache l1d size 2G ways 1 line 16 miss 1", "line 4: size needs a number"},
      {"cache l1d size 1K ways 0 line 16 miss 1", "line 4: ways needs a number from 1 to 256"},
      {"cache l1d size 1K ways 1 line 2 miss 1", "line 4: line needs a number from 4 to 4096"},
      {"cache l1d size 1K ways 1 line 24 miss 1", "line 4: line needs a power of two"},
      {"cache l1d size 1K ways 3 line 16 miss 1", "line 4: size needs to be ways times line"},
      {"cache l1d size 768 ways 1 line 16 miss 1", "line 4: size needs to be ways times line"},
      {"cache l1d size 8 ways 1 line 16 miss 1", "line 4: size needs to be ways times line"},
      {"cache l1d size 1K ways 1 line 16 refill 8 miss 1", "line 4: refill needs a power of two"},
      {"cache l1d size 1K ways 1 line 16 refill 48 miss 1", "line 4: refill needs a power of two"},
      {"cache l1d size 1K ways 2 line 16 refill 1K miss 1", "line 4: refill needs a power of two"},
      {"cache l1d size 1K ways 1 line 16 miss 1 policy both", "line 4: unknown policy 'both'"},
      {"cache l1d size 1K ways 1 line 16 miss 1 allocate perhaps", "line 4: unknown allocate"},
      {"cache l1d size 1K ways 1 line 16 miss 1 replacement mru", "line 4: unknown replacement"},
      {"cache l1d size 1K ways 1 line 16 miss 1 inclusive no", "line 4: unknown word 'inclusive'"},
      {"cache l1d size 1K ways 1 line 16 miss 100001", "line 4: miss needs a number from 0 to"},
      {"tlb fetch entries 4 refill 1", "line 4: a TLB is called main or l1d, not 'fetch'"},
      {"tlb l1d entries 4", "line 4: tlb l1d needs refill"},
      {"tlb l1d entries 4 refill 1 page 4K", "line 4: unknown word 'page'"},
      {"tlb main refill 1", "line 4: tlb main needs entries"},
      {"tlb main entries 4", "line 4: tlb main needs refill"},
      {"tlb main entries 4 refill 1 pages 3", "line 4: pages needs a power of two"},
      {"tlb main entries 4 refill 1 page 5000", "line 4: page needs a power of two"},
      {"tlb main entries 4 refill 1 wired 4", "line 4: wired needs a number from 0 to 3"},
      {"tlb main entries 4 refill 1 replacement fifo", "line 4: unknown replacement 'fifo'"},
      {"write_buffer l2 depth 4 drain 1", "line 4: the write buffer is behind l1d or l1"},
      {"write_buffer l1d drain 1", "line 4: write_buffer l1d needs depth"},
      {"write_buffer l1d depth 4", "line 4: write_buffer l1d needs drain"},
      {"write_buffer l1d depth 4 drain 0", "line 4: drain needs a number from 1 to"},
      {"write_buffer l1d depth 4 drain 1 misses stop", "line 4: unknown misses 'stop'"},
      {"memory fast latency 1", "line 4: the one memory is called main"},
      {"memory main", "line 4: memory main needs either latency or ns"},
      {"memory main latency 1 ns 1", "line 4: memory main needs either latency or ns"},
      {"memory main ns 100 open 50", "line 4: memory main needs both open and page, or none"},
      {"memory main ns 100 page 4K", "line 4: memory main needs both open and page, or none"},
      {"memory main ns 100 banks 4", "line 4: memory main needs page"},
      {"memory main ns 100 open 50 page 4K banks 17", "line 4: banks needs a number from 1 to 16"},
      {"memory main ns 100 open 50 page 3000", "line 4: page needs a power of two"},
      {"memory main ns 100001", "line 4: ns needs a number from 0 to 100000"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto memory = describe(std::string(mistake.rows) + " exact: x\n");
    ASSERT_FALSE(memory.ok()) << mistake.rows;
    EXPECT_EQ(memory.error().substr(0, std::string(mistake.message).size()), mistake.message)
        << mistake.rows;
  }
  const auto machine = describe("", "tlb main entries 4 exact: x\n");
  ASSERT_FALSE(machine.ok());
  EXPECT_EQ(machine.error(), "machine, line 4: tlb main needs refill");
}

TEST(MemoryDescription, TellsWhatDoesNotFitTogether) {
  const std::string l1 = "cache l1 size 1K ways 1 line 16 miss 1 exact: x\n";
  const std::string l1d = "cache l1d size 1K ways 1 line 16 refill 64 miss 1 exact: x\n";
  const std::string validate =
      "cache l1d size 1K ways 1 line 16 miss 1 allocate validate exact: x\n";
  const std::string l2 = "cache l2 size 1K ways 1 line 32 miss 1 exact: x\n";
  const std::string through =
      "cache l1d size 1K ways 1 line 64 miss 1 policy write-through exact: x\n";
  const std::string loads = "tlb l1d entries 4 refill 1 exact: x\n";
  const std::string both = loads + "tlb main entries 4 refill 1 exact: x\n";
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {l1 + l1d, "cache l1 is for instructions and data"},
      {l2, "cache l2 needs a cache l1"},
      {l1d + l2, "a line of cache l2 needs to be as long as what l1 refills, 64 bytes"},
      {validate + l2, "cache l2 cannot be inclusive"},
      {through + loads, "tlb l1d needs a tlb main behind it"},
      {l1 + both, "tlb l1d needs a cache l1d that writes through and refills one line, of 64"},
      {"cache l1d size 1K ways 1 line 64 miss 1 exact: x\n" + both, "tlb l1d needs a cache l1d"},
      {"cache l1d size 1K ways 1 line 32 miss 1 policy write-through exact: x\n" + both,
       "tlb l1d needs a cache l1d"},
      {"cache l1d size 1K ways 1 line 64 refill 128 miss 1 policy write-through exact: x\n" + both,
       "tlb l1d needs a cache l1d"},
      {"write_buffer l1d depth 1 drain 1 exact: x\n", "write_buffer needs a cache"},
  };
  for (const auto& [rows, message] : mistakes) {
    const auto memory = describe(rows);
    ASSERT_FALSE(memory.ok()) << rows;
    EXPECT_EQ(memory.error().substr(0, message.size()), message);
  }
  EXPECT_TRUE(describe(l1 + l2).ok());
  const auto with_loads = describe(through + both);
  ASSERT_TRUE(with_loads.ok()) << with_loads.error();
  EXPECT_TRUE(with_loads->load_tlb == (LoadTlbDescription{.entries = 4, .refill_cycles = 1}));
}

}  // namespace
}  // namespace hardclock
