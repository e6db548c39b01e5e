// The blocks that translated code has noted because of a PcSampler's moments in them
// (HostFrame::moments), until the sampler is told.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/translator/host_frame.h"

namespace hardclock {

class NotedMoments {
 public:
  // Before any other call.
  void make_room() { room_.resize(1 + most); }

  // No block is noted, and the sampler's moments are these.
  void start(std::span<const Cycles> upcoming) {
    next_ = upcoming.data();
    last_known_ = upcoming.back();
  }
  // The first moment that is in no block.
  Cycles next() const { return *next_; }

  // The code that is about to run, until `end` at most, may note more.
  void lend_to(HostFrame& frame, Cycles end) {
    frame.moments = next_;
    frame.runs_until = std::min(end, last_known_).value();
    frame.moments_next = first() + noted_;
    frame.moments_end = room_.data() + room_.size();
  }
  // It has been left.
  void take_from(const HostFrame& frame) {
    noted_ = static_cast<std::size_t>(frame.moments_next - first());
    next_ = frame.moments;
  }
  // The block that was entered at `now` has not run as a whole.
  void forget_since(Cycles now) {
    if (noted_ == 0 || first()[noted_ - 1].issued <= now.value()) return;
    next_ = first()[--noted_].moments;
  }

  // For the sampler, to which they are new. Valid until more are noted.
  std::span<const NotedMoment> take() {
    if (noted_ == 0) return {};
    return {first(), std::exchange(noted_, 0)};
  }

 private:
  static constexpr std::size_t most = 256;

  NotedMoment* first() { return room_.data() + 1; }

  std::vector<NotedMoment> room_;  // the first one is none: the code looks at the one before
  std::size_t noted_ = 0;
  const Cycles* next_ = nullptr;
  Cycles last_known_;
};

}  // namespace hardclock
