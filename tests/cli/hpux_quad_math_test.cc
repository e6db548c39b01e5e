// libm's functions of long double in hardclock's own libraries for HP-UX on IA-64: what
// tests/guests/hppa/dynamic/quads.c prints, against MPFR.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/quad_lines.h"

namespace hardclock::cli_test {
namespace {

using Exact = std::function<void(mpfr_ptr, const std::vector<mpfr_ptr>&)>;
struct Approximation {
  Exact exact;
  double units;  // in the last place: measured, rounded up
};

Exact of_one(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  return [=](mpfr_ptr to, const auto& x) { function(to, x[0], MPFR_RNDN); };
}
Exact of_two(int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)) {
  return [=](mpfr_ptr to, const auto& x) { function(to, x[0], x[1], MPFR_RNDN); };
}
void exact_lgamma(mpfr_ptr to, const std::vector<mpfr_ptr>& x) {
  int sign = 0;
  mpfr_lgamma(to, &sign, x[0], MPFR_RNDN);
}
void exact_fma(mpfr_ptr to, const std::vector<mpfr_ptr>& x) {
  mpfr_fma(to, x[0], x[1], x[2], MPFR_RNDN);
}

const std::map<std::string, Approximation>& approximations() {
  static const std::map<std::string, Approximation> all = {
      {"acosl", {of_one(mpfr_acos), 1}},   {"acoshl", {of_one(mpfr_acosh), 1}},
      {"asinl", {of_one(mpfr_asin), 1}},   {"asinhl", {of_one(mpfr_asinh), 2}},
      {"atanl", {of_one(mpfr_atan), 1}},   {"atan2l", {of_two(mpfr_atan2), 1}},
      {"atanhl", {of_one(mpfr_atanh), 2}}, {"cbrtl", {of_one(mpfr_cbrt), 1}},
      {"cosl", {of_one(mpfr_cos), 1}},     {"coshl", {of_one(mpfr_cosh), 2}},
      {"erfl", {of_one(mpfr_erf), 1.5}},   {"erfcl", {of_one(mpfr_erfc), 2}},
      {"expl", {of_one(mpfr_exp), 2}},     {"exp10l", {of_one(mpfr_exp10), 4}},
      {"exp2l", {of_one(mpfr_exp2), 1}},   {"expm1l", {of_one(mpfr_expm1), 1}},
      {"fmal", {exact_fma, 0.5}},          {"hypotl", {of_two(mpfr_hypot), 1}},
      {"lgammal", {exact_lgamma, 4}},      {"logl", {of_one(mpfr_log), 2}},
      {"log10l", {of_one(mpfr_log10), 1}}, {"log1pl", {of_one(mpfr_log1p), 2}},
      {"log2l", {of_one(mpfr_log2), 1}},   {"powl", {of_two(mpfr_pow), 1}},
      {"sinl", {of_one(mpfr_sin), 1}},     {"sinhl", {of_one(mpfr_sinh), 1.5}},
      {"sqrtl", {of_one(mpfr_sqrt), 0.5}}, {"tanl", {of_one(mpfr_tan), 1.5}},
      {"tanhl", {of_one(mpfr_tanh), 2}},   {"tgammal", {of_one(mpfr_gamma), 5}},
  };
  return all;
}

// How many of quad's units the result is away; 0 if both are no number, or the same infinity.
double distance(mpfr_ptr result, mpfr_ptr exact) {
  constexpr double far = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(result) || mpfr_nan_p(exact))
    return mpfr_nan_p(result) && mpfr_nan_p(exact) ? 0 : far;
  if (mpfr_inf_p(result)) {
    const bool is_beyond = mpfr_inf_p(exact) || mpfr_get_exp(exact) > quad_format.most_exponent;
    return is_beyond && mpfr_sgn(result) == mpfr_sgn(exact) ? 0 : far;
  }
  if (mpfr_inf_p(exact)) return far;
  const mpfr_exp_t least = quad_format.least_exponent - 1;
  const mpfr_exp_t exponent =
      mpfr_zero_p(exact) ? least : mpfr_get_exp(exact) - quad_format.precision;
  MpfrNumber difference(wide_precision);
  mpfr_sub(difference, result, exact, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, -std::max(exponent, least), MPFR_RNDN);
  return std::abs(mpfr_get_d(difference, MPFR_RNDN));
}

// The one right result.
using Right = std::function<void(mpfr_ptr, const std::vector<mpfr_ptr>&)>;

Right of_part(int (*function)(mpfr_ptr, mpfr_srcptr)) {
  return [=](mpfr_ptr to, const auto& x) { function(to, x[0]); };
}
void scaled(mpfr_ptr to, const std::vector<mpfr_ptr>& x) {
  Rounded result(quad_format);
  compute(
      quad_format,
      [](mpfr_ptr into, const auto& of, mpfr_rnd_t mode) {
        return mpfr_mul_2si(into, of[0], mpfr_get_si(of[1], MPFR_RNDN), mode);
      },
      x, MPFR_RNDN, result);
  mpfr_set(to, result.value, MPFR_RNDN);
}
void positive_difference(mpfr_ptr to, const std::vector<mpfr_ptr>& x) {
  Rounded result(quad_format);
  compute(
      quad_format,
      [](mpfr_ptr into, const auto& of, mpfr_rnd_t mode) {
        return mpfr_dim(into, of[0], of[1], mode);
      },
      x, MPFR_RNDN, result);
  mpfr_set(to, result.value, MPFR_RNDN);
}
void exponent_of(mpfr_ptr to, const std::vector<mpfr_ptr>& x) {
  if (mpfr_zero_p(x[0])) {
    mpfr_set_inf(to, -1);
  } else if (mpfr_inf_p(x[0])) {
    mpfr_set_inf(to, 1);
  } else if (mpfr_nan_p(x[0])) {
    mpfr_set_nan(to);
  } else {
    mpfr_set_si(to, mpfr_get_exp(x[0]) - 1, MPFR_RNDN);
  }
}
// The neighbour, where its distance is that of the least exponent, too.
void neighbour(mpfr_ptr to, const std::vector<mpfr_ptr>& x) {
  mpfr_set(to, x[0], MPFR_RNDN);
  if (mpfr_nan_p(x[0]) || mpfr_nan_p(x[1])) return mpfr_set_nan(to);
  if (mpfr_equal_p(x[0], x[1])) return static_cast<void>(mpfr_set(to, x[1], MPFR_RNDN));
  const bool is_up = mpfr_less_p(x[0], x[1]) != 0;
  MpfrNumber step(2), most(quad_format.precision);
  const mpfr_exp_t least = quad_format.least_exponent;
  if (mpfr_inf_p(x[0])) {
    mpfr_set_emax(quad_format.most_exponent);
    mpfr_set_inf(most, mpfr_sgn(x[0]));
    mpfr_nexttoward(most, x[1]);
    mpfr_set(to, most, MPFR_RNDN);
    allow_wide_exponents();
    return;
  }
  mpfr_exp_t exponent = mpfr_zero_p(x[0]) ? least : mpfr_get_exp(x[0]) - quad_format.precision + 1;
  MpfrNumber magnitude(wide_precision);
  mpfr_abs(magnitude, x[0], MPFR_RNDN);
  const bool is_power = !mpfr_zero_p(x[0]) && mpfr_min_prec(x[0]) == 1;
  if (is_power && is_up == (mpfr_signbit(x[0]) != 0)) --exponent;  // toward zero
  mpfr_set_si_2exp(step, is_up ? 1 : -1, std::max(exponent, least) - 1, MPFR_RNDN);
  mpfr_add(to, x[0], step, MPFR_RNDN);
  if (mpfr_zero_p(to)) mpfr_setsign(to, to, mpfr_signbit(x[0]), MPFR_RNDN);
  if (mpfr_get_exp(to) > quad_format.most_exponent && mpfr_regular_p(to))
    mpfr_set_inf(to, mpfr_sgn(to));
}

const std::map<std::string, Right>& right_results() {
  static const std::map<std::string, Right> all = {
      {"ceill", of_part(mpfr_ceil)},
      {"floorl", of_part(mpfr_floor)},
      {"truncl", of_part(mpfr_trunc)},
      {"roundl", of_part(mpfr_round)},
      {"rintl", of_part(mpfr_roundeven)},
      {"nearbyintl", of_part(mpfr_roundeven)},
      {"llrintl", of_part(mpfr_roundeven)},
      {"lrintl", of_part(mpfr_roundeven)},
      {"llroundl", of_part(mpfr_round)},
      {"lroundl", of_part(mpfr_round)},
      {"fabsl", of_one(mpfr_abs)},
      {"fdiml", positive_difference},
      {"fmaxl", of_two(mpfr_max)},
      {"fminl", of_two(mpfr_min)},
      {"fmodl", of_two(mpfr_fmod)},
      {"remainderl", of_two(mpfr_remainder)},
      {"copysignl", of_two(mpfr_copysign)},
      {"nextafterl", neighbour},
      {"nexttowardl", neighbour},
      {"ldexpl", scaled},
      {"scalbnl", scaled},
      {"scalblnl", scaled},
      {"logbl", exponent_of},
      {"ilogbl", exponent_of},
  };
  return all;
}

// Beyond what an integer holds the standard leaves the result open.
bool is_open(const Line& line, const Numbers& numbers) {
  const mpfr_ptr x = numbers.operands()[0];
  if (line.name == "ilogbl") return !mpfr_regular_p(x);
  if (line.name == "fmaxl" || line.name == "fminl") {
    return numbers.has_nan() || (mpfr_zero_p(x) && mpfr_zero_p(numbers.operands()[1]));
  }
  if (line.name[0] != 'l' || !(line.name.ends_with("rintl") || line.name.ends_with("roundl")))
    return false;
  return !mpfr_number_p(x) || (!mpfr_zero_p(x) && mpfr_get_exp(x) > 30);
}

// -0 is no integer's.
bool is_right(const Line& line, mpfr_ptr right, mpfr_ptr result) {
  if (line.words.back()[0] == 'i' && mpfr_zero_p(right)) return mpfr_zero_p(result);
  return is_same(right, result);
}

void expect_parts(const Line& line) {
  MpfrNumber x(wide_precision), first(wide_precision), second(wide_precision);
  line.set(x, 0);
  line.set(first, 1);
  line.set(second, 2);
  if (!mpfr_number_p(static_cast<mpfr_ptr>(x))) return;
  MpfrNumber expected(wide_precision), other(wide_precision);
  if (line.name == "frexpl") {
    mpfr_exp_t exponent = 0;
    mpfr_frexp(&exponent, expected, x, MPFR_RNDN);
    mpfr_set_si(other, exponent, MPFR_RNDN);
  } else {
    mpfr_modf(other, expected, x, MPFR_RNDN);
  }
  EXPECT_TRUE(is_same(expected, first)) << line.text;
  EXPECT_TRUE(is_same(other, second) || mpfr_zero_p(static_cast<mpfr_ptr>(x))) << line.text;
}

class HpuxQuadMath : public HpuxQuads {};

TEST_P(HpuxQuadMath, IsRightOrAsNearAsItsBoundSays) {
  std::map<std::string, double> worst;
  std::map<std::string, int> counts;
  allow_wide_exponents();
  for (const Line& line : lines("mathematics")) {
    ++counts[line.name];
    if (line.name == "sincosl") {
      MpfrNumber x(wide_precision), sine(wide_precision), cosine(wide_precision),
          result(wide_precision);
      line.set(x, 0);
      mpfr_sin_cos(sine, cosine, x, MPFR_RNDN);
      line.set(result, 1);
      EXPECT_LE(distance(result, sine), 1) << line.text;
      line.set(result, 2);
      EXPECT_LE(distance(result, cosine), 1) << line.text;
      continue;
    }
    if (line.name == "frexpl" || line.name == "modfl") {
      expect_parts(line);
      continue;
    }
    const Numbers numbers(line);
    MpfrNumber expected(wide_precision);
    if (const auto right = right_results().find(line.name); right != right_results().end()) {
      if (is_open(line, numbers)) continue;
      right->second(expected, numbers.operands());
      EXPECT_TRUE(is_right(line, expected, numbers.result())) << line.text;
      continue;
    }
    const Approximation& approximation = approximations().at(line.name);
    approximation.exact(expected, numbers.operands());
    const double units = distance(numbers.result(), expected);
    double& most = worst[line.name];
    if (units > approximation.units && units > most)
      ADD_FAILURE() << line.text << ": " << units << " units away";
    most = std::max(most, units);
  }
  EXPECT_EQ(worst.size(), approximations().size());
  EXPECT_EQ(counts.size(), approximations().size() + right_results().size() + 3);
  for (const auto& [name, count] : counts) EXPECT_EQ(count, 150) << name;
}

INSTANTIATE_TEST_SUITE_P(Formats, HpuxQuadMath,
                         ::testing::Values("hppa/dynamic/elf/prebuilt/hpux32/quads",
                                           "hppa/dynamic/elf/prebuilt/hpux64/quads"),
                         [](const auto& each) {
                           return std::string(each.param.find("hpux32") != std::string::npos
                                                  ? "hpux32"
                                                  : "hpux64");
                         });

}  // namespace
}  // namespace hardclock::cli_test
