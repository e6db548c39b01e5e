// libm of hardclock's own for HP-UX (guest/hpux/libm), in every format: what
// tests/guests/hppa/dynamic/math.c prints, against MPFR and the host's C library.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"
#include "tests/support/mpfr_number.h"

namespace hardclock::cli_test {
namespace {

using support::MpfrNumber;
using Operands = std::vector<double>;

// Sets the number to the function's exact value, rounded to a precision beyond the guest's.
using Exact = std::function<void(mpfr_ptr, const Operands&)>;
// The result that no other may differ from; for operands of float if `is_float`.
using Same = std::function<double(const Operands&, bool is_float)>;

constexpr mpfr_prec_t precision = 300;

Exact of_one(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  return [=](mpfr_ptr to, const Operands& x) {
    MpfrNumber a(precision);
    mpfr_set_d(a, x[0], MPFR_RNDN);
    function(to, a, MPFR_RNDN);
  };
}

Exact of_two(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)) {
  return [=](mpfr_ptr to, const Operands& x) {
    MpfrNumber a(precision), b(precision);
    mpfr_set_d(a, x[0], MPFR_RNDN);
    mpfr_set_d(b, x[1], MPFR_RNDN);
    function(to, a, b, MPFR_RNDN);
  };
}

// Of an angle of which 360 are the circle, and with such a result.
Exact of_degrees(int (*function)(mpfr_ptr, mpfr_srcptr, unsigned long, mpfr_rnd_t)) {
  return [=](mpfr_ptr to, const Operands& x) {
    MpfrNumber a(precision);
    mpfr_set_d(a, x[0], MPFR_RNDN);
    function(to, a, 360, MPFR_RNDN);
  };
}

using Bessel = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// From the orders 0 and 1 upwards: MPFR 4.2.0 runs out of memory for others where x is large.
void set_by_recurrence(mpfr_ptr to, Bessel order_0, Bessel order_1, long order, mpfr_srcptr x) {
  MpfrNumber before(precision), next(precision);
  order_0(before, x, MPFR_RNDN);
  order_1(to, x, MPFR_RNDN);
  for (long n = 1; n < order; ++n) {
    mpfr_mul_ui(next, to, 2 * static_cast<unsigned long>(n), MPFR_RNDN);
    mpfr_div(next, next, x, MPFR_RNDN);
    mpfr_sub(next, next, before, MPFR_RNDN);
    mpfr_set(before, to, MPFR_RNDN);
    mpfr_set(to, next, MPFR_RNDN);
  }
}

// Of an order, which is an integer.
Exact of_order(int (*function)(mpfr_ptr, long, mpfr_srcptr, mpfr_rnd_t), Bessel order_0,
               Bessel order_1) {
  return [=](mpfr_ptr to, const Operands& x) {
    MpfrNumber a(precision);
    mpfr_set_d(a, x[1], MPFR_RNDN);
    const long order = static_cast<long>(x[0]);
    if (order == 0 || !std::isfinite(x[1]) || std::abs(x[1]) < 1000) {
      function(to, order, a, MPFR_RNDN);
      return;
    }
    set_by_recurrence(to, order_0, order_1, std::abs(order), a);
    if (order < 0 && order % 2 != 0) mpfr_neg(to, to, MPFR_RNDN);
  };
}

void exact_lgamma(mpfr_ptr to, const Operands& x) {
  MpfrNumber a(precision);
  mpfr_set_d(a, x[0], MPFR_RNDN);
  int sign = 0;
  mpfr_lgamma(to, &sign, a, MPFR_RNDN);
}

// MPFR 4.2.0 runs out of memory where the result is far beyond its exponents.
void exact_pow(mpfr_ptr to, const Operands& x) {
  const double exponent = x[1] * std::log2(std::abs(x[0]));
  if (std::isfinite(exponent) && std::abs(exponent) > 5000) {
    mpfr_set_d(to, std::pow(x[0], x[1]), MPFR_RNDN);  // 0, an infinity or no number
  } else {
    of_two(mpfr_pow)(to, x);
  }
}

void exact_atan2d(mpfr_ptr to, const Operands& x) {
  MpfrNumber a(precision), b(precision);
  mpfr_set_d(a, x[0], MPFR_RNDN);
  mpfr_set_d(b, x[1], MPFR_RNDN);
  mpfr_atan2(to, a, b, MPFR_RNDN);
  mpfr_const_pi(a, MPFR_RNDN);
  mpfr_div(to, to, a, MPFR_RNDN);
  mpfr_mul_ui(to, to, 180, MPFR_RNDN);
}

void exact_fma(mpfr_ptr to, const Operands& x) {
  MpfrNumber a(precision), b(precision), c(precision);
  mpfr_set_d(a, x[0], MPFR_RNDN);
  mpfr_set_d(b, x[1], MPFR_RNDN);
  mpfr_set_d(c, x[2], MPFR_RNDN);
  mpfr_fma(to, a, b, c, MPFR_RNDN);
}

struct Approximation {
  Exact exact;
  // What the result may be away from the exact one, in units in the last place of double and of
  // float: measured, rounded up. Half a unit is correct rounding.
  double units, units_of_float;
};

const std::map<std::string, Approximation>& approximations() {
  static const std::map<std::string, Approximation> all = {
      {"acos", {of_one(mpfr_acos), 1, 1}},
      {"acosd", {of_degrees(mpfr_acosu), 2, 1}},
      {"acosh", {of_one(mpfr_acosh), 2, 2}},
      {"asin", {of_one(mpfr_asin), 1, 1}},
      {"asind", {of_degrees(mpfr_asinu), 2, 1}},
      {"asinh", {of_one(mpfr_asinh), 2, 2}},
      {"atan", {of_one(mpfr_atan), 1, 1}},
      {"atan2", {of_two(mpfr_atan2), 1.5, 1}},
      {"atan2d", {exact_atan2d, 2, 1}},
      {"atand", {of_degrees(mpfr_atanu), 2, 1}},
      {"atanh", {of_one(mpfr_atanh), 2, 2}},
      {"cbrt", {of_one(mpfr_cbrt), 1, 1}},
      {"cos", {of_one(mpfr_cos), 1, 1}},
      {"cosd", {of_degrees(mpfr_cosu), 1, 1}},
      {"cosh", {of_one(mpfr_cosh), 1, 1}},
      {"erf", {of_one(mpfr_erf), 1, 1}},
      {"erfc", {of_one(mpfr_erfc), 2, 1.5}},
      {"exp", {of_one(mpfr_exp), 1, 1}},
      {"exp10", {of_one(mpfr_exp10), 2.5, 2.5}},
      {"exp2", {of_one(mpfr_exp2), 1, 1}},
      {"expm1", {of_one(mpfr_expm1), 1, 1}},
      {"hypot", {of_two(mpfr_hypot), 1, 1}},
      {"j0", {of_one(mpfr_j0), 4, 5}},
      {"j1", {of_one(mpfr_j1), 7, 5}},
      {"jn", {of_order(mpfr_jn, mpfr_j0, mpfr_j1), 10, 7}},
      {"yn", {of_order(mpfr_yn, mpfr_y0, mpfr_y1), 54, 42}},
      {"gamma", {exact_lgamma, 14, 9}},
      {"lgamma", {exact_lgamma, 14, 9}},
      {"log", {of_one(mpfr_log), 1, 1}},
      {"log10", {of_one(mpfr_log10), 1, 1}},
      {"log1p", {of_one(mpfr_log1p), 1, 1}},
      {"log2", {of_one(mpfr_log2), 1, 1}},
      {"pow", {exact_pow, 1, 1}},
      {"sin", {of_one(mpfr_sin), 1, 1}},
      {"sind", {of_degrees(mpfr_sinu), 1, 1}},
      {"sinh", {of_one(mpfr_sinh), 1.5, 1.5}},
      {"sqrt", {of_one(mpfr_sqrt), 0.5, 0.5}},
      {"fma", {exact_fma, 0.5, 0.5}},
      {"tan", {of_one(mpfr_tan), 1, 1}},
      {"tand", {of_degrees(mpfr_tanu), 1, 1}},
      {"tanh", {of_one(mpfr_tanh), 2, 2}},
      {"tgamma", {of_one(mpfr_gamma), 5, 1}},
      {"y0", {of_one(mpfr_y0), 54, 42}},
      {"y1", {of_one(mpfr_y1), 4, 4}},
  };
  return all;
}

Same same_one(double (*function)(double), float (*function_f)(float)) {
  return [=](const Operands& x, bool is_float) {
    return is_float ? function_f(static_cast<float>(x[0])) : function(x[0]);
  };
}
Same same_two(double (*function)(double, double), float (*function_f)(float, float)) {
  return [=](const Operands& x, bool is_float) {
    return is_float ? function_f(static_cast<float>(x[0]), static_cast<float>(x[1]))
                    : function(x[0], x[1]);
  };
}
Same same_scaled(double (*function)(double, int), float (*function_f)(float, int)) {
  return [=](const Operands& x, bool is_float) {
    const int n = static_cast<int>(x[1]);
    return is_float ? function_f(static_cast<float>(x[0]), n) : function(x[0], n);
  };
}

const std::map<std::string, Same>& same_functions() {
  static const std::map<std::string, Same> all = {
      {"ceil", same_one(::ceil, ::ceilf)},
      {"copysign", same_two(::copysign, ::copysignf)},
      {"drem", same_two(::remainder, ::remainderf)},
      {"fabs", same_one(::fabs, ::fabsf)},
      {"fdim", same_two(::fdim, ::fdimf)},
      {"floor", same_one(::floor, ::floorf)},
      {"fmax", same_two(::fmax, ::fmaxf)},
      {"fmin", same_two(::fmin, ::fminf)},
      {"fmod", same_two(::fmod, ::fmodf)},
      {"ldexp", same_scaled(::ldexp, ::ldexpf)},
      {"logb", same_one(::logb, ::logbf)},
      {"nearbyint", same_one(::nearbyint, ::nearbyintf)},
      {"nextafter", same_two(::nextafter, ::nextafterf)},
      {"remainder", same_two(::remainder, ::remainderf)},
      {"rint", same_one(::rint, ::rintf)},
      {"round", same_one(::round, ::roundf)},
      {"scalb", same_two(::scalb, ::scalbf)},
      {"scalbln", same_scaled(::ldexp, ::ldexpf)},
      {"scalbn", same_scaled(::ldexp, ::ldexpf)},
      {"significand", same_one(::significand, ::significandf)},
      {"trunc", same_one(::trunc, ::truncf)},
  };
  return all;
}

// A line of the guest's: the bits of arguments and results, and errno.
struct Line {
  std::string name;  // without the f of functions of float
  bool is_float = false;
  std::vector<std::uint64_t> words;
  int error = 0;

  // Not a number is the host's quiet one: on PA-RISC the bit that tells them apart means the other.
  double number(std::size_t i) const {
    const double value = is_float ? std::bit_cast<float>(static_cast<std::uint32_t>(words[i]))
                                  : std::bit_cast<double>(words[i]);
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  }
  std::int64_t integer(std::size_t i) const { return static_cast<std::int64_t>(words[i]); }
};

Line parse_line(const std::string& text) {
  Line line;
  std::istringstream words(text);
  words >> line.name;
  std::string digits;
  for (std::string word; words >> word; digits = word) {
    if (!digits.empty()) line.words.push_back(std::stoull(digits, nullptr, 16));
    if (word.size() == 8) line.is_float = true;
  }
  line.error = static_cast<int>(std::stoul(digits, nullptr, 16));
  if (line.is_float) line.name.pop_back();
  return line;
}

// The distance of two neighbours at the exact value; the least there is where it is subnormal.
void set_unit(mpfr_ptr unit, mpfr_srcptr exact, bool is_float) {
  const mpfr_exp_t least = is_float ? -149 : -1074, digits = is_float ? 24 : 53;
  const mpfr_exp_t exponent = mpfr_zero_p(exact) ? least : mpfr_get_exp(exact) - digits;
  mpfr_set_ui_2exp(unit, 1, std::max(exponent, least), MPFR_RNDN);
}

// How many units the result is away; 0 if both are no number, or the same infinity.
double distance(double result, mpfr_srcptr exact, bool is_float) {
  constexpr double far = std::numeric_limits<double>::infinity();
  if (std::isnan(result) || mpfr_nan_p(exact)) {
    return std::isnan(result) && mpfr_nan_p(exact) ? 0 : far;
  }
  MpfrNumber it(precision), unit(precision);
  mpfr_set_d(it, result, MPFR_RNDN);
  const int largest = is_float ? 128 : 1024;
  if (std::isinf(result) && !mpfr_inf_p(exact)) {
    mpfr_set_ui_2exp(it, 1, largest, MPFR_RNDN);  // where infinity stands
    mpfr_setsign(it, it, std::signbit(result), MPFR_RNDN);
    if (mpfr_cmpabs(exact, it) >= 0 && std::signbit(result) == (mpfr_signbit(exact) != 0)) return 0;
  }
  if (mpfr_inf_p(exact))
    return std::isinf(result) && (result < 0) == (mpfr_sgn(exact) < 0) ? 0 : far;
  set_unit(unit, exact, is_float);
  mpfr_sub(it, it, exact, MPFR_RNDN);
  mpfr_div(it, it, unit, MPFR_RNDN);
  return std::abs(mpfr_get_d(it, MPFR_RNDN));
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class HpuxMath : public CommandTest, public ::testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    // Beyond what double has, and not so far that MPFR computes such numbers' every digit.
    mpfr_set_emin(-20'000);
    mpfr_set_emax(20'000);
    lines_ = &known_lines()[GetParam()];
    if (!lines_->empty()) return;
    const Finished run = hardclock({"run", "--timing=functional", guest(GetParam())});
    ASSERT_EQ(run.status, 0) << run.err;
    std::istringstream out(run.out);
    for (std::string text; std::getline(out, text);) lines_->push_back(parse_line(text));
    ASSERT_GT(lines_->size(), 70'000u);
  }

  const std::vector<Line>& lines() const { return *lines_; }

 private:
  // By program: one run serves all tests.
  static std::map<std::string, std::vector<Line>>& known_lines() {
    static std::map<std::string, std::vector<Line>> known;
    return known;
  }
  std::vector<Line>* lines_ = nullptr;
};

TEST_P(HpuxMath, IsAsNearAsItsBoundSays) {
  std::map<std::string, double> worst;
  for (const Line& line : lines()) {
    const auto found = approximations().find(line.name);
    if (found == approximations().end()) continue;
    Operands operands;
    const std::size_t count = line.words.size() - 1;
    for (std::size_t i = 0; i < count; ++i) operands.push_back(line.number(i));
    if (line.name == "jn" || line.name == "yn") operands[0] = static_cast<double>(line.integer(0));
    MpfrNumber exact(precision);
    found->second.exact(exact, operands);
    const double units = distance(line.number(count), exact, line.is_float);
    const double allowed = line.is_float ? found->second.units_of_float : found->second.units;
    double& most = worst[line.name + (line.is_float ? "f" : "")];
    if (units > allowed && units > most) {
      ADD_FAILURE() << line.name << (line.is_float ? "f" : "") << "(" << operands[0] << ", "
                    << operands.back() << ") = " << line.number(count) << " is " << units
                    << " units away";
    }
    most = std::max(most, units);
  }
  EXPECT_EQ(worst.size(), 2 * approximations().size());
}

TEST_P(HpuxMath, IsTheHostsWhereThereIsOneRightResult) {
  std::map<std::string, int> counts;
  for (const Line& line : lines()) {
    const auto found = same_functions().find(line.name);
    if (found == same_functions().end()) continue;
    ++counts[line.name];
    const bool is_scaled = line.name == "ldexp" || line.name == "scalbn" || line.name == "scalbln";
    Operands operands = {line.number(0)};
    if (line.words.size() > 2) {
      operands.push_back(is_scaled ? static_cast<double>(line.integer(1)) : line.number(1));
    }
    EXPECT_TRUE(is_same(line.number(line.words.size() - 1), found->second(operands, line.is_float)))
        << line.name << (line.is_float ? "f(" : "(") << operands[0] << ", " << operands.back()
        << ") = " << line.number(line.words.size() - 1);
  }
  EXPECT_EQ(counts.size(), same_functions().size());
}

template <typename Integer>
void expect_integer(const Line& line, Integer (*function)(double)) {
  const double x = line.number(0);
  if (!(std::abs(x) < 2147483000)) return;  // beyond, the standard leaves the result open
  EXPECT_EQ(line.integer(1), function(x)) << line.name << "(" << x << ")";
}

TEST_P(HpuxMath, HasIntegersAndPartsOfNumbers) {
  int seen = 0;
  for (const Line& line : lines()) {
    const double x = line.number(0);
    if (line.name.starts_with("l") && line.name.ends_with("rint")) {
      expect_integer(line, ::llrint);
    } else if (line.name == "lround" || line.name == "llround") {
      expect_integer(line, ::llround);
    } else if (line.name == "ilogb" && x != 0 && std::isfinite(x)) {
      EXPECT_EQ(line.integer(1), ::ilogb(x)) << x;
    } else if (line.name == "isnan") {
      EXPECT_EQ(line.integer(1) != 0, std::isnan(x)) << x;
    } else if (line.name == "isinf") {
      EXPECT_EQ(line.integer(1), std::isinf(x) ? (x < 0 ? -1 : 1) : 0) << x;
    } else if (line.name == "finite") {
      EXPECT_EQ(line.integer(1) != 0, std::isfinite(x)) << x;
    } else if (line.name == "frexp") {
      int exponent = 0;
      EXPECT_TRUE(is_same(line.number(1), std::frexp(x, &exponent))) << x;
      EXPECT_TRUE(!std::isfinite(x) || line.integer(2) == exponent) << x;
    } else if (line.name == "modf") {
      double whole = 0;
      EXPECT_TRUE(is_same(line.number(1), std::modf(x, &whole))) << x;
      EXPECT_TRUE(is_same(line.number(2), whole)) << x;
    } else if (line.name == "remquo" && std::isfinite(x) && std::isfinite(line.number(1)) &&
               line.number(1) != 0) {
      int quotient = 0;
      EXPECT_TRUE(is_same(line.number(2), std::remquo(x, line.number(1), &quotient))) << x;
      EXPECT_EQ(line.integer(3), quotient & 7) << x << " " << line.number(1);
    } else {
      continue;
    }
    ++seen;
  }
  EXPECT_GT(seen, 20 * 200);
}

// The same bits as from sin() and cos() of their own.
TEST_P(HpuxMath, SincosIsSinAndCos) {
  std::map<std::uint64_t, double> sines, cosines;
  int seen = 0;
  for (const Line& line : lines()) {
    if (line.is_float) continue;
    if (line.name == "sin") sines[line.words[0]] = line.number(1);
    if (line.name == "cos") cosines[line.words[0]] = line.number(1);
    if (line.name != "sincos") continue;
    EXPECT_TRUE(is_same(line.number(1), sines.at(line.words[0]))) << line.number(0);
    EXPECT_TRUE(is_same(line.number(2), cosines.at(line.words[0]))) << line.number(0);
    ++seen;
  }
  EXPECT_GT(seen, 200);
}

// exp(3M), log(3M), sqrt(3M) ...: EDOM is 33, ERANGE 34.
TEST_P(HpuxMath, SetsErrno) {
  const auto error_of = [&](const std::string& name, double x) {
    for (const Line& line : lines()) {
      if (line.name == name && !line.is_float && line.number(0) == x) return line.error;
    }
    return -1;
  };
  constexpr int domain = 33, range = 34;
  for (const char* const name : {"sqrt", "log", "log10", "log2", "y0", "y1", "acosh"}) {
    EXPECT_EQ(error_of(name, -1000), domain) << name;
    EXPECT_EQ(error_of(name, 1), 0) << name;
  }
  for (const char* const name : {"asin", "acos", "atanh"}) EXPECT_EQ(error_of(name, 3), domain);
  for (const char* const name : {"exp", "exp2", "cosh", "sinh", "expm1"}) {
    EXPECT_EQ(error_of(name, 0x1.fffffep127), range) << name;
    EXPECT_EQ(error_of(name, 2.5), 0) << name;
  }
  EXPECT_EQ(error_of("exp", -0x1.fffffep127), range);
  EXPECT_EQ(error_of("log", 0), range);
  EXPECT_EQ(error_of("sin", std::numeric_limits<double>::infinity()), domain);
}

INSTANTIATE_TEST_SUITE_P(Formats, HpuxMath,
                         ::testing::Values("hppa/dynamic/math",
                                           "hppa/dynamic/elf/prebuilt/pa20_64/math",
                                           "hppa/dynamic/elf/prebuilt/hpux32/math",
                                           "hppa/dynamic/elf/prebuilt/hpux64/math"),
                         [](const auto& each) {
                           const std::string& place = each.param;
                           const std::size_t end = place.rfind('/');
                           const std::size_t start = place.rfind('/', end - 1) + 1;
                           const std::string name = place.substr(start, end - start);
                           return name == "dynamic" ? std::string("som") : name;
                         });

}  // namespace
}  // namespace hardclock::cli_test
