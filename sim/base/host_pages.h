// Pages of host memory that are asked for before they are used. At a page that is missing the host
// interrupts the program, which can cost many times as much as making the page; for pages that are
// asked for together it costs that but once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hardclock {

// How many bytes to ask for in one go: so few that it is no loss if they are not used.
constexpr std::size_t host_chunk = std::size_t{1} << 16;

// Make the mapped pages from `start` on present (madvise(2), MADV_POPULATE_WRITE and _READ).
// `start` and `bytes` are multiples of the host's page size. A program means the same without that,
// so nobody hears of it if the host cannot (Linux before 5.14).
void populate(void* start, std::size_t bytes);
void populate_for_reading(const void* start, std::size_t bytes);

// Which chunks of host_chunk bytes have been visited lately.
class HostChunks {
 public:
  // Calls visit(number) for each chunk with a byte of [start, start + bytes) that it has not
  // visited lately. Chunks are counted from where start is 0.
  template <class Visit>
  void visit_new(std::uint64_t start, std::size_t bytes, Visit visit) {
    if (bytes == 0) return;
    const std::uint64_t last = (start + bytes - 1) / host_chunk;
    for (std::uint64_t number = start / host_chunk; number <= last; ++number) {
      std::uint64_t& known = lately_[number % lately_.size()];
      if (known == number + 1) continue;
      known = number + 1;
      visit(number);
    }
  }

 private:
  std::array<std::uint64_t, 1024> lately_{};  // number + 1, by the number's last bits
};

}  // namespace hardclock
