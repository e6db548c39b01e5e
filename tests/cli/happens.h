// Waiting for what another process does.
#pragma once

#include <unistd.h>

#include <chrono>
#include <functional>

namespace hardclock::cli_test {

// Whether the condition holds within a minute; asks every few milliseconds.
inline bool happens(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::usleep(2'000);
  }
  return true;
}

}  // namespace hardclock::cli_test
