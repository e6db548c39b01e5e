// HP's long double, which has IEEE 754's 128 bits, in hardclock's own libraries for HP-UX: what
// tests/guests/hppa/dynamic/quads.c prints, against MPFR.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <map>
#include <string>

#include "tests/cli/quad_lines.h"

namespace hardclock::cli_test {
namespace {

void expect_comparison(const Line& line, const Numbers& numbers) {
  const mpfr_ptr a = numbers.operands()[0], b = numbers.operands()[1];
  const int order = mpfr_cmp(a, b);  // 0 for no numbers
  const int relation = numbers.has_nan() ? 2 : order == 0 ? 4 : order < 0 ? 8 : 16;
  const int asked = std::stoi(line.name.substr(3));
  EXPECT_EQ(mpfr_get_si(numbers.result(), MPFR_RNDN), (asked & relation) != 0) << line.text;
  if (numbers.has_nan()) {
    EXPECT_TRUE((asked & 1) == 0 || (line.flags & invalid) != 0) << line.text;
  } else {
    EXPECT_EQ(line.flags, 0) << line.text;
  }
}

void expect_integer(const Line& line, const Numbers& numbers) {
  const int bits = line.name == "to_int" ? 32 : line.name == "to_long" ? 64 : 128;
  const mpfr_ptr a = numbers.operands()[0];
  MpfrNumber whole(wide_precision), limit(8), next(wide_precision);
  if (mpfr_number_p(a)) mpfr_trunc(whole, a);
  mpfr_set_ui_2exp(limit, 1, bits - 1, MPFR_RNDN);
  mpfr_add_ui(next, limit, 1, MPFR_RNDN);
  mpfr_neg(next, next, MPFR_RNDN);
  const bool fits = mpfr_number_p(a) &&
                    mpfr_less_p(static_cast<mpfr_ptr>(whole), static_cast<mpfr_ptr>(limit)) &&
                    mpfr_greater_p(static_cast<mpfr_ptr>(whole), static_cast<mpfr_ptr>(next));
  if (!fits) {
    EXPECT_EQ(line.flags, invalid) << line.text;
    return;
  }
  EXPECT_TRUE(mpfr_equal_p(static_cast<mpfr_ptr>(whole), numbers.result())) << line.text;
  EXPECT_EQ(line.flags, mpfr_integer_p(a) ? 0 : inexact) << line.text;
}

void expect_chosen(const Line& line, const Numbers& numbers) {
  const mpfr_ptr a = numbers.operands()[0], b = numbers.operands()[1];
  MpfrNumber expected(wide_precision);
  if (line.name == "abs") {
    mpfr_abs(expected, a, MPFR_RNDN);
  } else if (line.name == "min") {
    mpfr_min(expected, a, b, MPFR_RNDN);
  } else {
    mpfr_max(expected, a, b, MPFR_RNDN);
  }
  const bool are_zeros =
      mpfr_zero_p(numbers.result()) && mpfr_zero_p(static_cast<mpfr_ptr>(expected));
  EXPECT_TRUE(is_same(expected, numbers.result()) || are_zeros) << line.text;
}

TEST_P(HpuxQuads, ComputesRoundedAsIeee754Says) {
  std::map<std::string, int> counts;
  allow_wide_exponents();
  for (const Line& line : lines("arithmetic")) {
    const Numbers numbers(line);
    const std::string name = line.name.starts_with("cmp") ? "cmp" : line.name;
    ++counts[name];
    if (name == "cmp") {
      expect_comparison(line, numbers);
    } else if (name == "to_int" || name == "to_long" || name == "to_wide") {
      expect_integer(line, numbers);
    } else if (name == "abs" || name == "min" || name == "max") {
      if (name == "abs" || !numbers.has_nan()) expect_chosen(line, numbers);
    } else {
      const BinaryFormat& format = name == "to_float"    ? float_format
                                   : name == "to_double" ? double_format
                                                         : quad_format;
      Rounded expected(format);
      compute(format, rounded_operations().at(name), numbers.operands(), modes[line.number],
              expected);
      EXPECT_TRUE(is_same(expected.value, numbers.result())) << line.text;
      EXPECT_TRUE(numbers.has_nan() || line.flags == expected.flags)
          << line.text << ": " << expected.flags;
    }
  }
  EXPECT_EQ(counts.size(), 19u);
  for (const auto& [name, count] : counts) EXPECT_GT(count, 500) << name;
}

// ---- printf(), strtold(), scanf().

std::string printed(const char* format, mpfr_srcptr x) {
  char* text = nullptr;
  mpfr_asprintf(&text, format, x);
  std::string result = text;
  mpfr_free_str(text);
  // MPFR has no sign for what is no number, or none of the finite ones.
  const bool lacks_sign = format[1] == '+' && !mpfr_number_p(x) && result[0] != '-';
  return lacks_sign ? "+" + result : result;
}

void expect_print(const Line& line, mpfr_srcptr x) {
  // As the guest has them; MPFR has another default precision.
  static const char* const formats[] = {"%.6RNf",  "%.6RNe",   "%.6RNg",  "%.0RNf",
                                        "%.35RNg", "%.33RNe",  "%+.3RNg", "%.0RNe",
                                        "%#.0RNf", "%30.3RNe", "%.60RNg", "%.40RNf"};
  EXPECT_EQ(line.rest, " =" + printed(formats[line.number], x) + "=") << line.text;
}

// "0x1.8p+0" is the number, and with 5 digits its rounding.
void expect_hexadecimal(const Line& line, mpfr_ptr x) {
  if (!mpfr_number_p(x)) {
    const std::string word = printed("%RNf", x);
    EXPECT_TRUE(line.rest.starts_with(" =" + word + "=" + word + "=7 " + word + " 8")) << line.text;
    return;
  }
  const std::size_t first = 2, second = line.rest.find('=', first) + 1,
                    third = line.rest.find('=', second);
  const std::string exact = line.rest.substr(first, second - 1 - first);
  const std::string rounded = line.rest.substr(second, third - second);
  MpfrNumber number(wide_precision);
  mpfr_set_str(number, exact.c_str(), 0, MPFR_RNDN);
  EXPECT_TRUE(is_same(number, x)) << line.text;
  const bool is_normal = mpfr_zero_p(x) || mpfr_get_exp(x) >= quad_format.least_normal();
  const std::string lead = mpfr_zero_p(x) || !is_normal ? "0x0" : "0x1";
  EXPECT_TRUE(exact.substr(mpfr_signbit(x) != 0 ? 1 : 0).starts_with(lead)) << line.text;
  EXPECT_FALSE(exact.substr(0, exact.find('p')).ends_with(".0")) << line.text;
  EXPECT_EQ(rounded.find('p') - rounded.find('.'), 6u) << line.text;
  if (!is_normal) return;
  mpfr_set_str(number, rounded.c_str(), 0, MPFR_RNDN);
  mpfr_prec_round(x, 21, MPFR_RNDN);
  EXPECT_TRUE(is_same(number, x)) << line.text;
  EXPECT_NE(line.rest.find("=7 "), std::string::npos) << line.text;
  EXPECT_TRUE(line.rest.ends_with(" 8")) << line.text;
}

void expect_read(const Line& line, mpfr_srcptr result) {
  const std::string text = line.rest.substr(2, line.rest.size() - 3);
  MpfrNumber expected(quad_format.precision);
  char* end = nullptr;
  mpfr_set_emin(quad_format.least_exponent);
  mpfr_set_emax(quad_format.most_exponent);
  const int ternary = mpfr_strtofr(expected, text.c_str(), &end, 10, MPFR_RNDN);
  mpfr_subnormalize(expected, ternary, MPFR_RNDN);
  allow_wide_exponents();
  EXPECT_TRUE(is_same(expected, result)) << line.text;
  EXPECT_EQ(line.number, end - text.c_str()) << line.text;
  EXPECT_EQ(line.words.size(), 1u) << line.text;
}

TEST_P(HpuxQuads, ConvertsToTextAndBackCorrectlyRounded) {
  std::map<std::string, int> counts;
  allow_wide_exponents();
  for (const Line& line : lines("conversions")) {
    ++counts[line.name];
    if (line.name == "ldcvt") {
      EXPECT_EQ(line.text, "ldcvt 0 314159265359 1 1 12566 2 0 1.5");
      continue;
    }
    MpfrNumber x(wide_precision);
    line.set(x, 0);
    if (line.name == "print") {
      expect_print(line, x);
    } else if (line.name == "hex") {
      expect_hexadecimal(line, x);
    } else {
      expect_read(line, x);
    }
  }
  EXPECT_EQ(counts["ldcvt"], 1);
  EXPECT_GT(counts["print"], 200);
  EXPECT_GT(counts["hex"], 30);
  EXPECT_GT(counts["read"], 40);
}

INSTANTIATE_TEST_SUITE_P(Formats, HpuxQuads,
                         ::testing::Values("hppa/dynamic/quads",
                                           "hppa/dynamic/elf/prebuilt/pa20_64/quads",
                                           "hppa/dynamic/elf/prebuilt/hpux32/quads",
                                           "hppa/dynamic/elf/prebuilt/hpux64/quads"),
                         [](const auto& each) {
                           const std::string& place = each.param;
                           for (const char* name : {"pa20_64", "hpux32", "hpux64"}) {
                             if (place.find(name) != std::string::npos) return std::string(name);
                           }
                           return std::string("som");
                         });

}  // namespace
}  // namespace hardclock::cli_test
