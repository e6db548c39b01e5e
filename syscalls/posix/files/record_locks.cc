#include "syscalls/posix/files/record_locks.h"

#include <algorithm>
#include <iterator>

#include "sim/state/archive.h"

namespace hardclock::posix {

// The first range that ends at `start` or behind it.
RecordLocks::Ranges::const_iterator RecordLocks::first_reaching(const Ranges& ranges,
                                                                std::uint64_t start) {
  const auto next = ranges.upper_bound(start);
  if (next == ranges.begin()) return next;
  const auto before = std::prev(next);
  return before->second >= start ? before : next;
}

void RecordLocks::cut(Ranges& ranges, std::uint64_t start, std::uint64_t end) {
  auto at = first_reaching(ranges, start);
  while (at != ranges.end() && at->first < end) {
    const auto [old_start, old_end] = *at;
    if (old_end == start) {  // it only touches
      ++at;
      continue;
    }
    at = ranges.erase(at);
    --count_;
    if (old_start < start) count_ += ranges.emplace(old_start, start).second ? 1 : 0;
    if (old_end > end) count_ += ranges.emplace(end, old_end).second ? 1 : 0;
  }
}

// Adjacent and overlapping ranges become one.
void RecordLocks::join(Ranges& ranges, std::uint64_t start, std::uint64_t end) {
  auto at = first_reaching(ranges, start);
  while (at != ranges.end() && at->first <= end) {
    start = std::min(start, at->first);
    end = std::max(end, at->second);
    at = ranges.erase(at);
    --count_;
  }
  ranges.emplace(start, end);
  ++count_;
}

std::optional<RecordLock> RecordLocks::conflict(host::HostIdentity file,
                                                const RecordLock& wanted) const {
  std::optional<RecordLock> first;
  const auto locks = locks_.find(file);
  if (locks == locks_.end()) return first;
  for (const auto& [owner, owned] : locks->second) {
    if (owner == wanted.owner) continue;
    for (const bool exclusive : {false, true}) {
      if (!exclusive && !wanted.exclusive) continue;
      const Ranges& ranges = owned[exclusive ? 1 : 0];
      auto at = first_reaching(ranges, wanted.start);
      if (at != ranges.end() && at->second == wanted.start) ++at;
      if (at == ranges.end() || at->first >= wanted.end) continue;
      if (!first || at->first < first->start) first = {owner, exclusive, at->first, at->second};
    }
  }
  return first;
}

bool RecordLocks::set(host::HostIdentity file, const RecordLock& lock) {
  // One that is in the middle of another kind's makes two more.
  if (count_ + 2 > most) return false;
  Owned& owned = locks_[file][lock.owner];
  cut(owned[lock.exclusive ? 0 : 1], lock.start, lock.end);
  join(owned[lock.exclusive ? 1 : 0], lock.start, lock.end);
  return true;
}

bool RecordLocks::clear(host::HostIdentity file, const RecordLock& range) {
  const auto locks = locks_.find(file);
  if (locks == locks_.end()) return true;
  const auto owner = locks->second.find(range.owner);
  if (owner == locks->second.end()) return true;
  Owned& owned = owner->second;
  const bool splits = std::ranges::any_of(owned, [&](const Ranges& ranges) {
    const auto at = first_reaching(ranges, range.start);
    return at != ranges.end() && at->first < range.start && at->second > range.end;
  });
  if (splits && count_ >= most) return false;
  for (Ranges& ranges : owned) cut(ranges, range.start, range.end);
  if (std::ranges::all_of(owned, [](const Ranges& ranges) { return ranges.empty(); })) {
    locks->second.erase(owner);
  }
  if (locks->second.empty()) locks_.erase(locks);
  return true;
}

void RecordLocks::release(host::HostIdentity file, int owner) {
  clear(file, RecordLock{.owner = owner});
}

void RecordLocks::archive(Archive& to) {
  to.saved(locks_, count_, last_open_file_);
}

void OpenFileLocks::archive(Archive& to) {
  auto& [locks, file, number] = *this;
  to.state(number);
  to.saved(locks, file);
}

}  // namespace hardclock::posix
