// Pages of guest memory as the host holds them, and the limit on how many there may be.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/owner.h"
#include "sim/memory/cache_budget.h"
#include "sim/memory/fault.h"
#include "sim/state/archive.h"

namespace hardclock {

inline constexpr unsigned page_shift = 12;
inline constexpr std::uint64_t page_size = std::uint64_t{1} << page_shift;
inline constexpr std::uint64_t page_mask = page_size - 1;

constexpr std::uint64_t round_up_to_page(std::uint64_t bytes) {
  return (bytes + page_mask) & ~page_mask;
}

// The host memory that all processes of one simulation may use together. Their pages count against
// the limit. The tables and buffers that a kernel keeps for them are counted separately, up to a
// quarter of the limit and 8 MiB.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes)
      : limit_pages_(bytes >> page_shift), most_table_bytes_(bytes / 4 + least_table_bytes) {}

  bool take_page() {
    if (used_pages_ >= limit_pages_) return refuse();
    if (++used_pages_ > peak_pages_) peak_pages_ = used_pages_;
    return true;
  }
  void return_page() { --used_pages_; }
  // `tell` is called with the number of each frame that ends.
  void on_frame_end(std::function<void(std::uint64_t)> tell) { frame_ended_ = std::move(tell); }
  void end_frame(std::uint64_t frame) {
    return_page();
    if (frame_ended_) frame_ended_(frame);
  }
  // Whether `bytes` of pages are left.
  bool has_room(std::uint64_t bytes) { return bytes <= free_bytes() || refuse(); }

  // For tables and buffers; see MemoryCharge.
  bool take_bytes(std::uint64_t bytes) {
    if (!has_table_room(bytes)) return false;
    table_bytes_ += bytes;
    return true;
  }
  // For callers that could not report a refusal.
  void take_bytes_anyway(std::uint64_t bytes) { table_bytes_ += bytes; }
  void return_bytes(std::uint64_t bytes) { table_bytes_ -= bytes; }
  bool has_table_room(std::uint64_t bytes) {
    return table_bytes_ + bytes <= most_table_bytes_ || refuse();
  }

  // For profiles of cycles; the limit is that of the caches.
  bool take_profile_bytes(std::uint64_t bytes) {
    if (profile_bytes_ + bytes > most_profile_bytes()) return false;
    profile_bytes_ += bytes;
    return true;
  }
  void return_profile_bytes(std::uint64_t bytes) { profile_bytes_ -= bytes; }
  std::uint64_t profile_bytes() const { return profile_bytes_; }
  std::uint64_t most_profile_bytes() const { return caches_.limit(); }

  // `tell` is called when the guest is first refused memory.
  void on_refusal(std::function<void()> tell) { tell_ = std::move(tell); }

  // Numbers from 0 on, in the order of the calls: the same in every run.
  std::uint32_t next_space() { return spaces_++; }
  std::uint64_t next_frame() { return frames_++; }
  // From 1 on.
  std::uint64_t next_object() { return ++objects_; }

  std::uint64_t free_bytes() const { return (limit_pages_ - used_pages_) << page_shift; }
  std::uint64_t limit_bytes() const { return limit_pages_ << page_shift; }
  std::uint64_t peak_bytes() const { return peak_pages_ << page_shift; }
  std::uint64_t table_bytes() const { return table_bytes_; }

  // What the host keeps for all processes only for speed; the guest does not see its size.
  CacheBudget& caches() { return caches_; }

  void archive(Archive& to);

 private:
  static constexpr std::uint64_t least_table_bytes = std::uint64_t{8} << 20;

  bool refuse() {
    if (tell_) std::exchange(tell_, nullptr)();
    return false;
  }

  std::uint64_t limit_pages_;
  std::uint64_t used_pages_ = 0;
  std::uint64_t peak_pages_ = 0;
  std::uint64_t most_table_bytes_;
  std::uint64_t table_bytes_ = 0;
  std::uint64_t profile_bytes_ = 0;
  std::function<void()> tell_;
  std::function<void(std::uint64_t)> frame_ended_;
  std::uint32_t spaces_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t objects_ = 0;
  CacheBudget caches_{limit_bytes()};
};

// Bytes that are taken from a budget while this object lives.
class MemoryCharge {
 public:
  explicit MemoryCharge(std::shared_ptr<MemoryBudget> budget) : budget_(std::move(budget)) {}
  explicit MemoryCharge(Archive& from)
      : MemoryCharge(from.provided<std::shared_ptr<MemoryBudget>>()) {}
  ~MemoryCharge() { budget_->return_bytes(bytes_); }
  MemoryCharge(const MemoryCharge&) = delete;
  MemoryCharge& operator=(const MemoryCharge&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  // Returns false, and changes nothing, if there is no room for them.
  bool add(std::uint64_t bytes) {
    if (!budget_->take_bytes(bytes)) return false;
    bytes_ += bytes;
    return true;
  }
  // They are in the budget's own state, too.
  void archive(Archive& to);
  void add_anyway(std::uint64_t bytes) {
    budget_->take_bytes_anyway(bytes);
    bytes_ += bytes;
  }
  void drop(std::uint64_t bytes) {
    budget_->return_bytes(bytes);
    bytes_ -= bytes;
  }

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bytes_ = 0;
};

// One page of zeroed host memory, counted against a budget until its last owner goes.
class Frame : public Owned {
 public:
  static std::shared_ptr<Frame> blank(Archive& from) {
    return std::shared_ptr<Frame>(new Frame(from.provided<std::shared_ptr<MemoryBudget>>()));
  }
  // Returns nullptr if the budget is exhausted.
  static std::shared_ptr<Frame> allocate(const std::shared_ptr<MemoryBudget>& budget);
  ~Frame() {
    if (!has_ended()) end();
  }
  void end() { budget_->end_frame(number_); }

  std::uint8_t* bytes() { return bytes_.data(); }
  std::span<std::uint8_t, page_size> content() { return bytes_; }
  const std::uint8_t* bytes() const { return bytes_.data(); }
  // Identifies the frame within the simulation.
  std::uint64_t number() const { return number_; }

  void archive(Archive& to);

 private:
  explicit Frame(std::shared_ptr<MemoryBudget> budget)
      : number_(budget->next_frame()), budget_(std::move(budget)) {}

  alignas(64) std::array<std::uint8_t, page_size> bytes_{};
  std::uint64_t number_;
  std::shared_ptr<MemoryBudget> budget_;
};

// What is behind a mapping.
struct MappedObject {
  using StateRoot = MappedObject;

  virtual ~MappedObject() = default;
  virtual void archive(Archive& to) = 0;
  virtual Blank<MappedObject> blank() const = 0;
};

// The first content of pages.
class PageSource : public virtual MappedObject {
 public:
  // Fills a zeroed page with the object's bytes from `offset` on, a multiple of the page size. The
  // error says why there are none: Fault::Kind::no_object if the object ends before, or
  // out_of_memory.
  virtual std::optional<Fault::Kind> fill(std::uint64_t offset,
                                          std::span<std::uint8_t, page_size> page) = 0;
};

// The pages behind a MAP_SHARED mapping, by their index in the object. Every address space that
// maps the object sees the same frames, even those first touched after a fork.
struct SharedPages : Owned, virtual MappedObject {
  virtual void end() { frames.clear(); }
  // Identifies the object within the simulation; it is given when somebody asks for it first.
  std::uint64_t number(MemoryBudget& budget) {
    if (number_ == 0) number_ = budget.next_object();
    return number_;
  }
  void archive(Archive& to) override;
  Blank<MappedObject> blank() const override { return blank_of<SharedPages>(); }
  std::map<std::uint64_t, Owner<Frame>> frames;

 private:
  std::uint64_t number_ = 0;
};

}  // namespace hardclock
