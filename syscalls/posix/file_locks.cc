#include "syscalls/posix/file_locks.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hardclock::posix {
namespace {

class FileLockEvent final : public OsEvent {
 public:
  FileLockEvent(std::shared_ptr<const FileLocks> locks, const FileNumber& file,
                std::shared_ptr<OpenFile> of, bool exclusive)
      : locks_(std::move(locks)), file_(file), of_(std::move(of)), exclusive_(exclusive) {}

  bool has_happened() const override { return locks_->is_free(file_, of_.get(), exclusive_); }
  std::string description() const override {
    return std::string(exclusive_ ? "an exclusive" : "a shared") + " lock on a whole file";
  }
  bool equals(const OsEvent& other) const override {
    const auto& event = static_cast<const FileLockEvent&>(other);
    return locks_ == event.locks_ && file_ == event.file_ && of_ == event.of_ &&
           exclusive_ == event.exclusive_;
  }

 private:
  std::shared_ptr<const FileLocks> locks_;
  FileNumber file_;
  std::shared_ptr<OpenFile> of_;
  bool exclusive_;
};

}  // namespace

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

void FileLocks::archive(Archive& to) const {
  std::vector<std::pair<std::uint64_t, bool>> all;
  for (const auto& [file, locks] : locks_) {
    for (const Lock& lock : locks) {
      if (const auto of = lock.of.lock())
        all.emplace_back(to.object(of.get()).number, lock.is_exclusive);
    }
  }
  std::ranges::sort(all);
  to.state(all);
}

WaitEvent file_lock_event(std::shared_ptr<const FileLocks> locks, const FileNumber& file,
                          std::shared_ptr<OpenFile> of, bool exclusive) {
  return OsEventRef{
      std::make_shared<FileLockEvent>(std::move(locks), file, std::move(of), exclusive)};
}

}  // namespace hardclock::posix
