// Numbers without visible order, the same in every run.
#pragma once

#include <cstdint>
#include <span>

namespace hardclock {

// The next number of a sequence, whose state moves on (Steele, Lea, Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014: SplitMix64).
inline std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

inline void fill_without_order(std::span<std::uint8_t> bytes, std::uint64_t& state) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(next_random(state));
}

}  // namespace hardclock
