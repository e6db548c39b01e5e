// What tests/guests/hppa/dynamic/quads.c prints of HP's long double, and the same by MPFR.
#pragma once

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"
#include "tests/support/mpfr_number.h"

namespace hardclock::cli_test {

using support::MpfrNumber;

// A binary format of IEEE 754: the exponents are MPFR's, of mantissas below 1.
struct BinaryFormat {
  int precision, least_exponent, most_exponent;

  int exponent_bits() const { return precision == 24 ? 8 : precision == 53 ? 11 : 15; }
  int least_normal() const { return least_exponent + precision - 1; }
};
inline constexpr BinaryFormat quad_format = {113, -16493, 16384}, double_format = {53, -1073, 1024},
                              float_format = {24, -148, 128};
inline constexpr mpfr_prec_t wide_precision = 512;

enum { inexact = 1, underflow = 2, overflow = 4, division = 8, invalid = 16 };  // fpgetround(3M)
inline const mpfr_rnd_t modes[] = {MPFR_RNDZ, MPFR_RNDN, MPFR_RNDU, MPFR_RNDD};

inline void allow_wide_exponents() {
  mpfr_set_emin(-200'000);
  mpfr_set_emax(200'000);
}

inline void set_words(mpfr_ptr to, std::uint64_t high, std::uint64_t low) {
  mpfr_set_uj(to, high, MPFR_RNDN);
  mpfr_mul_2ui(to, to, 64, MPFR_RNDN);
  MpfrNumber rest(64);
  mpfr_set_uj(rest, low, MPFR_RNDN);
  mpfr_add(to, to, rest, MPFR_RNDN);
}

inline std::uint64_t hexadecimal(const std::string& digits) {
  return std::stoull(digits, nullptr, 16);
}

// A number by its format's bits, in hexadecimal.
inline void set_bits(mpfr_ptr to, const std::string& digits) {
  const BinaryFormat format = digits.size() == 8    ? float_format
                              : digits.size() == 16 ? double_format
                                                    : quad_format;
  const std::string all = std::string(digits.size() > 16 ? 0 : 32 - digits.size(), '0') + digits;
  std::uint64_t high = hexadecimal(all.substr(0, 16)), low = hexadecimal(all.substr(16));
  const int bits = format.exponent_bits();
  const bool is_quad = format.precision == quad_format.precision;
  std::uint64_t& top = is_quad ? high : low;
  const int place = (is_quad ? 64 : static_cast<int>(digits.size()) * 4) - 1 - bits;
  const bool is_negative = (top >> (place + bits) & 1) != 0;
  const int most = (1 << bits) - 1, biased = static_cast<int>(top >> place) & most;
  top &= (std::uint64_t{1} << place) - 1;
  if (biased == most) {
    if (high != 0 || low != 0) {
      mpfr_set_nan(to);
    } else {
      mpfr_set_inf(to, is_negative ? -1 : 1);
    }
    return;
  }
  if (biased != 0) top |= std::uint64_t{1} << place;
  set_words(to, high, low);
  mpfr_mul_2si(to, to, std::max(biased, 1) - 1 + format.least_exponent - 1, MPFR_RNDN);
  mpfr_setsign(to, to, is_negative, MPFR_RNDN);
}

// Of 128 bits, with sign.
inline void set_integer(mpfr_ptr to, const std::string& digits) {
  const std::uint64_t high = hexadecimal(digits.substr(0, 16)),
                      low = hexadecimal(digits.substr(16));
  set_words(to, high, low);
  if (high >> 63 == 0) return;
  MpfrNumber all(2);
  mpfr_set_ui_2exp(all, 1, 128, MPFR_RNDN);
  mpfr_sub(to, to, all, MPFR_RNDN);
}

// A line of the guest's.
struct Line {
  std::string text, name, rest;  // the rest: behind the numbers
  int number = 0;                // of the rounding mode, or what the name says
  std::vector<std::string> words;
  int flags = 0, error = 0;

  void set(mpfr_ptr to, std::size_t i) const {
    if (words.at(i)[0] == 'i') {
      set_integer(to, words[i].substr(1));
    } else {
      set_bits(to, words[i]);
    }
  }
};

inline Line parse_line(const std::string& text) {
  Line line;
  line.text = text;
  const std::size_t end = std::min(text.find(" ="), text.size());
  line.rest = text.substr(end);
  std::istringstream in(text.substr(0, end));
  in >> line.name >> line.number;
  for (std::string word; in >> word;) {
    if (word[0] == 'f' && word.size() < 8) {
      line.flags = static_cast<int>(hexadecimal(word.substr(1)));
    } else if (word[0] == 'e' && word.size() < 8) {
      line.error = std::stoi(word.substr(1));
    } else {
      line.words.push_back(word);
    }
  }
  return line;
}

inline bool is_same(mpfr_srcptr a, mpfr_srcptr b) {
  if (mpfr_nan_p(a) || mpfr_nan_p(b)) return mpfr_nan_p(a) && mpfr_nan_p(b);
  return mpfr_equal_p(a, b) && (mpfr_signbit(a) != 0) == (mpfr_signbit(b) != 0);
}

// ---- One operation, rounded as the format has it, and its exceptions.

using Operation = std::function<int(mpfr_ptr, const std::vector<mpfr_ptr>&, mpfr_rnd_t)>;

struct Rounded {
  explicit Rounded(const BinaryFormat& format) : value(format.precision) {}
  MpfrNumber value;
  int flags = 0;
};

inline void compute(const BinaryFormat& format, const Operation& operation,
                    const std::vector<mpfr_ptr>& operands, mpfr_rnd_t mode, Rounded& to) {
  allow_wide_exponents();
  mpfr_clear_flags();
  const int first = operation(to.value, operands, mode);  // as if there were all exponents
  const bool is_number = mpfr_regular_p(static_cast<mpfr_ptr>(to.value));
  const bool is_tiny = is_number && mpfr_get_exp(to.value) < format.least_normal();
  if (mpfr_divby0_p()) to.flags |= division;
  if (mpfr_nan_p(static_cast<mpfr_ptr>(to.value))) to.flags |= invalid;
  if (is_number && mpfr_get_exp(to.value) > format.most_exponent) to.flags |= overflow | inexact;
  mpfr_set_emin(format.least_exponent);
  mpfr_set_emax(format.most_exponent);
  int ternary = operation(to.value, operands, mode);
  ternary = mpfr_check_range(to.value, ternary, mode);
  ternary = mpfr_subnormalize(to.value, ternary, mode);
  if (ternary != 0 || first != 0) to.flags |= inexact;
  if (is_tiny && ternary != 0) to.flags |= underflow;
  allow_wide_exponents();
}

inline int only_set(mpfr_ptr to, const std::vector<mpfr_ptr>& x, mpfr_rnd_t mode) {
  return mpfr_set(to, x[0], mode);
}

inline const std::map<std::string, Operation>& rounded_operations() {
  static const std::map<std::string, Operation> all = {
      {"add",
       [](mpfr_ptr to, const auto& x, mpfr_rnd_t mode) { return mpfr_add(to, x[0], x[1], mode); }},
      {"sub",
       [](mpfr_ptr to, const auto& x, mpfr_rnd_t mode) { return mpfr_sub(to, x[0], x[1], mode); }},
      {"mpy",
       [](mpfr_ptr to, const auto& x, mpfr_rnd_t mode) { return mpfr_mul(to, x[0], x[1], mode); }},
      {"div",
       [](mpfr_ptr to, const auto& x, mpfr_rnd_t mode) { return mpfr_div(to, x[0], x[1], mode); }},
      {"sqrt",
       [](mpfr_ptr to, const auto& x, mpfr_rnd_t mode) { return mpfr_sqrt(to, x[0], mode); }},
      {"to_float", only_set},
      {"to_double", only_set},
      {"of_float", only_set},
      {"of_double", only_set},
      {"of_int", only_set},
      {"of_long", only_set},
      {"of_wide", only_set},
  };
  return all;
}

// The numbers of a line, the last one the result.
class Numbers {
 public:
  explicit Numbers(const Line& line) {
    for (std::size_t i = 0; i < line.words.size(); ++i) {
      all_.push_back(std::make_unique<MpfrNumber>(wide_precision));
      line.set(*all_.back(), i);
      operands_.push_back(*all_.back());
    }
    operands_.pop_back();
  }
  const std::vector<mpfr_ptr>& operands() const { return operands_; }
  mpfr_ptr result() const { return *all_.back(); }
  bool has_nan() const {
    return std::any_of(operands_.begin(), operands_.end(),
                       [](mpfr_ptr x) { return mpfr_nan_p(x) != 0; });
  }

 private:
  std::vector<std::unique_ptr<MpfrNumber>> all_;
  std::vector<mpfr_ptr> operands_;
};

class HpuxQuads : public CommandTest, public ::testing::WithParamInterface<std::string> {
 protected:
  std::vector<Line> lines(const std::string& what) {
    const Finished run = hardclock({"run", "--timing=functional", guest(GetParam()), what});
    std::vector<Line> all;
    EXPECT_EQ(run.status, 0) << run.err;
    if (run.status != 0) return all;
    std::istringstream out(run.out);
    for (std::string text; std::getline(out, text);) all.push_back(parse_line(text));
    return all;
  }
};

}  // namespace hardclock::cli_test
