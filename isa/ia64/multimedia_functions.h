// What parallel instructions compute: pure functions of 64-bit numbers that hold 8 bytes, 4
// halfwords or 2 words. The conventions are those of integer_functions.h.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3, volume 3, chapter
// 2: the instruction's page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace hardclock::ia64::alu {

// ---- Elements. Element 0 is the least significant; the type says size and sign.
template <class T>
inline constexpr unsigned elements = 8 / sizeof(T);

template <class T>
constexpr std::int64_t element(std::uint64_t word, unsigned index) {
  return static_cast<T>(word >> (index * 8 * sizeof(T)));
}

// The low bits of the value as an element.
template <class T>
constexpr std::uint64_t placed(std::int64_t value, unsigned index) {
  return std::uint64_t{static_cast<std::make_unsigned_t<T>>(value)} << (index * 8 * sizeof(T));
}

template <class T>
constexpr std::int64_t saturated(std::int64_t value) {
  return std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(),
                                  std::numeric_limits<T>::max());
}

// f of each element of `word`.
template <class T, class Function>
constexpr std::uint64_t each(std::uint64_t word, Function f) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < elements<T>; ++i) result |= placed<T>(f(element<T>(word, i)), i);
  return result;
}

// f of each pair of elements, which may differ in sign.
template <class T2, class T3, class Function>
constexpr std::uint64_t pairwise(std::uint64_t r2, std::uint64_t r3, Function f) {
  static_assert(sizeof(T2) == sizeof(T3));
  std::uint64_t result = 0;
  for (unsigned i = 0; i < elements<T2>; ++i)
    result |= placed<T2>(f(element<T2>(r2, i), element<T3>(r3, i)), i);
  return result;
}
template <class T, class Function>
constexpr std::uint64_t pairwise(std::uint64_t r2, std::uint64_t r3, Function f) {
  return pairwise<T, T>(r2, r3, f);
}

// The same with saturation. The types are those of the result, of r2 and of r3, as in the
// completers: .uus is unsigned, unsigned, signed.
template <class Result, class T2, class T3, class Function>
constexpr std::uint64_t saturating(std::uint64_t r2, std::uint64_t r3, Function f) {
  return pairwise<T2, T3>(
      r2, r3, [f](std::int64_t a, std::int64_t b) { return saturated<Result>(f(a, b)); });
}

// Both as functions of two words.
template <class T, auto f>
constexpr std::uint64_t of_pairs(std::uint64_t r2, std::uint64_t r3) {
  return pairwise<T>(r2, r3, f);
}
template <class Result, class T2, class T3, auto f>
constexpr std::uint64_t saturated_pairs(std::uint64_t r2, std::uint64_t r3) {
  return saturating<Result, T2, T3>(r2, r3, f);
}

inline constexpr std::plus<std::int64_t> sum;
inline constexpr std::minus<std::int64_t> difference;

// ---- Parallel add and subtract (padd, psub).
inline constexpr auto padd1 = of_pairs<std::uint8_t, sum>;
inline constexpr auto padd1_sss = saturated_pairs<std::int8_t, std::int8_t, std::int8_t, sum>;
inline constexpr auto padd1_uuu = saturated_pairs<std::uint8_t, std::uint8_t, std::uint8_t, sum>;
inline constexpr auto padd1_uus = saturated_pairs<std::uint8_t, std::uint8_t, std::int8_t, sum>;
inline constexpr auto padd2 = of_pairs<std::uint16_t, sum>;
inline constexpr auto padd2_sss = saturated_pairs<std::int16_t, std::int16_t, std::int16_t, sum>;
inline constexpr auto padd2_uuu = saturated_pairs<std::uint16_t, std::uint16_t, std::uint16_t, sum>;
inline constexpr auto padd2_uus = saturated_pairs<std::uint16_t, std::uint16_t, std::int16_t, sum>;
inline constexpr auto padd4 = of_pairs<std::uint32_t, sum>;
inline constexpr auto psub1 = of_pairs<std::uint8_t, difference>;
inline constexpr auto psub1_sss =
    saturated_pairs<std::int8_t, std::int8_t, std::int8_t, difference>;
inline constexpr auto psub1_uuu =
    saturated_pairs<std::uint8_t, std::uint8_t, std::uint8_t, difference>;
inline constexpr auto psub1_uus =
    saturated_pairs<std::uint8_t, std::uint8_t, std::int8_t, difference>;
inline constexpr auto psub2 = of_pairs<std::uint16_t, difference>;
inline constexpr auto psub2_sss =
    saturated_pairs<std::int16_t, std::int16_t, std::int16_t, difference>;
inline constexpr auto psub2_uuu =
    saturated_pairs<std::uint16_t, std::uint16_t, std::uint16_t, difference>;
inline constexpr auto psub2_uus =
    saturated_pairs<std::uint16_t, std::uint16_t, std::int16_t, difference>;
inline constexpr auto psub4 = of_pairs<std::uint32_t, difference>;

// ---- Averages (pavg, pavgsub): half the sum or difference, whose lost bit is ORed to the lowest
// one that stays; .raz rounds up instead.
constexpr std::int64_t halved(std::int64_t value) { return value >> 1 | (value & 1); }
constexpr std::int64_t average(std::int64_t a, std::int64_t b) { return halved(a + b); }
constexpr std::int64_t average_raz(std::int64_t a, std::int64_t b) { return (a + b + 1) >> 1; }
constexpr std::int64_t average_difference(std::int64_t a, std::int64_t b) { return halved(a - b); }
inline constexpr auto pavg1 = of_pairs<std::uint8_t, average>;
inline constexpr auto pavg1_raz = of_pairs<std::uint8_t, average_raz>;
inline constexpr auto pavg2 = of_pairs<std::uint16_t, average>;
inline constexpr auto pavg2_raz = of_pairs<std::uint16_t, average_raz>;
inline constexpr auto pavgsub1 = of_pairs<std::uint8_t, average_difference>;
inline constexpr auto pavgsub2 = of_pairs<std::uint16_t, average_difference>;

// ---- Comparisons (pcmp): an element of ones where the relation holds. .gt is signed.
constexpr std::int64_t ones_if_equal(std::int64_t a, std::int64_t b) { return a == b ? -1 : 0; }
constexpr std::int64_t ones_if_greater(std::int64_t a, std::int64_t b) { return a > b ? -1 : 0; }
inline constexpr auto pcmp1_eq = of_pairs<std::int8_t, ones_if_equal>;
inline constexpr auto pcmp1_gt = of_pairs<std::int8_t, ones_if_greater>;
inline constexpr auto pcmp2_eq = of_pairs<std::int16_t, ones_if_equal>;
inline constexpr auto pcmp2_gt = of_pairs<std::int16_t, ones_if_greater>;
inline constexpr auto pcmp4_eq = of_pairs<std::int32_t, ones_if_equal>;
inline constexpr auto pcmp4_gt = of_pairs<std::int32_t, ones_if_greater>;

// ---- Minimum and maximum (pmin, pmax): of unsigned bytes, of signed halfwords.
constexpr std::int64_t lesser(std::int64_t a, std::int64_t b) { return std::min(a, b); }
constexpr std::int64_t greater(std::int64_t a, std::int64_t b) { return std::max(a, b); }
inline constexpr auto pmin1_u = of_pairs<std::uint8_t, lesser>;
inline constexpr auto pmax1_u = of_pairs<std::uint8_t, greater>;
inline constexpr auto pmin2 = of_pairs<std::int16_t, lesser>;
inline constexpr auto pmax2 = of_pairs<std::int16_t, greater>;

// ---- Sum of absolute differences of unsigned bytes (psad).
constexpr std::uint64_t psad1(std::uint64_t r2, std::uint64_t r3) {
  std::int64_t sum = 0;
  for (unsigned i = 0; i < elements<std::uint8_t>; ++i) {
    const std::int64_t a = element<std::uint8_t>(r2, i), b = element<std::uint8_t>(r3, i);
    sum += std::max(a, b) - std::min(a, b);
  }
  return static_cast<std::uint64_t>(sum);
}

// ---- Shift and add (pshladd, pshradd): count is 1 to 3. A left shift that overflows is the
// result, saturated, whatever r3 is.
constexpr std::uint64_t pshladd2(std::uint64_t r2, std::uint64_t count, std::uint64_t r3) {
  return pairwise<std::int16_t>(r2, r3, [count](std::int64_t a, std::int64_t b) {
    const std::int64_t shifted = a * (std::int64_t{1} << count);
    const std::int64_t clipped = saturated<std::int16_t>(shifted);
    return shifted == clipped ? saturated<std::int16_t>(shifted + b) : clipped;
  });
}
constexpr std::uint64_t pshradd2(std::uint64_t r2, std::uint64_t count, std::uint64_t r3) {
  return saturating<std::int16_t, std::int16_t, std::int16_t>(
      r2, r3, [count](std::int64_t a, std::int64_t b) { return (a >> count) + b; });
}

// ---- Multiplication (pmpyshr, pmpy).
// The count that the field ct2d of pmpyshr2 encodes.
constexpr std::uint64_t pmpyshr2_count(std::uint64_t ct2d) {
  constexpr std::uint64_t counts[] = {0, 7, 15, 16};
  return counts[ct2d & 3];
}
// Bits count + 15 to count of each product; count is 0, 7, 15 or 16.
constexpr std::uint64_t pmpyshr2(std::uint64_t r2, std::uint64_t r3, std::uint64_t count) {
  return pairwise<std::int16_t>(r2, r3,
                                [count](std::int64_t a, std::int64_t b) { return a * b >> count; });
}
constexpr std::uint64_t pmpyshr2_u(std::uint64_t r2, std::uint64_t r3, std::uint64_t count) {
  return pairwise<std::uint16_t>(
      r2, r3, [count](std::int64_t a, std::int64_t b) { return a * b >> count; });
}
// Two products of 32 bits, of the signed halfwords 0 and 2 or 1 and 3.
constexpr std::uint64_t products(std::uint64_t r2, std::uint64_t r3, unsigned first) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 2; ++i) {
    const unsigned source = 2 * i + first;
    result |= placed<std::int32_t>(
        element<std::int16_t>(r2, source) * element<std::int16_t>(r3, source), i);
  }
  return result;
}
constexpr std::uint64_t pmpy2_r(std::uint64_t r2, std::uint64_t r3) { return products(r2, r3, 0); }
constexpr std::uint64_t pmpy2_l(std::uint64_t r2, std::uint64_t r3) { return products(r2, r3, 1); }

// ---- Shifts (pshl, pshr) by any 64-bit count: one above the size leaves zeros, or signs.
template <class T>
constexpr std::uint64_t shifted_left(std::uint64_t r2, std::uint64_t count) {
  if (count >= 8 * sizeof(T)) return 0;
  return each<T>(r2, [count](std::int64_t a) { return a << count; });
}
template <class T>
constexpr std::uint64_t shifted_right(std::uint64_t r3, std::uint64_t count) {
  const auto limited = std::min<std::uint64_t>(count, 8 * sizeof(T));
  return each<T>(r3, [limited](std::int64_t a) { return a >> limited; });
}
inline constexpr auto pshl2 = shifted_left<std::uint16_t>;
inline constexpr auto pshl4 = shifted_left<std::uint32_t>;
inline constexpr auto pshr2 = shifted_right<std::int16_t>;
inline constexpr auto pshr2_u = shifted_right<std::uint16_t>;
inline constexpr auto pshr4 = shifted_right<std::int32_t>;
inline constexpr auto pshr4_u = shifted_right<std::uint32_t>;

// ---- Pack: signed elements of r2, then of r3, saturated to elements of half the size.
template <class Result, class Source>
constexpr std::uint64_t packed(std::uint64_t r2, std::uint64_t r3) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < elements<Source>; ++i) {
    result |= placed<Result>(saturated<Result>(element<Source>(r2, i)), i);
    result |= placed<Result>(saturated<Result>(element<Source>(r3, i)), i + elements<Source>);
  }
  return result;
}
inline constexpr auto pack2_uss = packed<std::uint8_t, std::int16_t>;
inline constexpr auto pack2_sss = packed<std::int8_t, std::int16_t>;
inline constexpr auto pack4_sss = packed<std::int16_t, std::int32_t>;

// ---- Unpack and mix: half the elements of r3 and of r2 in turn, which begin with `first` and are
// `step` apart. Those of r3 come to the even places.
template <class T>
constexpr std::uint64_t interleaved(std::uint64_t r2, std::uint64_t r3, unsigned first,
                                    unsigned step) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < elements<T> / 2; ++i) {
    const unsigned source = first + step * i;
    result |= placed<T>(element<T>(r3, source), 2 * i);
    result |= placed<T>(element<T>(r2, source), 2 * i + 1);
  }
  return result;
}
template <class T>
constexpr std::uint64_t unpacked_high(std::uint64_t r2, std::uint64_t r3) {
  return interleaved<T>(r2, r3, elements<T> / 2, 1);
}
template <class T>
constexpr std::uint64_t unpacked_low(std::uint64_t r2, std::uint64_t r3) {
  return interleaved<T>(r2, r3, 0, 1);
}
template <class T>
constexpr std::uint64_t mixed_left(std::uint64_t r2, std::uint64_t r3) {
  return interleaved<T>(r2, r3, 1, 2);
}
template <class T>
constexpr std::uint64_t mixed_right(std::uint64_t r2, std::uint64_t r3) {
  return interleaved<T>(r2, r3, 0, 2);
}
inline constexpr auto unpack1_h = unpacked_high<std::uint8_t>;
inline constexpr auto unpack1_l = unpacked_low<std::uint8_t>;
inline constexpr auto unpack2_h = unpacked_high<std::uint16_t>;
inline constexpr auto unpack2_l = unpacked_low<std::uint16_t>;
inline constexpr auto unpack4_h = unpacked_high<std::uint32_t>;
inline constexpr auto unpack4_l = unpacked_low<std::uint32_t>;
inline constexpr auto mix1_l = mixed_left<std::uint8_t>;
inline constexpr auto mix1_r = mixed_right<std::uint8_t>;
inline constexpr auto mix2_l = mixed_left<std::uint16_t>;
inline constexpr auto mix2_r = mixed_right<std::uint16_t>;
inline constexpr auto mix4_l = mixed_left<std::uint32_t>;
inline constexpr auto mix4_r = mixed_right<std::uint32_t>;

// ---- Permutations (mux1, mux2).
// For each byte of the result, the most significant first, a digit: the number of the byte of r2.
constexpr std::uint32_t byte_permutation(std::uint64_t mbt4) {
  switch (mbt4) {
    case 0x8:  // @mix
      return 0x73516240;
    case 0x9:  // @shuf
      return 0x73625140;
    case 0xa:  // @alt
      return 0x75316420;
    case 0xb:  // @rev
      return 0x01234567;
    default:  // 0x0, @brcst
      return 0;
  }
}
// mbt4 is 0, 8, 9, 10 or 11. The others are reserved: an Illegal Operation fault, the body's.
constexpr std::uint64_t mux1(std::uint64_t r2, std::uint64_t mbt4) {
  const std::uint32_t sources = byte_permutation(mbt4);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    result |= placed<std::uint8_t>(element<std::uint8_t>(r2, sources >> 4 * i & 7), i);
  return result;
}
// Bits 2i + 1 and 2i of mht8 are the number of the halfword for place i.
constexpr std::uint64_t mux2(std::uint64_t r2, std::uint64_t mht8) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto source = static_cast<unsigned>(mht8 >> 2 * i & 3);
    result |= placed<std::uint16_t>(element<std::uint16_t>(r2, source), i);
  }
  return result;
}

}  // namespace hardclock::ia64::alu
