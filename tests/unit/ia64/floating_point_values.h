// Operands for tests of floating point, and how failures print them.
#pragma once

#include <cstdint>
#include <ostream>
#include <random>
#include <vector>

#include "isa/ia64/floating_point.h"

namespace hardclock::ia64::fp {

void PrintTo(const FpRegister& f, std::ostream* out);

inline FpRegister negative(FpRegister f) {
  f.sign = !f.sign;
  return f;
}

// Exponents, as registers have them, around the ends of all ranges, of integers and of precisions.
const std::vector<std::uint32_t>& boundary_exponents();
// Significands at the ends, at the ends of precisions, halfway between their neighbours, and
// without the integer bit.
const std::vector<std::uint64_t>& boundary_significands();

// Registers of every kind from a fixed seed.
class RandomRegisters {
 public:
  explicit RandomRegisters(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint64_t bits() { return random_(); }
  // Any number; seldom an infinity, a NaN, NaTVal or an unsupported encoding.
  FpRegister any();
  // A normalized number near 1.
  FpRegister moderate();
  std::uint64_t significand();
  // A single or double: half of them with an exponent near an end or in the middle.
  std::uint32_t single();
  std::uint64_t twin();

 private:
  std::mt19937_64 random_;
};

}  // namespace hardclock::ia64::fp
