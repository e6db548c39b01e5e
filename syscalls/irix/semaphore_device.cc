#include "syscalls/irix/semaphore_device.h"

#include <utility>

#include "sim/state/archive.h"

namespace hardclock::irix {

bool SemaphoreDevice::take_unblocked(int pid) {
  const auto found = unblocked_.find(pid);
  if (found == unblocked_.end()) return false;
  if (--found->second == 0) unblocked_.erase(found);
  return true;
}

IpcWait SemaphoreDevice::wait(int pid) {
  waiters_.find([](const auto&) { return false; });  // forgets those that have ended
  auto waiter = std::make_shared<posix::IpcWaiter>();
  waiter->pid = pid;
  return waiters_.add(std::move(waiter), IpcWait::For::semaphore);
}

void SemaphoreDevice::unblock(int pid) {
  const bool has_waited = waiters_.find([&](posix::IpcWaiter& waiter) {
    if (waiter.pid != pid) return false;
    waiter.end();
    return true;
  });
  if (!has_waited) ++unblocked_[pid];
}

void SemaphoreDevice::begin_polling(int pid) {
  released_.erase(pid);
  std::erase(polling_, pid);
  polling_.push_back(pid);
}

void SemaphoreDevice::release(int pid) {
  std::erase(polling_, pid);
  released_.insert(pid);
}

void SemaphoreDevice::release_first() {
  if (!polling_.empty()) release(polling_.front());
}

SemaphoreFile::SemaphoreFile(std::shared_ptr<SemaphoreDevice> device,
                             std::shared_ptr<host::FileRecords> records, host::OpenRights rights)
    : device_(std::move(device)), rights_(rights) {
  status_.type = host::FileType::character_device;
  status_.permissions = 0666;
  status_.inode = records->unnamed();
  status_.times = {records->start(), records->start(), records->start()};
}

posix::Transfer SemaphoreFile::read(std::span<std::uint8_t>) {
  return std::optional<std::size_t>(0);
}

posix::Transfer SemaphoreFile::write(std::span<const std::uint8_t> bytes) {
  return std::optional(bytes.size());
}

void SemaphoreDevice::archive(Archive& to) {
  auto& [number, unblocked, waiters, polling, released] = *this;
  to.state(number, unblocked, waiters, polling, released);
}

void SemaphoreFile::archive(Archive& to) {
  OpenFile::archive(to);
  to.state(device_, polled_for_, rights_, status_);
}

}  // namespace hardclock::irix
