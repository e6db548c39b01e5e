#include "syscalls/posix/file_locks.h"

#include <algorithm>

namespace hardclock::posix {
bool FileLocks::is_free(const FileNumber& file, const OpenFile* of, bool exclusive) const {
  const auto found = locks_.find(file);
  if (found == locks_.end()) return true;
  return std::ranges::none_of(found->second, [&](const Lock& lock) {
    const auto owner = lock.of.lock();
    return owner != nullptr && owner.get() != of && (exclusive || lock.is_exclusive);
  });
}

void FileLocks::set(const FileNumber& file, const std::shared_ptr<OpenFile>& of, bool exclusive) {
  clear(file, of.get());
  locks_[file].push_back({of, exclusive});
}

// And of what is open no more.
void FileLocks::clear(const FileNumber& file, const OpenFile* of) {
  const auto found = locks_.find(file);
  if (found == locks_.end()) return;
  std::erase_if(found->second, [&](const Lock& lock) {
    const auto owner = lock.of.lock();
    return owner == nullptr || owner.get() == of;
  });
  if (found->second.empty()) locks_.erase(found);
}

}  // namespace hardclock::posix
