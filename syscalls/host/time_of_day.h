// The time of day as a guest sees it. No host clock is read anywhere: it is a fixed instant at the
// start of a run plus the virtual time since then.
#pragma once

#include <cstdint>

namespace hardclock::host {

// 1996-01-01 00:00:00 UTC in seconds since 1970-01-01 00:00:00 UTC. A choice, not a measurement: a
// date at which all simulated systems were in use, with a round date and a 32-bit time_t.
inline constexpr std::int64_t default_guest_epoch = 820454400;

// Seconds since 1970-01-01 00:00:00 UTC, and 0..999999999 nanoseconds.
struct GuestTime {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  friend bool operator==(const GuestTime&, const GuestTime&) = default;
};

class TimeOfDay {
 public:
  TimeOfDay() = default;
  // `epoch` is the time of day at the start of the run, seconds since 1970.
  explicit TimeOfDay(std::int64_t epoch) : epoch_(epoch) {}

  std::int64_t epoch() const { return epoch_; }
  // The time of day after `nanoseconds` of virtual time since the start of the run.
  GuestTime at(std::uint64_t nanoseconds) const;

 private:
  std::int64_t epoch_ = default_guest_epoch;
};

}  // namespace hardclock::host
