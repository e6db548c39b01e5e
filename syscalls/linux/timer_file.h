// The file of timerfd_create(2): it can be read when its timer has expired.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/clock/virtual_clock.h"
#include "sim/process/simulation.h"
#include "syscalls/linux/epoll.h"
#include "syscalls/posix/timers.h"

namespace hardclock::gnu_linux {

class TimerFile final : public AnonymousFile {
 public:
  // The clock outlives every file. `interrupts`: the timer expires between two ticks.
  TimerFile(host::FileRecords& records, const VirtualClock& clock, Endian endian, bool is_real_time,
            bool interrupts)
      : AnonymousFile(records, "anon_inode:[timerfd]"),
        clock_(clock),
        endian_(endian),
        is_real_time_(is_real_time),
        interrupts_(interrupts) {}

  explicit TimerFile(Archive& from) : clock_(from.provided<Simulation>().clock()) {}

  // In nanoseconds since the machine's start; 0: not armed, or it expires once.
  void set(std::uint64_t next, std::uint64_t interval) {
    next_ = next;
    interval_ = interval;
  }
  std::uint64_t next() const { return next_; }
  std::uint64_t interval() const { return interval_; }
  bool is_real_time() const { return is_real_time_; }

  // Takes the number of expirations.
  posix::Transfer read(std::span<std::uint8_t> bytes) override {
    std::uint64_t count = 0;
    if (bytes.size() < sizeof count) return Failure{host::Error::invalid};
    count = posix::expirations(now(), next_, interval_);
    if (count == 0) return std::optional<std::size_t>();
    store_bytes(bytes.data(), count, endian_);
    return std::optional(sizeof count);
  }
  bool readable(const Thread* /*asker*/) const override { return next_ != 0 && now() >= next_; }
  bool writable(std::size_t) const override { return false; }
  std::uint64_t activity(const Thread* /*asker*/) const override {
    std::uint64_t next = next_;
    return next_ + posix::expirations(now(), next, interval_);
  }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<TimerFile>(); }
  std::optional<std::uint64_t> next_event() const override {
    return next_ == 0 ? std::nullopt : std::optional(next_);
  }

 private:
  std::uint64_t now() const {
    return interrupts_ ? posix::nanoseconds_of(clock_)
                       : posix::time_of(clock_.ticks(), clock_.tick_rate());
  }

  const VirtualClock& clock_;
  Endian endian_ = Endian::big;
  bool is_real_time_ = false;
  bool interrupts_ = false;
  std::uint64_t next_ = 0, interval_ = 0;
};

}  // namespace hardclock::gnu_linux
