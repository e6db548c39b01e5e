#include "syscalls/posix/timers.h"

#include <algorithm>

#include "sim/state/archive.h"

namespace hardclock::posix {
namespace {

constexpr std::uint64_t per_second = 1'000'000'000;  // nanoseconds

}  // namespace

Timer* Timers::add() {
  if (all_.size() >= most) return nullptr;
  int id = 0;
  auto at = all_.begin();
  for (; at != all_.end() && at->id == id; ++at) ++id;
  Timer timer;
  timer.id = id;
  return &*all_.insert(at, timer);
}

Timer* Timers::find(int id) {
  const auto found = std::ranges::find(all_, id, &Timer::id);
  return found == all_.end() ? nullptr : &*found;
}

bool Timers::remove(int id) {
  return std::erase_if(all_, [&](const Timer& timer) { return timer.id == id; }) != 0;
}

std::uint64_t expirations(std::uint64_t now, std::uint64_t& next, std::uint64_t interval) {
  if (next == 0 || now < next) return 0;
  const std::uint64_t count = interval == 0 ? 1 : (now - next) / interval + 1;
  next = interval == 0 ? 0 : next + count * interval;
  return count;
}

std::uint64_t nanoseconds_of(const VirtualClock& clock) {
  return multiply_divide_down(clock.now().value(), per_second, clock.cpu_rate().value());
}

Cycles cycle_of(std::uint64_t nanoseconds, const VirtualClock& clock) {
  return Cycles(multiply_divide_up(nanoseconds, clock.cpu_rate().value(), per_second));
}

Ticks tick_of(std::uint64_t nanoseconds, Hertz rate) {
  const std::uint64_t part = nanoseconds % per_second * rate.value();
  return Ticks(nanoseconds / per_second * rate.value() + (part + per_second - 1) / per_second);
}

std::uint64_t time_of(Ticks tick, Hertz rate) {
  const std::uint64_t ticks = tick.value();
  return ticks / rate.value() * per_second + ticks % rate.value() * per_second / rate.value();
}

void Timers::archive(Archive& to) {
  to.state(all_);
}

}  // namespace hardclock::posix
