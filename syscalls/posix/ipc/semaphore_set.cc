#include "syscalls/posix/ipc/semaphore_set.h"

#include <algorithm>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock::posix {
namespace {

// Of host memory: for a process that has anything undone, and for each semaphore.
constexpr std::uint64_t cost_of_process = 128;
constexpr std::uint64_t cost_of_adjustment = 64;

template <class Adjustments>
std::uint64_t cost_of(const Adjustments& adjustments) {
  return adjustments.empty() ? 0 : cost_of_process + cost_of_adjustment * adjustments.size();
}

}  // namespace

SemaphoreSet::SemaphoreSet(const IpcPermission& its, std::size_t count,
                           const SemaphoreLimits& limits, std::uint64_t now,
                           std::shared_ptr<MemoryBudget> budget)
    : limits_(limits), charge_(std::move(budget)), changed_(now) {
  permission = its;
  parts = count;
  is_whole_ = charge_.add(sizeof *this + count * sizeof(Semaphore));
  if (is_whole_) semaphores_.resize(count);
}

SetStatus SemaphoreSet::status() const {
  return {permission, operated_, changed_, semaphores_.size()};
}

SemaphoreSet::Step SemaphoreSet::apply(const SemaphoreOperation& operation,
                                       Adjustments& adjustments) {
  std::int32_t& value = semaphores_[operation.number].value;
  if (operation.change == 0) return value == 0 ? Step::done : Step::blocked;
  const std::int32_t changed = value + operation.change;
  if (changed < 0) return Step::blocked;
  if (changed > limits_.value) return Step::out_of_range;
  if (operation.undo) {
    const auto known = adjustments.find(operation.number);
    const std::int32_t adjustment =
        (known == adjustments.end() ? 0 : known->second) - operation.change;
    if (adjustment < -limits_.adjustment - 1 || adjustment > limits_.adjustment) {
      return Step::out_of_range;
    }
    adjustments[operation.number] = adjustment;
  }
  value = changed;
  return Step::done;
}

void SemaphoreSet::take_back(std::span<const SemaphoreOperation> operations,
                             Adjustments& adjustments) {
  for (const SemaphoreOperation& operation : operations) {
    semaphores_[operation.number].value -= operation.change;
    if (operation.undo) adjustments[operation.number] += operation.change;
  }
}

// The operations see what those before them did. ENOSPC: there is no memory for what is to be
// undone, "the limit on the number of individual processes requesting a SEM_UNDO" (POSIX.1,
// semop()).
Result<std::optional<SemaphoreOperation>, Errno> SemaphoreSet::attempt(
    std::span<const SemaphoreOperation> operations, const UndoList& by, std::uint64_t now) {
  const auto undone =
      static_cast<std::uint64_t>(std::ranges::count_if(operations, &SemaphoreOperation::undo));
  const std::uint64_t most = undone == 0 ? 0 : cost_of_process + cost_of_adjustment * undone;
  if (!charge_.add(most)) return Failure{Errno::enospc};
  Adjustments& adjustments = adjustments_[by];
  const std::uint64_t before = cost_of(adjustments);
  std::optional<std::size_t> stopped_at;
  Step step = Step::done;
  for (std::size_t i = 0; i < operations.size() && !stopped_at; ++i) {
    step = apply(operations[i], adjustments);
    if (step != Step::done) stopped_at = i;
  }
  if (stopped_at) take_back(operations.first(*stopped_at), adjustments);
  std::erase_if(adjustments, [](const auto& entry) { return entry.second == 0; });
  charge_.drop(before + most - cost_of(adjustments));
  if (adjustments.empty()) adjustments_.erase(by);
  if (step == Step::out_of_range) return Failure{Errno::erange};
  if (stopped_at) return std::optional(operations[*stopped_at]);
  for (const SemaphoreOperation& operation : operations) {
    semaphores_[operation.number].last_pid = by.pid;
  }
  operated_ = now;
  return std::optional<SemaphoreOperation>();
}

Result<std::optional<SemaphoreOperation>, Errno> SemaphoreSet::operate(
    std::span<const SemaphoreOperation> operations, const UndoList& by, std::uint64_t now) {
  const auto blocked = attempt(operations, by, now);
  if (blocked && !*blocked) complete_waiting(now);
  return blocked;
}

IpcWait SemaphoreSet::wait(std::shared_ptr<SemaphoreWaiter> waiter) {
  waiters_.find([](const auto&) { return false; });  // forgets those that have ended
  return waiters_.add(std::move(waiter), IpcWait::For::semaphore);
}

// The first whose operations can be done does them, then again the first, until none can.
void SemaphoreSet::complete_waiting(std::uint64_t now) {
  const auto complete = [&](SemaphoreWaiter& waiter) {
    const auto blocked = attempt(waiter.operations, {waiter.pid, waiter.undo_list}, now);
    if (!blocked) {
      waiter.end(blocked.error());
      return false;
    }
    if (!*blocked) {
      waiter.end();
      return true;
    }
    waiter.blocked = **blocked;
    if (waiter.blocked.no_wait) waiter.end(Errno::eagain);
    return false;
  };
  while (waiters_.find(complete)) {
  }
}

void SemaphoreSet::set(std::size_t number, std::int32_t value, int pid, std::uint64_t now) {
  semaphores_[number] = {value, pid};
  for (auto& [process, adjustments] : adjustments_) {
    const std::uint64_t before = cost_of(adjustments);
    adjustments.erase(static_cast<std::uint16_t>(number));
    charge_.drop(before - cost_of(adjustments));
  }
  std::erase_if(adjustments_, [](const auto& entry) { return entry.second.empty(); });
  changed_ = now;
  complete_waiting(now);
}

void SemaphoreSet::set_all(std::span<const std::uint16_t> values, int pid, std::uint64_t now) {
  for (std::size_t i = 0; i < semaphores_.size(); ++i) semaphores_[i] = {values[i], pid};
  for (const auto& [process, adjustments] : adjustments_) charge_.drop(cost_of(adjustments));
  adjustments_.clear();
  changed_ = now;
  complete_waiting(now);
}

std::uint64_t SemaphoreSet::count_waiting(std::size_t number, bool for_zero) {
  std::uint64_t count = 0;
  waiters_.find([&](const SemaphoreWaiter& waiter) {
    if (waiter.blocked.number == number && (waiter.blocked.change == 0) == for_zero) ++count;
    return false;
  });
  return count;
}

std::uint64_t SemaphoreSet::waiting_for_rise(std::size_t number) {
  return count_waiting(number, false);
}

std::uint64_t SemaphoreSet::waiting_for_zero(std::size_t number) {
  return count_waiting(number, true);
}

std::size_t SemaphoreSet::undo_count(const UndoList& list) const {
  const auto found = adjustments_.find(list);
  return found == adjustments_.end() ? 0 : found->second.size();
}

// What cannot be taken back wholly is taken back as far as it goes (Linux, ipc/sem.c, exit_sem()).
void SemaphoreSet::undo(const UndoList& list, std::uint64_t now) {
  const auto found = adjustments_.find(list);
  if (found == adjustments_.end()) return;
  const Adjustments adjustments = std::move(found->second);
  adjustments_.erase(found);
  charge_.drop(cost_of(adjustments));
  for (const auto& [number, adjustment] : adjustments) {
    Semaphore& semaphore = semaphores_[number];
    semaphore = {std::clamp(semaphore.value + adjustment, 0, limits_.value), list.pid};
  }
  operated_ = now;
  complete_waiting(now);
}

void SemaphoreSet::end_process(int pid, std::uint64_t now) {
  waiters_.end_all_of(pid);
  for (auto next = adjustments_.lower_bound({pid, 0});
       next != adjustments_.end() && next->first.pid == pid;
       next = adjustments_.lower_bound({pid, 0})) {
    undo(UndoList(next->first), now);
  }
}

void SemaphoreWaiter::archive(Archive& to) {
  IpcWaiter::archive(to);
  to.state(undo_list, operations, blocked);
}

void SemaphoreSet::archive(Archive& to) {
  IpcObject::archive(to);
  to.state(semaphores_, is_whole_, operated_, changed_, adjustments_, waiters_, charge_);
  to.kept(limits_);
}

}  // namespace hardclock::posix
