// Several processors on one address space: the threads of a process, or processes that share their
// memory. A store by one of them into code that another one has predecoded must be seen before that
// code runs again (Cpu, AddressSpace::watch_code). One simulated processor runs them in turn, so
// its caches hold what was stored last; that is the expectation everywhere here.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "isa/mips/cpu.h"
#include "isa/mips/registers.h"
#include "tests/support/mips_machine.h"

namespace hardclock {
namespace {

using support::MipsMachine;

constexpr std::uint64_t base = 0x40'0000;
constexpr unsigned v0 = 2, t0 = 8, t1 = 9;

// Kane and Heinrich, "MIPS RISC Architecture", appendix A: the encodings.
constexpr std::uint32_t break_0 = 0x0000'000d;
constexpr std::uint32_t sw_t0_at_t1 = 0xad28'0000;
constexpr std::uint32_t li_v0(std::uint32_t value) {
  return 0x2402'0000 | value;
}

// A machine and further processors in its memory.
class Processors {
 public:
  Processors(std::size_t count, mips::CpuOptions options)
      : machine_(Endian::big, support::mips_cpu("r3000"), options) {
    machine_.cpu->collect_cycle_profile();
    EXPECT_TRUE(machine_.memory.map(GuestAddr(base), 4 * page_size, MipsMachine::all, "code"));
    for (std::size_t i = 1; i < count; ++i) added_.push_back(machine_.cpu->fork(machine_.memory));
  }

  AddressSpace& memory() { return machine_.memory; }
  mips::CpuBase& cpu(std::size_t index) {
    return index == 0 ? *machine_.cpu : static_cast<mips::CpuBase&>(*added_[index - 1]);
  }
  Stop run(std::size_t index, Cycles slice) {
    cpu(index).drain_pipeline();
    return cpu(index).run(now_, now_ + slice, MipsMachine::unlimited);
  }
  Cycles now() const { return now_; }
  // Runs from `pc` until a BREAK; what is in v0 then.
  std::uint64_t call(std::size_t index, std::uint64_t pc) {
    cpu(index).registers().set_pc(pc);
    const Stop stop = run(index, Cycles(1000));
    EXPECT_EQ(static_cast<int>(stop.reason), static_cast<int>(StopReason::trap));
    return cpu(index).registers().gpr[v0];
  }
  void put(std::uint64_t address, std::vector<std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      ASSERT_TRUE(memory().write<std::uint32_t>(GuestAddr(address), word));
      address += 4;
    }
  }

 private:
  MipsMachine machine_;
  std::vector<std::unique_ptr<Cpu>> added_;
  Cycles now_;
};

// Mode, which of the two processors stores, where its own code lies, whether it has stored to the
// page before the other one decodes it.
using Parameters = std::tuple<bool, std::size_t, std::uint64_t, bool>;

class CodeOfAnother : public testing::TestWithParam<Parameters> {};

INSTANTIATE_TEST_SUITE_P(Orders, CodeOfAnother,
                         testing::Combine(testing::Bool(), testing::Values(0, 1),
                                          testing::Values(base + 0x100, base + page_size),
                                          testing::Bool()));

TEST_P(CodeOfAnother, AStoreIsSeenByWhoeverHasDecodedIt) {
  const auto [reference, writer, store_code, stored_before] = GetParam();
  const std::size_t other = 1 - writer;
  Processors both(2, {.reference = reference});
  both.put(base, {li_v0(1), break_0});
  both.put(store_code, {sw_t0_at_t1, break_0});
  const auto store = [&, writer = writer, store_code = store_code](std::uint32_t word) {
    both.cpu(writer).registers().gpr[t0] = word;
    both.cpu(writer).registers().gpr[t1] = base;
    both.call(writer, store_code);
  };

  if (stored_before) store(li_v0(1));
  EXPECT_EQ(both.call(other, base), 1u);
  store(li_v0(2));
  EXPECT_EQ(both.call(other, base), 2u) << "decoded by the other one alone";
  EXPECT_EQ(both.call(writer, base), 2u);
  store(li_v0(3));
  EXPECT_EQ(both.call(other, base), 3u) << "decoded by both";
  EXPECT_EQ(both.call(writer, base), 3u);
  store(li_v0(4));
  EXPECT_EQ(both.call(writer, base), 4u) << "by both; the writer first";
  EXPECT_EQ(both.call(other, base), 4u);
}

TEST_P(CodeOfAnother, TheKernelsStoreAndUnmapReachBoth) {
  const auto [reference, first, second_page, put_before] = GetParam();
  Processors both(2, {.reference = reference});
  if (put_before) both.put(base, {break_0});
  both.put(base, {li_v0(1), break_0});
  EXPECT_EQ(both.call(first, base), 1u);
  EXPECT_EQ(both.call(1 - first, base), 1u);
  both.put(base, {li_v0(2)});
  EXPECT_EQ(both.call(first, base), 2u);
  EXPECT_EQ(both.call(1 - first, base), 2u);
  ASSERT_TRUE(both.memory().unmap(GuestAddr(base), page_size));
  for (const std::size_t index : {first, 1 - first}) {
    both.cpu(index).registers().set_pc(base);
    EXPECT_EQ(static_cast<int>(both.run(index, Cycles(10)).trap.kind),
              static_cast<int>(TrapKind::memory));
  }
}

// A store, and a delay slot of one block across two pages, when the processor that made the store
// is gone.
TEST(SharedMemory, AProcessorThatEndedLeavesTheOthersWatching) {
  constexpr std::uint32_t jr_ra = 0x03e0'0008;
  const std::uint64_t last_word = base + page_size - 4;
  MipsMachine machine(Endian::big, support::mips_cpu("r3000"));
  ASSERT_TRUE(machine.memory.map(GuestAddr(base), 2 * page_size, MipsMachine::all, "code"));
  auto second = machine.cpu->fork(machine.memory);
  const auto run_all = [&] {
    std::vector<std::uint64_t> results;
    for (Cpu* cpu : {static_cast<Cpu*>(machine.cpu.get()), second.get()}) {
      if (cpu == nullptr) continue;
      auto& registers = static_cast<mips::CpuBase*>(cpu)->registers();
      registers.set_pc(last_word);
      registers.gpr[31] = base;
      cpu->run(machine.now, MipsMachine::far, MipsMachine::unlimited);
      results.push_back(registers.gpr[v0]);
    }
    return results;
  };
  const auto write = [&](std::uint64_t at, std::uint32_t word) {
    ASSERT_TRUE(machine.memory.write<std::uint32_t>(GuestAddr(at), word));
  };
  write(base, break_0);
  write(last_word, jr_ra);
  write(last_word + 4, li_v0(5));
  EXPECT_EQ(run_all(), (std::vector<std::uint64_t>{5, 5}));
  write(last_word + 4, li_v0(6));
  EXPECT_EQ(run_all(), (std::vector<std::uint64_t>{6, 6}));
  second.reset();
  write(last_word + 4, li_v0(7));
  EXPECT_EQ(run_all(), (std::vector<std::uint64_t>{7}));
}

// ---- Random programs that rewrite themselves and each other, block engine against interpreter.

class Rewriting {
 public:
  static constexpr std::size_t words = 96, processors = 3;

  explicit Rewriting(std::uint32_t seed)
      : random_(seed), reference_(processors, {.reference = true}), blocks_(processors, {}) {
    for (std::size_t i = 0; i < words; ++i) code_.push_back(instruction());
    code_.back() = 0;                                                        // nop, in the slot of
    code_[words - 2] = 0x0800'0000 | static_cast<std::uint32_t>(base >> 2);  // j base
    std::array<std::array<std::uint64_t, 32>, processors> registers{};
    for (auto& gpr : registers) {
      for (unsigned n = stored; n < base_register; ++n) gpr[n] = instruction();
      gpr[base_register] = base;
    }
    for (Processors* set : {&reference_, &blocks_}) {
      set->put(base, code_);
      for (std::size_t i = 0; i < processors; ++i) {
        set->cpu(i).registers().gpr = registers[i];
        set->cpu(i).registers().set_pc(base + 4 * (i * words / processors));
      }
    }
  }

  // One of the processors runs for a while in both sets; false when they differ.
  bool step() {
    const std::size_t index = below(processors);
    const Cycles slice(1 + below(200));
    const Stop expected = reference_.run(index, slice), actual = blocks_.run(index, slice);
    EXPECT_EQ(static_cast<int>(actual.reason), static_cast<int>(expected.reason));
    EXPECT_EQ(blocks_.now(), reference_.now());
    EXPECT_EQ(blocks_.cpu(index).registers(), reference_.cpu(index).registers());
    for (std::uint64_t at = base; at < base + 4 * words; at += 4) {
      EXPECT_EQ(*blocks_.memory().read<std::uint32_t>(GuestAddr(at)),
                *reference_.memory().read<std::uint32_t>(GuestAddr(at)));
    }
    return !testing::Test::HasFailure();
  }

  bool same_profiles() {
    for (std::size_t i = 0; i < processors; ++i) {
      EXPECT_EQ(blocks_.cpu(i).cycle_profile(), reference_.cpu(i).cycle_profile());
      EXPECT_EQ(blocks_.cpu(i).counts().instructions, reference_.cpu(i).counts().instructions);
    }
    return !testing::Test::HasFailure();
  }
  // Whether stores have changed the program at all.
  bool was_rewritten() {
    for (std::size_t i = 0; i < words; ++i) {
      if (*blocks_.memory().read<std::uint32_t>(GuestAddr(base + 4 * i)) != code_[i]) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned stored = 16, base_register = 24;

  std::uint32_t below(std::uint32_t bound) { return random_() % bound; }

  // addiu, addu, a short forward branch, or a store of an instruction into the program.
  std::uint32_t instruction() {
    const std::uint32_t rd = 2 + below(6), rs = 2 + below(6);
    switch (below(8)) {
      case 0:
      case 1:
        return 0x0000'0021 | rs << 21 | rs << 16 | rd << 11;
      case 2:
        return 0x1400'0000 | rs << 21 | rd << 16 | (1 + below(6));
      case 3: {
        const std::uint32_t offset = 4 * below(words - 10);
        return 0xac00'0000 | base_register << 21 | (stored + below(8)) << 16 | offset;
      }
      default:
        return 0x2400'0000 | rs << 21 | rd << 16 | below(0x1'0000);
    }
  }

  std::mt19937 random_;
  std::vector<std::uint32_t> code_;
  Processors reference_;
  Processors blocks_;
};

TEST(SharedMemory, BlocksAgreeWithTheInterpreterOnProgramsThatRewriteEachOther) {
  int rewritten = 0;
  for (std::uint32_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    Rewriting programs(seed);
    for (int step = 0; step < 60; ++step) ASSERT_TRUE(programs.step()) << "step " << step;
    ASSERT_TRUE(programs.same_profiles());
    rewritten += programs.was_rewritten();
  }
  EXPECT_GT(rewritten, 20);
}

}  // namespace
}  // namespace hardclock
