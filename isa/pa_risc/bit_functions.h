// Pure functions of 64-bit numbers that instructions call: carries of nibbles, halfwords in
// parallel.
// Sources: "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994),
// chapter 5; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 7; Winbond, "W90210F PA-RISC Embedded
// Controller" (1997), appendix A, for the halfwords of MAX-1.
#pragma once

#include <algorithm>
#include <cstdint>

namespace hardclock::pa_risc {

// Bits that are a mask's low ones; 1 to 64.
constexpr std::uint64_t low_ones(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

// The most significant bits of the 16 nibbles.
inline constexpr std::uint64_t nibble_ends = 0x8888'8888'8888'8888;

// Packs the carries out of nibbles, taken from the carries out of every bit: bit i of the result is
// the carry of the nibble i from the right.
constexpr std::uint16_t pack_carries(std::uint64_t carries) {
  std::uint64_t bits = (carries & nibble_ends) >> 3;
  bits = (bits | bits >> 3) & 0x0303'0303'0303'0303;
  bits = (bits | bits >> 6) & 0x000f'000f'000f'000f;
  bits = (bits | bits >> 12) & 0x0000'00ff'0000'00ff;
  return static_cast<std::uint16_t>(bits | bits >> 24);
}
// The reverse.
constexpr std::uint64_t unpack_carries(std::uint16_t packed) {
  std::uint64_t bits = packed;
  bits = (bits | bits << 24) & 0x0000'00ff'0000'00ff;
  bits = (bits | bits << 12) & 0x000f'000f'000f'000f;
  bits = (bits | bits << 6) & 0x0303'0303'0303'0303;
  bits = (bits | bits << 3) & nibble_ends >> 3;
  return bits << 3;
}
// A 6 in each nibble that has a carry.
constexpr std::uint64_t sixes(std::uint64_t carries) { return ((carries & nibble_ends) >> 3) * 6; }

// ---- Halfwords. `of` combines two of them: int64_t(int64_t, int64_t), each sign-extended; the
// result is taken modulo 2^16.
template <class Function>
constexpr std::uint64_t each_halfword(std::uint64_t a, std::uint64_t b, Function of) {
  std::uint64_t result = 0;
  for (unsigned low = 0; low < 64; low += 16) {
    const std::int64_t x = static_cast<std::int16_t>(a >> low);
    const std::int64_t y = static_cast<std::int16_t>(b >> low);
    result |= (static_cast<std::uint64_t>(of(x, y)) & 0xffff) << low;
  }
  return result;
}
constexpr std::int64_t signed_saturated(std::int64_t v) {
  return std::clamp<std::int64_t>(v, -0x8000, 0x7fff);
}
constexpr std::int64_t unsigned_saturated(std::int64_t v) {
  return std::clamp<std::int64_t>(v, 0, 0xffff);
}
constexpr std::int64_t unsigned_halfword(std::int64_t v) { return v & 0xffff; }

constexpr std::uint64_t halfword_add(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b, [](auto x, auto y) { return x + y; });
}
constexpr std::uint64_t halfword_add_signed(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b, [](auto x, auto y) { return signed_saturated(x + y); });
}
// The first operand is unsigned, the second signed, the result unsigned.
constexpr std::uint64_t halfword_add_unsigned(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b,
                       [](auto x, auto y) { return unsigned_saturated(unsigned_halfword(x) + y); });
}
constexpr std::uint64_t halfword_sub(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b, [](auto x, auto y) { return x - y; });
}
constexpr std::uint64_t halfword_sub_signed(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b, [](auto x, auto y) { return signed_saturated(x - y); });
}
constexpr std::uint64_t halfword_sub_unsigned(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b,
                       [](auto x, auto y) { return unsigned_saturated(unsigned_halfword(x) - y); });
}
// For unsigned halfwords; the least significant bit becomes 1 if a bit is lost.
constexpr std::uint64_t halfword_average(std::uint64_t a, std::uint64_t b) {
  return each_halfword(a, b, [](auto x, auto y) {
    const std::int64_t sum = unsigned_halfword(x) + unsigned_halfword(y);
    return sum >> 1 | (sum & 1);
  });
}
// A shift that overflows determines the result: the extreme value with the operand's sign.
constexpr std::uint64_t halfword_shift_left_add(std::uint64_t a, std::uint64_t b,
                                                std::uint64_t amount) {
  return each_halfword(a, b, [amount](auto x, auto y) {
    const std::int64_t shifted = x * (std::int64_t{1} << amount);
    const bool overflows = shifted != signed_saturated(shifted);
    return signed_saturated(overflows ? shifted : shifted + y);
  });
}
constexpr std::uint64_t halfword_shift_right_add(std::uint64_t a, std::uint64_t b,
                                                 std::uint64_t amount) {
  return each_halfword(a, b,
                       [amount](auto x, auto y) { return signed_saturated((x >> amount) + y); });
}
constexpr std::uint64_t halfword_shift_left(std::uint64_t a, std::uint64_t amount) {
  return each_halfword(a, 0, [amount](auto x, auto) { return unsigned_halfword(x) << amount; });
}
constexpr std::uint64_t halfword_shift_right(std::uint64_t a, std::uint64_t amount) {
  return each_halfword(a, 0, [amount](auto x, auto) { return unsigned_halfword(x) >> amount; });
}
constexpr std::uint64_t halfword_shift_right_signed(std::uint64_t a, std::uint64_t amount) {
  return each_halfword(a, 0, [amount](auto x, auto) { return x >> amount; });
}

// PERMH: `permutation` has two bits for each halfword of the result, the leftmost's first; they
// number the operand's from the left.
constexpr std::uint64_t permute_halfwords(std::uint64_t a, std::uint64_t permutation) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t chosen = permutation >> (6 - 2 * i) & 3;
    result = result << 16 | (a >> (48 - 16 * chosen) & 0xffff);
  }
  return result;
}

}  // namespace hardclock::pa_risc
