// The fraction of its cases that a test with many of them must run.
#pragma once

#include <cstdint>

namespace hardclock::support {

// Under a sanitizer, which makes tests slow and looks for other mistakes, fewer cases are enough:
// one in this many. With clang it is a feature, with gcc a macro.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HARDCLOCK_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HARDCLOCK_SANITIZED
#endif
#ifdef HARDCLOCK_SANITIZED
inline constexpr std::uint32_t part_of_cases = 8;
#else
inline constexpr std::uint32_t part_of_cases = 1;
#endif

}  // namespace hardclock::support
