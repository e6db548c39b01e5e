// Somebody who wants to know where a program is at moments of his own, as a clock interrupt would
// find it, without interrupting it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "sim/base/units.h"

namespace hardclock {

class PcSampler {
 public:
  virtual ~PcSampler() = default;

  // The next moment, which may be over: the program has not run since. `never`: there is none.
  Cycles due() const { return upcoming_.front(); }
  // That moment, and as many behind it as are known, ascending. Never empty; valid until one is
  // taken.
  std::span<const Cycles> upcoming() const { return upcoming_; }
  // A tick that is due at one of the moments before `end` would be charged to `pc`.
  virtual void take(GuestAddr pc, Cycles end) = 0;

 protected:
  static constexpr Cycles never{std::numeric_limits<std::uint64_t>::max()};
  // Not empty. It must stay valid until the next call.
  void set_upcoming(std::span<const Cycles> upcoming) { upcoming_ = upcoming; }

 private:
  std::span<const Cycles> upcoming_{&never, 1};
};

}  // namespace hardclock
