#include "syscalls/posix/sleepers.h"

#include "syscalls/posix/call.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/state.h"

namespace hardclock::posix {

SleepPlace sleep_place(const AddressSpace& memory, GuestAddr address) {
  const Region* const region = memory.region_at(address);
  if (region == nullptr || region->backing.shared == nullptr) return {&memory, address.value()};
  return {region->backing.shared.get(), region->backing.offset + (address.value() - region->start)};
}

std::shared_ptr<const SleepEvent> Sleepers::add(const SleepPlace& place, std::uint32_t mask) {
  std::erase_if(queue_, [](const auto& event) { return event.expired(); });
  auto event = std::make_shared<const SleepEvent>(
      std::make_shared<Sleeper>(Sleeper{.place = place, .mask = mask}));
  queue_.push_back(event);
  return event;
}

std::uint64_t Sleepers::wake(const SleepPlace& place, std::uint32_t mask, std::uint64_t most) {
  std::uint64_t count = 0;
  std::erase_if(queue_, [&](const auto& weak) {
    const auto event = weak.lock();
    if (event == nullptr) return true;
    Sleeper& sleeper = *event->sleeper();
    if (count == most || sleeper.place != place || (sleeper.mask & mask) == 0) return false;
    ++count;
    return sleeper.is_woken = true;
  });
  return count;
}

std::uint64_t Sleepers::move(const SleepPlace& from, const SleepPlace& to, std::uint64_t most) {
  std::uint64_t count = 0;
  if (from == to) return count;
  std::deque<std::weak_ptr<const SleepEvent>> moved;
  std::erase_if(queue_, [&](const auto& weak) {
    const auto event = weak.lock();
    if (event == nullptr) return true;
    if (count == most || event->sleeper()->place != from) return false;
    ++count;
    event->sleeper()->place = to;
    moved.push_back(weak);
    return true;
  });
  queue_.insert(queue_.end(), moved.begin(), moved.end());
  return count;
}

Slept slept(Call& call) {
  const auto sleeper = std::exchange(thread_state_of(call.thread).sleeper, nullptr);
  const Wait* const before = call.thread.wait_before();
  if (before == nullptr || sleeper == nullptr) return Slept::not_yet;
  if (sleeper->is_woken) return Slept::woken;
  const bool is_over = before->until && call.simulation.clock().ticks() >= *before->until;
  return is_over ? Slept::time_over : Slept::not_yet;
}

CallResult fall_asleep(Call& call, const SleepPlace& place, std::uint32_t mask,
                       std::optional<Ticks> until, const OnSignal& on_signal) {
  auto event = call.os.sleepers().add(place, mask);
  thread_state_of(call.thread).sleeper = event->sleeper();
  return CallResult::wait(
      {.event = OsEventRef{std::move(event)}, .on_signal = on_signal, .until = until});
}

}  // namespace hardclock::posix
