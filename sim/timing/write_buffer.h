// A write buffer: the processor puts stores into it and continues; the next level takes them out in
// order, one every `drain` cycles. A store that finds it full waits until the oldest has left.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/state/archive.h"
#include "sim/timing/memory_description.h"

namespace hardclock {

class WriteBuffer {
 public:
  WriteBuffer() = default;  // no buffer: nothing waits
  explicit WriteBuffer(const WriteBufferDescription& description)
      : depth_(description.depth), drain_(description.drain_cycles) {}

  // A store at `now`, which never decreases. Returns the cycles that it waits for a place.
  std::uint32_t store(Cycles now) {
    if (depth_ == 0) return 0;
    // The buffer is full until only depth_ - 1 entries are left.
    const std::uint64_t others = std::uint64_t{depth_ - 1} * drain_;
    const std::uint64_t place_at = empty_at_ > others ? empty_at_ - others : 0;
    const std::uint64_t entered = std::max(place_at, now.value());
    empty_at_ = std::max(empty_at_, entered) + drain_;
    return static_cast<std::uint32_t>(entered - now.value());
  }

  // The cycles from `now` until the buffer is empty.
  std::uint32_t until_empty(Cycles now) const {
    return empty_at_ > now.value() ? static_cast<std::uint32_t>(empty_at_ - now.value()) : 0;
  }

  bool operator==(const WriteBuffer&) const = default;

  void archive(Archive& to);

 private:
  std::uint32_t depth_ = 0;
  std::uint32_t drain_ = 1;
  // When the last entry leaves. All entries take equally long, so the one before it leaves `drain`
  // earlier, and so on: this moment is the whole state.
  std::uint64_t empty_at_ = 0;
};

}  // namespace hardclock
