// Bodies of floating-point loads and stores: images in memory, address registers, faults, control
// and data speculation.
// Expectations: SDM 3, chapter 2 (ldf, ldfp, stf, chk, invala); SDM 1, sections 4.4.4, 4.4.5 and
// 5.3, figures 5-4 to 5-9; the host's formats.
#include "isa/ia64/semantics_floating_point_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/semantics_control.h"
#include "sim/base/endian.h"
#include "tests/unit/ia64/semantics_bench.h"

namespace hardclock::ia64 {
namespace {

using fp::FpRegister;
using Handler = Interpreter::Handler;

FpRegister number(double v) {
  return fp::from_double(std::bit_cast<std::uint64_t>(v));
}

constexpr std::uint64_t start = SemanticsBench::start, nowhere = SemanticsBench::nowhere;
// Fields of bodies: f6 and f7 for numbers, r8 for the address, r9 for what is added to it.
constexpr M6 f6_at_r8{.qp = 0, .f1 = 6, .r3 = 8, .ldhint = 0};
constexpr M9 r8_gets_f6{.qp = 0, .f2 = 6, .r3 = 8, .sthint = 0};
constexpr M11 f6_f7_at_r8{.qp = 0, .f1 = 6, .f2 = 7, .r3 = 8, .hint = 0};

class FloatMemory : public testing::Test {
 protected:
  FloatMemory() { bench.set_gr(8, start); }

  template <class T>
  void put(std::uint64_t address, T v) {
    std::array<std::uint8_t, sizeof(T)> bytes;
    store_bytes(bytes.data(), v, Endian::little);
    bench.put(address, bytes);
  }
  void put(std::uint64_t address, double v) { put(address, std::bit_cast<std::uint64_t>(v)); }
  void put(std::uint64_t address, float v) { put(address, std::bit_cast<std::uint32_t>(v)); }
  void run(Handler body) { EXPECT_FALSE(bench.run(body)); }

  SemanticsBench bench;
};

// ---- Formats.
TEST_F(FloatMemory, SinglesAndDoublesAreTheHosts) {
  for (const double v : {0.0, -1.5, 1e300, 5e-324, std::numeric_limits<double>::infinity()}) {
    put(start, v);
    run(BODY(ldfd(m, f6_at_r8)));
    EXPECT_EQ(bench.fr(6), number(v));
    bench.set_gr(8, start + 8);
    run(BODY(stfd(m, r8_gets_f6)));
    EXPECT_EQ(bench.bytes_at<8>(start + 8), bench.bytes_at<8>(start));
    bench.set_gr(8, start);
  }
  for (const float v : {0.0f, -1.5f, 1e38f, 1e-45f}) {
    put(start, v);
    run(BODY(ldfs(m, f6_at_r8)));
    if (std::isnormal(v)) {
      EXPECT_EQ(bench.fr(6), number(v));
    }
    bench.set_gr(8, start + 4);
    run(BODY(stfs(m, r8_gets_f6)));
    EXPECT_EQ(bench.bytes_at<4>(start + 4), bench.bytes_at<4>(start));
    bench.set_gr(8, start);
  }
}
TEST_F(FloatMemory, IntegersAreSignificands) {
  put(start, std::uint64_t{0x0123'4567'89ab'cdef});
  run(BODY(ldf8(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), fp::from_significand(0x0123'4567'89ab'cdef));
  bench.set_gr(8, start + 8);
  run(BODY(stf8(m, r8_gets_f6)));
  EXPECT_EQ(bench.bytes_at<8>(start + 8), bench.bytes_at<8>(start));
}

// A negative number between 1 and 2 as x87 has it, sign and exponent last; all bytes differ.
constexpr std::array<std::uint8_t, 10> extended_image = {0x01, 0x23, 0x45, 0x67, 0x89,
                                                         0xab, 0xcd, 0xef, 0xff, 0xbf};
constexpr FpRegister extended_number{0xefcd'ab89'6745'2301, fp::exponent_bias, true};
// The same spilled: the sign in bit 17 of the second doubleword, the exponent below.
constexpr std::array<std::uint8_t, 16> spill_image = {
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xff, 0xff, 0x02, 0, 0, 0, 0, 0};

template <std::size_t count>
std::array<std::uint8_t, count> reversed(std::array<std::uint8_t, count> image) {
  std::reverse(image.begin(), image.end());
  return image;
}

TEST_F(FloatMemory, ExtendedImages) {
  bench.put(start, extended_image);
  run(BODY(ldfe(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), extended_number);
  bench.set_gr(8, start + 16);
  run(BODY(stfe(m, r8_gets_f6)));
  EXPECT_EQ(bench.bytes_at<10>(start + 16), extended_image);
  EXPECT_EQ(bench.bytes_at<1>(start + 26)[0], 0);
}
TEST_F(FloatMemory, SpillImages) {
  bench.put(start, spill_image);
  run(BODY(ldf_fill(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), extended_number);
  bench.set_gr(8, start + 16);
  run(BODY(stf_spill(m, r8_gets_f6)));
  EXPECT_EQ(bench.bytes_at<16>(start + 16), spill_image);
}
// SDM 1, figures 5-6 and 5-9: a big-endian image is the little-endian one reversed, whole.
TEST_F(FloatMemory, BigEndianImages) {
  bench.registers().user_mask = um_be;
  bench.put(start, reversed(extended_image));
  run(BODY(ldfe(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), extended_number);
  bench.fr(6) = extended_number;
  bench.set_gr(8, start + 16);
  run(BODY(stfe(m, r8_gets_f6)));
  EXPECT_EQ(bench.bytes_at<10>(start + 16), reversed(extended_image));
  run(BODY(stf_spill(m, r8_gets_f6)));
  EXPECT_EQ(bench.bytes_at<16>(start + 16), reversed(spill_image));
  bench.fr(6) = fp::zero;
  run(BODY(ldf_fill(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), extended_number);
}
TEST_F(FloatMemory, PairsTakeTheLowerAddressFirst) {
  put(start, 1.25);
  put(start + 8, -3.5);
  run(BODY(ldfd(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  EXPECT_EQ(bench.fr(7), number(-3.5));
  run(BODY(ldf8(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(7), fp::from_significand(std::bit_cast<std::uint64_t>(-3.5)));
  put(start + 8, 2.5f);
  put(start + 12, 7.0f);
  bench.set_gr(8, start + 8);
  run(BODY(ldfs(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(6), number(2.5));
  EXPECT_EQ(bench.fr(7), number(7));
}
TEST_F(FloatMemory, BigEndianPairsTakeTheLowerAddressFirst) {
  bench.registers().user_mask = um_be;
  std::array<std::uint8_t, 8> bytes;
  store_bytes(bytes.data(), std::bit_cast<std::uint32_t>(2.5f), Endian::big);
  store_bytes(bytes.data() + 4, std::bit_cast<std::uint32_t>(7.0f), Endian::big);
  bench.put(start, bytes);
  run(BODY(ldfs(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(6), number(2.5));
  EXPECT_EQ(bench.fr(7), number(7));
}

// ---- Address registers.
TEST_F(FloatMemory, BasesAreUpdated) {
  put(start, 1.25);
  bench.set_gr(9, 48);
  run(BODY(ldfd(m, M7{.qp = 0, .f1 = 6, .r2 = 9, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.fr(6), number(1.25));
  EXPECT_EQ(bench.gr(8), start + 48);
  run(BODY(stfd(m, M10{.imm9_store = -8, .qp = 0, .f2 = 6, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.gr(8), start + 40);
  EXPECT_EQ(bench.bytes_at<8>(start + 48), bench.bytes_at<8>(start));
  bench.set_gr(7, start + 16);
  run(BODY(ldf_fill(m, M8{.imm9 = -256, .qp = 0, .f1 = 6, .r3 = 7, .hint = 0})));
  EXPECT_EQ(bench.gr(7), start + 16 - 256);
}
TEST_F(FloatMemory, PairsAddTheirSize) {
  run(BODY(ldfs(m, M12{.qp = 0, .f1 = 6, .f2 = 7, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.gr(8), start + 8);
  bench.set_gr(8, start);
  run(BODY(ldfd(m, M12{.qp = 0, .f1 = 6, .f2 = 7, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.gr(8), start + 16);
  run(BODY(ldf8_s(m, M12{.qp = 0, .f1 = 6, .f2 = 7, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.gr(8), start + 32);
}
TEST_F(FloatMemory, ANaTInTheIncrementMakesTheBaseOne) {
  bench.set_gr(9, 8, true);
  run(BODY(ldfd(m, M7{.qp = 0, .f1 = 6, .r2 = 9, .r3 = 8, .hint = 0})));
  EXPECT_TRUE(bench.nat(8));
  EXPECT_EQ(bench.gr(8), start + 8);
}
TEST_F(FloatMemory, ADeferredLoadUpdatesItsBase) {
  bench.set_gr(8, nowhere);
  run(BODY(ldfd_s(m, M8{.imm9 = 24, .qp = 0, .f1 = 6, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.fr(6), fp::nat_value);
  EXPECT_EQ(bench.gr(8), nowhere + 24);
  EXPECT_FALSE(bench.nat(8));
  bench.set_gr(8, start, true);
  run(BODY(ldfd_s(m, M8{.imm9 = 24, .qp = 0, .f1 = 6, .r3 = 8, .hint = 0})));
  EXPECT_EQ(bench.fr(6), fp::nat_value);
  EXPECT_TRUE(bench.nat(8));
}
TEST_F(FloatMemory, R0IsNoBaseToUpdate) {
  const Registers before = bench.registers();
  for (const Handler body :
       {Handler(BODY(ldfd(m, M8{.imm9 = 8, .qp = 0, .f1 = 6, .r3 = 0, .hint = 0}))),
        Handler(BODY(ldfd(m, M7{.qp = 0, .f1 = 6, .r2 = 9, .r3 = 0, .hint = 0}))),
        Handler(BODY(stfd(m, M10{.imm9_store = 8, .qp = 0, .f2 = 6, .r3 = 0, .hint = 0}))),
        Handler(BODY(ldfd(m, M12{.qp = 0, .f1 = 6, .f2 = 7, .r3 = 0, .hint = 0}))),
        // Outside the frame, which has no register.
        Handler(BODY(ldfd(m, M8{.imm9 = 8, .qp = 0, .f1 = 6, .r3 = 32, .hint = 0})))}) {
    EXPECT_TRUE(is_illegal(bench.run(body), IllegalUse::operation));
    EXPECT_EQ(bench.registers(), before);
  }
}

// ---- Faults.
TEST_F(FloatMemory, NaTsAreConsumed) {
  bench.set_gr(8, start, true);
  const Registers before = bench.registers();
  for (const Handler body :
       {Handler(BODY(ldfd(m, f6_at_r8))), Handler(BODY(ldfd_a(m, f6_at_r8))),
        Handler(BODY(ldfd_c_nc(m, f6_at_r8))), Handler(BODY(ldf_fill(m, f6_at_r8))),
        Handler(BODY(ldfd(m, f6_f7_at_r8))), Handler(BODY(stfd(m, r8_gets_f6)))}) {
    EXPECT_TRUE(is_illegal(bench.run(body), IllegalUse::nat_consumption));
    EXPECT_EQ(bench.registers(), before);
  }
}
TEST_F(FloatMemory, OnlyASpillStoresANaTVal) {
  bench.fr(6) = fp::nat_value;
  for (const Handler body :
       {Handler(BODY(stfs(m, r8_gets_f6))), Handler(BODY(stfd(m, r8_gets_f6))),
        Handler(BODY(stf8(m, r8_gets_f6))), Handler(BODY(stfe(m, r8_gets_f6)))}) {
    EXPECT_TRUE(is_illegal(bench.run(body), IllegalUse::nat_consumption));
  }
  run(BODY(stf_spill(m, r8_gets_f6)));
  bench.fr(6) = fp::one;
  run(BODY(ldf_fill(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), fp::nat_value);
}
TEST_F(FloatMemory, AFaultLeavesRegistersAndMemory) {
  bench.set_gr(8, nowhere - 8);
  bench.fr(6) = extended_number;
  Registers before = bench.registers();
  EXPECT_TRUE(
      is_memory(bench.run(BODY(ldfe(m, M8{.imm9 = 16, .qp = 0, .f1 = 6, .r3 = 8, .hint = 0}))),
                Fault::Kind::unmapped));
  EXPECT_EQ(bench.registers(), before);
  EXPECT_TRUE(is_memory(bench.run(BODY(stfd(m, r8_gets_f6))), Fault::Kind::protection));
  // Into the page that can only be read.
  for (const std::uint64_t in_first_page : {2, 8, 9}) {
    const std::uint64_t address = SemanticsBench::read_only - in_first_page;
    bench.set_gr(8, address);
    before = bench.registers();
    EXPECT_TRUE(is_memory(bench.run(BODY(stfe(m, r8_gets_f6))), Fault::Kind::protection));
    EXPECT_EQ(bench.registers(), before);
    EXPECT_EQ(bench.bytes_at<10>(address), (std::array<std::uint8_t, 10>{}));
  }
}
TEST_F(FloatMemory, Alignment) {
  bench.set_gr(8, start + 4);
  // Split for the program.
  run(BODY(ldfd(m, f6_at_r8)));
  run(BODY(ldfe(m, f6_at_r8)));
  run(BODY(stfe(m, r8_gets_f6)));
  // Never split: a spill image and a pair.
  bench.set_gr(8, start + 8);
  for (const Handler body :
       {Handler(BODY(ldf_fill(m, f6_at_r8))), Handler(BODY(stf_spill(m, r8_gets_f6))),
        Handler(BODY(ldfd(m, f6_f7_at_r8))), Handler(BODY(ldf8_c_nc(m, f6_f7_at_r8)))}) {
    EXPECT_TRUE(is_memory(bench.run(body), Fault::Kind::misaligned));
  }
  run(BODY(ldfs(m, f6_f7_at_r8)));
  // Ten bytes belong at a multiple of 16 (SDM 1, section 3.2.2).
  bench.registers().user_mask |= um_ac;
  for (const Handler body :
       {Handler(BODY(ldfe(m, f6_at_r8))), Handler(BODY(stfe(m, r8_gets_f6)))}) {
    EXPECT_TRUE(is_memory(bench.run(body), Fault::Kind::misaligned));
  }
  run(BODY(ldfd(m, f6_at_r8)));
  bench.set_gr(8, start + 4);
  EXPECT_TRUE(is_memory(bench.run(BODY(ldfd(m, f6_at_r8))), Fault::Kind::misaligned));
  bench.set_gr(8, start + 16);
  run(BODY(ldfe(m, f6_at_r8)));
}
TEST_F(FloatMemory, TargetsOfAPairAreInDifferentBanks) {
  run(BODY(ldfd(m, M11{.qp = 0, .f1 = 7, .f2 = 8, .r3 = 8, .hint = 0})));
  run(BODY(ldfd(m, M11{.qp = 0, .f1 = 33, .f2 = 40, .r3 = 8, .hint = 0})));
  run(BODY(ldfd(m, M11{.qp = 0, .f1 = 7, .f2 = 40, .r3 = 8, .hint = 0})));
  const auto expect_illegal = [this](Handler body) {
    EXPECT_TRUE(is_illegal(bench.run(body), IllegalUse::operation));
  };
  expect_illegal(BODY(ldfd(m, M11{.qp = 0, .f1 = 6, .f2 = 6, .r3 = 8, .hint = 0})));
  expect_illegal(BODY(ldfd(m, M11{.qp = 0, .f1 = 6, .f2 = 8, .r3 = 8, .hint = 0})));
  expect_illegal(BODY(ldfd(m, M11{.qp = 0, .f1 = 33, .f2 = 41, .r3 = 8, .hint = 0})));
  expect_illegal(BODY(ldfd(m, M11{.qp = 0, .f1 = 1, .f2 = 6, .r3 = 8, .hint = 0})));
  expect_illegal(BODY(ldfd(m, M11{.qp = 0, .f1 = 6, .f2 = 1, .r3 = 8, .hint = 0})));
  // Rotation by one changes the bank of those that rotate.
  run(BODY(m.transform(Transform::rotate, m.constant(1))));
  run(BODY(ldfd(m, M11{.qp = 0, .f1 = 33, .f2 = 40, .r3 = 8, .hint = 0})));
  expect_illegal(BODY(ldfd(m, M11{.qp = 0, .f1 = 7, .f2 = 40, .r3 = 8, .hint = 0})));
  run(BODY(ldfd(m, M11{.qp = 0, .f1 = 6, .f2 = 40, .r3 = 8, .hint = 0})));
  run(BODY(m.transform(Transform::rotate, m.constant(1))));
  run(BODY(ldfd(m, M11{.qp = 0, .f1 = 7, .f2 = 40, .r3 = 8, .hint = 0})));
}

// ---- Control speculation.
TEST_F(FloatMemory, SpeculativeLoadsDefer) {
  put(start, 1.25);
  run(BODY(ldfd_s(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  const auto expect_deferred = [this](std::uint64_t address, Handler body) {
    bench.set_gr(8, address);
    bench.fr(6) = bench.fr(7) = fp::one;
    run(body);
    EXPECT_EQ(bench.fr(6), fp::nat_value);
  };
  expect_deferred(nowhere, BODY(ldfd_s(m, f6_at_r8)));
  expect_deferred(nowhere - 8, BODY(ldfe_s(m, f6_at_r8)));
  expect_deferred(0, BODY(ldfs_sa(m, f6_at_r8)));
  expect_deferred(start + 8, BODY(ldfd_s(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(7), fp::nat_value);
  bench.registers().user_mask |= um_ac;
  expect_deferred(start + 4, BODY(ldfd_s(m, f6_at_r8)));
  expect_deferred(start + 8, BODY(ldfe_s(m, f6_at_r8)));
}
TEST_F(FloatMemory, ChecksOfNaTVals) {
  bench.fr(6) = fp::one;
  run(BODY(chk_s(m, M21{.target25_chk = 0x40, .qp = 0, .f2 = 6})));
  EXPECT_FALSE(bench.target());
  bench.fr(6) = fp::nat_value;
  run(BODY(chk_s(m, M21{.target25_chk = -0x40, .qp = 0, .f2 = 6})));
  EXPECT_EQ(bench.target(), SemanticsBench::pc - 0x40);
}

// ---- Data speculation. What is put into memory past the ALAT tells whether a check loads.
TEST_F(FloatMemory, ACheckThatHitsLoadsNothing) {
  put(start, 1.25);
  run(BODY(ldfd_a(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  put(start, 2.5);
  run(BODY(ldfd_c_nc(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  run(BODY(ldfd_c_clr(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  // .clr has removed the entry.
  run(BODY(ldfd_c_clr(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(2.5));
  EXPECT_EQ(bench.registers().alat.size(), 0u);
}
TEST_F(FloatMemory, ACheckThatMissesMayInsert) {
  put(start, 1.25);
  run(BODY(ldfd_c_nc(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  put(start, 2.5);
  run(BODY(ldfd_c_nc(m, f6_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
}
TEST_F(FloatMemory, StoresOfEachSizeRemoveWhatTheyTouch) {
  bench.fr(7) = number(4);
  constexpr std::uint64_t behind = start + 16;
  struct {
    Handler store;
    std::uint64_t bytes;
  } const cases[] = {
      {BODY(stfs(m, M9{.qp = 0, .f2 = 7, .r3 = 9, .sthint = 0})), 4},
      {BODY(stfd(m, M9{.qp = 0, .f2 = 7, .r3 = 9, .sthint = 0})), 8},
      {BODY(stf8(m, M9{.qp = 0, .f2 = 7, .r3 = 9, .sthint = 0})), 8},
      {BODY(stfe(m, M9{.qp = 0, .f2 = 7, .r3 = 9, .sthint = 0})), 10},
  };
  for (const auto& c : cases) {
    for (const bool touches : {false, true}) {
      bench.set_gr(8, behind);
      run(BODY(ldfs_a(m, f6_at_r8)));
      bench.set_gr(9, behind - c.bytes + (touches ? 1 : 0));
      run(c.store);
      run(BODY(chk_a_clr_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 6})));
      EXPECT_EQ(bench.target().has_value(), touches) << c.bytes;
    }
  }
  run(BODY(ldfe_a(m, f6_at_r8)));
  bench.set_gr(9, behind);
  run(BODY(stf_spill(m, M9{.qp = 0, .f2 = 7, .r3 = 9, .sthint = 0})));
  EXPECT_EQ(bench.registers().alat.size(), 0u);
}
TEST_F(FloatMemory, EntriesHaveTheBytesOfTheLoad) {
  struct {
    Handler load;
    std::uint64_t bytes;
  } const cases[] = {
      {BODY(ldfs_a(m, f6_at_r8)), 4},        {BODY(ldfd_a(m, f6_at_r8)), 8},
      {BODY(ldf8_sa(m, f6_at_r8)), 8},       {BODY(ldfe_a(m, f6_at_r8)), 10},
      {BODY(ldfs_a(m, f6_f7_at_r8)), 8},     {BODY(ldfd_sa(m, f6_f7_at_r8)), 16},
      {BODY(ldf8_c_nc(m, f6_f7_at_r8)), 16},
  };
  for (const auto& c : cases) {
    bench.registers().alat.clear();
    run(c.load);
    const std::size_t entries = bench.registers().alat.size();
    bench.registers().alat.store(start + c.bytes, 1);
    EXPECT_EQ(bench.registers().alat.size(), entries) << c.bytes;
    bench.registers().alat.store(start + c.bytes - 1, 1);
    EXPECT_EQ(bench.registers().alat.size(), 0u) << c.bytes;
  }
}
TEST_F(FloatMemory, ADeferredAdvancedLoadHasNoEntry) {
  run(BODY(ldfd_a(m, f6_at_r8)));
  bench.set_gr(8, nowhere);
  run(BODY(ldfd_sa(m, f6_at_r8)));
  EXPECT_EQ(bench.registers().alat.size(), 0u);
}
TEST_F(FloatMemory, AnAdvancedLoadThatFaultsHasNoEntry) {
  run(BODY(ldfd_a(m, f6_at_r8)));
  bench.set_gr(8, nowhere);
  EXPECT_TRUE(is_memory(bench.run(BODY(ldfd_a(m, f6_at_r8))), Fault::Kind::unmapped));
  EXPECT_EQ(bench.registers().alat.size(), 0u);
}
TEST_F(FloatMemory, APairHitsIfBothRegistersDo) {
  put(start, 1.25);
  put(start + 8, -3.5);
  run(BODY(ldfd_a(m, f6_f7_at_r8)));
  put(start, 2.5);
  run(BODY(ldfd_c_nc(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(6), number(1.25));
  run(BODY(invala_e_f(m, M27{.qp = 0, .f1 = 7})));
  EXPECT_EQ(bench.registers().alat.size(), 1u);
  run(BODY(ldfd_c_clr(m, f6_f7_at_r8)));
  EXPECT_EQ(bench.fr(6), number(2.5));
  EXPECT_EQ(bench.fr(7), number(-3.5));
  EXPECT_EQ(bench.registers().alat.size(), 0u);
}
TEST_F(FloatMemory, AdvancedChecksBranchOnAMiss) {
  constexpr std::uint64_t target = SemanticsBench::pc + 0x40;
  run(BODY(ldfd_a(m, f6_at_r8)));
  run(BODY(chk_a_nc_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 6})));
  EXPECT_FALSE(bench.target());
  run(BODY(chk_a_clr_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 6})));
  EXPECT_FALSE(bench.target());
  run(BODY(chk_a_nc_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 6})));
  EXPECT_EQ(bench.target(), target);
  run(BODY(chk_a_clr_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 0})));
  EXPECT_EQ(bench.target(), target);
}
TEST_F(FloatMemory, EntriesFollowRotation) {
  run(BODY(ldfd_a(m, M6{.qp = 0, .f1 = 40, .r3 = 8, .ldhint = 0})));
  run(BODY(m.transform(Transform::rotate, m.constant(1))));
  run(BODY(chk_a_nc_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 40})));
  EXPECT_TRUE(bench.target());
  run(BODY(chk_a_nc_f(m, M23{.target25 = 0x40, .qp = 0, .f1 = 41})));
  EXPECT_FALSE(bench.target());
}

}  // namespace
}  // namespace hardclock::ia64
