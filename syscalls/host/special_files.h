// The files that every guest has and that have no host file. Internal to this package.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "syscalls/host/guest_path.h"

namespace hardclock::host {

enum class SpecialFile : std::uint8_t { null, zero, terminal, console, random, urandom };

inline constexpr std::uint32_t special_permissions = 0666;

// In the order of SpecialFile.
constexpr std::array<std::string_view, 6> special_paths() {
  return {"/dev/null", "/dev/zero", "/dev/tty", "/dev/console", "/dev/random", "/dev/urandom"};
}

inline std::optional<SpecialFile> find_special(const GuestPath& path) {
  const auto paths = special_paths();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (path.text() == paths[i]) return static_cast<SpecialFile>(i);
  }
  return std::nullopt;
}

}  // namespace hardclock::host
