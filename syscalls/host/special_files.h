// The files that every guest has and that have no host file. Internal to this package.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "syscalls/host/file_status.h"
#include "syscalls/host/guest_path.h"

namespace hardclock::host {

inline constexpr std::uint32_t special_permissions = 0666;

// Those of one guest.
class SpecialFiles {
 public:
  explicit SpecialFiles(bool has_full = false) : has_full_(has_full) {}

  std::span<const std::string_view> paths() const {
    return std::span(all).first(has_full_ ? all.size() : all.size() - 1);
  }
  std::optional<SpecialFile> find(const GuestPath& path) const {
    for (std::size_t i = 0; i < paths().size(); ++i) {
      if (path.text() == all[i]) return static_cast<SpecialFile>(i);
    }
    return std::nullopt;
  }

 private:
  // In the order of SpecialFile.
  static constexpr std::array<std::string_view, 7> all = {
      "/dev/null",   "/dev/zero",    "/dev/tty", "/dev/console",
      "/dev/random", "/dev/urandom", "/dev/full"};

  bool has_full_ = false;
};

}  // namespace hardclock::host
