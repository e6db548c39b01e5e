#include "tests/support/floating_point_operands.h"

#include <algorithm>
#include <bit>

namespace hardclock::support {
namespace {

class Generator {
 public:
  Generator(const BinaryFormat& format, std::uint64_t seed) : format_(format), random_(seed) {}

  // Any number, with an exponent that is often at an end or near 1.
  std::uint64_t any() {
    const auto limit = static_cast<std::int64_t>(format_.exponent_limit());
    switch (below(7)) {
      case 0:
        return pack(near(0));
      case 1:
        return pack(near(limit));
      case 2:
        return pack(near(limit / 2));
      case 3:
        return pack(near(limit / 2 + 31));  // the edge of a 32-bit integer
      case 4:
        return pack(near(limit / 2 + 63));  // of a 64-bit integer
      default:
        return pack(static_cast<std::int64_t>(below(format_.exponent_limit())));
    }
  }

  // A number whose sum, product or quotient with `a` is interesting.
  std::uint64_t partner(std::uint64_t a) {
    const auto limit = static_cast<std::int64_t>(format_.exponent_limit());
    const auto exponent =
        static_cast<std::int64_t>((a >> format_.fraction_bits) & format_.exponent_limit());
    switch (below(8)) {
      case 0:  // cancels: differs in the last bits
        return (a ^ (below(2) * format_.sign())) + below(9) - 4;
      case 1:  // one operand's last bits round away, or decide a half-way case
        return pack(exponent + near(0));
      case 2:
        return pack(exponent - static_cast<std::int64_t>(format_.fraction_bits) + near(0));
      case 3:  // product at the smallest, at the largest numbers
        return pack(limit / 2 - exponent + spread());
      case 4:
        return pack(limit / 2 + limit - exponent + spread());
      case 5:  // quotient likewise
        return pack(exponent + limit / 2 + spread());
      case 6:
        return pack(exponent - limit / 2 + spread());
      default:
        return any();
    }
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  std::int64_t near(std::int64_t exponent) {
    return exponent + static_cast<std::int64_t>(below(7)) - 3;
  }
  // As far as a result can lie below the smallest normal number before it vanishes.
  std::int64_t spread() {
    return static_cast<std::int64_t>(below(format_.fraction_bits + 6)) -
           static_cast<std::int64_t>(format_.fraction_bits + 3);
  }

  // Random, with few bits at the top (exact and half-way results), or long runs of ones or zeros.
  std::uint64_t fraction() {
    const std::uint64_t mask = format_.fraction_mask();
    const std::uint64_t bits = random_() & mask;
    const std::uint64_t run = mask >> below(format_.fraction_bits);
    switch (below(6)) {
      case 0:
        return bits & ~run;
      case 1:
        return ~run & mask;
      case 2:
        return run;
      case 3:
        return (std::uint64_t{1} << below(format_.fraction_bits)) ^ (below(2) * mask);
      default:
        return bits;
    }
  }

  // Exponents past an end are taken back to it; the largest one would be a NaN.
  std::uint64_t pack(std::int64_t exponent) {
    const auto limit = static_cast<std::int64_t>(format_.exponent_limit());
    const auto field = static_cast<std::uint64_t>(std::clamp<std::int64_t>(exponent, 0, limit - 1));
    return (below(2) * format_.sign()) | field << format_.fraction_bits | fraction();
  }

  BinaryFormat format_;
  std::mt19937_64 random_;
};

// 2^exponent, with the fraction field.
std::uint64_t power(const BinaryFormat& format, int exponent, std::uint64_t fraction = 0) {
  const auto bias = static_cast<int>(format.exponent_limit() / 2);
  return static_cast<std::uint64_t>(exponent + bias) << format.fraction_bits | fraction;
}

}  // namespace

std::vector<std::uint64_t> special_operands(const BinaryFormat& format) {
  const std::uint64_t mask = format.fraction_mask();
  const std::uint64_t smallest_normal = mask + 1;
  const std::uint64_t infinity = format.infinity();
  const std::uint64_t half = (mask + 1) >> 1;
  const int last = static_cast<int>(format.fraction_bits);
  std::vector<std::uint64_t> positive = {
      0, 1, 2, 3, half, mask, smallest_normal, smallest_normal + 1, 2 * smallest_normal,
      infinity - 1, infinity - smallest_normal, infinity,
      // Quiet NaNs; the payload of the second is lost in a narrower format.
      infinity | (half - 1), infinity | 1, infinity | (half >> 1) | 5,
      // Signalling NaNs.
      infinity | half, infinity | mask, infinity | half | 1, power(format, 0), power(format, 0, 1),
      power(format, 0) - 1, power(format, 0, half), power(format, 1), power(format, 1, half >> 1),
      power(format, -1), power(format, -1) - 1, power(format, -1, 1), power(format, last),
      power(format, last) + 1, power(format, last + 1) - 1, power(format, -last),
      power(format, -last - 1), power(format, 30), power(format, 31) - 1, power(format, 31),
      power(format, 31, 1), power(format, 32), power(format, 32) - 1, power(format, 62),
      power(format, 63), power(format, 64)};
  if (format.fraction_bits > 31) {
    // 2^31 - 1, and around it and around 2^31 by quarters.
    const std::uint64_t quarter = std::uint64_t{1} << (format.fraction_bits - 32);
    for (std::uint64_t below = 0; below <= 8; ++below) {
      positive.push_back(power(format, 31) - below * quarter);
      positive.push_back(power(format, 31) + below * quarter);
    }
    // Around the ends, the smallest ones and a half-way case of a single.
    for (const int exponent : {-150, -149, -127, -126, 0, 127}) {
      const std::uint64_t last_of_single = std::uint64_t{1} << (format.fraction_bits - 23);
      for (const std::uint64_t fraction :
           {std::uint64_t{0}, std::uint64_t{1}, last_of_single / 2, 3 * (last_of_single / 2),
            last_of_single / 2 + 1, mask - last_of_single / 2, mask - last_of_single / 2 + 1,
            mask}) {
        positive.push_back(power(format, exponent, fraction));
      }
    }
  }
  std::vector<std::uint64_t> both = positive;
  for (const std::uint64_t bits : positive) both.push_back(bits | format.sign());
  return both;
}

std::vector<std::uint64_t> special_words() {
  std::vector<std::uint64_t> words = {0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0x55555555};
  // Around the integers that a single cannot hold any more.
  for (unsigned bits = 23; bits < 32; ++bits) {
    for (const std::int32_t offset : {-3, -2, -1, 0, 1, 2, 3, 64, -64}) {
      const std::uint32_t word = (1u << bits) + static_cast<std::uint32_t>(offset);
      words.push_back(word);
      words.push_back(0u - word);
    }
  }
  for (auto& word : words) word &= 0xffffffff;
  return words;
}

std::vector<std::uint64_t> special_longs() {
  std::vector<std::uint64_t> longs;
  // Around the integers that a single or a double cannot hold any more, and around words.
  for (unsigned bits = 0; bits < 64; ++bits) {
    for (unsigned low = 0; low <= bits; low += low < 8 ? 1 : 5) {
      const std::uint64_t base = std::uint64_t{1} << bits;
      const std::uint64_t offset = std::uint64_t{1} << low;
      for (const std::uint64_t value :
           {base, base - 1, base + offset, base + offset + 1, base - offset, base - offset - 1}) {
        longs.push_back(value);
        longs.push_back(0 - value);
      }
    }
  }
  return longs;
}

std::vector<Pair> special_pairs(const std::vector<std::uint64_t>& operands) {
  std::vector<Pair> pairs;
  for (const std::uint64_t a : operands) {
    for (const std::uint64_t b : operands) pairs.emplace_back(a, b);
  }
  return pairs;
}

std::vector<Pair> random_pairs(const BinaryFormat& format, std::size_t count, std::uint64_t seed) {
  Generator generator(format, seed);
  std::vector<Pair> pairs;
  const std::uint64_t mask = format.sign() | (format.sign() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t a = generator.any();
    pairs.emplace_back(a, generator.partner(a) & mask);
  }
  return pairs;
}

std::vector<Triple> random_triples(const BinaryFormat& format, std::size_t count,
                                   std::uint64_t seed) {
  Generator generator(format, seed);
  std::vector<Triple> triples;
  const std::uint64_t mask = format.sign() | (format.sign() - 1);
  for (const auto& [a, b] : random_pairs(format, count, seed)) {
    const std::uint64_t product =
        format.fraction_bits == single.fraction_bits
            ? std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(a)) *
                                           std::bit_cast<float>(static_cast<std::uint32_t>(b)))
            : std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) * std::bit_cast<double>(b));
    triples.push_back({a, b, generator.partner(product) & mask});
  }
  return triples;
}

}  // namespace hardclock::support
