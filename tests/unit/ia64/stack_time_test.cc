// The time that the register stack engine takes. Which words it moves follows from the SDM: volume
// 1, 4.1, and volume 2, chapter 6: calls and returns move the frame over 96 stacked registers here;
// what does not fit goes to the backing store, 63 registers and then their NaT collection. How many
// words go in a cycle: libpfm, itanium2_events.h, RSE_REFERENCES_RETIRED, at most 2 a cycle.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa/ia64/bundle.h"
#include "isa/ia64/cpu.h"
#include "isa/ia64/ia64_decode.h"
#include "sim/engine/cached_memory.h"
#include "tests/support/ia64_machine.h"

namespace hardclock::ia64 {
namespace {

using support::ia64_cpu;
using support::Ia64Machine;

constexpr GuestAddr code{0x40'0000}, backing_store{0x1400'0000};
constexpr std::uint64_t backing_store_size = 4 * page_size;
constexpr std::uint8_t mii_stop = 1, mib_stop = 17;  // templates: a stop behind the bundle

std::uint64_t word(Opcode opcode) {
  return info(opcode).match & slot_mask;
}
std::uint64_t alloc(unsigned frame, unsigned locals) {
  constexpr unsigned r32 = 32;
  return word(Opcode::alloc) | r32 << 6 | std::uint64_t{frame} << 13 | std::uint64_t{locals} << 20;
}

class Program {
 public:
  void add(std::uint8_t layout, std::uint64_t first, std::uint64_t last) {
    const auto bytes = packed_bytes({layout, {first, word(Opcode::nop_i), last}});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

// A frame calls a function, whose own frame is as large, and which returns. Of both frames all but
// a register are local.
std::vector<std::uint8_t> call_and_return(unsigned frame) {
  constexpr std::uint64_t two_bundles = 2 << 13;  // br.call b0 = the next but one
  const std::uint64_t nop_m = word(Opcode::nop_m), nop_i = word(Opcode::nop_i);
  Program program;
  program.add(mii_stop, alloc(frame, frame - 1), nop_i);
  program.add(mib_stop, nop_m, word(Opcode::br_call) | two_bundles);
  program.add(mii_stop, nop_m, nop_i);
  program.add(mii_stop, alloc(frame, frame - 1), nop_i);
  program.add(mib_stop, nop_m, word(Opcode::br_ret));
  return program.bytes();
}

// What runs of it, in slots.
constexpr Instructions calls{2 * slot_count}, allocates{calls.value() + slot_count};

std::unique_ptr<Ia64Machine> machine(const CpuDescription& cpu,
                                     const std::vector<std::uint8_t>& text,
                                     const CpuOptions& options = {}) {
  auto made = std::make_unique<Ia64Machine>(cpu, options);
  made->load(code, text);
  const Permissions rw{.read = true, .write = true};
  EXPECT_TRUE(made->memory.map(backing_store, backing_store_size, rw, "backing store"));
  made->registers().stack.start(backing_store.value(), {});
  return made;
}

struct Times {
  std::uint64_t spill;  // cycles of the second alloc's bundle
  std::uint64_t fill;   // of the return's
};
Times times(const CpuDescription& cpu, unsigned frame, const CpuOptions& options = {}) {
  const auto made = machine(cpu, call_and_return(frame), options);
  made->run(Ia64Machine::far, calls);
  const std::uint64_t called = made->now.value();
  made->run(Ia64Machine::far, Instructions(slot_count));
  const std::uint64_t allocated = made->now.value();
  made->run(Ia64Machine::far, Instructions(slot_count));
  EXPECT_EQ(made->registers().pc, code.value() + 2 * bundle_bytes);
  return {allocated - called, made->now.value() - allocated};
}

// A frame of 91 has 90 locals, which the second one of 91 leaves no room but for 5: 85 registers
// and, behind 63 of them, a collection. These 86 words are the ones that come back.
constexpr unsigned large = 91, small = 40, words = 86;

TEST(StackTime, TwoWordsGoInACycle) {
  for (const char* name : {"mckinley", "madison", "merced"}) {
    SCOPED_TRACE(name);
    const Times free = times(ia64_cpu(name), small);
    const Times moved = times(ia64_cpu(name), large);
    EXPECT_EQ(moved.spill - free.spill, words / 2);
    EXPECT_EQ(moved.fill - free.fill, words / 2);
  }
}

TEST(StackTime, AnOddWordHasACycleOfItsOwn) {
  constexpr unsigned frame = 60;  // 59 and 60 registers: 23 more than there are
  const Times free = times(ia64_cpu("mckinley"), small);
  const Times moved = times(ia64_cpu("mckinley"), frame);
  EXPECT_EQ(moved.spill - free.spill, 12u);
  EXPECT_EQ(moved.fill - free.fill, 12u);
}

CpuDescription with_rate(const std::string& words) {
  CpuDescription cpu = ia64_cpu("mckinley");
  for (TimingRow& row : cpu.rows) {
    if (row.keyword == "register_stack") row.name = words;
  }
  return cpu;
}

TEST(StackTime, TheRowSaysHowManyGoTogether) {
  const Times free = times(with_rate("1"), small);
  EXPECT_EQ(times(with_rate("1"), large).spill - free.spill, words);
  EXPECT_EQ(times(with_rate("4"), large).spill - free.spill, (words + 3) / 4);
  for (const char* wrong : {"0", "5", "two"}) {
    const std::string mistake = mistake_in(with_rate(wrong)).value_or("");
    EXPECT_TRUE(mistake.ends_with("register_stack needs the words of a cycle, 1 to 4, not '" +
                                  std::string(wrong) + "'"))
        << mistake;
  }
}

TEST(StackTime, InFunctionalTimeItTakesNone) {
  const CpuOptions functional{.functional = true};
  const Times moved = times(ia64_cpu("mckinley"), large, functional);
  EXPECT_EQ(moved.spill, slot_count);
  EXPECT_EQ(moved.fill, slot_count);
}

// A tick within that time finds the next instruction: of a return, the one that it returns to.
TEST(StackTime, ATickFindsTheNextInstruction) {
  const auto made = machine(ia64_cpu("mckinley"), call_and_return(large));
  made->run(Ia64Machine::far, allocates);
  const std::uint64_t allocated = made->now.value();
  const Stop stop = made->run(made->now + Cycles(words / 4));
  EXPECT_EQ(stop.reason, StopReason::deadline);
  EXPECT_EQ(made->now.value(), allocated + 1 + words / 2);
  EXPECT_EQ(made->cpu->interrupted_pc(), code + 2 * bundle_bytes);
}

// Words go through the caches: 86 of them, from a line's first on, in 11 lines of 64 bytes.
TEST(StackTime, TheCachesSeeEachWord) {
  constexpr std::uint32_t line = 64, miss = 100;
  MemoryDescription memory;
  memory.l1d = {.size = 16384, .ways = 4, .line = line, .refill = line, .miss_cycles = miss};
  const auto caches = std::make_shared<MachineMemory>(memory);
  const Times free = times(ia64_cpu("mckinley"), small);
  const Times moved = times(ia64_cpu("mckinley"), large, {.memory = caches});
  EXPECT_EQ(moved.spill - free.spill, words / 2 + (words * 8 + line - 1) / line * miss);
  EXPECT_EQ(moved.fill - free.fill, words / 2) << "they are there now";
  const auto& statistics = caches->system.statistics();
  EXPECT_EQ(statistics.l1d.accesses, 2u * words);
  EXPECT_EQ(statistics.l1d.misses, (words * 8 + line - 1) / line);
}

}  // namespace
}  // namespace hardclock::ia64
