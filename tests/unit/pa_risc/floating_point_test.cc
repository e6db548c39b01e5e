// What PA-RISC adds to IEEE 754: NaNs, how exceptions reach the status and exception registers, the
// compare queue. Expectations: Linux, arch/parisc/math-emu, which is HP's emulation (file names
// below), "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition, chapter 6,
// and Kane, "PA-RISC 2.0 Architecture", chapter 8.
#include "isa/pa_risc/floating_point.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "isa/pa_risc/floating_point_status.h"

namespace hardclock::pa_risc::fp {
namespace {

constexpr std::uint64_t one_s = 0x3f80'0000, infinity_s = 0x7f80'0000, largest_s = 0x7f7f'ffff;
constexpr std::uint64_t quiet_s = 0x7f81'2345, other_quiet_s = 0xffa0'0007;
constexpr std::uint64_t signalling_s = 0xffc1'2345, signalling_quieted_s = 0xffa1'2345;
constexpr std::uint64_t default_s = 0x7fa0'0000;
constexpr std::uint64_t one_d = 0x3ff0'0000'0000'0000, infinity_d = 0x7ff0'0000'0000'0000;
constexpr std::uint64_t quiet_d = 0x7ff4'1234'5678'9abc;
constexpr std::uint64_t signalling_d = 0xfff8'1234'5678'9abc;
constexpr std::uint64_t signalling_quieted_d = 0xfff4'1234'5678'9abc;
constexpr std::uint64_t default_d = 0x7ff4'0000'0000'0000;

// Fields of the status register by the manual's bit numbers, 0 the leftmost.
constexpr std::uint64_t status_bit(unsigned n) {
  return std::uint64_t{1} << (63 - n);
}
constexpr std::uint64_t flag_v = status_bit(0), flag_z = status_bit(1), flag_o = status_bit(2),
                        flag_u = status_bit(3), flag_i = status_bit(4), c_bit = status_bit(5),
                        trap = status_bit(25), d_bit = status_bit(26), enable_v = status_bit(27),
                        enable_z = status_bit(28), enable_o = status_bit(29),
                        enable_u = status_bit(30), enable_i = status_bit(31);
constexpr std::uint64_t exception(unsigned code) {
  return std::uint64_t{code} << 26;
}

// sgl_float.h, Sgl_makequietnan; dbl_float.h, Dbl_makequietnan.
TEST(PaRiscFloatingPoint, InvalidOperationsYieldTheDefaultNan) {
  const Outcome invalid_s{default_s, flag_v}, invalid_d{default_d, flag_v};
  EXPECT_EQ(sub_s(infinity_s, infinity_s, 0), invalid_s);
  EXPECT_EQ(mul_s(infinity_s, 0, 0), invalid_s);
  EXPECT_EQ(div_s(0, sign_s, 0), invalid_s);
  EXPECT_EQ(sqrt_s(one_s | sign_s, 0), invalid_s);
  EXPECT_EQ(multiply_add_s(infinity_s, 0, one_s, 0), invalid_s);
  EXPECT_EQ(add_d(infinity_d, infinity_d | sign_d, 0), invalid_d);
  EXPECT_EQ(div_d(infinity_d, infinity_d, 0), invalid_d);
  EXPECT_EQ(sqrt_d(one_d | sign_d, 0), invalid_d);
  EXPECT_EQ(negate_multiply_add_d(infinity_d, one_d, infinity_d, 0), invalid_d);
  EXPECT_EQ(sqrt_d(sign_d, 0), (Outcome{sign_d, 0}));
}

// sfadd.c, sfmpy.c, fmpyfadd.c: of the operands the first signalling one, else the first.
TEST(PaRiscFloatingPoint, NansGoThrough) {
  EXPECT_EQ(add_s(quiet_s, other_quiet_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(sub_s(one_s, other_quiet_s, 0), (Outcome{other_quiet_s, 0}));
  EXPECT_EQ(mul_s(quiet_s, signalling_s, 0), (Outcome{signalling_quieted_s, flag_v}));
  EXPECT_EQ(div_s(signalling_s, 0x7fff'ffff, 0), (Outcome{signalling_quieted_s, flag_v}));
  EXPECT_EQ(sqrt_d(quiet_d | sign_d, 0), (Outcome{quiet_d | sign_d, 0}));
  EXPECT_EQ(rnd_d(signalling_d, 0), (Outcome{signalling_quieted_d, flag_v}));
  EXPECT_EQ(multiply_add_s(quiet_s, one_s, signalling_s, 0),
            (Outcome{signalling_quieted_s, flag_v}));
  EXPECT_EQ(negate_multiply_add_s(one_s, quiet_s, other_quiet_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(multiply_add_s(infinity_s, 0, other_quiet_s, 0), (Outcome{other_quiet_s, 0}));
}

// fcnvff.c.
TEST(PaRiscFloatingPoint, NansBetweenTheFormats) {
  EXPECT_EQ(sgl_to_dbl(quiet_s, 0), (Outcome{0x7ff0'2468'a000'0000, 0}));
  EXPECT_EQ(sgl_to_dbl(signalling_s, 0), (Outcome{0xfff4'2468'a000'0000, flag_v}));
  EXPECT_EQ(dbl_to_sgl(quiet_d, 0), (Outcome{0x7fa0'91a2, 0}));
  EXPECT_EQ(dbl_to_sgl(signalling_d, 0), (Outcome{0xffa0'91a2, flag_v}));
  EXPECT_EQ(dbl_to_sgl(infinity_d | sign_d | 1, 0), (Outcome{0xffa0'0000, 0}));
}

// fcnvfx.c, fcnvfu.c; HP-UX Floating-Point Guide, table 2-4.
TEST(PaRiscFloatingPoint, NansToIntegers) {
  EXPECT_EQ(sgl_to_w(quiet_s, 0), (Outcome{0x7fff'ffff, flag_v}));
  EXPECT_EQ(sgl_to_w(signalling_s, 0), (Outcome{0x8000'0000, flag_v}));
  EXPECT_EQ(truncate_dbl_to_dw(signalling_d, 0), (Outcome{sign_d, flag_v}));
  EXPECT_EQ(dbl_to_uw(quiet_d, 0), (Outcome{0xffff'ffff, flag_v}));
  EXPECT_EQ(truncate_dbl_to_udw(signalling_d, 0), (Outcome{0, flag_v}));
}

// Only the operand's own bits count, in a register that holds more.
TEST(PaRiscFloatingPoint, OperandsAreTheLower32Bits) {
  const std::uint64_t upper = 0xffff'ffff'0000'0000;
  EXPECT_EQ(add_s(upper | quiet_s, upper | one_s, 0), (Outcome{quiet_s, 0}));
  EXPECT_EQ(w_to_sgl(upper | 5, 0), w_to_sgl(5, 0));
  EXPECT_EQ(uw_to_dbl(upper | 5, 0), uw_to_dbl(5, 0));
  EXPECT_EQ(xmpyu(upper | 0xffff'ffff, upper | 2), 0x1'ffff'fffeu);
}

// An exception without its enable sets its flag, which stays; one with it sets T and the exception
// register instead (float.h, INVALIDEXCEPTION and the others).
TEST(PaRiscFloatingPoint, EnabledExceptions) {
  EXPECT_EQ(div_s(one_s, 0, flag_i)[1], flag_i | flag_z);
  EXPECT_EQ(add_s(one_s, one_s, flag_i | c_bit)[1], flag_i | c_bit);
  EXPECT_EQ(div_s(one_s, 0, enable_z)[1], enable_z | trap | exception(0x10));
  EXPECT_EQ(div_s(0, 0, enable_v)[1], enable_v | trap | exception(0x20));
  EXPECT_EQ(mul_s(largest_s, largest_s, enable_o)[1], enable_o | trap | flag_i | exception(0x08));
  EXPECT_EQ(mul_s(largest_s, largest_s, enable_o | enable_i)[1],
            enable_o | enable_i | trap | exception(0x0a));
  EXPECT_EQ(mul_s(largest_s, largest_s, enable_i),
            (Outcome{infinity_s, enable_i | trap | flag_o | exception(0x02)}));
  EXPECT_EQ(mul_s(1, 1, enable_u)[1], enable_u | trap | flag_i | exception(0x04));
  EXPECT_EQ(add_s(1, 1, enable_u)[1], enable_u | trap | exception(0x04));  // exact
  EXPECT_EQ(add_s(1, 1, 0)[1], 0u);
}

// float.h, OPC_2E_....
TEST(PaRiscFloatingPoint, ExceptionCodesOfFusedOperations) {
  const auto code = [](std::uint64_t a, std::uint64_t b, std::uint64_t enables) {
    return multiply_add_s(a, b, 0, enables)[1] & 0xffff'ffff;
  };
  EXPECT_EQ(code(infinity_s, 0, enable_v), exception(0x30));
  EXPECT_EQ(code(largest_s, largest_s, enable_o), exception(0x18));
  EXPECT_EQ(code(1, 1, enable_u), exception(0x0c));
  EXPECT_EQ(code(largest_s, largest_s - 1, enable_i), exception(0x12));
}

// sfmpy.c, Sgl_setwrapped_exponent: the exponent moves by 192.
TEST(PaRiscFloatingPoint, TrappingResultsAreWrapped) {
  const std::uint64_t two_to_126 = 0x7e80'0000, two_to_minus_126 = 0x0080'0000;
  EXPECT_EQ(mul_s(two_to_126, two_to_126, enable_o)[0], (127u + 252 - 192) << 23);
  EXPECT_EQ(mul_s(two_to_minus_126, two_to_minus_126, enable_u)[0], (127u - 252 + 192) << 23);
  EXPECT_EQ(mul_s(two_to_126, two_to_126, 0)[0], infinity_s);
}

TEST(PaRiscFloatingPoint, TrapsOfAnOutcome) {
  EXPECT_EQ(traps(enable_v), 0u);
  EXPECT_EQ(load_instruction(enable_v, 0x3085'0607), enable_v);
  const std::uint64_t invalid = div_s(0, 0, enable_v)[1];
  EXPECT_EQ(traps(invalid), 1u);
  EXPECT_EQ(load_instruction(invalid, 0x3085'0607) & 0xffff'ffff, exception(0x20) | 0x0085'0607);
  EXPECT_EQ(keeps_target(invalid), 1u);
  EXPECT_EQ(keeps_target(div_d(one_d, 0, enable_z)[1]), 1u);
  EXPECT_EQ(keeps_target(multiply_add_d(infinity_d, 0, 0, enable_v)[1]), 1u);
  EXPECT_EQ(keeps_target(mul_s(largest_s, largest_s, enable_o)[1]), 0u);
  EXPECT_EQ(keeps_target(mul_s(largest_s, largest_s, 0)[1]), 0u);
}

// decode_exc.c.
TEST(PaRiscFloatingPoint, TheExceptionThatASignalNames) {
  const auto named = [](std::uint64_t fr0) { return trapping_exception(fr0); };
  EXPECT_EQ(named(0), Exception::none);
  EXPECT_EQ(named(exception(0x20)), Exception::none);
  EXPECT_EQ(named(trap | exception(0x20)), Exception::invalid);
  EXPECT_EQ(named(trap | exception(0x30)), Exception::invalid);
  EXPECT_EQ(named(trap | exception(0x10)), Exception::divide_by_zero);
  EXPECT_EQ(named(trap | exception(0x08)), Exception::overflow);
  EXPECT_EQ(named(trap | exception(0x0a)), Exception::overflow);
  EXPECT_EQ(named(trap | exception(0x18)), Exception::overflow);
  EXPECT_EQ(named(trap | exception(0x06)), Exception::underflow);
  EXPECT_EQ(named(trap | exception(0x0c)), Exception::underflow);
  EXPECT_EQ(named(trap | exception(0x02)), Exception::inexact);
  EXPECT_EQ(named(trap | exception(0x12)), Exception::inexact);
}

// dfcmp.c; the condition's bits are greater, less, equal, unordered, invalid when unordered.
TEST(PaRiscFloatingPoint, EveryConditionOfAComparison) {
  const std::uint64_t two_d = 0x4000'0000'0000'0000;
  for (std::uint64_t condition = 0; condition < 32; ++condition) {
    SCOPED_TRACE(condition);
    const auto holds = [&](std::uint64_t a, std::uint64_t b) {
      return (compare_d(a, b, comparison(condition, 0), 0) & c_bit) != 0;
    };
    EXPECT_EQ(holds(two_d, one_d), condition >> 4 & 1);
    EXPECT_EQ(holds(one_d, infinity_d), condition >> 3 & 1);
    EXPECT_EQ(holds(0, sign_d), condition >> 2 & 1);
    EXPECT_EQ(holds(quiet_d, quiet_d), condition >> 1 & 1);
    const auto flags = [&](std::uint64_t a) {
      return compare_d(one_d, a, comparison(condition, 0), 0) & ~c_bit;
    };
    EXPECT_EQ(flags(two_d), 0u);
    EXPECT_EQ(flags(quiet_d), (condition & 1) != 0 ? flag_v : 0);
    EXPECT_EQ(flags(signalling_d), flag_v);
  }
}

// fpudispatch.c, update_status_cbit.
TEST(PaRiscFloatingPoint, CompareQueueAndArray) {
  constexpr std::uint64_t equal = 4;
  std::uint64_t fr0 = 0;
  for (const bool outcome : {true, false, true, true}) {
    fr0 = compare_s(one_s, outcome ? one_s : 0, comparison(equal, 0), fr0);
  }
  // The newest in C, the older ones from bit 10 on.
  EXPECT_EQ(fr0, c_bit | status_bit(10) | status_bit(12));
  for (int i = 0; i < 8; ++i) fr0 = compare_s(one_s, 0, comparison(equal, 0), fr0);
  EXPECT_EQ(fr0, status_bit(17) | status_bit(18) | status_bit(20));
  fr0 = compare_s(one_s, 0, comparison(equal, 0), fr0);
  EXPECT_EQ(fr0, status_bit(18) | status_bit(19));
  fr0 = compare_s(one_s, one_s, comparison(equal, 1), c_bit);
  EXPECT_EQ(fr0, c_bit | status_bit(10));
  EXPECT_EQ(compare_s(one_s, one_s, comparison(equal, 7), fr0), fr0 | status_bit(16));
  EXPECT_EQ(compare_s(one_s, 0, comparison(equal, 1), fr0), c_bit);
}

// FMPYADD and FMPYSUB: what either operation raises is kept (Linux,
// arch/parisc/math-emu/fpudispatch.c, decode_06); a product that traps is the first exception.
TEST(PaRiscFloatingPoint, TwoOperationsAtOnce) {
  EXPECT_EQ(both(0, 0), 0u);
  EXPECT_EQ(both(c_bit | flag_v, c_bit | flag_i), c_bit | flag_v | flag_i);
  const std::uint64_t invalid = trap | exception(0x20), inexact = trap | exception(0x02);
  EXPECT_EQ(both(flag_o | invalid, flag_i), flag_o | flag_i | invalid);
  EXPECT_EQ(both(flag_i, inexact), flag_i | inexact);
  EXPECT_EQ(both(invalid, flag_u | inexact), flag_u | invalid);
}

// Conditions 2 (REJ) and 6 (REJ8); which bits they look at is in QEMU, target/hppa/translate.c,
// trans_ftest.
TEST(PaRiscFloatingPoint, RejectionTests) {
  const std::uint64_t newest_7 = status_bit(9) - status_bit(16);
  const std::uint64_t all = c_bit | (status_bit(9) - status_bit(20));
  EXPECT_EQ(test_queue(all, 2), 1u);
  EXPECT_EQ(test_queue(all & ~status_bit(20), 2), 0u);
  EXPECT_EQ(test_queue(all & ~c_bit, 2), 0u);
  EXPECT_EQ(test_queue(c_bit | newest_7, 6), 1u);
  EXPECT_EQ(test_queue(newest_7, 6), 0u);
  EXPECT_EQ(test_queue(all & ~status_bit(16), 6), 0u);
  EXPECT_EQ(test_queue(all, 3), 0u);
}

// sfcmp.c: an invalid comparison sets the condition, too, when it traps.
TEST(PaRiscFloatingPoint, ComparisonsThatTrap) {
  constexpr std::uint64_t unordered = 2;
  EXPECT_EQ(compare_s(signalling_s, one_s, comparison(unordered, 0), enable_v | c_bit),
            enable_v | c_bit | status_bit(10) | trap | exception(0x20));
}

// HP-UX Floating-Point Guide, chapter 3, "Values of Certain Modifiable Hardware Status Register
// Fields": denormal operands count as zeros, results that underflow become zeros of their sign.
TEST(PaRiscFloatingPoint, DenormalizedAsZero) {
  const std::uint64_t denormal = 0x0040'0000, smallest = 0x0080'0000, half = 0x3f00'0000;
  EXPECT_EQ(add_s(denormal, smallest, d_bit)[0], smallest);
  EXPECT_EQ(mul_s(smallest | sign_s, half, d_bit)[0], sign_s);
  EXPECT_EQ(div_s(one_s, denormal | sign_s, d_bit)[0], infinity_s | sign_s);
  EXPECT_EQ(sgl_to_dbl(denormal | sign_s, d_bit)[0], sign_d);
  EXPECT_EQ(compare_s(denormal, 0, comparison(4, 0), d_bit), d_bit | c_bit);
  EXPECT_EQ(mul_s(smallest, half, 0), (Outcome{denormal, 0}));
  EXPECT_EQ(mul_s(1, half, 0), (Outcome{0, flag_u | flag_i}));
}

}  // namespace
}  // namespace hardclock::pa_risc::fp
