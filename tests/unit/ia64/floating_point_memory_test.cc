// Memory formats: SDM 1, section 5.3, and the host's own idea of what a single, a double and a
// double-extended number are.
#include "isa/ia64/floating_point_memory.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

// The value, for finite numbers that the host's widest format has.
long double value_of(const FpRegister& f) {
  const int exponent = static_cast<int>(f.exponent == 0 ? 0xc001 : f.exponent);
  const long double magnitude =
      std::ldexp(static_cast<long double>(f.significand), exponent - 0xffff - 63);
  return f.sign ? -magnitude : magnitude;
}

// Denormals keep the exponent of the least normalized numbers and have no integer bit.
void expect_form(const FpRegister& f, int host_class, std::uint32_t denormal_exponent) {
  switch (host_class) {
    case FP_ZERO:
      EXPECT_EQ(f.exponent, 0u);
      EXPECT_EQ(f.significand, 0u);
      break;
    case FP_SUBNORMAL:
      EXPECT_EQ(f.exponent, denormal_exponent);
      EXPECT_EQ(f.significand >> 63, 0u);
      break;
    case FP_NORMAL:
      EXPECT_TRUE(is_normal(f));
      break;
    case FP_INFINITE:
      EXPECT_TRUE(is_infinity(f));
      break;
    default:
      EXPECT_TRUE(is_nan(f));
  }
}

TEST(Ia64FloatingPointMemory, Singles) {
  RandomRegisters random(1);
  for (int n = 0; n < 200'000; ++n) {
    const std::uint32_t bits = random.single();
    const auto host = std::bit_cast<float>(bits);
    const FpRegister f = from_single(bits);
    expect_form(f, std::fpclassify(host), 0xff81);
    if (std::isfinite(host)) {
      EXPECT_EQ(value_of(f), host);
    }
    EXPECT_EQ(f.sign, std::signbit(host));
    ASSERT_EQ(to_single(f), bits);
    ASSERT_FALSE(HasFailure()) << std::hex << bits;
  }
}

TEST(Ia64FloatingPointMemory, Doubles) {
  RandomRegisters random(2);
  for (int n = 0; n < 200'000; ++n) {
    const std::uint64_t bits = random.twin();
    const auto host = std::bit_cast<double>(bits);
    const FpRegister f = from_double(bits);
    expect_form(f, std::fpclassify(host), 0xfc01);
    if (std::isfinite(host)) {
      EXPECT_EQ(value_of(f), static_cast<long double>(host));
    }
    EXPECT_EQ(f.sign, std::signbit(host));
    ASSERT_EQ(to_double(f), bits);
    ASSERT_FALSE(HasFailure()) << std::hex << bits;
  }
}

// Exponent 0 stays 0, pseudo-denormals included.
TEST(Ia64FloatingPointMemory, DoubleExtended) {
  RandomRegisters random(3);
  for (int n = 0; n < 200'000; ++n) {
    ExtendedImage image{random.bits(), static_cast<std::uint16_t>(random.bits())};
    if (n % 8 == 0) image.sign_exponent &= 0x8000;
    if (n % 8 == 1) image.sign_exponent |= 0x7fff;
    if (n % 8 > 1 && (image.sign_exponent & 0x7fff) != 0) image.significand |= integer_bit;
    long double host = 0;
    std::memcpy(&host, &image.significand, 8);
    std::memcpy(reinterpret_cast<char*>(&host) + 8, &image.sign_exponent, 2);
    const FpRegister f = from_extended(image);
    EXPECT_EQ(f.significand, image.significand);
    EXPECT_EQ(f.sign, image.sign_exponent >> 15 != 0);
    EXPECT_EQ(f.exponent == 0, (image.sign_exponent & 0x7fff) == 0);
    EXPECT_EQ(f.exponent == special_exponent, (image.sign_exponent & 0x7fff) == 0x7fff);
    if (is_finite(f)) {
      EXPECT_EQ(value_of(f), host);
    }
    ASSERT_EQ(to_extended(f), image);
    ASSERT_FALSE(HasFailure()) << std::hex << image.sign_exponent << ' ' << image.significand;
  }
}

// NaNs keep their fraction, and signalling ones signal.
TEST(Ia64FloatingPointMemory, NotANumber) {
  EXPECT_EQ(from_single(0x7f80'0001), (FpRegister{0x8000'0100'0000'0000, 0x1ffff, false}));
  EXPECT_EQ(from_single(0xffc0'0000), indefinite);
  EXPECT_EQ(from_double(0x7ff0'0000'0000'0001),
            (FpRegister{0x8000'0000'0000'0800, 0x1ffff, false}));
  EXPECT_EQ(from_double(0xfff8'0000'0000'0000), indefinite);
  EXPECT_EQ(from_extended({0x8000'0000'0000'0001, 0x7fff}),
            (FpRegister{0x8000'0000'0000'0001, 0x1ffff, false}));
}

// Stores cut what does not fit: of the exponent they keep the top bit and the low bits, of the
// significand the high bits, rounding nothing; without the integer bit, single and double formats
// have exponent 0 (SDM 1, figures 5-7 to 5-9).
struct Cut {
  const char* name;
  FpRegister f;
  std::uint32_t single;
  std::uint64_t twin;
  ExtendedImage extended;
};
const Cut cuts[] = {
    {"one", one, 0x3f80'0000, 0x3ff0'0000'0000'0000, {0x8000'0000'0000'0000, 0x3fff}},
    {"more bits than a double",
     {0xffff'ffff'ffff'ffff, 0xffff, true},
     0xbfff'ffff,
     0xbfff'ffff'ffff'ffff,
     {0xffff'ffff'ffff'ffff, 0xbfff}},
    {"2^128",
     {integer_bit, 0x1007f, false},
     0x7f80'0000,
     0x47f0'0000'0000'0000,
     {0x8000'0000'0000'0000, 0x407f}},
    {"2^129",
     {integer_bit, 0x10080, false},
     0x4000'0000,
     0x4800'0000'0000'0000,
     {0x8000'0000'0000'0000, 0x4080}},
    {"2^-127",
     {integer_bit, 0xff80, false},
     0x0000'0000,
     0x3800'0000'0000'0000,
     {0x8000'0000'0000'0000, 0x3f80}},
    {"2^-128",
     {integer_bit, 0xff7f, false},
     0x3f80'0000,
     0x37f0'0000'0000'0000,
     {0x8000'0000'0000'0000, 0x3f7f}},
    {"2^16384",
     {integer_bit, 0x13fff, false},
     0x7f80'0000,
     0x7ff0'0000'0000'0000,
     {0x8000'0000'0000'0000, 0x7fff}},
    {"2^-65534",
     {integer_bit, 0x00001, false},
     0x0080'0000,
     0x0010'0000'0000'0000,
     {0x8000'0000'0000'0000, 0x0001}},
    {"integer 5", {5, 0x1003e, false}, 0, 0, {5, 0x403e}},
    {"integer 2^62",
     {0x4000'0000'0000'0000, 0x1003e, false},
     0x0040'0000,
     0x0008'0000'0000'0000,
     {0x4000'0000'0000'0000, 0x403e}},
    {"unnormalized one",
     {0x4000'0000'0000'0000, 0x10000, true},
     0x8040'0000,
     0x8008'0000'0000'0000,
     {0x4000'0000'0000'0000, 0xc000}},
    {"pseudo-infinity", {0, 0x1ffff, false}, 0, 0, {0, 0x7fff}},
    {"infinity",
     infinity(true),
     0xff80'0000,
     0xfff0'0000'0000'0000,
     {0x8000'0000'0000'0000, 0xffff}},
    {"NaN with low bits only",
     {0x8000'0000'0000'0001, 0x1ffff, false},
     0x7f80'0000,
     0x7ff0'0000'0000'0000,
     {0x8000'0000'0000'0001, 0x7fff}},
    {"double-extended denormal",
     {0x7fff'ffff'ffff'ffff, 0, false},
     0x007f'ffff,
     0x000f'ffff'ffff'ffff,
     {0x7fff'ffff'ffff'ffff, 0}},
};

TEST(Ia64FloatingPointMemory, StoresCut) {
  for (const Cut& cut : cuts) {
    EXPECT_EQ(to_single(cut.f), cut.single) << cut.name;
    EXPECT_EQ(to_double(cut.f), cut.twin) << cut.name;
    EXPECT_EQ(to_extended(cut.f), cut.extended) << cut.name;
  }
}

}  // namespace
}  // namespace hardclock::ia64::fp
