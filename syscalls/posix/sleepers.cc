#include "syscalls/posix/sleepers.h"

#include <algorithm>

#include "sim/state/archive.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {

SleepPlace sleep_place(const AddressSpace& memory, GuestAddr address) {
  const Region* const region = memory.region_at(address);
  if (region == nullptr || region->backing.shared == nullptr) {
    return {SleepPlace::In::address_space, memory.number(), address.value()};
  }
  return {SleepPlace::In::shared_pages, region->backing.shared->number(*memory.budget()),
          region->backing.offset + (address.value() - region->start)};
}

std::shared_ptr<const void> sleep_memory(const Owner<AddressSpace>& memory, GuestAddr address) {
  const Region* const region = memory->region_at(address);
  if (region == nullptr || region->backing.shared == nullptr) return memory.object();
  return region->backing.shared.object();
}

std::shared_ptr<Sleeper> Sleepers::add(const SleepPlace& place, std::uint32_t mask) {
  std::erase_if(queue_, [](const auto& sleeper) { return sleeper.expired(); });
  auto sleeper = std::make_shared<Sleeper>(place, mask);
  queue_.push_back(sleeper);
  return sleeper;
}

std::uint64_t Sleepers::wake(const SleepPlace& place, std::uint32_t mask, std::uint64_t most,
                             std::uint64_t told) {
  std::uint64_t count = 0;
  std::erase_if(queue_, [&](const auto& weak) {
    const auto sleeper = weak.lock();
    if (sleeper == nullptr) return true;
    if (count == most || sleeper->place != place || (sleeper->mask & mask) == 0) return false;
    ++count;
    sleeper->told = told;
    return sleeper->is_woken = true;
  });
  return count;
}

std::uint64_t Sleepers::move(const SleepPlace& from, const SleepPlace& to, std::uint64_t most) {
  std::uint64_t count = 0;
  if (from == to) return count;
  std::deque<std::weak_ptr<Sleeper>> moved;
  std::erase_if(queue_, [&](const auto& weak) {
    const auto sleeper = weak.lock();
    if (sleeper == nullptr) return true;
    if (count == most || sleeper->place != from) return false;
    ++count;
    sleeper->place = to;
    moved.push_back(weak);
    return true;
  });
  queue_.insert(queue_.end(), moved.begin(), moved.end());
  return count;
}

std::uint64_t Sleepers::count(const SleepPlace& place) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(queue_, [&](const auto& weak) {
    const auto sleeper = weak.lock();
    return sleeper != nullptr && sleeper->place == place;
  }));
}

// Seldom, so that it costs each new place little.
void Sleepers::drop_lost_places() {
  if (saved_.size() < places_to_look_through_) return;
  std::erase_if(saved_, [](const auto& each) { return each.second.memory.expired(); });
  places_to_look_through_ = std::max(places_to_look_through_, 2 * saved_.size());
}

void Sleepers::save_wake(const SleepPlace& place, std::weak_ptr<const void> memory,
                         std::uint64_t told) {
  auto found = saved_.find(place);
  if (found == saved_.end()) {
    drop_lost_places();
    found = saved_.emplace(place, SavedWakes{std::move(memory), {}}).first;
  }
  ++found->second.times[told];
}

std::optional<std::uint64_t> Sleepers::take_saved_wake(const SleepPlace& place) {
  const auto found = saved_.find(place);
  if (found == saved_.end()) return std::nullopt;
  auto& times = found->second.times;
  const auto first = times.begin();
  const std::uint64_t told = first->first;
  if (--first->second == 0) times.erase(first);
  if (times.empty()) saved_.erase(found);
  return told;
}

std::uint64_t Sleepers::saved_wakes(const SleepPlace& place) {
  const auto found = saved_.find(place);
  std::uint64_t sum = 0;
  if (found == saved_.end()) return sum;
  for (const auto& [told, times] : found->second.times) sum += times;
  return sum;
}

// A wake is saved as long as its memory exists: when it is dropped after that is the host's affair.
void Sleepers::archive(Archive& to) {
  auto& [queue, saved, places] = *this;
  archive_living(to, queue);
  if (to.loads()) saved.clear();
  for (auto& [place, wakes] : saved) {
    if (wakes.memory.expired()) continue;
    to.refuse("a wake before its sleep");
    SleepPlace told = place;
    to.state(told, wakes.times);
  }
  to.derived(places);
}

Slept slept(Call& call, std::uint64_t* told) {
  const Wait* const before = call.thread.wait_before();
  if (before == nullptr) return Slept::not_yet;
  if (const auto* const event = event_of<SleepWait>(before->event)) {
    if (told != nullptr) *told = static_cast<const Sleeper&>(*event->sleeper).told;
    return Slept::woken;
  }
  const bool is_over = before->until && before->until->has_come(call.simulation().clock());
  return is_over ? Slept::time_over : Slept::not_yet;
}

CallResult fall_asleep(Call& call, const SleepPlace& place, std::uint32_t mask,
                       std::optional<Deadline> until, const OnSignal& on_signal) {
  return CallResult::wait({.event = SleepWait{call.os.sleepers().add(place, mask)},
                           .on_signal = on_signal,
                           .until = until});
}

void Sleeper::archive(Archive& to) {
  auto& [at, wanted, woken, what] = *this;
  to.state(at, wanted, woken, what);
}

}  // namespace hardclock::posix
