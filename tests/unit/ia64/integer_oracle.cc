#include "tests/unit/ia64/integer_oracle.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace hardclock::ia64 {
namespace {

// Of any operand, sum or product here: none is as great as 2^127.
__extension__ using Integer = __int128;
using Elements = std::vector<Integer>;
using Oracle = std::function<std::uint64_t(const Arguments&)>;

Integer power_of_2(unsigned exponent) {
  return Integer{1} << exponent;
}

// ---- The manual's functions (SDM 3, chapter 3). `value` is not negative.
Integer sign_ext(Integer value, unsigned bits) {
  const Integer low = value % power_of_2(bits);
  return low >= power_of_2(bits - 1) ? low - power_of_2(bits) : low;
}
Integer zero_ext(Integer value, unsigned bits) {
  return value % power_of_2(bits);
}
// Floor division: of a negative number, too.
Integer shift_right_signed(Integer value, unsigned count) {
  const Integer divisor = power_of_2(count);
  return (value - ((value % divisor) + divisor) % divisor) / divisor;
}

// The remainder that is not negative.
std::uint64_t low_doubleword(Integer value) {
  const Integer size = power_of_2(64);
  return static_cast<std::uint64_t>((value % size + size) % size);
}

// Elements, the least significant first, zero-extended.
Elements split(std::uint64_t word, unsigned bits) {
  Elements elements;
  Integer rest = word;
  for (unsigned i = 0; i < 64 / bits; ++i) {
    elements.push_back(rest % power_of_2(bits));
    rest /= power_of_2(bits);
  }
  return elements;
}
std::uint64_t concatenate(const Elements& elements, unsigned bits) {
  Integer word = 0;
  for (std::size_t i = elements.size(); i-- > 0;) {
    const Integer size = power_of_2(bits);
    word = word * size + (elements[i] % size + size) % size;
  }
  return low_doubleword(word);
}

Integer clip(Integer value, Integer lower, Integer upper) {
  if (value > upper) return upper;
  if (value < lower) return lower;
  return value;
}
Integer clip_signed(Integer value, unsigned bits) {
  return clip(value, -power_of_2(bits - 1), power_of_2(bits - 1) - 1);
}

// ---- Instructions on elements. f gets them zero-extended.
template <class Function>
Oracle elementwise(unsigned bits, Function f) {
  return [=](const Arguments& a) {
    const Elements x = split(a[0], bits), y = split(a[1], bits);
    Elements result;
    for (std::size_t i = 0; i < x.size(); ++i) result.push_back(f(x[i], y[i]));
    return concatenate(result, bits);
  };
}

// padd and psub; `form` is the completer, `sign` that of y.
Oracle add(unsigned bits, const std::string& form, int sign) {
  return elementwise(bits, [=](Integer x, Integer y) {
    if (form.empty()) return x + sign * y;
    if (form == "sss") return clip_signed(sign_ext(x, bits) + sign * sign_ext(y, bits), bits);
    const Integer operand = form == "uus" ? sign_ext(y, bits) : y;
    return clip(x + sign * operand, 0, power_of_2(bits) - 1);
  });
}

// The low-order bit is set if one of the two least significant bits of the sum is.
Integer half_with_lost_bit(Integer sum, unsigned bits) {
  const Integer size = power_of_2(bits + 1);
  const Integer digits = (sum % size + size) % size;
  const bool sticky = digits % 2 != 0 || digits / 2 % 2 != 0;
  return digits / 4 * 2 + (sticky ? 1 : 0);
}

Oracle compare_elements(unsigned bits, bool greater) {
  return elementwise(bits, [=](Integer x, Integer y) {
    const bool holds = greater ? sign_ext(x, bits) > sign_ext(y, bits) : x == y;
    return holds ? power_of_2(bits) - 1 : Integer{0};
  });
}

Oracle shift_and_add(bool left) {
  return [=](const Arguments& a) {
    const auto count = static_cast<unsigned>(a[1]);
    const Elements x = split(a[0], 16), y = split(a[2], 16);
    Elements result;
    for (std::size_t i = 0; i < 4; ++i) {
      Integer temp = sign_ext(x[i], 16);
      temp = left ? temp * power_of_2(count) : shift_right_signed(temp, count);
      if (temp > 0x7fff)
        result.push_back(0x7fff);
      else if (temp < -0x8000)
        result.push_back(-0x8000);
      else
        result.push_back(clip_signed(temp + sign_ext(y[i], 16), 16));
    }
    return concatenate(result, 16);
  };
}

Oracle multiply_and_shift(bool is_signed) {
  return [=](const Arguments& a) {
    const Elements x = split(a[0], 16), y = split(a[1], 16);
    Elements result;
    for (std::size_t i = 0; i < 4; ++i) {
      const Integer product =
          is_signed ? sign_ext(x[i], 16) * sign_ext(y[i], 16) : zero_ext(x[i], 16) * y[i];
      result.push_back(shift_right_signed(product, static_cast<unsigned>(a[2])));
    }
    return concatenate(result, 16);
  };
}

Oracle multiply_halves(std::size_t first) {
  return [=](const Arguments& a) {
    const Elements x = split(a[0], 16), y = split(a[1], 16);
    return concatenate({sign_ext(x[first], 16) * sign_ext(y[first], 16),
                        sign_ext(x[first + 2], 16) * sign_ext(y[first + 2], 16)},
                       32);
  };
}

Oracle shift_left(unsigned bits) {
  return [=](const Arguments& a) {
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(a[1], bits));
    Elements x = split(a[0], bits);
    for (Integer& element : x) element *= power_of_2(count);
    return concatenate(x, bits);
  };
}
Oracle shift_right(unsigned bits, bool is_signed) {
  return [=](const Arguments& a) {
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(a[1], bits));
    Elements x = split(a[0], bits);
    for (Integer& element : x)
      element = shift_right_signed(is_signed ? sign_ext(element, bits) : element, count);
    return concatenate(x, bits);
  };
}

// `bits` are those of the result's elements.
Oracle pack(unsigned bits, bool to_signed) {
  return [=](const Arguments& a) {
    Elements result = split(a[0], 2 * bits);
    for (const Integer element : split(a[1], 2 * bits)) result.push_back(element);
    for (Integer& element : result) {
      const Integer source = sign_ext(element, 2 * bits);
      element = to_signed ? clip_signed(source, bits) : clip(source, 0, power_of_2(bits) - 1);
    }
    return concatenate(result, bits);
  };
}

// The arguments of the manual's concatenate, which has the most significant element first: "x7" is
// element 7 of r2, "y7" of r3.
Oracle places(unsigned bits, const std::string& sources) {
  return [=](const Arguments& a) {
    const Elements x = split(a[0], bits), y = split(a[1], bits);
    Elements result;
    for (std::size_t i = 0; i < sources.size(); i += 2) {
      const auto index = static_cast<std::size_t>(sources[i + 1] - '0');
      result.push_back(sources[i] == 'x' ? x.at(index) : y.at(index));
    }
    std::reverse(result.begin(), result.end());
    return concatenate(result, bits);
  };
}

std::uint64_t mux1(const Arguments& a) {
  const std::map<std::uint64_t, const char*> permutations = {{0x0, "x0x0x0x0x0x0x0x0"},
                                                             {0x8, "x7x3x5x1x6x2x4x0"},
                                                             {0x9, "x7x3x6x2x5x1x4x0"},
                                                             {0xa, "x7x5x3x1x6x4x2x0"},
                                                             {0xb, "x0x1x2x3x4x5x6x7"}};
  return places(8, permutations.at(a[1]))(a);
}
std::uint64_t mux2(const Arguments& a) {
  const Elements x = split(a[0], 16), fields = split(a[1], 2);
  Elements result;
  for (std::size_t i = 0; i < 4; ++i) result.push_back(x[static_cast<std::size_t>(fields[i])]);
  return concatenate(result, 16);
}

std::uint64_t psad1(const Arguments& a) {
  const Elements x = split(a[0], 8), y = split(a[1], 8);
  Integer sum = 0;
  for (std::size_t i = 0; i < 8; ++i) sum += x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
  return low_doubleword(sum);
}

// ---- Instructions on bits: strings of 64 digits, bit 63 first.
std::string digits(std::uint64_t word) {
  std::string text(64, '0');
  for (std::size_t i = 0; i < 64; ++i) {
    if (word % 2 != 0) text[63 - i] = '1';
    word /= 2;
  }
  return text;
}
std::uint64_t number(const std::string& text) {
  Integer value = 0;
  for (const char digit : text) value = 2 * value + (digit - '0');
  return low_doubleword(value);
}

std::uint64_t shl(const Arguments& a) {
  const auto count = std::min<std::uint64_t>(a[1], 64);
  return number(digits(a[0]).substr(count) + std::string(count, '0'));
}
// With `fill` above the bits that stay.
std::uint64_t shifted_right(const std::string& text, std::uint64_t count, char fill) {
  const auto limited = std::min<std::uint64_t>(count, 64);
  return number(std::string(limited, fill) + text.substr(0, 64 - limited));
}
std::uint64_t shr(const Arguments& a) {
  return shifted_right(digits(a[0]), a[1], digits(a[0]).front());
}
std::uint64_t shr_u(const Arguments& a) {
  return shifted_right(digits(a[0]), a[1], '0');
}
std::uint64_t shrp(const Arguments& a) {
  return number((digits(a[0]) + digits(a[1])).substr(64 - a[2], 64));
}

std::string field(std::uint64_t word, std::uint64_t pos, std::uint64_t len) {
  const auto low = digits(word).substr(0, 64 - pos);
  return low.size() > len ? low.substr(low.size() - len) : low;
}
std::uint64_t extr_u(const Arguments& a) {
  return number(field(a[0], a[1], a[2]));
}
std::uint64_t extr(const Arguments& a) {
  const std::string bits = field(a[0], a[1], a[2]);
  return number(std::string(64 - bits.size(), bits.front()) + bits);
}
std::uint64_t deposited(std::uint64_t value, std::string into, std::uint64_t pos,
                        std::uint64_t len) {
  const std::string source = digits(value);
  for (std::size_t i = 0; i < len && pos + i < 64; ++i) into[63 - pos - i] = source[63 - i];
  return number(into);
}
std::uint64_t dep(const Arguments& a) {
  return deposited(a[0], digits(a[1]), a[2], a[3]);
}
std::uint64_t dep_z(const Arguments& a) {
  return deposited(a[0], std::string(64, '0'), a[1], a[2]);
}

// The bits of the first argument where the third, a mask, has ones, else those of the second.
std::uint64_t mov_to_pr(const Arguments& a) {
  const std::string ones = digits(a[0]), mask = digits(a[2]);
  std::string result = digits(a[1]);
  for (std::size_t i = 0; i < 64; ++i) {
    if (mask[i] == '1') result[i] = ones[i];
  }
  return number(result);
}

std::uint64_t with_region(Integer sum, std::uint64_t r3) {
  std::string result = digits(low_doubleword(zero_ext(sum, 32)));
  result[63 - 62] = digits(r3)[63 - 31];
  result[63 - 61] = digits(r3)[63 - 30];
  return number(result);
}
std::uint64_t addp4(const Arguments& a) {
  return with_region(Integer{a[0]} + Integer{a[1]}, a[1]);
}
std::uint64_t shladdp4(const Arguments& a) {
  return with_region(Integer{a[0]} * power_of_2(static_cast<unsigned>(a[1])) + Integer{a[2]}, a[2]);
}

std::uint64_t popcnt(const Arguments& a) {
  const std::string bits = digits(a[0]);
  return static_cast<std::uint64_t>(std::count(bits.begin(), bits.end(), '1'));
}
std::uint64_t clz(const Arguments& a) {
  return std::min<std::uint64_t>(digits(a[0]).find('1'), 64);
}
Oracle zero_index(unsigned bits, bool from_left) {
  return [=](const Arguments& a) {
    Elements elements = split(a[0], bits);
    if (from_left) std::reverse(elements.begin(), elements.end());
    return static_cast<std::uint64_t>(std::find(elements.begin(), elements.end(), 0) -
                                      elements.begin());
  };
}

std::uint64_t mpy4(const Arguments& a) {
  return low_doubleword(zero_ext(a[0], 32) * zero_ext(a[1], 32));
}
std::uint64_t mpyshl4(const Arguments& a) {
  const Integer product = Integer{a[0]} / power_of_2(32) * zero_ext(a[1], 32);
  return low_doubleword(zero_ext(product, 32) * power_of_2(32));
}

// ---- Relations of numbers of 64 or 32 bits.
Oracle relation(unsigned bits, const std::string& name) {
  return [=](const Arguments& a) -> std::uint64_t {
    const bool is_unsigned = name == "ltu";
    const Integer x = is_unsigned ? zero_ext(a[0], bits) : sign_ext(a[0], bits);
    const Integer y = is_unsigned ? zero_ext(a[1], bits) : sign_ext(a[1], bits);
    const bool holds = name == "eq"   ? x == y
                       : name == "ne" ? x != y
                       : name == "gt" ? x > y
                       : name == "ge" ? x >= y
                       : name == "le" ? x <= y
                                      : x < y;
    return holds ? 1 : 0;
  };
}
Oracle bit_is(char wanted) {
  return [=](const Arguments& a) { return digits(a[0])[63 - a[1]] == wanted ? 1ull : 0ull; };
}

std::map<std::string, Oracle, std::less<>> make_oracles() {
  std::map<std::string, Oracle, std::less<>> all = {
      {"addp4", addp4},
      {"shladdp4", shladdp4},
      {"shl", shl},
      {"shr", shr},
      {"shr_u", shr_u},
      {"shrp", shrp},
      {"extr", extr},
      {"extr_u", extr_u},
      {"dep", dep},
      {"dep_z", dep_z},
      {"mov_to_pr", mov_to_pr},
      {"popcnt", popcnt},
      {"clz", clz},
      {"mpy4", mpy4},
      {"mpyshl4", mpyshl4},
      {"mux1", mux1},
      {"mux2", mux2},
      {"psad1", psad1},
      {"tbit_z", bit_is('0')},
      {"tbit_nz", bit_is('1')},
      {"pmpyshr2", multiply_and_shift(true)},
      {"pmpyshr2_u", multiply_and_shift(false)},
      {"pmpy2_r", multiply_halves(0)},
      {"pmpy2_l", multiply_halves(1)},
      {"pshladd2", shift_and_add(true)},
      {"pshradd2", shift_and_add(false)},
      {"pack2_sss", pack(8, true)},
      {"pack2_uss", pack(8, false)},
      {"pack4_sss", pack(16, true)},
      {"unpack1_h", places(8, "x7y7x6y6x5y5x4y4")},
      {"unpack1_l", places(8, "x3y3x2y2x1y1x0y0")},
      {"unpack2_h", places(16, "x3y3x2y2")},
      {"unpack2_l", places(16, "x1y1x0y0")},
      {"unpack4_h", places(32, "x1y1")},
      {"unpack4_l", places(32, "x0y0")},
      {"mix1_l", places(8, "x7y7x5y5x3y3x1y1")},
      {"mix1_r", places(8, "x6y6x4y4x2y2x0y0")},
      {"mix2_l", places(16, "x3y3x1y1")},
      {"mix2_r", places(16, "x2y2x0y0")},
      {"mix4_l", places(32, "x1y1")},
      {"mix4_r", places(32, "x0y0")},
      {"pmin1_u", elementwise(8, [](Integer x, Integer y) { return x < y ? x : y; })},
      {"pmax1_u", elementwise(8, [](Integer x, Integer y) { return x < y ? y : x; })},
      {"pmin2",
       elementwise(16,
                   [](Integer x, Integer y) { return sign_ext(x, 16) < sign_ext(y, 16) ? x : y; })},
      {"pmax2",
       elementwise(16,
                   [](Integer x, Integer y) { return sign_ext(x, 16) < sign_ext(y, 16) ? y : x; })},
  };
  for (const unsigned size : {1u, 2u, 4u}) {
    const unsigned bits = 8 * size;
    const std::string digit = std::to_string(size);
    all["padd" + digit] = add(bits, "", 1);
    all["psub" + digit] = add(bits, "", -1);
    all["pcmp" + digit + "_eq"] = compare_elements(bits, false);
    all["pcmp" + digit + "_gt"] = compare_elements(bits, true);
    all["zxt" + digit] = [=](const Arguments& a) { return low_doubleword(zero_ext(a[0], bits)); };
    all["sxt" + digit] = [=](const Arguments& a) { return low_doubleword(sign_ext(a[0], bits)); };
    if (size != 1) {
      all["pshl" + digit] = shift_left(bits);
      all["pshr" + digit] = shift_right(bits, true);
      all["pshr" + digit + "_u"] = shift_right(bits, false);
    }
    if (size == 4) continue;
    for (const std::string form : {"sss", "uuu", "uus"}) {
      all["padd" + digit + "_" + form] = add(bits, form, 1);
      all["psub" + digit + "_" + form] = add(bits, form, -1);
    }
    all["pavg" + digit] =
        elementwise(bits, [=](Integer x, Integer y) { return half_with_lost_bit(x + y, bits); });
    all["pavg" + digit + "_raz"] =
        elementwise(bits, [](Integer x, Integer y) { return (x + y + 1) / 2; });
    all["pavgsub" + digit] =
        elementwise(bits, [=](Integer x, Integer y) { return half_with_lost_bit(x - y, bits); });
    all["czx" + digit + "_l"] = zero_index(bits, true);
    all["czx" + digit + "_r"] = zero_index(bits, false);
  }
  for (const std::string name : {"eq", "ne", "lt", "ltu", "gt", "ge", "le"}) {
    all["cmp_" + name] = relation(64, name);
    all["cmp4_" + name] = relation(32, name);
  }
  return all;
}

const std::map<std::string, Oracle, std::less<>>& oracles() {
  static const auto all = make_oracles();
  return all;
}

}  // namespace

std::uint64_t expected(std::string_view name, const Arguments& arguments) {
  return oracles().find(name)->second(arguments);
}
bool is_known(std::string_view name) {
  return oracles().find(name) != oracles().end();
}

}  // namespace hardclock::ia64
