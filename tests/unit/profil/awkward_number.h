// Numbers at which arithmetic goes wrong if it does: small ones, powers of two and their
// neighbours, and anything else.
#pragma once

#include <cstdint>
#include <random>

namespace hardclock::profil {

// The generator is fully specified: the same numbers in every run.
inline std::uint64_t awkward_number(std::mt19937_64& random, unsigned bits) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  switch (random() % 4) {
    case 0:
      return random() % 64;
    case 1:
      return ((std::uint64_t{1} << random() % bits) + random() % 5 - 2) & mask;
    case 2:
      return (random() & mask) >> random() % bits;
    default:
      return random() & mask;
  }
}

}  // namespace hardclock::profil
