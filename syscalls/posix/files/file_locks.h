// The locks of flock(2), which open files have on whole files. fcntl(2)'s, of processes on parts of
// files, are others (record_locks.h): neither kind is in the way of the other.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "syscalls/host/file_status.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// The device and number by which guests tell a file.
using FileNumber = host::HostIdentity;

class FileLocks {
 public:
  // No other open file has a lock in the way.
  bool is_free(const FileNumber& file, const OpenFile* of, bool exclusive) const;
  // Gives a lock that is free. It ends with the open file, if not before.
  void set(const FileNumber& file, const std::shared_ptr<OpenFile>& of, bool exclusive);
  void clear(const FileNumber& file, const OpenFile* of);
  // The files have no order that two runs have in common: the locks have.
  void archive(Archive& to);

 private:
  struct Lock {
    std::weak_ptr<OpenFile> of;
    bool is_exclusive = false;
    static constexpr std::size_t state_members = 2;
  };
  std::map<FileNumber, std::vector<Lock>> locks_;
};

}  // namespace hardclock::posix
