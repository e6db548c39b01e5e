// The events that only this kernel knows and that calls wait for: what happens to open files and to
// record locks.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/process/wait.h"
#include "syscalls/host/file_status.h"
#include "syscalls/posix/open_file.h"
#include "syscalls/posix/record_locks.h"

namespace hardclock::posix {

// What is waited for at one open file: any of these. The file stays open meanwhile, also when
// another thread closes its descriptor.
struct FileWatch {
  int descriptor = -1;             // by which the call names the file; for messages
  std::shared_ptr<OpenFile> file;  // never null
  bool for_reading = false;        // a read goes on
  std::size_t bytes_to_write = 0;  // a write of so many bytes goes on; 0: does not matter
  bool for_hangup = false;         // the other end of a pipe is gone; as poll(2) sees the file
  bool for_end = false;            // the other end of a socket writes no more; likewise
  bool for_urgent = false;         // a socket's urgent data arrives
  friend bool operator==(const FileWatch&, const FileWatch&) = default;
};

// One of the files, at least: read(2), write(2), poll(2), select(2).
class FileEvent final : public OsEvent {
 public:
  explicit FileEvent(std::vector<FileWatch> files) : files_(std::move(files)) {}

  const std::vector<FileWatch>& files() const { return files_; }
  bool has_happened() const override;
  bool comes_from_outside() const override;
  std::string description() const override;
  bool equals(const OsEvent& other) const override;

 private:
  std::vector<FileWatch> files_;
};

// No other process's lock is in the way of this one: fcntl(F_SETLKW).
class LockEvent final : public OsEvent {
 public:
  LockEvent(std::shared_ptr<const RecordLocks> locks, host::HostIdentity file, RecordLock wanted)
      : locks_(std::move(locks)), file_(file), wanted_(wanted) {}

  const std::shared_ptr<const RecordLocks>& locks() const { return locks_; }
  host::HostIdentity file() const { return file_; }
  const RecordLock& wanted() const { return wanted_; }
  bool has_happened() const override { return !locks_->conflict(file_, wanted_).has_value(); }
  std::string description() const override;
  bool equals(const OsEvent& other) const override;

 private:
  std::shared_ptr<const RecordLocks> locks_;
  host::HostIdentity file_;
  RecordLock wanted_;
};

WaitEvent file_event(std::vector<FileWatch> files);
WaitEvent lock_event(std::shared_ptr<const RecordLocks> locks, host::HostIdentity file,
                     const RecordLock& wanted);

}  // namespace hardclock::posix
