// V7 and 2.11BSD: the arithmetic against a PDP-11 that executes addupc register by register, and
// the kernels' rules one by one (docs/observed.md, sections 1 and 2; conformance cases U-...).
#include "syscalls/profil/system.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "syscalls/profil/charge.h"
#include "syscalls/profil/words.h"
#include "tests/unit/profil/awkward_number.h"
#include "tests/unit/profil/byte_memory.h"

namespace hardclock::profil {
namespace {

constexpr std::uint64_t buf = 0x4000;

State profile(std::uint64_t buff, std::uint64_t bufsiz, std::uint64_t offset, std::uint64_t scale) {
  return v7_system.profil(State{}, {buff, bufsiz, offset, scale}, 32).value();
}

// The processor that addupc of V7's conf/mch.s and 2.11BSD's pdp/mch_xxx.s runs on: 16-bit
// registers and a carry, with the instructions as the PDP-11 processor handbook has them.
struct Pdp11 {
  std::uint16_t r0 = 0, r1 = 0;
  bool carry = false;

  void clc() { carry = false; }
  void ror(std::uint16_t& r) {
    const bool low = (r & 1) != 0;
    r = static_cast<std::uint16_t>(r >> 1 | (carry ? 0x8000 : 0));
    carry = low;
  }
  // mul r1,r0: signed, the product's high word in r0 and the low one in r1.
  void mul() {
    const std::int32_t product =
        std::int32_t{static_cast<std::int16_t>(r0)} * static_cast<std::int16_t>(r1);
    r0 = static_cast<std::uint16_t>(static_cast<std::uint32_t>(product) >> 16);
    r1 = static_cast<std::uint16_t>(product);
  }
  // ashc $-n,r0: an arithmetic shift of the pair, bit by bit.
  void ashc_right(int n) {
    for (; n > 0; --n) {
      const std::uint16_t sign = r0 & 0x8000;
      r1 = static_cast<std::uint16_t>(r1 >> 1 | (r0 & 1) << 15);
      r0 = static_cast<std::uint16_t>(r0 >> 1 | sign);
    }
  }
};

// The address that mfpd reads, or nothing when bhis branches around it.
std::optional<std::uint16_t> addupc(std::uint16_t pc, std::uint16_t base, std::uint16_t size,
                                    std::uint16_t offset, std::uint16_t scale) {
  Pdp11 cpu;
  cpu.r0 = static_cast<std::uint16_t>(pc - offset);
  cpu.clc();
  cpu.ror(cpu.r0);
  cpu.r1 = scale;
  cpu.clc();
  cpu.ror(cpu.r1);
  cpu.mul();
  cpu.ashc_right(14);
  ++cpu.r1;
  cpu.r1 &= static_cast<std::uint16_t>(~1);
  if (cpu.r1 >= size) return std::nullopt;
  return static_cast<std::uint16_t>(cpu.r1 + base);
}

TEST(V7, ArithmeticIsThePdp11s) {
  std::mt19937_64 random(1);
  unsigned counted = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto word = [&] { return static_cast<std::uint16_t>(awkward_number(random, 16)); };
    const std::uint16_t pc = word(), base = word(), size = word(), offset = word(), scale = word();
    const auto expected = scale == 0 ? std::nullopt : addupc(pc, base, size, offset, scale);
    const Lookup lookup = pdp11_lookup(profile(base, size, offset, scale), GuestAddr(pc));
    const Access* access = std::get_if<Access>(&lookup);
    ASSERT_EQ(access != nullptr, expected.has_value())
        << pc << " " << base << " " << size << " " << offset << " " << scale;
    if (access == nullptr) continue;
    ++counted;
    ASSERT_EQ(access->address.value(), *expected)
        << pc << " " << base << " " << size << " " << offset << " " << scale;
  }
  EXPECT_GT(counted, 100'000u);
  EXPECT_LT(counted, 900'000u);
}

struct Case {
  std::string id;
  ProfilArguments arguments;
  std::vector<std::uint64_t> pcs;
  std::uint64_t window;                 // of 32 counters, mapped
  std::map<unsigned, unsigned> counts;  // by index in the window
  bool on = true;
};

class V7Case : public testing::TestWithParam<Case> {};

TEST_P(V7Case, BothSystems) {
  const Case& c = GetParam();
  for (const SystemRules* system : {&v7_system, &bsd211_system}) {
    ByteMemory memory(Endian::little);
    memory.map(c.window, 64);
    State state = system->profil(State{}, c.arguments, 32).value();
    for (const std::uint64_t pc : c.pcs) tick(*system, state, pc, memory);
    for (unsigned i = 0; i < 32; ++i) {
      const auto expected = c.counts.find(i);
      EXPECT_EQ(memory.counter(c.window + 2 * i), expected == c.counts.end() ? 0 : expected->second)
          << system->name << " element " << i;
    }
    EXPECT_EQ(state.on(), c.on) << system->name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, V7Case,
    testing::Values(
        Case{"U001", {buf, 64, 0, 0xffff}, {0, 2, 4, 0x3e}, buf, {{0, 1}, {1, 1}, {2, 1}, {31, 1}}},
        Case{"U002", {buf, 64, 0, 0x7fff}, {0, 2, 4, 6}, buf, {{0, 2}, {1, 2}}},
        Case{"U003", {buf, 64, 0, 2}, {0, 0x7ffe, 0x8000, 0xfffe}, buf, {{0, 2}, {1, 2}}},
        Case{"U004", {buf, 2, 0, 2}, {0, 0x8000}, buf, {{0, 1}}},
        Case{"U005", {buf, 64, 0, 1}, {0, 0x4000}, buf, {{0, 2}}},
        Case{"U007", {buf + 1, 64, 0, 0xffff}, {0, 2}, buf, {}, false},
        Case{"U008", {buf, 3, 0, 0xffff}, {2, 4}, buf, {{1, 1}}},
        Case{"U012", {buf, 45056, 0, 0xffff}, {0x8000, 0x8002, 0x8004}, 0xc000, {{0, 2}, {1, 1}}}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.id; });

// The kernel stores unsigned 16-bit words (sys4.c profil(), user.h): the rest of a wider register
// is lost, and a counter's address wraps at 64 KiB.
TEST(V7, SixteenBits) {
  const State state = profile(0x1234fffe, 0x10040, 0x70000, 0x1ffff);
  EXPECT_EQ(state.regions.front(), (Region{GuestAddr(0xfffe), 0x40, GuestAddr(0), 0xffff}));
  const Lookup lookup = pdp11_lookup(state, GuestAddr(0x50004));
  EXPECT_EQ(std::get<Access>(lookup).address, GuestAddr(2));
  EXPECT_FALSE(profile(buf, 64, 0, 0x10000).on());
}

// Section 9, observed: a pc below offset is a large unsigned difference.
TEST(V7, BelowOffsetWraps) {
  const Lookup lookup = pdp11_lookup(profile(0, 0xffff, 0x10, 0xffff), GuestAddr(0xe));
  EXPECT_EQ(std::get<Access>(lookup).steps.delta, 0xfffeu);
  EXPECT_EQ(std::get<Access>(lookup).byte_offset, 0xfffcu);
}

// U-010; "add 12.(sp),(sp)" of addupc.
TEST(V7, CounterWraps) {
  EXPECT_EQ(v7_system.increment(65535, 2, Ticks(2)).after, 1u);
  EXPECT_EQ(v7_system.increment(65535, 2, Ticks(2)).effect, Increment::Effect::wrapped);
  EXPECT_EQ(v7_system.increment(65534, 2, Ticks(1)).effect, Increment::Effect::counted);
}

// U-009 and U-013: trap.c calls addupc with whatever u_stime gained, 0 included.
TEST(V7, KernelExit) {
  for (const SystemRules* system : {&v7_system, &bsd211_system}) {
    EXPECT_EQ(system->system_ticks, SystemTicks::resume_pc);
    EXPECT_TRUE(system->probes_on_kernel_exit);
    ByteMemory memory(Endian::little);
    memory.map(buf, 64);
    State good = profile(buf, 64, 0, 0xffff);
    charge(*system, good, GuestAddr(6), Ticks(4), memory);
    charge(*system, good, GuestAddr(6), Ticks(0), memory);
    EXPECT_EQ(memory.counter(buf + 6), 4u);
    EXPECT_TRUE(good.on());
    State bad = profile(0x2000, 64, 0, 0xffff);
    EXPECT_EQ(charge(*system, bad, GuestAddr(4), Ticks(0), memory).outcome,
              Charge::Outcome::faulted);
    EXPECT_EQ(bad, stopped(State::Stop::by_fault));
  }
}

// U-011 and docs/observed.md, section 2: off for good after a fault, also when the page becomes
// valid later; a new call works; fork copies; exec clears the scale.
TEST(V7, Transitions) {
  ByteMemory memory(Endian::little);
  State state = profile(buf, 64, 0, 0xffff);
  EXPECT_EQ(v7_system.after_fork(state), state);
  EXPECT_EQ(v7_system.after_exec(state), stopped(State::Stop::by_exec));
  tick(v7_system, state, 0, memory);
  memory.map(buf, 64);
  tick(v7_system, state, 0, memory);
  EXPECT_EQ(memory.counter(buf), 0u);
  EXPECT_EQ(v7_system.after_exec(state), state);
  state = profile(buf, 64, 0, 0xffff);
  tick(v7_system, state, 0, memory);
  EXPECT_EQ(memory.counter(buf), 1u);
}

// h/param.h HZ 60; 2.11BSD GENERIC/param.c hz 60.
TEST(V7, SixtyTicks) {
  EXPECT_EQ(v7_system.tick_rate, Hertz(60));
  EXPECT_EQ(bsd211_system.tick_rate, Hertz(60));
}

TEST(V7, Explains) {
  const State state = profile(buf, 64, 0, 0xffff);
  EXPECT_EQ(explain(state, GuestAddr(6), pdp11_lookup(state, GuestAddr(6))),
            "region 0 base 0x4000 size 64: ((0x0006-0x0000)>>1)*(0xffff>>1)>>14 = 0x5, up to 0x6 "
            "-> counter at 0x4006");
}

}  // namespace
}  // namespace hardclock::profil
