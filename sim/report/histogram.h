// Where the counters of a histogram begin. A part of reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/report/profile.h"

namespace hardclock::report {

__extension__ typedef unsigned __int128 Wide;

// The first whole address that the counter covers; of a counter without one, the next.
inline GuestAddr first_address(const Histogram& histogram, std::size_t counter) {
  const std::uint64_t counters = histogram.counts.size();
  const Wide start = Wide{histogram.high - histogram.low} * counter;
  return histogram.low + static_cast<std::uint64_t>((start + counters - 1) / counters);
}

// The counter that covers `pc`; nothing: none does.
inline std::optional<std::size_t> counter_at(const Histogram& histogram, GuestAddr pc) {
  if (pc < histogram.low || !(pc < histogram.high)) return std::nullopt;
  return static_cast<std::size_t>(Wide{pc - histogram.low} * histogram.counts.size() /
                                  (histogram.high - histogram.low));
}

}  // namespace hardclock::report
