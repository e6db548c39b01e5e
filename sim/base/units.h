// Strong types for the quantities of a simulation. Two of them never mix: adding Cycles to
// Instructions does not compile. Each is a plain 64-bit unsigned number underneath.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace hardclock {

// A quantity of one unit. Sums and differences stay in the unit; scaling is by plain numbers.
// Subtraction below zero is the caller's bug: values are unsigned and wrap.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::uint64_t value) : value_(value) {}

  constexpr std::uint64_t value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, std::uint64_t n) {
    return Quantity(a.value_ * n);
  }

 private:
  std::uint64_t value_ = 0;
};

using Cycles = Quantity<struct CyclesUnit>;              // of the simulated processor's clock
using Instructions = Quantity<struct InstructionsUnit>;  // completed guest instructions
using Ticks = Quantity<struct TicksUnit>;                // clock interrupts
using Hertz = Quantity<struct HertzUnit>;                // per second

// A guest virtual address. 32-bit guests use the low half, zero-extended.
class GuestAddr {
 public:
  constexpr GuestAddr() = default;
  constexpr explicit GuestAddr(std::uint64_t value) : value_(value) {}

  constexpr std::uint64_t value() const { return value_; }

  constexpr auto operator<=>(const GuestAddr&) const = default;
  friend constexpr GuestAddr operator+(GuestAddr a, std::uint64_t bytes) {
    return GuestAddr(a.value_ + bytes);
  }
  friend constexpr GuestAddr operator-(GuestAddr a, std::uint64_t bytes) {
    return GuestAddr(a.value_ - bytes);
  }
  friend constexpr std::uint64_t operator-(GuestAddr a, GuestAddr b) { return a.value_ - b.value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace hardclock
