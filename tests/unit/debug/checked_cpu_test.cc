// --check=engines finds what an engine does wrong, and names the instruction. The wrong engines are
// made here: one translates an instruction as if it were another, one has another pipeline.
#include "sim/debug/checked_cpu.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isa/mips/debug_registers.h"
#include "isa/mips/isa.h"
#include "sim/base/endian.h"
#include "sim/engine/engine.h"
#include "sim/engine/processor_timing.h"
#include "tests/support/mips_machine.h"

namespace hardclock {
namespace {

using debug::EngineDifference;
using Words = std::vector<std::uint32_t>;

constexpr GuestAddr code{0x40'0000}, data{0x1000'0000};
constexpr unsigned v0 = 2, t1 = 9, gp = 28;
constexpr Translation always{.is_on = true, .after_executions = 0};

constexpr std::uint32_t xor_v0 = 0x0048'1026, or_v0 = 0x0048'1025;       // v0,v0,t0
constexpr std::uint32_t store_v0 = 0xaf82'0000, store_t0 = 0xaf88'0000;  // 0(gp)
const Words loop = {
    0x2508'0001,  // 1: addiu t0,t0,1
    xor_v0,       //
    store_v0,     //
    0x1509'fffc,  // bne t0,t1,1b
    0x279c'0004,  // addiu gp,gp,4
    0x0000'000d,  // break
};
constexpr std::uint64_t rounds = 30'000;

// Translates one word as another; the interpreter runs it as it is.
struct WrongIsa : mips::Isa {
  WrongIsa(std::uint32_t as_is, std::uint32_t instead)
      : Isa(mips::Level::mips2), word(as_is), translated(instead) {}
  Recording recording(Text text, std::uint64_t pc) const {
    return Isa::recording(text == word ? translated : text, pc);
  }
  bool operator==(const WrongIsa&) const = default;

  std::uint32_t word, translated;
};

// The loop, on two processors that `checked` and `reference` make for a memory.
struct Pair : support::BareMachine<mips::CpuBase> {
  template <class Checked, class Reference>
  Pair(Checked checked, Reference reference)
      : BareMachine(Endian::big, GuestAddr(0x8000'0000), [&](AddressSpace& space) {
          const auto tell = [this](const EngineDifference& difference) { found = difference; };
          return std::make_unique<debug::CheckedCpu<mips::CpuBase>>(
              checked(space), reference(space), space,
              debug::EngineCheck{.registers = &mips::debug_registers(), .tell = tell});
        }) {
    std::vector<std::uint8_t> bytes(4 * loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) store_bytes(&bytes[4 * i], loop[i], Endian::big);
    load(code, bytes);
    EXPECT_TRUE(memory.map(data, 4 * rounds, {.read = true, .write = true}, "data").ok());
    registers().gpr[t1] = rounds;
    registers().gpr[gp] = data.value();
  }

  std::optional<EngineDifference> found;
};

auto right(const char* name, bool functional) {
  return [=](AddressSpace& space) {
    return mips::make_cpu(support::with_timing_of(name, "mips2"), space,
                          {.functional = functional, .translation = always});
  };
}

auto wrong(std::uint32_t word, std::uint32_t instead) {
  return [=](AddressSpace& space) {
    return std::unique_ptr<mips::CpuBase>(std::make_unique<Engine<WrongIsa>>(
        WrongIsa(word, instead), space, processor_timing(support::mips_cpu("r3000"), true, {}, {}),
        nullptr, EngineMode::blocks, always));
  };
}

GuestAddr place(std::size_t index) {
  return code + 4 * index;
}

TEST(CheckedCpu, IsSilentWhereEnginesAgree) {
  Pair pair(right("r4000", false), right("r4000", false));
  const Stop stop = pair.run();
  EXPECT_FALSE(pair.found);
  EXPECT_EQ(stop.trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(pair.cpu->counts().instructions, Instructions(5 * rounds));

  support::MipsMachine alone(Endian::big, support::with_timing_of("r4000", "mips2"));
  std::vector<std::uint8_t> bytes(4 * loop.size());
  ASSERT_TRUE(pair.memory.examine(code, bytes).ok());
  alone.load(code, bytes);
  ASSERT_TRUE(alone.memory.map(data, 4 * rounds, {.read = true, .write = true}, "data").ok());
  alone.registers().gpr[t1] = rounds;
  alone.registers().gpr[gp] = data.value();
  EXPECT_EQ(alone.run().trap.kind, TrapKind::breakpoint);
  EXPECT_EQ(alone.registers() == pair.registers(), true);
  EXPECT_EQ(alone.now, pair.now);
  EXPECT_EQ(alone.memory.read<std::uint32_t>(data).value(),
            pair.memory.read<std::uint32_t>(data).value());
}

TEST(CheckedCpu, NamesTheInstructionThatWritesAWrongRegister) {
  Pair pair(wrong(xor_v0, or_v0), right("r3000", true));
  if (!pair.cpu->translates()) GTEST_SKIP() << "nothing is translated on this host";
  pair.run();
  ASSERT_TRUE(pair.found);
  EXPECT_EQ(pair.found->what.kind, EngineDifference::Kind::registers);
  EXPECT_EQ(pair.found->what.register_number, v0);
  EXPECT_NE(pair.found->what.checked, pair.found->what.reference);
  ASSERT_TRUE(pair.found->at);
  EXPECT_EQ(pair.found->at->pc(), place(1));
  EXPECT_LT(pair.found->length, Instructions(200));
}

TEST(CheckedCpu, NamesTheStoreThatWritesWrongMemory) {
  Pair pair(wrong(store_v0, store_t0), right("r3000", true));
  if (!pair.cpu->translates()) GTEST_SKIP() << "nothing is translated on this host";
  pair.run();
  ASSERT_TRUE(pair.found);
  EXPECT_EQ(pair.found->what.kind, EngineDifference::Kind::memory);
  EXPECT_EQ(pair.found->what.address, data + 7);
  EXPECT_EQ(pair.found->what.checked, 2u);
  EXPECT_EQ(pair.found->what.reference, 3u);
  ASSERT_TRUE(pair.found->at);
  EXPECT_EQ(pair.found->at->pc(), place(2));
}

TEST(CheckedCpu, SeesCyclesThatDiffer) {
  Pair pair(right("r4000", false), right("r3000", false));
  pair.run();
  ASSERT_TRUE(pair.found);
  EXPECT_EQ(pair.found->what.kind, EngineDifference::Kind::cycles);
  EXPECT_NE(pair.found->what.checked, pair.found->what.reference);
  EXPECT_TRUE(pair.found->at);
}

TEST(CheckedCpu, SaysWhatDiffers) {
  using Kind = EngineDifference::Kind;
  const debug::RegisterSet& registers = mips::debug_registers();
  EXPECT_EQ(sentence({.kind = Kind::registers, .register_number = v0, .checked = 3}, registers),
            "v0 is 0x3, and 0x0 in single steps");
  EXPECT_EQ(sentence({.kind = Kind::memory, .address = data, .reference = 0x21}, registers),
            "the byte at 0x10000000 is 0x00, and 0x21 in single steps");
}

// The registers, whose values a child has, are those of the checked one.
TEST(CheckedCpu, ChecksForks) {
  Pair pair(wrong(xor_v0, or_v0), right("r3000", true));
  if (!pair.cpu->translates()) GTEST_SKIP() << "nothing is translated on this host";
  const auto memory = pair.memory.fork();
  const auto child = pair.cpu->fork(*memory);
  Cycles now;
  child->run(now, Pair::far, Instructions(1000));
  ASSERT_TRUE(pair.found);
  EXPECT_EQ(pair.found->what.register_number, v0);
}

}  // namespace
}  // namespace hardclock
