#include "syscalls/posix/files/file_locks.h"

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

void FileLocks::archive(Archive& to) {
  if (!to.is_digest()) return to.state(locks_);
  std::vector<std::pair<std::uint64_t, bool>> all;
  for (auto& [file, locks] : locks_) {
    for (const Lock& lock : locks) {
      if (const auto of = lock.of.lock())
        all.emplace_back(to.object(of.get()).number, lock.is_exclusive);
    }
  }
  std::ranges::sort(all);
  to.state(all);
}

}  // namespace hardclock::posix
