// Owns a host file descriptor.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace hardclock::host {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int get() const { return number_; }  // -1 when it owns none

  // Closes it now. 0, or the errno of what was written and did not reach the file: NFS and quotas
  // may say only here that there is no room.
  int close() {
    if (number_ < 0) return 0;
    return ::close(std::exchange(number_, -1)) == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int number_ = -1;
};

}  // namespace hardclock::host
