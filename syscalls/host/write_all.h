// write(2) until all is written.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hardclock::host {

// 0, or the errno of the write that failed. A signal does not end it.
inline int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

inline int write_all(int descriptor, std::span<const std::uint8_t> bytes) {
  return write_all(descriptor, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace hardclock::host
