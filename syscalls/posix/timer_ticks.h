// What the clock's interrupts do with the timers that the kernel keeps.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/process/process.h"
#include "syscalls/posix/kernel_part.h"
#include "syscalls/posix/signals/signals.h"
#include "syscalls/posix/timers.h"

namespace hardclock::posix {

class TimerTicks : public KernelPart {
 public:
  using KernelPart::KernelPart;

  // See Personality.
  void timer_expired(Process& process, TimerKind timer) const;
  bool heeds_timer(const Process& process, TimerKind timer) const;
  void clock_ticked(Process& process, Thread* running) const;
  void alarm_came(Process& process) const;
  std::optional<Cycles> next_alarm(const Process& process) const;
  std::optional<Ticks> next_expiry(const Process& process) const;
  // A signal was taken: the timer that sent it goes on, and tells what it missed.
  void rearm(Process& process, unsigned signal, SignalInfo& info) const;

 private:
  bool would_change(const Process& process, unsigned signal) const;
  std::optional<std::uint64_t> next_time(const Process& process) const;
  void expire(Process& process, Timer& timer) const;
  void expire_timers(Process& process, bool with_used) const;
  void expire_real_timer(Process& process) const;
  void expire_interval_timers(Process& process, Thread* running) const;
};

}  // namespace hardclock::posix
