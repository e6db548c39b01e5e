// Expectations: the type rules that sim/base/units.h states; arithmetic modulo 2^64 is C++'s own
// for std::uint64_t.
#include "sim/base/units.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace hardclock {
namespace {

template <class A, class B>
concept CanAdd = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept CanSubtract = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept CanMultiply = requires(A a, B b) {
  a* b;
};
template <class A, class B>
concept CanCompare = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept CanEqual = requires(A a, B b) {
  a == b;
};
template <class A, class B>
concept CanAddTo = requires(A a, B b) {
  a += b;
};

TEST(Units, SameUnitsMix) {
  static_assert(CanAdd<Cycles, Cycles> && CanSubtract<Cycles, Cycles> && CanAddTo<Cycles, Cycles>);
  static_assert(CanCompare<Cycles, Cycles> && CanEqual<Cycles, Cycles>);
  static_assert(CanMultiply<Cycles, std::uint64_t>);
}

TEST(Units, DifferentUnitsDoNot) {
  static_assert(!CanAdd<Cycles, Instructions> && !CanAdd<Instructions, Cycles>);
  static_assert(!CanSubtract<Cycles, Instructions> && !CanAddTo<Cycles, Instructions>);
  static_assert(!CanCompare<Cycles, Instructions> && !CanEqual<Cycles, Instructions>);
  static_assert(!CanAdd<Ticks, Hertz> && !CanAdd<Ticks, Cycles> && !CanAdd<Hertz, Instructions>);
  static_assert(!std::is_assignable_v<Cycles&, Instructions>);
  static_assert(!std::is_constructible_v<Cycles, Instructions>);
}

TEST(Units, PlainNumbersAreNotQuantities) {
  static_assert(!CanAdd<Cycles, std::uint64_t> && !CanAdd<std::uint64_t, Cycles>);
  static_assert(!CanCompare<Cycles, std::uint64_t> && !CanEqual<Cycles, int>);
  static_assert(!CanMultiply<Cycles, Cycles>);
  static_assert(!std::is_convertible_v<std::uint64_t, Cycles>);
  static_assert(!std::is_convertible_v<Cycles, std::uint64_t>);
}

TEST(Units, Arithmetic) {
  EXPECT_EQ(Cycles().value(), 0u);
  EXPECT_EQ((Cycles(40) + Cycles(2)).value(), 42u);
  EXPECT_EQ((Cycles(40) - Cycles(2)).value(), 38u);
  EXPECT_EQ((Cycles(40) * 3).value(), 120u);
  Ticks ticks(7);
  ticks += Ticks(3);
  ticks -= Ticks(1);
  EXPECT_EQ((++ticks).value(), 10u);
  EXPECT_EQ(ticks, Ticks(10));
}

TEST(Units, OrderIsTheNumbersOrderUnsigned) {
  EXPECT_LT(Cycles(1), Cycles(2));
  EXPECT_GT(Cycles(UINT64_MAX), Cycles(0));
  EXPECT_EQ(Cycles(0) - Cycles(1), Cycles(UINT64_MAX));
}

TEST(GuestAddr, MovesByBytes) {
  EXPECT_EQ(GuestAddr(0x400000) + 0x10, GuestAddr(0x400010));
  EXPECT_EQ(GuestAddr(0x400010) - 0x10, GuestAddr(0x400000));
  EXPECT_EQ(GuestAddr(0x400010) - GuestAddr(0x400000), 0x10u);
  EXPECT_LT(GuestAddr(0x7fffffff), GuestAddr(0x80000000));
}

TEST(GuestAddr, IsNoNumberAndNoQuantity) {
  static_assert(!CanAdd<GuestAddr, GuestAddr>);
  static_assert(!CanAdd<GuestAddr, Cycles> && !CanSubtract<GuestAddr, Cycles>);
  static_assert(!CanEqual<GuestAddr, std::uint64_t>);
  static_assert(!std::is_convertible_v<std::uint64_t, GuestAddr>);
  static_assert(!std::is_convertible_v<GuestAddr, std::uint64_t>);
  static_assert(!std::is_constructible_v<GuestAddr, void*>);
}

}  // namespace
}  // namespace hardclock
