// Double-extended arithmetic against the host's x87 unit. IA-64 has its precision controls with
// their 15-bit exponents, its rounding controls and the order of its flags.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <iostream>

#include "isa/ia64/floating_point.h"
#include "isa/ia64/floating_point_memory.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

long double to_host(const FpRegister& f) {
  const ExtendedImage image = to_extended(f);
  long double value = 0;
  std::memcpy(&value, &image.significand, 8);
  std::memcpy(reinterpret_cast<char*>(&value) + 8, &image.sign_exponent, 2);
  return value;
}

FpRegister from_host(const long double& value) {
  ExtendedImage image;
  std::memcpy(&image.significand, &value, 8);
  std::memcpy(&image.sign_exponent, reinterpret_cast<const char*>(&value) + 8, 2);
  return from_extended(image);
}

// x87's control word: all exceptions masked, pc at bit 8, rc at bit 10.
class X87 {
 public:
  X87(unsigned pc, unsigned rc) {
    asm volatile("fnstcw %0" : "=m"(saved_));
    const auto control = static_cast<std::uint16_t>(0x3f | pc << 8 | rc << 10);
    asm volatile("fldcw %0\n\tfnclex" : : "m"(control));
  }
  ~X87() { asm volatile("fnclex\n\tfldcw %0" : : "m"(saved_)); }
  X87(const X87&) = delete;
  X87& operator=(const X87&) = delete;

  // The six exceptions, in the order of IA-64's flags.
  static std::uint32_t flags() {
    std::uint16_t status = 0;
    asm volatile("fnstsw %0" : "=m"(status));
    return status & 63;
  }

 private:
  std::uint16_t saved_ = 0;
};

struct HostResult {
  FpRegister result;
  std::uint32_t flags;
};

// `instruction` leaves st(0) OP st(1) in st(0), with right in st(1) and left in st(0).
#define DEFINE_X87(name, instruction)                                                          \
  HostResult name(const FpRegister& left, const FpRegister& right, unsigned pc, unsigned rc) { \
    const long double a = to_host(left), b = to_host(right);                                   \
    long double result = 0;                                                                    \
    const X87 x87(pc, rc);                                                                     \
    asm volatile("fldt %2\n\tfldt %1\n\t" instruction "\n\tfstpt %0\n\tfstp %%st"              \
                 : "=m"(result)                                                                \
                 : "m"(a), "m"(b)                                                              \
                 : "st");                                                                      \
    const std::uint32_t flags = X87::flags();                                                  \
    return {from_host(result), flags};                                                         \
  }
DEFINE_X87(x87_multiply, "fmul %%st(1), %%st")
DEFINE_X87(x87_add, "fadd %%st(1), %%st")
DEFINE_X87(x87_subtract, "fsub %%st(1), %%st")
#undef DEFINE_X87

// An operand that both know: no unnormals but denormals. Pseudo-denormals, pseudo-infinities and
// pseudo-NaNs are operands of both.
FpRegister operand(RandomRegisters& random) {
  FpRegister f{random.significand(), 0, random.below(2) != 0};
  switch (random.below(8)) {
    case 0:
      f.exponent = 0;
      return f;
    case 1:
      f.exponent = special_exponent;
      return f;
    case 2:
      return infinity(f.sign);
    case 3:
      return signed_zero(f.sign);
    case 4:
      f.exponent = static_cast<std::uint32_t>(0xc001 + random.below(80));
      break;
    case 5:
      f.exponent = static_cast<std::uint32_t>(0x13ffe - random.below(80));
      break;
    default:
      f.exponent = static_cast<std::uint32_t>(exponent_bias - 70 + random.below(140));
  }
  f.significand |= integer_bit;
  return f;
}

// x87 chooses among two NaNs by their significands.
bool chooses_nan(const FpRegister& a, const FpRegister& b) {
  return (is_nan(a) || is_unsupported(a)) && (is_nan(b) || is_unsupported(b));
}

struct Setting {
  unsigned pc, rc;
};
Setting setting(std::size_t n) {
  static constexpr unsigned precision_controls[] = {0, 2, 3};
  return {precision_controls[n % 3], static_cast<unsigned>(n / 3 % 4)};
}
Environment environment_of(const Setting& s) {
  const std::uint64_t fpsr = 63 | std::uint64_t{s.pc << 2 | s.rc << 4} << 6;
  return environment(fpsr, 0, Completer::none);
}

template <class Operation, class Host>
void compare(std::uint64_t seed, Operation operation, Host host) {
  RandomRegisters random(seed);
  std::size_t compared = 0;
  for (std::size_t n = 0; n < 300'000 / support::part_of_cases; ++n) {
    const FpRegister a = operand(random), b = operand(random);
    if (chooses_nan(a, b)) continue;
    const Setting s = setting(n);
    const Outcome given = operation(a, b, environment_of(s));
    const HostResult expected = host(a, b, s.pc, s.rc);
    ASSERT_EQ(given.result, expected.result)
        << testing::PrintToString(a) << " and " << testing::PrintToString(b) << " pc " << s.pc
        << " rc " << s.rc;
    ASSERT_EQ(given.flags, expected.flags)
        << testing::PrintToString(a) << " and " << testing::PrintToString(b) << " pc " << s.pc
        << " rc " << s.rc;
    ++compared;
  }
  std::cout << compared << " compared\n";
}

TEST(Ia64FloatingPointX87, Multiplication) {
  compare(1, fmpy, x87_multiply);
}

TEST(Ia64FloatingPointX87, Addition) {
  compare(
      2,
      [](const auto& a, const auto& b, const auto& environment) {
        return fma(a, one, b, environment);
      },
      x87_add);
}

TEST(Ia64FloatingPointX87, Subtraction) {
  compare(
      3,
      [](const auto& a, const auto& b, const auto& environment) {
        return fms(a, one, b, environment);
      },
      x87_subtract);
}

// fnorm: x87 has no such instruction, but multiplies by one.
TEST(Ia64FloatingPointX87, Normalization) {
  compare(
      4,
      [](const auto& a, const auto&, const auto& environment) { return fmpy(a, one, environment); },
      [](const auto& a, const auto&, unsigned pc, unsigned rc) {
        return x87_multiply(a, one, pc, rc);
      });
}

// FISTP to 64 bits. It does not tell of denormal operands, and its result is the indefinite integer
// when it is invalid.
TEST(Ia64FloatingPointX87, ConversionToInteger) {
  RandomRegisters random(5);
  std::size_t invalid_results = 0, inexact_results = 0;
  for (std::size_t n = 0; n < 300'000 / support::part_of_cases; ++n) {
    FpRegister a = operand(random);
    if (n % 2 == 0 && is_normal(a)) {
      a.exponent = static_cast<std::uint32_t>(exponent_bias - 3 + random.below(70));
    }
    const Setting s = setting(n);
    const long double value = to_host(a);
    std::uint64_t expected = 0;
    std::uint32_t flags = 0;
    {
      const X87 x87(s.pc, s.rc);
      asm volatile("fldt %1\n\tfistpll %0" : "=m"(expected) : "m"(value) : "st");
      flags = X87::flags();
    }
    const Outcome given = fcvt_fx(a, environment_of(s));
    ASSERT_EQ(given.result, from_significand(expected)) << testing::PrintToString(a);
    ASSERT_EQ(given.flags & ~denormal, flags) << testing::PrintToString(a) << " rc " << s.rc;
    invalid_results += (flags & invalid) != 0;
    inexact_results += (flags & inexact) != 0;
  }
  EXPECT_GT(invalid_results, 1000u / support::part_of_cases);
  EXPECT_GT(inexact_results, 1000u / support::part_of_cases);
}

struct HostRelation {
  bool unordered, less, equal;
  std::uint32_t flags;
};

// FCOMI (any NaN is invalid) or FUCOMI (signalling ones are): ZF, PF, CF tell.
HostRelation x87_compare(const FpRegister& left, const FpRegister& right, bool signals) {
  const long double a = to_host(left), b = to_host(right);
  bool zf = false, pf = false, cf = false;
  const X87 x87(3, 0);
  if (signals) {
    asm volatile("fldt %4\n\tfldt %3\n\tfcomip %%st(1), %%st\n\tfstp %%st"
                 : "=@ccz"(zf), "=@ccp"(pf), "=@ccc"(cf)
                 : "m"(a), "m"(b)
                 : "st");
  } else {
    asm volatile("fldt %4\n\tfldt %3\n\tfucomip %%st(1), %%st\n\tfstp %%st"
                 : "=@ccz"(zf), "=@ccp"(pf), "=@ccc"(cf)
                 : "m"(a), "m"(b)
                 : "st");
  }
  const std::uint32_t flags = X87::flags();
  return {pf, cf && !pf, zf && !pf, flags};
}

TEST(Ia64FloatingPointX87, Comparison) {
  RandomRegisters random(6);
  std::size_t unordered = 0, equal = 0;
  const Environment environment = environment_of({3, 0});
  for (std::size_t n = 0; n < 300'000 / support::part_of_cases; ++n) {
    const FpRegister a = operand(random);
    const FpRegister b = n % 4 == 0 ? a : n % 4 == 1 ? negative(a) : operand(random);
    const HostRelation quiet = x87_compare(a, b, false), signalling = x87_compare(a, b, true);
    const auto expect = [&](Relation relation, bool holds, std::uint32_t flags) {
      const Comparison given = fcmp(relation, a, b, environment);
      EXPECT_EQ(given.holds, holds);
      EXPECT_EQ(given.flags, flags);
    };
    expect(Relation::eq, quiet.equal, quiet.flags);
    expect(Relation::unord, quiet.unordered, quiet.flags);
    expect(Relation::lt, signalling.less, signalling.flags);
    expect(Relation::le, signalling.less || signalling.equal, signalling.flags);
    ASSERT_FALSE(HasFailure()) << testing::PrintToString(a) << " and " << testing::PrintToString(b);
    unordered += quiet.unordered;
    equal += quiet.equal;
  }
  EXPECT_GT(unordered, 1000u / support::part_of_cases);
  EXPECT_GT(equal, 1000u / support::part_of_cases);
}

}  // namespace
}  // namespace hardclock::ia64::fp
