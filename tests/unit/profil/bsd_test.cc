// 4.1BSD to 4.4BSD: the arithmetic against a VAX that executes addupc and against the C types of
// PC_TO_INDEX, and the kernels' rules one by one (docs/observed.md, sections 1 and 2;
// conformance cases V-... and B-...).
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "syscalls/profil/charge.h"
#include "syscalls/profil/system.h"
#include "tests/unit/profil/awkward_number.h"
#include "tests/unit/profil/byte_memory.h"

namespace hardclock::profil {
namespace {

using Address = std::optional<std::uint64_t>;

Address counter(const SystemRules& system, const ProfilArguments& arguments, std::uint64_t pc,
                unsigned address_bits = 32) {
  const auto state = system.profil(State{}, arguments, address_bits);
  if (!state.ok()) return std::nullopt;
  const Lookup lookup = system.lookup(*state, GuestAddr(pc));
  const Access* access = std::get_if<Access>(&lookup);
  if (access == nullptr) return std::nullopt;
  return access->address.value();
}

// addupc of sys/vax/vax/locore.s, with the instructions as the VAX architecture reference manual
// has them. `incl` is there in 4.1BSD only. Returns the address that addw2 adds to.
Address addupc(std::uint32_t pc, std::uint32_t base, std::uint32_t size, std::uint32_t offset,
               std::uint32_t scale, bool incl) {
  std::uint32_t r0 = pc - offset;                   // subl3
  if ((r0 & 0x80000000) != 0) return std::nullopt;  // blss: N is bit 31
  const std::int32_t multiplicand = static_cast<std::int32_t>(r0 >> 1 & 0x7fffffff);   // extzv
  const std::int32_t multiplier = static_cast<std::int32_t>(scale >> 1 & 0x7fffffff);  // extzv
  std::int64_t pair = std::int64_t{multiplicand} * multiplier;                         // emul
  for (int n = 14; n > 0; --n) pair = (pair - (pair & 1)) / 2;                         // ashq
  r0 = static_cast<std::uint32_t>(pair);
  const auto r1 = static_cast<std::uint32_t>(static_cast<std::uint64_t>(pair) >> 32);
  if (r1 != 0) return std::nullopt;  // tstl, bneq
  if (incl) ++r0;
  r0 &= ~1u;                                     // bicl2
  if (r0 >= size) return std::nullopt;           // cmpl, bgequ
  return static_cast<std::uint32_t>(r0 + base);  // addl2
}

void expect_the_vax(const SystemRules& system, bool incl) {
  std::mt19937_64 random(2);
  unsigned counted = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto longword = [&] { return static_cast<std::uint32_t>(awkward_number(random, 32)); };
    const std::uint32_t pc = longword(), base = longword(), size = longword();
    const std::uint32_t offset = random() % 2 == 0 ? longword() : pc - longword() % 0x20000;
    const std::uint32_t scale = longword();
    const Address expected =
        scale == 0 ? std::nullopt : addupc(pc, base, size, offset, scale, incl);
    ASSERT_EQ(counter(system, {base, size, offset, scale}, pc), expected)
        << pc << " " << base << " " << size << " " << offset << " " << scale;
    if (expected) ++counted;
  }
  EXPECT_GT(counted, 100'000u);
  EXPECT_LT(counted, 900'000u);
}

TEST(Bsd41, ArithmeticIsTheVaxs) {
  expect_the_vax(bsd41_system, true);
}

TEST(Bsd42, ArithmeticIsTheVaxs) {
  expect_the_vax(bsd42_system, false);
}

TEST(Bsd43, ArithmeticIsTheVaxs) {
  expect_the_vax(bsd43_system, false);
}

// incl is a 32-bit addition: the highest place of all rounds up to the buffer's beginning.
TEST(Bsd41, RoundingUpWraps) {
  const ProfilArguments arguments{0x1000, 0xffffffff, 0, 0x40004};
  const std::uint64_t pc = 0x3fffc000;  // (pc>>1) * (scale>>1) >> 14 is 0xffffffff
  EXPECT_EQ(addupc(pc, 0x1000, 0xffffffff, 0, 0x40004, true), 0x1000u);
  EXPECT_EQ(counter(bsd41_system, arguments, pc), 0x1000u);
  EXPECT_EQ(counter(bsd42_system, arguments, pc), 0xffeu);
}

// Section 9, observed on 4.3BSD: the difference is signed, so an offset above 2^31 can count.
TEST(Bsd43, SignedDifference) {
  EXPECT_EQ(counter(bsd43_system, {0x8000, 64, 0xfffffff0, 0x10000}, 0x10), 0x8020u);
  EXPECT_EQ(counter(bsd43_system, {0x8000, 64, 0x20, 0x10000}, 0x10), std::nullopt);
}

// The C of subr_prof.c with the types of an ILP32 or an LP64 machine for u_long and pointers.
template <class ULong>
Address addupc_task(ULong pc, ULong base, std::uint32_t size, std::uint32_t offset,
                    std::uint32_t scale) {
  if (scale > 1 << 16 || scale == 0) return std::nullopt;
  const ULong pr_size = size, pr_off = offset, pr_scale = scale;
  if (pc < pr_off) return std::nullopt;
  const std::uint64_t product =
      static_cast<std::uint64_t>(static_cast<ULong>(pc - pr_off)) * std::uint64_t{pr_scale};
  const std::int32_t index = static_cast<std::int32_t>(product >> 16) & ~1;
  const std::uint32_t i = static_cast<std::uint32_t>(index);
  if (i >= pr_size) return std::nullopt;
  return static_cast<ULong>(base + i);
}

template <class ULong>
void expect_c_arithmetic() {
  constexpr unsigned bits = std::numeric_limits<ULong>::digits;
  std::mt19937_64 random(3);
  unsigned counted = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const auto u_int = [&] { return static_cast<std::uint32_t>(awkward_number(random, 32)); };
    const auto base = static_cast<ULong>(awkward_number(random, bits));
    const std::uint32_t size = u_int(), offset = u_int();
    const std::uint32_t scale = u_int() % 0x10010;
    const auto pc = random() % 2 == 0 ? static_cast<ULong>(awkward_number(random, bits))
                                      : static_cast<ULong>(ULong{offset} + u_int() % 0x20000);
    const Address expected = addupc_task<ULong>(pc, base, size, offset, scale);
    ASSERT_EQ(counter(bsd44_system, {base, size, offset, scale}, pc, bits), expected)
        << pc << " " << base << " " << size << " " << offset << " " << scale;
    if (expected) ++counted;
  }
  EXPECT_GT(counted, 100'000u);
  EXPECT_LT(counted, 900'000u);
}

TEST(Bsd44, ArithmeticIsCsIlp32) {
  expect_c_arithmetic<std::uint32_t>();
}

TEST(Bsd44, ArithmeticIsCsLp64) {
  expect_c_arithmetic<std::uint64_t>();
}

// B-014: the (int) cast makes a difference of 4 GiB the first counter, on 64-bit machines only.
TEST(Bsd44, FourGibibytesAreNothing) {
  const ProfilArguments arguments{0x120000000, 64, 0x10000000, 65536};
  EXPECT_EQ(counter(bsd44_system, arguments, 0x110000000, 64), 0x120000000u);
  EXPECT_EQ(counter(bsd44_system, arguments, 0x110000002, 64), 0x120000002u);
  EXPECT_EQ(counter(bsd44_system, arguments, 0x190000000, 64), std::nullopt);
}

// B-004 and B-005; subr_prof.c profil(): above 65536 EINVAL comes before anything is changed.
TEST(Bsd44, ScaleIsChecked) {
  const auto start = [](std::uint64_t scale) {
    return bsd44_system.profil(State{}, {0x10010000, 64, 0x400000, scale}, 32);
  };
  EXPECT_EQ(start(65537).error(), CallError::invalid);
  EXPECT_EQ(start(0xffffffff).error(), CallError::invalid);
  EXPECT_TRUE(start(65536)->on());
  EXPECT_TRUE(start(1)->on());
  EXPECT_EQ(start(0).value(), stopped(State::Stop::by_call));
  EXPECT_TRUE(start(0x100000001)->on());  // u_int scale
}

constexpr std::uint64_t buf = 0x10010000;  // of the 4.4BSD cases
constexpr std::uint64_t vax_buf = 0x8000;

struct Case {
  std::string id;
  const SystemRules& system;
  Endian endian;
  ProfilArguments arguments;
  std::vector<std::uint64_t> pcs;
  std::uint64_t window;                      // 64 bytes, mapped
  std::map<unsigned, std::uint8_t> nonzero;  // bytes, by their place in the window
};

class BsdCase : public testing::TestWithParam<Case> {};

TEST_P(BsdCase, Holds) {
  const Case& c = GetParam();
  ByteMemory memory(c.endian);
  memory.map(c.window, 64);
  State state = c.system.profil(State{}, c.arguments, 32).value();
  for (const std::uint64_t pc : c.pcs) tick(c.system, state, pc, memory);
  for (unsigned i = 0; i < 64; ++i) {
    const auto expected = c.nonzero.find(i);
    EXPECT_EQ(memory.peek(c.window + i), expected == c.nonzero.end() ? 0 : expected->second)
        << "byte " << i;
  }
  EXPECT_TRUE(state.on());
}

Case vax_case(const std::string& id, const SystemRules& system, std::uint64_t buff,
              std::uint64_t scale, const std::vector<std::uint64_t>& pcs,
              const std::map<unsigned, std::uint8_t>& nonzero) {
  return {id, system, Endian::little, {buff, 64, 0x100, scale}, pcs, vax_buf, nonzero};
}

INSTANTIATE_TEST_SUITE_P(
    Vax, BsdCase,
    testing::Values(
        vax_case("V001", bsd42_system, vax_buf, 0x10000, {0x100, 0x102, 0x104, 0x105},
                 {{0, 1}, {2, 1}, {4, 2}}),
        vax_case("V002", bsd42_system, vax_buf, 0x8000, {0x100, 0x102, 0x104, 0x106, 0x108},
                 {{0, 2}, {2, 2}, {4, 1}}),
        vax_case("V003", bsd43_system, vax_buf, 1, {0x100, 0x4e8}, {{0, 2}}),
        vax_case("V006", bsd43_system, vax_buf, 2, {0x100, 0x100fe, 0x10100}, {{0, 2}, {2, 1}}),
        vax_case("V007", bsd43_system, vax_buf, 0x10000, {0xfe}, {}),
        vax_case("V009", bsd43_system, vax_buf + 1, 0x10000, {0x100}, {{1, 1}}),
        vax_case("V010", bsd41_system, vax_buf, 0xffff, {0x100, 0x102, 0x104, 0x106},
                 {{0, 1}, {2, 1}, {4, 1}, {6, 1}}),
        vax_case("V011", bsd41_system, vax_buf, 0x7fff, {0x100, 0x102, 0x104, 0x106},
                 {{0, 2}, {2, 2}}),
        vax_case("V013", bsd42_system, vax_buf, 0xffff, {0x100, 0x102, 0x104}, {{0, 2}, {2, 1}})),
    [](const testing::TestParamInfo<Case>& info) { return info.param.id; });

// V-008: the low bit of an odd scale is lost.
INSTANTIATE_TEST_SUITE_P(Vax8001, BsdCase,
                         testing::Values(Case{"V008",
                                              bsd43_system,
                                              Endian::little,
                                              {vax_buf, 65600, 0x100, 0x8001},
                                              {0x20100},
                                              0x18000,
                                              {{0, 1}}}),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.id; });

Case bsd44_case(const std::string& id, std::uint64_t buff, std::uint64_t size, std::uint64_t scale,
                const std::vector<std::uint64_t>& pcs,
                const std::map<unsigned, std::uint8_t>& nonzero) {
  return {id, bsd44_system, Endian::big, {buff, size, 0x400000, scale}, pcs, buf, nonzero};
}

INSTANTIATE_TEST_SUITE_P(
    Bsd44, BsdCase,
    testing::Values(bsd44_case("B001", buf, 64, 65536, {0x400000, 0x400002, 0x400003, 0x400004},
                               {{1, 1}, {3, 2}, {5, 1}}),
                    bsd44_case("B002a", buf, 64, 32768, {0x400000, 0x400002, 0x400004},
                               {{1, 2}, {3, 1}}),
                    bsd44_case("B002b", buf, 64, 16384, {0x400004, 0x400008}, {{1, 1}, {3, 1}}),
                    bsd44_case("B007", buf, 64, 65536, {0x3ffffe, 0x400000}, {{1, 1}}),
                    bsd44_case("B010", buf, 64, 49152, {0x400003}, {{3, 1}}),
                    bsd44_case("B011", buf, 3, 65536, {0x400002, 0x400004}, {{3, 1}}),
                    bsd44_case("B016", buf + 1, 64, 65536, {0x400000}, {{2, 1}})),
    [](const testing::TestParamInfo<Case>& info) { return info.param.id; });

// V-005 and B-013: read-only memory stops profiling for good; V-004 and B-008: counters wrap.
TEST(Bsd, FaultAndOverflow) {
  for (const SystemRules* system : {&bsd41_system, &bsd42_system, &bsd43_system, &bsd44_system}) {
    SCOPED_TRACE(system->name);
    ByteMemory memory(Endian::little);
    memory.map(vax_buf, 64, false);
    const State on = system->profil(State{}, {vax_buf, 64, 0x100, 0x10000}, 32).value();
    State state = on;
    tick(*system, state, 0x100, memory);
    memory.protect(vax_buf, 64, true);
    tick(*system, state, 0x100, memory);
    EXPECT_EQ(memory.counter(vax_buf), 0u);
    EXPECT_EQ(state, stopped(State::Stop::by_fault));

    memory.set_counter(vax_buf, 65535);
    state = on;
    tick(*system, state, 0x100, memory, 2);
    EXPECT_EQ(memory.counter(vax_buf), 1u);
    EXPECT_TRUE(state.on());
  }
}

// Section 9, observed on 4.3BSD: a counter of which one byte is outside counts nothing.
TEST(Bsd43, StraddlesTheEndOfMemory) {
  ByteMemory memory(Endian::little);
  memory.map(vax_buf, 2);
  State state = bsd43_system.profil(State{}, {vax_buf + 1, 64, 0x100, 0x10000}, 32).value();
  tick(bsd43_system, state, 0x100, memory);
  EXPECT_EQ(memory.counter(vax_buf), 0u);
  EXPECT_FALSE(state.on());
}

// B-012 and docs/observed.md, section 2: system time is charged to the resumed pc on the VAX, to
// the trapped one on the pmax, and no kernel after V7's and 2.11BSD's probes without a tick.
TEST(Bsd, SystemTime) {
  for (const SystemRules* system : {&bsd41_system, &bsd42_system, &bsd43_system}) {
    EXPECT_EQ(system->system_ticks, SystemTicks::resume_pc) << system->name;
    EXPECT_FALSE(system->probes_on_kernel_exit) << system->name;
  }
  EXPECT_EQ(bsd44_system.system_ticks, SystemTicks::trap_pc);
  EXPECT_FALSE(bsd44_system.probes_on_kernel_exit);
  ByteMemory memory(Endian::big);
  memory.map(buf, 64);
  State state = bsd44_system.profil(State{}, {buf, 64, 0x400000, 32768}, 32).value();
  charge(bsd44_system, state, GuestAddr(0x400008), Ticks(5), memory);
  EXPECT_EQ(memory.counter(buf + 4), 5u);
}

// B-009 and the pages' fork and exec sentences.
TEST(Bsd, ForkAndExec) {
  for (const SystemRules* system : {&bsd41_system, &bsd42_system, &bsd43_system, &bsd44_system}) {
    const State on = system->profil(State{}, {vax_buf, 64, 0x100, 0x8000}, 32).value();
    EXPECT_EQ(system->after_fork(on), on) << system->name;
    EXPECT_EQ(system->after_exec(on), stopped(State::Stop::by_exec)) << system->name;
  }
}

// The pages' deltas 4.1, 5.1 and 6.2; sys/pmax/pmax/clock.c has 15625 microseconds.
TEST(Bsd, TickRates) {
  EXPECT_EQ(bsd41_system.tick_rate, Hertz(60));
  EXPECT_EQ(bsd42_system.tick_rate, Hertz(100));
  EXPECT_EQ(bsd43_system.tick_rate, Hertz(100));
  EXPECT_EQ(bsd44_system.tick_rate, Hertz(1'000'000 / 15625));
}

}  // namespace
}  // namespace hardclock::profil
