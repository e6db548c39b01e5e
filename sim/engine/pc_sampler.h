// Somebody who wants to know where a program is at moments of his own, as a clock interrupt would
// find it, without interrupting it.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/base/units.h"

namespace hardclock {

class PcSampler {
 public:
  virtual ~PcSampler() = default;

  // The next moment, which may be over: the program has not run since. The largest number of
  // cycles: there is none.
  Cycles due() const { return due_; }
  // A tick that is due at one of the moments before `end` would be charged to `pc`.
  virtual void take(GuestAddr pc, Cycles end) = 0;

 protected:
  void set_due(Cycles due) { due_ = due; }

 private:
  Cycles due_{std::numeric_limits<std::uint64_t>::max()};
};

}  // namespace hardclock
