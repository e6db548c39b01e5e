// Floating point where IEEE 754 leaves MIPS a choice, and how FCSR keeps exceptions. Sources:
// "MIPS R4000 Microprocessor User's Manual", chapter 7; IEEE 754-1985, chapters 6 and 7.
#include "isa/mips/floating_point.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "isa/mips/floating_point_status.h"

namespace hardclock::mips::fp {
namespace {

// FCSR's cause and flag bits of one exception.
constexpr std::uint64_t cause(std::uint32_t exception) {
  return exception << 12;
}
constexpr std::uint64_t raised(std::uint32_t exception) {
  return exception << 12 | exception << 2;
}
constexpr std::uint64_t enable(std::uint32_t exception) {
  return exception << 7;
}
constexpr std::uint32_t inexact = 1, underflow = 2, overflow = 4, divide_by_zero = 8, invalid = 16;

constexpr std::uint64_t quiet_s = 0x7f80'1234, other_quiet_s = 0xffbf'ffff;
constexpr std::uint64_t signalling_s = 0x7fc0'0000;
constexpr std::uint64_t quiet_d = 0xfff0'0000'0000'1234, signalling_d = 0x7ff8'0000'0000'0000;
constexpr std::uint64_t one_s = 0x3f80'0000, infinity_s = 0x7f80'0000;
constexpr std::uint64_t one_d = 0x3ff0'0000'0000'0000;
// A quiet NaN's first fraction bit is clear; the default one has all the others set.
constexpr std::uint64_t default_s = 0x7fbf'ffff, default_d = 0x7ff7'ffff'ffff'ffff;

TEST(FloatingPoint, AQuietNanGoesThroughTheFirstOfTwo) {
  EXPECT_EQ(add_s(quiet_s, one_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(sub_s(one_s, quiet_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(mul_s(quiet_s, other_quiet_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(div_s(other_quiet_s, quiet_s, 0), (Outcome{other_quiet_s, 0}));
  EXPECT_EQ(sqrt_s(other_quiet_s, 0), (Outcome{other_quiet_s, 0}));
  EXPECT_EQ(div_d(quiet_d, 0, 0), (Outcome{quiet_d, 0}));
  EXPECT_EQ(single_to_double(other_quiet_s, 0), (Outcome{0xfff7'ffff'e000'0000, 0}));
  EXPECT_EQ(double_to_single(0xfff7'ffff'ffff'ffff, 0), (Outcome{other_quiet_s, 0}));
}

// Linux does the same (arch/mips/math-emu/sp_fdp.c): what remains would be an infinity.
TEST(FloatingPoint, AQuietNanWhosePayloadIsLostBecomesTheDefaultNan) {
  EXPECT_EQ(double_to_single(quiet_d, 0), (Outcome{default_s, 0}));
}

TEST(FloatingPoint, ASignallingNanIsInvalid) {
  const Outcome invalid_s{default_s, raised(invalid)}, invalid_d{default_d, raised(invalid)};
  EXPECT_EQ(add_s(signalling_s, quiet_s, 0), invalid_s);
  EXPECT_EQ(add_s(quiet_s, signalling_s, 0), invalid_s);
  EXPECT_EQ(sqrt_d(signalling_d, 0), invalid_d);
  EXPECT_EQ(single_to_double(signalling_s, 0), invalid_d);
  EXPECT_EQ(double_to_single(signalling_d, 0), invalid_s);
  EXPECT_EQ(single_to_word(signalling_s, 0, 0), (Outcome{0x7fff'ffff, raised(invalid)}));
}

TEST(FloatingPoint, InvalidOperationsGiveTheDefaultNan) {
  const Outcome invalid_s{default_s, raised(invalid)};
  EXPECT_EQ(sub_s(infinity_s, infinity_s, 0), invalid_s);
  EXPECT_EQ(mul_s(infinity_s, 0, 0), invalid_s);
  EXPECT_EQ(div_s(0, 0, 0), invalid_s);
  EXPECT_EQ(div_s(infinity_s, infinity_s, 0), invalid_s);
  EXPECT_EQ(sqrt_s(0xbf80'0000, 0), invalid_s);
}

// ABS and NEG are arithmetic operations, MOV is not (R4000 manual, 7.4, Invalid operation).
TEST(FloatingPoint, AbsAndNegAreArithmetic) {
  EXPECT_EQ(abs_s(0xbf80'0000, cause(inexact)), (Outcome{one_s, 0}));
  EXPECT_EQ(neg_s(0, 0), (Outcome{0x8000'0000, 0}));
  EXPECT_EQ(neg_d(one_d, 0), (Outcome{one_d | std::uint64_t{1} << 63, 0}));
  EXPECT_EQ(abs_s(signalling_s, 0), (Outcome{default_s, raised(invalid)}));
  EXPECT_EQ(neg_d(signalling_d, 0), (Outcome{default_d, raised(invalid)}));
  EXPECT_EQ(abs_d(quiet_d, 0), (Outcome{quiet_d, 0}));
  EXPECT_EQ(neg_s(quiet_s, 0), (Outcome{quiet_s, 0}));
}

TEST(FloatingPoint, TheCauseIsTheLastOperationsAndTheFlagsCollect) {
  const std::uint64_t zero_divided = div_s(one_s, 0, 0)[1];
  EXPECT_EQ(zero_divided, raised(divide_by_zero));
  const std::uint64_t then_inexact = div_s(one_s, 0x4040'0000, zero_divided)[1];
  EXPECT_EQ(then_inexact, raised(inexact) | divide_by_zero << 2);
  const std::uint64_t then_exact = add_s(one_s, one_s, then_inexact)[1];
  EXPECT_EQ(then_exact, (inexact | divide_by_zero) << 2);
}

// A trapping operation sets its cause only; one enabled exception of several withholds all flags.
TEST(FloatingPoint, AnEnabledExceptionTrapsAndLeavesTheFlags) {
  const std::uint64_t fcsr = enable(overflow);
  const std::uint64_t after = mul_s(0x7f7f'ffff, 0x7f7f'ffff, fcsr)[1];
  EXPECT_EQ(after, fcsr | cause(overflow | inexact));
  EXPECT_EQ(enabled_causes(after), overflow);
  EXPECT_EQ(enabled_causes(div_s(one_s, 0x4040'0000, fcsr)[1]), 0u);
}

TEST(FloatingPoint, UnimplementedOperationIsAlwaysEnabled) {
  EXPECT_EQ(enabled_causes(0), 0u);
  EXPECT_EQ(enabled_causes(0x0080'0fff), 0u);
  EXPECT_EQ(enabled_causes(1 << 17), 32u);
  EXPECT_EQ(enabled_causes(enable(invalid | inexact) | cause(invalid | underflow)), invalid);
}

// "The MIPS architecture requires that tininess be detected after rounding" (R4000 manual, 7.4).
TEST(FloatingPoint, TininessIsDetectedAfterRounding) {
  const std::uint64_t smallest = 0x0080'0000;
  // (1 + 2^-23) * (1 - 2^-23) * 2^-126 = 2^-126 - 2^-172: at 24 bits it rounds to 2^-126.
  EXPECT_EQ(mul_s(0x3f80'0001, 0x007f'ffff, 0), (Outcome{smallest, raised(inexact)}));
  // (1 - 2^-24) * 2^-126 has 24 bits. Only the format's range makes it 2^-126.
  EXPECT_EQ(mul_s(0x3f7f'ffff, smallest, 0), (Outcome{smallest, raised(inexact | underflow)}));
}

TEST(FloatingPoint, AnExactDenormalUnderflowsWhenUnderflowTraps) {
  EXPECT_EQ(add_s(1, 1, 0), (Outcome{2, 0}));
  EXPECT_EQ(add_s(1, 1, enable(overflow)), (Outcome{2, enable(overflow)}));
  EXPECT_EQ(add_s(1, 1, enable(underflow))[1], enable(underflow) | cause(underflow));
  EXPECT_EQ(
      double_to_single(0x3690'0000'0000'0000 + (std::uint64_t{1} << 52), enable(underflow))[1],
      enable(underflow) | cause(underflow));
}

// R4000 manual, appendix B, C.cond.fmt, table of predicates: true when greater, less, equal,
// unordered; invalid when unordered.
struct Predicate {
  const char* name;
  bool greater, less, equal, unordered, signals;
};
constexpr std::array<Predicate, 16> predicates = {{{"F", 0, 0, 0, 0, 0},
                                                   {"UN", 0, 0, 0, 1, 0},
                                                   {"EQ", 0, 0, 1, 0, 0},
                                                   {"UEQ", 0, 0, 1, 1, 0},
                                                   {"OLT", 0, 1, 0, 0, 0},
                                                   {"ULT", 0, 1, 0, 1, 0},
                                                   {"OLE", 0, 1, 1, 0, 0},
                                                   {"ULE", 0, 1, 1, 1, 0},
                                                   {"SF", 0, 0, 0, 0, 1},
                                                   {"NGLE", 0, 0, 0, 1, 1},
                                                   {"SEQ", 0, 0, 1, 0, 1},
                                                   {"NGL", 0, 0, 1, 1, 1},
                                                   {"LT", 0, 1, 0, 0, 1},
                                                   {"NGE", 0, 1, 0, 1, 1},
                                                   {"LE", 0, 1, 1, 0, 1},
                                                   {"NGT", 0, 1, 1, 1, 1}}};

TEST(FloatingPoint, ComparePredicates) {
  const std::uint64_t minus_one = 0xbf80'0000, minus_zero = 0x8000'0000;
  for (std::uint64_t condition = 0; condition < 16; ++condition) {
    const Predicate& predicate = predicates[condition];
    SCOPED_TRACE(predicate.name);
    const std::uint64_t control = condition << 32;
    const std::uint64_t status = predicate.signals ? raised(invalid) : 0;
    EXPECT_EQ(compare_s(one_s, minus_one, control), (Outcome{predicate.greater, 0}));
    EXPECT_EQ(compare_s(minus_one, one_s, control), (Outcome{predicate.less, 0}));
    EXPECT_EQ(compare_s(minus_zero, 0, control), (Outcome{predicate.equal, 0}));
    EXPECT_EQ(compare_s(one_s, quiet_s, control), (Outcome{predicate.unordered, status}));
    EXPECT_EQ(compare_d(one_d, 0, control), (Outcome{predicate.greater, 0}));
    EXPECT_EQ(compare_d(0, one_d, control), (Outcome{predicate.less, 0}));
    EXPECT_EQ(compare_d(quiet_d, quiet_d, control), (Outcome{predicate.unordered, status}));
    EXPECT_EQ(compare_d(signalling_d, one_d, control),
              (Outcome{predicate.unordered, raised(invalid)}));
  }
}

// 1 / x and 1 / sqrt(x) are IEEE operations: division by zero, invalid, NaNs that go through.
TEST(FloatingPoint, ReciprocalsOfSpecialNumbers) {
  const std::uint64_t minus = 0x8000'0000;
  const Outcome invalid_s{default_s, raised(invalid)};
  EXPECT_EQ(recip_s(0, 0), (Outcome{infinity_s, raised(divide_by_zero)}));
  EXPECT_EQ(recip_s(minus, 0), (Outcome{minus | infinity_s, raised(divide_by_zero)}));
  EXPECT_EQ(recip_s(infinity_s, 0), (Outcome{0, 0}));
  EXPECT_EQ(recip_s(quiet_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(recip_s(signalling_s, 0), invalid_s);
  EXPECT_EQ(rsqrt_s(minus, 0), (Outcome{minus | infinity_s, raised(divide_by_zero)}));
  EXPECT_EQ(rsqrt_s(infinity_s, 0), (Outcome{0, 0}));
  EXPECT_EQ(rsqrt_s(minus | one_s, 0), invalid_s);
  EXPECT_EQ(rsqrt_s(other_quiet_s, 0), (Outcome{other_quiet_s, 0}));
  EXPECT_EQ(rsqrt_d(signalling_d, 0), (Outcome{default_d, raised(invalid)}));
  EXPECT_EQ(rsqrt_d(0x4010'0000'0000'0000, 0), (Outcome{0x3fe0'0000'0000'0000, 0}));
}

Outcome multiply_add_s(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t fcsr,
                       std::uint64_t variant) {
  return fp::multiply_add_s(a, b, c, fcsr | variant << 32);
}

// As a multiplication, an addition and a negation would: the first NaN goes through all three, and
// the flags of all collect ("MIPS64 Architecture For Programmers", volume II, NMADD.fmt).
TEST(FloatingPoint, MultiplyAndAddOfSpecialNumbers) {
  for (const std::uint64_t model : {std::uint64_t{0}, std::uint64_t{fused}}) {
    SCOPED_TRACE(model);
    for (const std::uint64_t variant : {0, 1, 2, 3}) {
      const auto all = variant | model;
      EXPECT_EQ(multiply_add_s(one_s, quiet_s, other_quiet_s, 0, all), (Outcome{quiet_s, 0}));
      EXPECT_EQ(multiply_add_s(one_s, one_s, other_quiet_s, 0, all), (Outcome{other_quiet_s, 0}));
      EXPECT_EQ(multiply_add_s(one_s, quiet_s, signalling_s, 0, all),
                (Outcome{default_s, raised(invalid)}));
      EXPECT_EQ(multiply_add_s(0, infinity_s, quiet_s, 0, all),
                (Outcome{default_s, raised(invalid)}));
    }
    // 1 * 1 - 1 is +0, -0 toward negative infinity; NMSUB negates that.
    EXPECT_EQ(multiply_add_s(one_s, one_s, one_s, 0, subtract | model), (Outcome{0, 0}));
    EXPECT_EQ(multiply_add_s(one_s, one_s, one_s, 3, subtract | model), (Outcome{0x8000'0000, 3}));
    EXPECT_EQ(multiply_add_s(one_s, one_s, one_s, 3, subtract | negate | model), (Outcome{0, 3}));
  }
  // The product overflows; infinity and the addend are exact.
  const std::uint64_t largest = 0x7f7f'ffff;
  EXPECT_EQ(multiply_add_s(largest, largest, one_s, 0, 0),
            (Outcome{infinity_s, raised(overflow | inexact)}));
  EXPECT_EQ(multiply_add_s(largest, largest, one_s, enable(overflow), negate)[1],
            enable(overflow) | cause(overflow | inexact));
}

// "MIPS R4000 User's Manual", table 7-1, default action on underflow, by rounding mode.
TEST(FloatingPoint, FlushToZeroFollowsTheRoundingMode) {
  constexpr std::uint64_t flush = 1 << 24, smallest = 0x0080'0000, minus = 0x8000'0000;
  constexpr std::uint64_t half = 0x3f00'0000;
  const std::uint64_t positive[4] = {0, 0, smallest, 0};
  const std::uint64_t negative[4] = {minus, minus, minus, minus | smallest};
  for (std::uint64_t rounding = 0; rounding < 4; ++rounding) {
    const std::uint64_t fcsr = flush | rounding, after = fcsr | raised(underflow | inexact);
    EXPECT_EQ(mul_s(smallest, half, fcsr), (Outcome{positive[rounding], after}));
    EXPECT_EQ(mul_s(minus | smallest, half, fcsr), (Outcome{negative[rounding], after}));
    EXPECT_EQ(mul_s(smallest, 0, fcsr), (Outcome{0, fcsr}));
    // Denormal operands count: the sum is a normal number.
    EXPECT_EQ(add_s(1, smallest, fcsr), (Outcome{smallest + 1, fcsr}));
    EXPECT_EQ(abs_s(minus | 1, fcsr), (Outcome{1, fcsr}));
  }
  EXPECT_EQ(add_d(1, 1, flush | enable(underflow))[1],
            flush | enable(underflow) | cause(underflow | inexact));
}

TEST(FloatingPoint, LongsSaturate) {
  constexpr std::uint64_t largest = 0x7fff'ffff'ffff'ffff;
  const Outcome out_of_range{largest, raised(invalid)};
  EXPECT_EQ(double_to_long(0x43e0'0000'0000'0000, 0, 0), out_of_range);  // 2^63
  EXPECT_EQ(double_to_long(0xc3e0'0000'0000'0001, 0, 0), out_of_range);  // below -2^63
  EXPECT_EQ(double_to_long(0xc3e0'0000'0000'0000, 0, 0), (Outcome{largest + 1, 0}));
  EXPECT_EQ(single_to_long(0xff80'0000, 0, 1), out_of_range);
  EXPECT_EQ(double_to_long(quiet_d, 0, 2), out_of_range);
}

// Linux, arch/mips/kernel/traps.c, force_fcr31_sig: invalid, division by zero, overflow, underflow,
// inexact.
TEST(FloatingPoint, TheExceptionThatASignalNames) {
  const auto named = [](std::uint32_t causes, std::uint32_t enables) {
    return trapping_exception(static_cast<std::uint32_t>(cause(causes) | enable(enables)));
  };
  EXPECT_EQ(named(31, 31), Exception::invalid);
  EXPECT_EQ(named(31, 15), Exception::divide_by_zero);
  EXPECT_EQ(named(overflow | inexact, 31), Exception::overflow);
  EXPECT_EQ(named(overflow | inexact, inexact), Exception::inexact);
  EXPECT_EQ(named(underflow | inexact, 31), Exception::underflow);
  EXPECT_EQ(named(inexact, 31), Exception::inexact);
  EXPECT_EQ(named(31, 0), Exception::none);
  EXPECT_EQ(trapping_exception(1 << 17), Exception::unimplemented);
  EXPECT_EQ(trapping_exception(1 << 17 | 1 << 12 | 1 << 7), Exception::inexact);
}

}  // namespace
}  // namespace hardclock::mips::fp
