#include "syscalls/posix/record_locks.h"

#include <algorithm>

namespace hardclock::posix {
namespace {

bool overlap(const RecordLock& a, const RecordLock& b) {
  return a.start < b.end && b.start < a.end;
}

bool joins(const RecordLock& a, const RecordLock& b) {
  return a.owner == b.owner && a.exclusive == b.exclusive && a.start <= b.end && b.start <= a.end;
}

}  // namespace

std::optional<RecordLock> RecordLocks::conflict(host::HostIdentity file,
                                                const RecordLock& wanted) const {
  const auto locks = locks_.find(file);
  if (locks == locks_.end()) return std::nullopt;
  const auto found = std::ranges::find_if(locks->second, [&](const RecordLock& lock) {
    return lock.owner != wanted.owner && (lock.exclusive || wanted.exclusive) &&
           overlap(lock, wanted);
  });
  if (found == locks->second.end()) return std::nullopt;
  return *found;
}

void RecordLocks::set(host::HostIdentity file, const RecordLock& lock) {
  clear(file, lock);
  std::vector<RecordLock>& locks = locks_[file];
  RecordLock merged = lock;
  for (const RecordLock& other : locks) {
    if (!joins(merged, other)) continue;
    merged.start = std::min(merged.start, other.start);
    merged.end = std::max(merged.end, other.end);
  }
  std::erase_if(locks, [&](const RecordLock& other) { return joins(merged, other); });
  const auto place = std::ranges::upper_bound(locks, merged.start, {}, &RecordLock::start);
  locks.insert(place, merged);
}

void RecordLocks::clear(host::HostIdentity file, const RecordLock& range) {
  const auto locks = locks_.find(file);
  if (locks == locks_.end()) return;
  std::vector<RecordLock> left;
  for (const RecordLock& lock : locks->second) {
    if (lock.owner != range.owner || !overlap(lock, range)) {
      left.push_back(lock);
      continue;
    }
    const auto keep = [&](std::uint64_t start, std::uint64_t end) {
      if (start < end) left.push_back({lock.owner, lock.exclusive, start, end});
    };
    keep(lock.start, range.start);
    keep(range.end, lock.end);
  }
  std::ranges::stable_sort(left, {}, &RecordLock::start);
  locks->second = std::move(left);
  if (locks->second.empty()) locks_.erase(locks);
}

void RecordLocks::release(host::HostIdentity file, int owner) {
  clear(file, RecordLock{.owner = owner});
}

}  // namespace hardclock::posix
