// Bytes of profile files as tests write them down.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock::report {

inline std::vector<std::uint8_t> from_hex(std::string_view hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline std::vector<std::uint8_t> to_bytes(std::string_view text) {
  return {text.begin(), text.end()};
}

}  // namespace hardclock::report
