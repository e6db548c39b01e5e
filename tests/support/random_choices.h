// The choices of generators of random programs.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

namespace hardclock::support {

class RandomChoices {
 public:
  explicit RandomChoices(std::uint32_t seed) : random_(seed) {}

  // `limit` is above 0.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::uint32_t any_word() { return static_cast<std::uint32_t>(random_()); }
  // One of the corner cases, or anything.
  std::uint32_t corner_word() {
    static constexpr std::uint32_t corners[] = {0,           1,           2,      0x7fff'ffff,
                                                0x8000'0000, 0xffff'ffff, 0x8000, 0x3f80'0000,
                                                0x7f80'0000, 0x7fc0'0000};
    return chance(50) ? any_word() : corners[below(std::size(corners))];
  }
  std::uint64_t corner_doubleword() {
    static constexpr std::uint64_t corners[] = {~std::uint64_t{0} >> 1, std::uint64_t{1} << 63,
                                                std::uint64_t{1} << 32, 0x8000'0000,
                                                0x3ff0'0000'0000'0000,  0x7ff8'0000'0000'0000};
    if (chance(20)) return corners[below(std::size(corners))];
    return std::uint64_t{corner_word()} << 32 | corner_word();
  }

 private:
  std::mt19937 random_;
};

}  // namespace hardclock::support
