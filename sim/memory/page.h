// Pages of guest memory as the host holds them, and the limit on how many there may be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace hardclock {

inline constexpr unsigned page_shift = 12;
inline constexpr std::uint64_t page_size = std::uint64_t{1} << page_shift;
inline constexpr std::uint64_t page_mask = page_size - 1;

constexpr std::uint64_t round_up_to_page(std::uint64_t bytes) {
  return (bytes + page_mask) & ~page_mask;
}

// The host memory that all processes of one simulation may use together.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : limit_pages_(bytes >> page_shift) {}

  bool take_page() {
    if (used_pages_ >= limit_pages_) return false;
    if (++used_pages_ > peak_pages_) peak_pages_ = used_pages_;
    return true;
  }
  void return_page() { --used_pages_; }

  // Numbers from 0 on, in the order of asking: the same in every run.
  std::uint32_t next_space() { return spaces_++; }
  std::uint64_t next_frame() { return frames_++; }

  std::uint64_t free_bytes() const { return (limit_pages_ - used_pages_) << page_shift; }
  std::uint64_t limit_bytes() const { return limit_pages_ << page_shift; }
  std::uint64_t peak_bytes() const { return peak_pages_ << page_shift; }

 private:
  std::uint64_t limit_pages_;
  std::uint64_t used_pages_ = 0;
  std::uint64_t peak_pages_ = 0;
  std::uint32_t spaces_ = 0;
  std::uint64_t frames_ = 0;
};

// One page of zeroed host memory, counted against a budget while it lives.
class Frame {
 public:
  // Null when the budget is exhausted.
  static std::shared_ptr<Frame> allocate(const std::shared_ptr<MemoryBudget>& budget);
  ~Frame() { budget_->return_page(); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  std::uint8_t* bytes() { return bytes_.data(); }
  std::span<std::uint8_t, page_size> content() { return bytes_; }
  const std::uint8_t* bytes() const { return bytes_.data(); }
  // Among all frames of the simulation.
  std::uint64_t number() const { return number_; }

 private:
  explicit Frame(std::shared_ptr<MemoryBudget> budget)
      : number_(budget->next_frame()), budget_(std::move(budget)) {}

  alignas(64) std::array<std::uint8_t, page_size> bytes_{};
  std::uint64_t number_;
  std::shared_ptr<MemoryBudget> budget_;
};

// Where pages get their first content from.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // The bytes of the object from `offset` on, a multiple of the page size, into a zeroed page.
  // False: the object ends before.
  virtual bool fill(std::uint64_t offset, std::span<std::uint8_t, page_size> page) = 0;
};

// The pages behind a MAP_SHARED mapping, by their index in the object: every address space that
// maps it sees the same frames, also those that are touched for the first time after a fork.
struct SharedPages {
  virtual ~SharedPages() = default;
  std::map<std::uint64_t, std::shared_ptr<Frame>> frames;
};

}  // namespace hardclock
