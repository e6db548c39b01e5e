// A bound on the host memory that an input may cost. For programs built with AddressSanitizer,
// which knows what the heap holds.
#pragma once

#include <sanitizer/allocator_interface.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace hardclock::fuzzing {

class HeapBound {
 public:
  // From here on the heap may grow by so many bytes.
  explicit HeapBound(std::size_t most) : limit_(__sanitizer_get_current_allocated_bytes() + most) {}

  // Ends the run, as a failed check does, when it has grown by more.
  void check() const {
    const std::size_t bytes = __sanitizer_get_current_allocated_bytes();
    if (bytes <= limit_) return;
    std::fprintf(stderr, "broken promise: the heap has %zu bytes, more than %zu\n", bytes, limit_);
    std::abort();
  }

 private:
  std::size_t limit_;
};

// For what stays behind from one input to the next; libFuzzer's own memory grows too.
inline constexpr std::size_t growth_of_a_run = std::size_t{64} << 20;

}  // namespace hardclock::fuzzing
