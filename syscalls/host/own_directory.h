// A directory of the run's own: the guest's /tmp, its /dev/shm, the root of built-in files.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/host/built_in_files.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"
#include "syscalls/host/file_records.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/host_use.h"

namespace hardclock::host {

// Most runs look at none of them, and names on a disk cost more than a small program: the host gets
// a directory, or a file of it, when a guest looks for it.
class OwnDirectory {
 public:
  enum class Kind : bool { for_all, built_in };

  // By this name in `parent`, which is ours alone.
  OwnDirectory(std::shared_ptr<const Descriptor> parent, std::string name, Kind kind)
      : parent_(std::move(parent)), name_(std::move(name)), kind_(kind) {}
  // For all, at this path of the host. It may be there already.
  static std::shared_ptr<OwnDirectory> at(const std::string& path);

  // Of one that is built in; their contents outlive this.
  void add(std::span<const BuiltInFile> files) {
    unmade_.insert(unmade_.end(), files.begin(), files.end());
  }
  // Who hears of it from now on: that it was made for the run, and that it could not be.
  void belongs_to(std::shared_ptr<FileRecords> records, std::shared_ptr<HostUse> use);

  // Has the host make what a look-up of `path`, relative to the directory, can find or list;
  // not_found if it would find nothing.
  HostResult<Ok> make(std::string_view path);

  const Descriptor& parent() const { return *parent_; }
  // O_PATH; none before it is made.
  const Descriptor& directory() const { return directory_; }
  // Nothing's before it is made.
  HostIdentity identity() const { return identity_; }

 private:
  bool is_made() const { return directory_.get() >= 0; }
  HostResult<Ok> make_directory();
  HostResult<Ok> make_asked_for(std::string_view path);
  HostResult<Ok> make_file(const BuiltInFile& file);
  HostResult<Ok> make_directories_above(std::string_view path) const;
  HostResult<Ok> finish_directories_above(std::string_view path) const;

  std::shared_ptr<const Descriptor> parent_;
  std::string name_;
  Kind kind_;
  std::vector<BuiltInFile> unmade_;
  Descriptor directory_;
  HostIdentity identity_;
  std::shared_ptr<FileRecords> records_;
  std::shared_ptr<HostUse> use_;
};

}  // namespace hardclock::host
