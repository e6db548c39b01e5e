// ar.fpsr: SDM 1, section 5.2, and the value with which Linux starts programs
// (arch/ia64/include/asm/ fpu.h, FPSR_DEFAULT): no traps, 64 bits of precision, sf1 with the widest
// range and td, sf2 and sf3 with td.
#include "isa/ia64/floating_point_status.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>

#include "tests/unit/ia64/floating_point_oracle.h"

namespace hardclock::ia64::fp {
namespace {

constexpr std::uint64_t linux_start = 0x0009'804c'0270'033f;

TEST(Ia64FloatingPointStatus, FieldsOfLinuxStartValue) {
  EXPECT_EQ(controls(linux_start, 0), 0x0cu);
  EXPECT_EQ(controls(linux_start, 1), 0x4eu);
  EXPECT_EQ(controls(linux_start, 2), 0x4cu);
  EXPECT_EQ(controls(linux_start, 3), 0x4cu);
  for (unsigned sf = 0; sf < 4; ++sf) EXPECT_EQ(flags(linux_start, sf), 0u);
  EXPECT_FALSE(is_reserved(linux_start));
}

// Of sf0 to sf3, the lowest bit of the controls and of the flags (SDM 1, figures 5-2 and 5-3).
TEST(Ia64FloatingPointStatus, PlacesOfFields) {
  constexpr unsigned lowest_control[] = {6, 19, 32, 45}, lowest_flag[] = {13, 26, 39, 52};
  for (unsigned sf = 0; sf < 4; ++sf) {
    EXPECT_EQ(controls(std::uint64_t{0x7f} << lowest_control[sf], sf), 0x7fu);
    EXPECT_EQ(controls(~(std::uint64_t{0x7f} << lowest_control[sf]), sf), 0u);
    EXPECT_EQ(flags(std::uint64_t{0x3f} << lowest_flag[sf], sf), 0x3fu);
    EXPECT_EQ(flags(~(std::uint64_t{0x3f} << lowest_flag[sf]), sf), 0u);
    EXPECT_EQ(with_flags(linux_start, sf, inexact),
              linux_start | std::uint64_t{32} << lowest_flag[sf]);
  }
}

TEST(Ia64FloatingPointStatus, FlagsAreSticky) {
  const std::uint64_t once = with_flags(linux_start, 1, invalid);
  EXPECT_EQ(flags(with_flags(once, 1, inexact), 1), invalid | inexact);
  EXPECT_EQ(flags(with_flags(once, 1, 0), 1), invalid);
}

// Bits 63..58, the td of sf0, and pc = 1.
TEST(Ia64FloatingPointStatus, ReservedFields) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const bool reserved_alone = bit >= 58 || bit == 12;
    // pc is at the field's bits 2 and 3; alone, its lower bit means 1.
    const bool lower_of_pc = bit == 8 || bit == 21 || bit == 34 || bit == 47;
    EXPECT_EQ(is_reserved(std::uint64_t{1} << bit), reserved_alone || lower_of_pc) << bit;
    if (!lower_of_pc) continue;
    EXPECT_FALSE(is_reserved(std::uint64_t{3} << bit)) << bit;
    EXPECT_FALSE(is_reserved(std::uint64_t{2} << bit)) << bit;
  }
}

// SDM 1, table 5-6, with the exponents of table 5-1.
TEST(Ia64FloatingPointStatus, ComputationModels) {
  for (const Model& model : models) {
    const Environment environment = environment_of(model, {});
    EXPECT_EQ(environment.precision, model.precision);
    EXPECT_EQ(environment.least_exponent - 65535, model.emin);
    EXPECT_EQ(environment.greatest_exponent - 65535, model.emax);
  }
}

TEST(Ia64FloatingPointStatus, RoundingAndFlushing) {
  constexpr Rounding roundings[] = {Rounding::nearest, Rounding::down, Rounding::up,
                                    Rounding::zero};
  for (unsigned rc = 0; rc < 4; ++rc) {
    const std::uint64_t fpsr = std::uint64_t{rc << 4 | 12} << 45;
    EXPECT_EQ(environment(fpsr, 3, Completer::none).rounding, roundings[rc]);
    EXPECT_FALSE(environment(fpsr, 3, Completer::none).flushes);
    EXPECT_TRUE(environment(fpsr | std::uint64_t{1} << 45, 3, Completer::none).flushes);
  }
}

TEST(Ia64FloatingPointStatus, TrapDisableBits) {
  const std::uint64_t only_inexact = 0x1f;  // all but the inexact trap disabled
  EXPECT_EQ(environment(only_inexact, 1, Completer::none).disabled, 0x1fu);
  const std::uint64_t td = std::uint64_t{0x40} << 19;
  EXPECT_EQ(environment(only_inexact | td, 1, Completer::none).disabled, 0x3fu);
  EXPECT_EQ(environment(only_inexact | td, 2, Completer::none).disabled, 0x1fu);
}

// fsetc starts from sf0 whatever the field.
TEST(Ia64FloatingPointStatus, Fsetc) {
  EXPECT_EQ(fsetc(linux_start, 0, 0x7f, 0x00), linux_start);
  const auto wide = fsetc(linux_start, 2, 0x7f, 0x02);
  ASSERT_TRUE(wide);
  EXPECT_EQ(controls(*wide, 2), 0x0eu);
  EXPECT_EQ(*wide & ~(std::uint64_t{0x7f} << 32), linux_start & ~(std::uint64_t{0x7f} << 32));
  const auto to_zero = fsetc(linux_start, 0, 0x0c, 0x30);
  ASSERT_TRUE(to_zero);
  EXPECT_EQ(controls(*to_zero, 0), 0x3cu);
  EXPECT_FALSE(fsetc(linux_start, 0, 0x7f, 0x40)) << "td of sf0";
  EXPECT_TRUE(fsetc(linux_start, 1, 0x7f, 0x40));
  EXPECT_FALSE(fsetc(linux_start, 3, 0x77, 0x00)) << "pc 1";
}

TEST(Ia64FloatingPointStatus, Fclrf) {
  std::uint64_t fpsr = linux_start;
  for (unsigned sf = 0; sf < 4; ++sf) fpsr = with_flags(fpsr, sf, all_exceptions);
  for (unsigned sf = 0; sf < 4; ++sf) {
    fpsr = fclrf(fpsr, sf);
    EXPECT_EQ(flags(fpsr, sf), 0u);
    for (unsigned other = sf + 1; other < 4; ++other) {
      EXPECT_EQ(flags(fpsr, other), all_exceptions);
    }
  }
  EXPECT_EQ(fpsr, linux_start);
}

TEST(Ia64FloatingPointStatus, Fchkf) {
  EXPECT_FALSE(fchkf(linux_start, 2));
  const std::uint64_t alternate = with_flags(linux_start, 2, inexact);
  EXPECT_TRUE(fchkf(alternate, 2)) << "sf0 has not this flag";
  EXPECT_FALSE(fchkf(alternate, 3));
  const std::uint64_t both = with_flags(alternate, 0, inexact);
  EXPECT_FALSE(fchkf(both, 2));
  EXPECT_TRUE(fchkf(both & ~std::uint64_t{inexact}, 2)) << "the trap is enabled";
  EXPECT_TRUE(fchkf(with_flags(both, 2, overflow), 2));
}

// Linux's masks and their order.
TEST(Ia64FloatingPointStatus, ExceptionsOfSignals) {
  const struct {
    std::uint32_t mask;
    Exception exception;
  } faults[] = {{0x11, Exception::invalid},
                {0x22, Exception::underflow},
                {0x44, Exception::divide_by_zero}},
    traps[] = {
        {0x880, Exception::overflow}, {0x1100, Exception::underflow}, {0x2200, Exception::inexact}};
  const auto expect = [](const auto& rows) {
    std::uint32_t later = 0;
    for (auto row = std::rbegin(rows); row != std::rend(rows); ++row) {
      for (std::uint32_t bit = 1; bit <= row->mask; bit <<= 1) {
        if ((row->mask & bit) == 0) continue;
        EXPECT_EQ(trapping_exception(bit), row->exception) << bit;
        EXPECT_EQ(trapping_exception(bit | later), row->exception) << bit;
      }
      later |= row->mask;
    }
  };
  expect(faults);
  expect(traps);
  EXPECT_EQ(trapping_exception(0), Exception::none);
  EXPECT_EQ(trapping_exception(0x4400), Exception::none) << "fpa alone";
}

}  // namespace
}  // namespace hardclock::ia64::fp
