// Waiting for what another process does.
#pragma once

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>

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

// Whether the file has bytes within a minute: somebody writes it.
inline bool gets_bytes(const std::string& path) {
  return happens([&] {
    std::error_code error;
    return std::filesystem::file_size(path, error) != 0 && !error;
  });
}

}  // namespace hardclock::cli_test
