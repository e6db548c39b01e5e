// What a processor of each level says of itself.
#pragma once

#include <array>
#include <cstdint>

#include "isa/ia64/ia64_decode.h"

namespace hardclock::ia64 {

inline constexpr std::uint64_t last_cpuid = 4;

// CPUID[4] (SDM 1, 3.1.11, and the SDM's specification update of 2012): what tf tests from bit 32
// up.
constexpr std::uint64_t cpuid_features(Level level) {
  constexpr std::uint64_t brl = 1, semaphores_of_16_bytes = 1 << 2;
  constexpr std::uint64_t clz = std::uint64_t{1} << 32, mpy4 = std::uint64_t{1} << 33;
  switch (level) {
    case Level::itanium:
      return 0;
    case Level::itanium2:
      return brl;
    case Level::itanium2_9000:
      return brl | semaphores_of_16_bytes;
    case Level::itanium_9500:
      break;
  }
  return brl | semaphores_of_16_bytes | clz | mpy4;
}

// CPUID[3]: family, model and revision, and the number of the last register. The families are those
// of Itanium, Itanium 2, Itanium 2 9000 and Itanium 9500 (Linux, arch/ia64/kernel/setup.c).
constexpr std::uint64_t cpuid_version(Level level) {
  constexpr std::array<std::uint64_t, 4> families = {0x07, 0x1f, 0x20, 0x21};
  return families[static_cast<std::size_t>(level)] << 24 | last_cpuid;
}

// `level` is a Level, so that this is a function of numbers. Registers above the last are 0 here:
// to read one is a fault, the caller's.
constexpr std::uint64_t cpuid(std::uint64_t index, std::uint64_t level) {
  switch (index) {
    case 0:
      return 0x49656e69756e6547;  // GenuineI
    case 1:
      return 0x6c65746e;  // ntel
    case 3:
      return cpuid_version(static_cast<Level>(level));
    case 4:
      return cpuid_features(static_cast<Level>(level));
    default:
      return 0;
  }
}

}  // namespace hardclock::ia64
