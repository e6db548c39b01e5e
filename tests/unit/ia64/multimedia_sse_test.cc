// Parallel integer instructions against the host's: SSE2 has the same operation on the same
// elements for many of them, and for the rest a short sequence. Shift counts are 64 bits wide in
// both.
#include <emmintrin.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>

#include "isa/ia64/multimedia_functions.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/integer_values.h"

namespace hardclock::ia64 {
namespace {

__m128i load(std::uint64_t word) {
  return _mm_cvtsi64_si128(static_cast<std::int64_t>(word));
}
std::uint64_t low_half(__m128i vector) {
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(vector));
}
std::uint64_t high_half(__m128i vector) {
  return low_half(_mm_srli_si128(vector, 8));
}

using Binary = std::uint64_t (*)(std::uint64_t, std::uint64_t);

// `name`, a host instruction on 64 bits of r2 and r3.
#define DEFINE_HOST(name, intrinsic)                              \
  std::uint64_t host_##name(std::uint64_t r2, std::uint64_t r3) { \
    return low_half(intrinsic(load(r2), load(r3)));               \
  }
DEFINE_HOST(padd1, _mm_add_epi8)
DEFINE_HOST(padd1_sss, _mm_adds_epi8)
DEFINE_HOST(padd1_uuu, _mm_adds_epu8)
DEFINE_HOST(padd2, _mm_add_epi16)
DEFINE_HOST(padd2_sss, _mm_adds_epi16)
DEFINE_HOST(padd2_uuu, _mm_adds_epu16)
DEFINE_HOST(padd4, _mm_add_epi32)
DEFINE_HOST(psub1, _mm_sub_epi8)
DEFINE_HOST(psub1_sss, _mm_subs_epi8)
DEFINE_HOST(psub1_uuu, _mm_subs_epu8)
DEFINE_HOST(psub2, _mm_sub_epi16)
DEFINE_HOST(psub2_sss, _mm_subs_epi16)
DEFINE_HOST(psub2_uuu, _mm_subs_epu16)
DEFINE_HOST(psub4, _mm_sub_epi32)
DEFINE_HOST(pavg1_raz, _mm_avg_epu8)
DEFINE_HOST(pavg2_raz, _mm_avg_epu16)
DEFINE_HOST(pcmp1_eq, _mm_cmpeq_epi8)
DEFINE_HOST(pcmp1_gt, _mm_cmpgt_epi8)
DEFINE_HOST(pcmp2_eq, _mm_cmpeq_epi16)
DEFINE_HOST(pcmp2_gt, _mm_cmpgt_epi16)
DEFINE_HOST(pcmp4_eq, _mm_cmpeq_epi32)
DEFINE_HOST(pcmp4_gt, _mm_cmpgt_epi32)
DEFINE_HOST(pmin1_u, _mm_min_epu8)
DEFINE_HOST(pmax1_u, _mm_max_epu8)
DEFINE_HOST(pmin2, _mm_min_epi16)
DEFINE_HOST(pmax2, _mm_max_epi16)
DEFINE_HOST(psad1, _mm_sad_epu8)
DEFINE_HOST(pmulhw, _mm_mulhi_epi16)
DEFINE_HOST(pmulhuw, _mm_mulhi_epu16)
DEFINE_HOST(pmullw, _mm_mullo_epi16)
DEFINE_HOST(pmaddwd, _mm_madd_epi16)
DEFINE_HOST(pshl2, _mm_sll_epi16)
DEFINE_HOST(pshl4, _mm_sll_epi32)
DEFINE_HOST(pshr2, _mm_sra_epi16)
DEFINE_HOST(pshr2_u, _mm_srl_epi16)
DEFINE_HOST(pshr4, _mm_sra_epi32)
DEFINE_HOST(pshr4_u, _mm_srl_epi32)
#undef DEFINE_HOST

// The host's instructions interleave the low halves of two registers, the first register's element
// first: the low doubleword of the result is .l, the high one .h.
std::uint64_t host_unpack1_l(std::uint64_t r2, std::uint64_t r3) {
  return low_half(_mm_unpacklo_epi8(load(r3), load(r2)));
}
std::uint64_t host_unpack1_h(std::uint64_t r2, std::uint64_t r3) {
  return high_half(_mm_unpacklo_epi8(load(r3), load(r2)));
}
std::uint64_t host_unpack2_l(std::uint64_t r2, std::uint64_t r3) {
  return low_half(_mm_unpacklo_epi16(load(r3), load(r2)));
}
std::uint64_t host_unpack2_h(std::uint64_t r2, std::uint64_t r3) {
  return high_half(_mm_unpacklo_epi16(load(r3), load(r2)));
}
std::uint64_t host_unpack4_l(std::uint64_t r2, std::uint64_t r3) {
  return low_half(_mm_unpacklo_epi32(load(r3), load(r2)));
}
std::uint64_t host_unpack4_h(std::uint64_t r2, std::uint64_t r3) {
  return high_half(_mm_unpacklo_epi32(load(r3), load(r2)));
}

// They pack 128 bits at a time.
std::uint64_t host_pack2_sss(std::uint64_t r2, std::uint64_t r3) {
  return low_half(_mm_packs_epi16(_mm_unpacklo_epi64(load(r2), load(r3)), _mm_setzero_si128()));
}
std::uint64_t host_pack2_uss(std::uint64_t r2, std::uint64_t r3) {
  return low_half(_mm_packus_epi16(_mm_unpacklo_epi64(load(r2), load(r3)), _mm_setzero_si128()));
}
std::uint64_t host_pack4_sss(std::uint64_t r2, std::uint64_t r3) {
  return low_half(_mm_packs_epi32(_mm_unpacklo_epi64(load(r2), load(r3)), _mm_setzero_si128()));
}

// pmaddwd adds two products: with zeros for one of them it is a multiplication.
constexpr std::uint64_t right_halves = 0x0000'ffff'0000'ffff;
std::uint64_t host_pmpy2_r(std::uint64_t r2, std::uint64_t r3) {
  return host_pmaddwd(r2 & right_halves, r3);
}
std::uint64_t host_pmpy2_l(std::uint64_t r2, std::uint64_t r3) {
  return host_pmaddwd(r2 & ~right_halves, r3);
}

struct Pair {
  const char* name;
  Binary function;
  Binary host;
};
#define PAIR(name) \
  { #name, alu::name, host_##name }
constexpr Pair on_bytes[] = {PAIR(padd1),     PAIR(padd1_sss), PAIR(padd1_uuu), PAIR(psub1),
                             PAIR(psub1_sss), PAIR(psub1_uuu), PAIR(pavg1_raz), PAIR(pcmp1_eq),
                             PAIR(pcmp1_gt),  PAIR(pmin1_u),   PAIR(pmax1_u),   PAIR(psad1),
                             PAIR(unpack1_l), PAIR(unpack1_h)};
constexpr Pair on_longer_elements[] = {
    PAIR(padd2),     PAIR(padd2_sss), PAIR(padd2_uuu), PAIR(padd4),     PAIR(psub2),
    PAIR(psub2_sss), PAIR(psub2_uuu), PAIR(psub4),     PAIR(pavg2_raz), PAIR(pcmp2_eq),
    PAIR(pcmp2_gt),  PAIR(pcmp4_eq),  PAIR(pcmp4_gt),  PAIR(pmin2),     PAIR(pmax2),
    PAIR(unpack2_l), PAIR(unpack2_h), PAIR(unpack4_l), PAIR(unpack4_h), PAIR(pack2_sss),
    PAIR(pack2_uss), PAIR(pack4_sss), PAIR(pmpy2_r),   PAIR(pmpy2_l)};
constexpr Pair shifts[] = {PAIR(pshl2),   PAIR(pshl4), PAIR(pshr2),
                           PAIR(pshr2_u), PAIR(pshr4), PAIR(pshr4_u)};
#undef PAIR

void compare(const Pair& pair, std::uint64_t r2, std::uint64_t r3) {
  ASSERT_EQ(pair.function(r2, r3), pair.host(r2, r3))
      << pair.name << std::hex << " " << r2 << " " << r3;
}

// Eight pairs at a time.
TEST(Ia64MultimediaSse, AllPairsOfBytes) {
  for (const Pair& pair : on_bytes) {
    for (std::uint64_t a = 0; a < 256; ++a) {
      for (std::uint64_t b = 0; b < 256; b += 8) {
        const std::uint64_t all_a = a * 0x0101'0101'0101'0101;
        ASSERT_NO_FATAL_FAILURE(
            compare(pair, all_a, b * 0x0101'0101'0101'0101 + 0x0706'0504'0302'0100));
      }
    }
  }
}

void compare_on_registers(const Pair& pair) {
  for (const std::uint64_t r2 : corner_registers)
    for (const std::uint64_t r3 : corner_registers) ASSERT_NO_FATAL_FAILURE(compare(pair, r2, r3));
  std::mt19937_64 random(1);
  for (unsigned n = 0; n < 20'000 / support::part_of_cases; ++n)
    ASSERT_NO_FATAL_FAILURE(compare(pair, random_register(random), random_register(random)));
}

TEST(Ia64MultimediaSse, Registers) {
  for (const Pair& pair : on_bytes) ASSERT_NO_FATAL_FAILURE(compare_on_registers(pair));
  for (const Pair& pair : on_longer_elements) ASSERT_NO_FATAL_FAILURE(compare_on_registers(pair));
}

TEST(Ia64MultimediaSse, Shifts) {
  std::mt19937_64 random(2);
  for (const Pair& pair : shifts) {
    for (const std::uint64_t count : corner_counts) {
      for (const std::uint64_t value : corner_registers)
        ASSERT_NO_FATAL_FAILURE(compare(pair, value, count));
    }
    for (unsigned n = 0; n < 10'000 / support::part_of_cases; ++n)
      ASSERT_NO_FATAL_FAILURE(compare(pair, random_register(random), random() % 80));
  }
}

// Bits count + 15 to count of the products whose low and high halves the host gives.
std::uint64_t host_pmpyshr2(std::uint64_t low, std::uint64_t high, int count) {
  const __m128i from_high = _mm_slli_epi16(load(high), 16 - count);
  const __m128i from_low = _mm_srli_epi16(load(low), count);
  return low_half(_mm_or_si128(from_high, from_low));
}
TEST(Ia64MultimediaSse, MultiplyAndShift) {
  std::mt19937_64 random(3);
  for (unsigned n = 0; n < 20'000 / support::part_of_cases; ++n) {
    const std::uint64_t r2 = random_register(random), r3 = random_register(random);
    const std::uint64_t low = host_pmullw(r2, r3);
    for (const int count : {0, 7, 15, 16}) {
      const auto operand = static_cast<std::uint64_t>(count);
      ASSERT_EQ(alu::pmpyshr2(r2, r3, operand), host_pmpyshr2(low, host_pmulhw(r2, r3), count));
      ASSERT_EQ(alu::pmpyshr2_u(r2, r3, operand), host_pmpyshr2(low, host_pmulhuw(r2, r3), count));
    }
  }
}

template <int mht8>
void compare_mux2(std::uint64_t r2) {
  ASSERT_EQ(alu::mux2(r2, mht8), low_half(_mm_shufflelo_epi16(load(r2), mht8))) << mht8;
}
template <int... mht8>
void compare_all_mux2(std::uint64_t r2, std::integer_sequence<int, mht8...>) {
  (compare_mux2<mht8>(r2), ...);
}
TEST(Ia64MultimediaSse, Mux2) {
  std::mt19937_64 random(4);
  for (unsigned n = 0; n < 50; ++n)
    compare_all_mux2(random(), std::make_integer_sequence<int, 256>{});
}

// @rev, @alt and @shuf are bswap, a pack and an interleaving.
TEST(Ia64MultimediaSse, Mux1) {
  const __m128i even = _mm_set1_epi16(0xff);
  std::mt19937_64 random(5);
  for (unsigned n = 0; n < 1000; ++n) {
    const std::uint64_t r2 = random();
    const __m128i evens_then_odds =
        _mm_unpacklo_epi64(_mm_and_si128(load(r2), even), _mm_srli_epi16(load(r2), 8));
    EXPECT_EQ(alu::mux1(r2, 0x0), 0x0101'0101'0101'0101 * (r2 & 0xff));
    EXPECT_EQ(alu::mux1(r2, 0x9), low_half(_mm_unpacklo_epi8(load(r2), load(r2 >> 32))));
    EXPECT_EQ(alu::mux1(r2, 0xa), low_half(_mm_packus_epi16(evens_then_odds, evens_then_odds)));
    EXPECT_EQ(alu::mux1(r2, 0xb), __builtin_bswap64(r2));
  }
}

}  // namespace
}  // namespace hardclock::ia64
