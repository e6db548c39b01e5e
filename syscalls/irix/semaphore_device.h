// /dev/usema and /dev/usemaclone, in which processes wait for the semaphores of an arena. The
// counting is the C library's, in shared memory; the device only puts a process to sleep and wakes
// it. Sources: usnewsema(3P), usnewpollsema(3P); what IRIX 5.3's libc.so.1 asks for; NetBSD,
// sys/compat/irix/irix_usema.[ch].
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>

#include "syscalls/host/file_records.h"
#include "syscalls/posix/files/open_file.h"
#include "syscalls/posix/ipc/ipc_objects.h"

namespace hardclock::irix {

// One semaphore, or the semaphores of one arena; all of its openings share it.
class SemaphoreDevice {
 public:
  explicit SemaphoreDevice(std::uint32_t number = 0) : number_(number) {}

  std::uint32_t number() const { return number_; }  // as stat(2) has it

  // Whether the process need not wait: it has been unblocked before.
  bool take_unblocked(int pid);
  IpcWait wait(int pid);
  // The process goes on, or will when it blocks.
  void unblock(int pid);

  // For who polls instead: he waits from now on; he or the first of all may go on.
  void begin_polling(int pid);
  void release(int pid);
  void release_first();
  bool is_released(int pid) const { return released_.contains(pid); }
  std::size_t polling() const { return polling_.size(); }

  void archive(Archive& to);

 private:
  std::uint32_t number_;
  std::map<int, std::uint32_t> unblocked_;  // by pid, how often
  posix::IpcWaiters<posix::IpcWaiter> waiters_;
  std::deque<int> polling_;  // pids
  std::set<int> released_;
};

class SemaphoreFile final : public posix::OpenFile {
 public:
  // Without a device: /dev/usema itself.
  SemaphoreFile(std::shared_ptr<SemaphoreDevice> device, std::shared_ptr<host::FileRecords> records,
                host::OpenRights rights);
  SemaphoreFile() = default;

  const std::shared_ptr<SemaphoreDevice>& device() const { return device_; }
  // Whose turn a read waits for.
  void poll_for(int pid) { polled_for_ = pid; }

  posix::Transfer read(std::span<std::uint8_t> bytes) override;
  posix::Transfer write(std::span<const std::uint8_t> bytes) override;
  bool readable(const Thread* /*asker*/) const override {
    return device_ == nullptr || polled_for_ == 0 || device_->is_released(polled_for_);
  }
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }
  host::OpenRights rights() const override { return rights_; }
  host::HostResult<host::FileStatus> status() const override { return status_; }
  // The C library gives the device the arena's permissions.
  host::HostResult<Ok> change_mode(std::uint32_t mode) override {
    status_.permissions = mode & 0777;
    return Ok{};
  }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<SemaphoreFile>(); }

 private:
  std::shared_ptr<SemaphoreDevice> device_;
  host::OpenRights rights_;
  host::FileStatus status_;
  int polled_for_ = 0;  // a pid; 0: nobody waits through this file
};

}  // namespace hardclock::irix
