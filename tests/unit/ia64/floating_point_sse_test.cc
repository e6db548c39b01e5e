// Single and double arithmetic against the host's SSE unit, scalar and parallel. The order of its
// flags and its rounding controls are IA-64's; so is flush-to-zero, which it does if underflow is
// masked.
#include <emmintrin.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "isa/ia64/floating_point_memory.h"
#include "isa/ia64/floating_point_moves.h"
#include "isa/ia64/floating_point_parallel.h"
#include "tests/support/part_of_cases.h"
#include "tests/unit/ia64/floating_point_values.h"

namespace hardclock::ia64::fp {
namespace {

struct Setting {
  unsigned rc;
  bool ftz;
};
Setting setting(std::size_t n) {
  return {static_cast<unsigned>(n % 4), n / 4 % 4 == 0};
}
Environment environment_of(const Setting& s, Completer completer) {
  const std::uint64_t field = (s.ftz ? 1u : 0u) | 3u << 2 | s.rc << 4;
  return environment(63 | field << 6, 0, completer);
}

// Sets MXCSR with all exceptions masked.
class Sse {
 public:
  explicit Sse(const Setting& s) : saved_(_mm_getcsr()) {
    _mm_setcsr(0x1f80 | s.rc << 13 | (s.ftz ? 1u << 15 : 0));
  }
  ~Sse() { _mm_setcsr(saved_); }
  Sse(const Sse&) = delete;
  Sse& operator=(const Sse&) = delete;
  static std::uint32_t flags() { return _mm_getcsr() & 63; }

 private:
  unsigned saved_;
};

template <class Bits>
struct HostResult {
  Bits bits;
  std::uint32_t flags;
};

// `name` computes a OP b on singles and on doubles. If both are NaNs, SSE's result is the first.
#define DEFINE_SCALAR(name, instruction)                                               \
  HostResult<std::uint32_t> name(std::uint32_t a, std::uint32_t b, const Setting& s) { \
    float left = std::bit_cast<float>(a), right = std::bit_cast<float>(b);             \
    const Sse sse(s);                                                                  \
    asm volatile(instruction "ss %1, %0" : "+x"(left) : "x"(right));                   \
    const std::uint32_t flags = Sse::flags();                                          \
    return {std::bit_cast<std::uint32_t>(left), flags};                                \
  }                                                                                    \
  HostResult<std::uint64_t> name(std::uint64_t a, std::uint64_t b, const Setting& s) { \
    double left = std::bit_cast<double>(a), right = std::bit_cast<double>(b);          \
    const Sse sse(s);                                                                  \
    asm volatile(instruction "sd %1, %0" : "+x"(left) : "x"(right));                   \
    const std::uint32_t flags = Sse::flags();                                          \
    return {std::bit_cast<std::uint64_t>(left), flags};                                \
  }
DEFINE_SCALAR(sse_add, "add")
DEFINE_SCALAR(sse_subtract, "sub")
DEFINE_SCALAR(sse_multiply, "mul")
DEFINE_SCALAR(sse_min, "min")
DEFINE_SCALAR(sse_max, "max")
DEFINE_SCALAR(sse_equal, "cmpeq")
DEFINE_SCALAR(sse_less, "cmplt")
DEFINE_SCALAR(sse_less_or_equal, "cmple")
DEFINE_SCALAR(sse_unordered, "cmpunord")
#undef DEFINE_SCALAR

// Likewise on pairs of singles.
#define DEFINE_PAIR(name, instruction)                                                 \
  HostResult<std::uint64_t> name(std::uint64_t a, std::uint64_t b, const Setting& s) { \
    __m128i left = _mm_cvtsi64_si128(static_cast<std::int64_t>(a));                    \
    const __m128i right = _mm_cvtsi64_si128(static_cast<std::int64_t>(b));             \
    const Sse sse(s);                                                                  \
    asm volatile(instruction "ps %1, %0" : "+x"(left) : "x"(right));                   \
    const std::uint32_t flags = Sse::flags();                                          \
    return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(left)), flags};               \
  }
DEFINE_PAIR(pairs_add, "add")
DEFINE_PAIR(pairs_subtract, "sub")
DEFINE_PAIR(pairs_multiply, "mul")
DEFINE_PAIR(pairs_min, "min")
DEFINE_PAIR(pairs_max, "max")
DEFINE_PAIR(pairs_equal, "cmpeq")
DEFINE_PAIR(pairs_less, "cmplt")
DEFINE_PAIR(pairs_less_or_equal, "cmple")
DEFINE_PAIR(pairs_unordered, "cmpunord")
DEFINE_PAIR(pairs_not_equal, "cmpneq")
DEFINE_PAIR(pairs_not_less, "cmpnlt")
DEFINE_PAIR(pairs_not_less_or_equal, "cmpnle")
DEFINE_PAIR(pairs_ordered, "cmpord")
#undef DEFINE_PAIR

template <class Bits>
constexpr bool is_single = sizeof(Bits) == 4;

template <class Bits>
Bits random_operand(RandomRegisters& random) {
  if constexpr (is_single<Bits>) {
    return random.single();
  } else {
    return random.twin();
  }
}
// Of the second kind are near the first in magnitude, so that sums cancel and products underflow.
template <class Bits>
Bits random_partner(RandomRegisters& random, Bits a) {
  switch (random.below(8)) {
    case 0:
      return a;
    case 1:
      return static_cast<Bits>(a + random.below(5) - 2) ^ std::rotr(Bits{1}, 1);
    default:
      return random_operand<Bits>(random);
  }
}

template <class Bits>
FpRegister loaded(Bits bits) {
  if constexpr (is_single<Bits>) {
    return from_single(bits);
  } else {
    return from_double(bits);
  }
}
template <class Bits>
Bits stored(const FpRegister& f) {
  if constexpr (is_single<Bits>) {
    return to_single(f);
  } else {
    return to_double(f);
  }
}

template <class Bits, class Operation, class Host>
void compare_scalar(std::uint64_t seed, Operation operation, Host host) {
  RandomRegisters random(seed);
  const Completer completer = is_single<Bits> ? Completer::single : Completer::double_;
  for (std::size_t n = 0; n < 200'000 / support::part_of_cases; ++n) {
    const Bits a = random_operand<Bits>(random), b = random_partner(random, a);
    const Setting s = setting(n);
    const Outcome given = operation(loaded(a), loaded(b), environment_of(s, completer));
    const HostResult<Bits> expected = host(a, b, s);
    ASSERT_EQ(stored<Bits>(given.result), expected.bits)
        << std::hex << a << " and " << b << " rc " << s.rc << " ftz " << s.ftz;
    ASSERT_EQ(given.flags, expected.flags)
        << std::hex << a << " and " << b << " rc " << s.rc << " ftz " << s.ftz;
    // Registers hold results as loads would put them there.
    ASSERT_EQ(given.result, loaded(expected.bits));
  }
}

template <class Operation, class Host>
void compare(std::uint64_t seed, Operation operation, Host host) {
  compare_scalar<std::uint32_t>(
      seed, operation, [&](std::uint32_t a, std::uint32_t b, auto& s) { return host(a, b, s); });
  compare_scalar<std::uint64_t>(
      seed + 1, operation,
      [&](std::uint64_t a, std::uint64_t b, auto& s) { return host(a, b, s); });
}

// The operand whose NaN IA-64 prefers, f4 and then f2, is SSE's first.
TEST(Ia64FloatingPointSse, Multiplication) {
  compare(
      1, [](auto f3, auto f4, auto e) { return fmpy(f3, f4, e); },
      [](auto f3, auto f4, auto& s) { return sse_multiply(f4, f3, s); });
}
TEST(Ia64FloatingPointSse, Addition) {
  compare(
      3, [](auto f3, auto f2, auto e) { return fma(f3, one, f2, e); },
      [](auto f3, auto f2, auto& s) { return sse_add(f2, f3, s); });
}
TEST(Ia64FloatingPointSse, SubtractionFromAddend) {
  compare(
      5, [](auto f3, auto f2, auto e) { return fnma(f3, one, f2, e); },
      [](auto f3, auto f2, auto& s) { return sse_subtract(f2, f3, s); });
}
TEST(Ia64FloatingPointSse, MinimumAndMaximum) {
  compare(
      7, [](auto f2, auto f3, auto e) { return fmin(f2, f3, e); },
      [](auto f2, auto f3, auto& s) { return sse_min(f2, f3, s); });
  compare(
      9, [](auto f2, auto f3, auto e) { return fmax(f2, f3, e); },
      [](auto f2, auto f3, auto& s) { return sse_max(f2, f3, s); });
}

template <class Host>
void compare_relation(std::uint64_t seed, Relation relation, Host host) {
  RandomRegisters random(seed);
  const Environment environment = environment_of({0, false}, Completer::none);
  const auto expect = [&](auto a, auto b) {
    const Comparison given = fcmp(relation, loaded(a), loaded(b), environment);
    const auto expected = host(a, b);
    ASSERT_EQ(given.holds, expected.bits != 0) << std::hex << a << " and " << b;
    ASSERT_EQ(given.flags, expected.flags) << std::hex << a << " and " << b;
  };
  for (std::size_t n = 0; n < 100'000 / support::part_of_cases; ++n) {
    const std::uint32_t single = random.single();
    ASSERT_NO_FATAL_FAILURE(expect(single, random_partner(random, single)));
    const std::uint64_t twin = random.twin();
    ASSERT_NO_FATAL_FAILURE(expect(twin, random_partner(random, twin)));
  }
}

TEST(Ia64FloatingPointSse, Comparison) {
  const Setting s{0, false};
  compare_relation(11, Relation::eq, [&](auto a, auto b) { return sse_equal(a, b, s); });
  compare_relation(12, Relation::lt, [&](auto a, auto b) { return sse_less(a, b, s); });
  compare_relation(13, Relation::le, [&](auto a, auto b) { return sse_less_or_equal(a, b, s); });
  compare_relation(14, Relation::unord, [&](auto a, auto b) { return sse_unordered(a, b, s); });
}

std::uint64_t random_pair(RandomRegisters& random) {
  return std::uint64_t{random.single()} << 32 | random.single();
}
std::uint64_t partner_pair(RandomRegisters& random, std::uint64_t a) {
  const auto high = static_cast<std::uint32_t>(a >> 32), low = static_cast<std::uint32_t>(a);
  return std::uint64_t{random_partner(random, high)} << 32 | random_partner(random, low);
}

template <class Operation, class Host>
void compare_pairs(std::uint64_t seed, Operation operation, Host host) {
  RandomRegisters random(seed);
  for (std::size_t n = 0; n < 100'000 / support::part_of_cases; ++n) {
    const std::uint64_t a = random_pair(random), b = partner_pair(random, a);
    const Setting s = setting(n);
    const Outcome given =
        operation(from_significand(a), from_significand(b), environment_of(s, Completer::parallel));
    const HostResult<std::uint64_t> expected = host(a, b, s);
    ASSERT_EQ(given.result, from_significand(expected.bits))
        << std::hex << a << " and " << b << " rc " << s.rc << " ftz " << s.ftz;
    ASSERT_EQ(given.flags, expected.flags)
        << std::hex << a << " and " << b << " rc " << s.rc << " ftz " << s.ftz;
  }
}

TEST(Ia64FloatingPointSse, ParallelArithmetic) {
  compare_pairs(
      21, [](auto f3, auto f4, const Environment& e) { return fpmpy(f3, f4, e); },
      [](auto f3, auto f4, auto& s) { return pairs_multiply(f4, f3, s); });
  const FpRegister ones = from_halves(0x3f80'0000, 0x3f80'0000);
  compare_pairs(
      22, [&](auto f3, auto f2, const Environment& e) { return fpma(f3, ones, f2, e); },
      [](auto f3, auto f2, auto& s) { return pairs_add(f2, f3, s); });
  compare_pairs(
      23, [&](auto f3, auto f2, const Environment& e) { return fpnma(f3, ones, f2, e); },
      [](auto f3, auto f2, auto& s) { return pairs_subtract(f2, f3, s); });
}

TEST(Ia64FloatingPointSse, ParallelMinimumAndMaximum) {
  compare_pairs(
      24, [](auto f2, auto f3, const Environment& e) { return fpmin(f2, f3, e); },
      [](auto f2, auto f3, auto& s) { return pairs_min(f2, f3, s); });
  compare_pairs(
      25, [](auto f2, auto f3, const Environment& e) { return fpmax(f2, f3, e); },
      [](auto f2, auto f3, auto& s) { return pairs_max(f2, f3, s); });
}

TEST(Ia64FloatingPointSse, ParallelComparison) {
  const auto compare_relation = [](std::uint64_t seed, Relation relation, bool negated, auto host) {
    compare_pairs(
        seed,
        [&](auto f2, auto f3, const Environment& e) { return fpcmp(relation, negated, f2, f3, e); },
        host);
  };
  compare_relation(31, Relation::eq, false, pairs_equal);
  compare_relation(32, Relation::lt, false, pairs_less);
  compare_relation(33, Relation::le, false, pairs_less_or_equal);
  compare_relation(34, Relation::unord, false, pairs_unordered);
  compare_relation(35, Relation::eq, true, pairs_not_equal);
  compare_relation(36, Relation::lt, true, pairs_not_less);
  compare_relation(37, Relation::le, true, pairs_not_less_or_equal);
  compare_relation(38, Relation::unord, true, pairs_ordered);
}

// CVTPS2DQ and CVTTPS2DQ. They do not tell of denormal operands.
TEST(Ia64FloatingPointSse, ParallelConversion) {
  RandomRegisters random(41);
  for (std::size_t n = 0; n < 100'000 / support::part_of_cases; ++n) {
    std::uint64_t pair = random_pair(random);
    if (n % 2 == 0) {  // exponents from 2^-3 to 2^32
      const auto some = [&] { return std::uint64_t{124 + random.below(36)} << 23; };
      pair = (pair & 0x807f'ffff'807f'ffff) | some() << 32 | some();
    }
    const Setting s = setting(n);
    const Environment environment = environment_of(s, Completer::parallel);
    const auto convert = [&](bool truncates) -> HostResult<std::uint64_t> {
      __m128i value = _mm_cvtsi64_si128(static_cast<std::int64_t>(pair));
      const Sse sse(s);
      if (truncates) {
        asm volatile("cvttps2dq %0, %0" : "+x"(value));
      } else {
        asm volatile("cvtps2dq %0, %0" : "+x"(value));
      }
      const std::uint32_t flags = Sse::flags();
      return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(value)), flags};
    };
    const auto expect = [&](const Outcome& given, const HostResult<std::uint64_t>& expected) {
      ASSERT_EQ(given.result, from_significand(expected.bits)) << std::hex << pair;
      ASSERT_EQ(given.flags & ~denormal, expected.flags) << std::hex << pair << " rc " << s.rc;
    };
    ASSERT_NO_FATAL_FAILURE(expect(fpcvt_fx(from_significand(pair), environment), convert(false)));
    ASSERT_NO_FATAL_FAILURE(
        expect(fpcvt_fx_trunc(from_significand(pair), environment), convert(true)));
  }
}

}  // namespace
}  // namespace hardclock::ia64::fp
