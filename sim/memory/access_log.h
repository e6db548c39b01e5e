// Where the instructions of a straight line made their accesses, for who asks when it is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hardclock {

struct AccessLog {
  static constexpr std::size_t most = 64;  // instructions

  std::uint64_t accessed = 0;  // bit i: instruction i has made one
  std::array<std::uint64_t, most> addresses{};

  // Of several by one instruction, the first.
  void note(std::size_t index, std::uint64_t address) {
    const std::uint64_t bit = std::uint64_t{1} << index;
    if ((accessed & bit) != 0) return;
    accessed |= bit;
    addresses[index] = address;
  }
  bool has(std::size_t index) const { return (accessed >> index & 1) != 0; }
};

}  // namespace hardclock
