// Encodings of registers: SDM 1, table 5-2.
#include "isa/ia64/floating_point_register.h"

#include <gtest/gtest.h>

#include "isa/ia64/floating_point.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

struct Row {
  const char* name;
  FpRegister f;           // with sign 0
  std::uint32_t classes;  // of fclass's mask, without the sign's bits
};
constexpr std::uint32_t none = 0;
constexpr std::uint64_t first_bit = std::uint64_t{1} << 63;
const Row table[] = {
    {"quiet NaN, least", {0xc000'0000'0000'0000, 0x1ffff, false}, class_qnan},
    {"quiet NaN, greatest", {0xffff'ffff'ffff'ffff, 0x1ffff, false}, class_qnan},
    {"signalling NaN, least", {0x8000'0000'0000'0001, 0x1ffff, false}, class_snan},
    {"signalling NaN, greatest", {0xbfff'ffff'ffff'ffff, 0x1ffff, false}, class_snan},
    {"infinity", {first_bit, 0x1ffff, false}, class_inf},
    {"pseudo-NaN, greatest", {0x7fff'ffff'ffff'ffff, 0x1ffff, false}, none},
    {"pseudo-NaN, least", {1, 0x1ffff, false}, none},
    {"pseudo-infinity", {0, 0x1ffff, false}, none},
    {"normalized, greatest", {0xffff'ffff'ffff'ffff, 0x1fffe, false}, class_norm},
    {"normalized, least", {first_bit, 1, false}, class_norm},
    {"one", {first_bit, 0xffff, false}, class_norm},
    {"integer", {first_bit, 0x1003e, false}, class_norm},
    {"integer, small", {5, 0x1003e, false}, class_unorm},
    {"single denormal", {0x7fff'ff00'0000'0000, 0xff81, false}, class_unorm},
    {"double denormal", {0x800, 0xfc01, false}, class_unorm},
    {"unnormalized, greatest exponent", {1, 0x1fffe, false}, class_unorm},
    {"double-extended denormal", {0x7fff'ffff'ffff'ffff, 0, false}, class_unorm},
    {"double-extended denormal, least", {1, 0, false}, class_unorm},
    {"pseudo-denormal", {first_bit, 0, false}, class_unorm},
    {"pseudo-zero", {0, 1, false}, class_unorm},
    {"integer zero", {0, 0x1003e, false}, class_unorm},
    {"pseudo-zero, greatest", {0, 0x1fffd, false}, class_unorm},
    {"zero", {0, 0, false}, class_zero},
};

// fclass with each of the kinds, the sign left open.
std::uint32_t classes_of(const FpRegister& f) {
  std::uint32_t found = 0;
  for (std::uint32_t kind = class_zero; kind <= class_nat; kind <<= 1) {
    const Comparison c = fclass(f, kind | class_pos | class_neg);
    if (c.holds) found |= kind;
  }
  return found;
}

TEST(Ia64FloatingPointRegister, Classes) {
  for (const Row& row : table) {
    EXPECT_EQ(classes_of(row.f), row.classes) << row.name;
    EXPECT_EQ(classes_of(negative(row.f)), row.classes) << row.name;
    EXPECT_EQ(is_normal(row.f), row.classes == class_norm) << row.name;
    EXPECT_EQ(is_unnormal(row.f), row.classes == class_unorm) << row.name;
    EXPECT_EQ(is_zero(row.f), row.classes == class_zero) << row.name;
    EXPECT_EQ(is_infinity(row.f), row.classes == class_inf) << row.name;
    EXPECT_EQ(is_quiet_nan(row.f), row.classes == class_qnan) << row.name;
    EXPECT_EQ(is_signalling_nan(row.f), row.classes == class_snan) << row.name;
    EXPECT_EQ(is_unsupported(row.f), row.classes == none) << row.name;
  }
}

// NaNs have a class whatever their sign, the others must have one that is asked for.
TEST(Ia64FloatingPointRegister, SignsOfClasses) {
  for (const Row& row : table) {
    const bool is_nan = (row.classes & (class_qnan | class_snan)) != 0;
    const bool is_number = row.classes != none && !is_nan;
    const std::uint32_t all =
        class_zero | class_unorm | class_norm | class_inf | class_snan | class_qnan;
    EXPECT_EQ(fclass(row.f, all).holds, is_nan) << row.name;
    EXPECT_EQ(fclass(row.f, all | class_pos).holds, is_nan || is_number) << row.name;
    EXPECT_EQ(fclass(row.f, all | class_neg).holds, is_nan) << row.name;
    EXPECT_EQ(fclass(negative(row.f), all | class_pos).holds, is_nan) << row.name;
    EXPECT_EQ(fclass(negative(row.f), all | class_neg).holds, is_nan || is_number) << row.name;
  }
}

// Only the positive one is NaTVal; with the other sign it is a pseudo-zero.
TEST(Ia64FloatingPointRegister, NatValue) {
  const FpRegister f{0, 0x1fffe, false};
  EXPECT_TRUE(is_nat_value(f));
  EXPECT_FALSE(is_unnormal(f));
  const Comparison asked = fclass(f, class_nat), not_asked = fclass(f, 0xff);
  EXPECT_TRUE(asked.holds);
  EXPECT_FALSE(asked.is_nat);
  EXPECT_FALSE(not_asked.holds);
  EXPECT_TRUE(not_asked.is_nat);
  EXPECT_FALSE(is_nat_value(negative(f)));
  EXPECT_EQ(classes_of(negative(f)), class_unorm);
}

// SDM 1, figure 5-9.
TEST(Ia64FloatingPointRegister, SpillImage) {
  const FpRegister f{0x0123'4567'89ab'cdef, 0x1abcd, true};
  EXPECT_EQ(spill(f), (SpillImage{0x0123'4567'89ab'cdef, 0x3abcd}));
  EXPECT_EQ(fill({0x0123'4567'89ab'cdef, 0xffff'ffff'fffb'abcd}), f);
  RandomRegisters random(1);
  for (int n = 0; n < 1000; ++n) {
    const FpRegister any = random.any();
    EXPECT_EQ(fill(spill(any)), any);
    EXPECT_EQ(spill(any)[1] >> 18, 0u);
  }
}

}  // namespace
}  // namespace hardclock::ia64::fp
