#include "tests/unit/ia64/floating_point_values.h"

#include <ios>
#include <iterator>

namespace hardclock::ia64::fp {

void PrintTo(const FpRegister& f, std::ostream* out) {
  const std::ios_base::fmtflags before = out->flags();
  *out << (f.sign ? '-' : '+') << std::hex << f.significand << " exponent " << f.exponent;
  out->flags(before);
}

const std::vector<std::uint32_t>& boundary_exponents() {
  static const std::vector<std::uint32_t> exponents = {
      0,       1,       2,       63,      64,      65,      66,      0xc000,  0xc001,
      0xc002,  0xc018,  0xc036,  0xc040,  0xfc00,  0xfc01,  0xfc02,  0xfc35,  0xff80,
      0xff81,  0xff82,  0xff98,  0xffbe,  0xfffe,  0xffff,  0x10000, 0x10017, 0x1001e,
      0x10034, 0x1003d, 0x1003e, 0x1003f, 0x1007d, 0x1007e, 0x1007f, 0x103fe, 0x103ff,
      0x13ffe, 0x13fff, 0x1fffc, 0x1fffd, 0x1fffe, 0x1ffff};
  return exponents;
}

const std::vector<std::uint64_t>& boundary_significands() {
  static const std::vector<std::uint64_t> significands = {0,
                                                          1,
                                                          0x3fff'ffff'ffff'ffff,
                                                          0x4000'0000'0000'0000,
                                                          0x7fff'ffff'ffff'ffff,
                                                          0x8000'0000'0000'0000,
                                                          0x8000'0000'0000'0001,
                                                          0x8000'0000'0000'0400,
                                                          0x8000'0000'0000'0c00,
                                                          0x8000'0080'0000'0000,
                                                          0x8000'0180'0000'0000,
                                                          0xc000'0000'0000'0000,
                                                          0xffff'ff00'0000'0000,
                                                          0xffff'ff80'0000'0000,
                                                          0xffff'ffff'ffff'f800,
                                                          0xffff'ffff'ffff'fc00,
                                                          0xffff'ffff'ffff'ffff};
  return significands;
}

std::uint64_t RandomRegisters::significand() {
  const std::uint64_t random = random_() | integer_bit;
  switch (below(6)) {
    case 0:
      return boundary_significands()[below(boundary_significands().size())];
    case 1:
      return random & ~std::uint64_t{0} << below(64);
    case 2:
      return integer_bit | std::uint64_t{1} << below(64);
    case 3:
      return random >> below(64);
    default:
      return random;
  }
}

FpRegister RandomRegisters::any() {
  FpRegister f;
  f.significand = significand();
  f.sign = below(2) != 0;
  switch (below(3)) {
    case 0:
      f.exponent = boundary_exponents()[below(boundary_exponents().size())];
      break;
    case 1:
      f.exponent = static_cast<std::uint32_t>(exponent_bias - 70 + below(140));
      break;
    default:
      f.exponent = static_cast<std::uint32_t>(below(special_exponent + 1));
  }
  return f;
}

FpRegister RandomRegisters::moderate() {
  return {significand() | integer_bit, static_cast<std::uint32_t>(exponent_bias - 3 + below(6)),
          below(2) != 0};
}

std::uint32_t RandomRegisters::single() {
  static constexpr std::uint32_t exponents[] = {0, 1, 2, 24, 126, 127, 128, 150, 253, 254, 255};
  auto bits = static_cast<std::uint32_t>(random_());
  if (below(4) == 0) bits &= ~0u << below(23);
  if (below(2) == 0) return bits;
  return (bits & 0x807f'ffff) | exponents[below(std::size(exponents))] << 23;
}

std::uint64_t RandomRegisters::twin() {
  static constexpr std::uint64_t exponents[] = {0,    1,    2,    53,   1022, 1023,
                                                1024, 1075, 2045, 2046, 2047};
  std::uint64_t bits = random_();
  if (below(4) == 0) bits &= ~std::uint64_t{0} << below(52);
  if (below(2) == 0) return bits;
  return (bits & 0x800f'ffff'ffff'ffff) | exponents[below(std::size(exponents))] << 52;
}

}  // namespace hardclock::ia64::fp
