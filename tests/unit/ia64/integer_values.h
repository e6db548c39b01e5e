// Registers to try integer instructions on.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

namespace hardclock::ia64 {

// Ends of the ranges of doublewords and of their elements.
inline constexpr std::uint64_t corner_registers[] = {0,
                                                     1,
                                                     2,
                                                     ~std::uint64_t{0},
                                                     0x7fff'ffff'ffff'ffff,
                                                     0x8000'0000'0000'0000,
                                                     0x8000'0000'0000'0001,
                                                     0x0000'0000'7fff'ffff,
                                                     0x0000'0000'8000'0000,
                                                     0x0000'0000'ffff'ffff,
                                                     0x0000'0001'0000'0000,
                                                     0xffff'ffff'0000'0000,
                                                     0xffff'ffff'8000'0000,
                                                     0x8000'0000'7fff'ffff,
                                                     0x7fff'ffff'8000'0000,
                                                     0x7fff'8000'0001'ffff,
                                                     0x8001'7ffe'0000'8000,
                                                     0x7fff'7fff'8000'8000,
                                                     0xffff'0000'ff00'00ff,
                                                     0x0100'ff80'7f00'0001,
                                                     0x7f80'807f'81ff'fe01,
                                                     0x0102'0408'1020'4080,
                                                     0x0123'4567'89ab'cdef};

// Counts in registers: around the sizes of elements and where lower bits alone would be small.
inline constexpr std::uint64_t corner_counts[] = {0,
                                                  1,
                                                  7,
                                                  8,
                                                  14,
                                                  15,
                                                  16,
                                                  17,
                                                  31,
                                                  32,
                                                  33,
                                                  62,
                                                  63,
                                                  64,
                                                  65,
                                                  127,
                                                  128,
                                                  255,
                                                  256,
                                                  0xffff,
                                                  0x1'0000,
                                                  0x1'0000'0000,
                                                  0x1'0000'0001,
                                                  0x8000'0000'0000'0000,
                                                  ~std::uint64_t{0}};

// A register half of whose elements, of a random size, are at the ends of their ranges.
inline std::uint64_t random_register(std::mt19937_64& random) {
  constexpr std::uint64_t ends[] = {0,           1,           0x7f,       0x80,   0x81,
                                    0xff,        0x7fff,      0x8000,     0x8001, 0xffff,
                                    0x7fff'ffff, 0x8000'0000, 0xffff'ffff};
  const unsigned bits = 8u << random() % 4;
  std::uint64_t word = random();
  for (unsigned low = 0; low < 64; low += bits) {
    if (random() % 2 != 0) continue;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits) << low;
    word = (word & ~mask) | (ends[random() % std::size(ends)] << low & mask);
  }
  return word;
}

}  // namespace hardclock::ia64
