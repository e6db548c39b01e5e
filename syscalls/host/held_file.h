// A file that a descriptor of a guest names without having it open (Linux, O_PATH). It stays the
// same one, whatever becomes of its name.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "syscalls/host/file_records.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/held_directory.h"
#include "syscalls/host/host_file.h"
#include "syscalls/host/host_use.h"
#include "syscalls/host/name_space.h"
#include "syscalls/host/synthetic_files.h"

namespace hardclock::host {

class HeldFile {
 public:
  // A file of ours, known by its path.
  HeldFile(GuestPath path, const FileStatus& status) : path_(std::move(path)), status_(status) {}
  // A directory; the status is that of one of ours.
  HeldFile(HeldDirectoryRef directory, const FileStatus& status,
           std::shared_ptr<FileRecords> records)
      : status_(status), directory_(std::move(directory)), records_(std::move(records)) {}
  // An open file of a guest, to which a link led.
  explicit HeldFile(std::shared_ptr<LinkedObject> object) : object_(std::move(object)) {}
  // Another file of the host. Counts as an open file.
  HeldFile(NameSpace::Found found, const std::shared_ptr<FileRecords>& records,
           const std::shared_ptr<HostUse>& use, const struct ::stat& status)
      : path_(std::exchange(found.path, GuestPath()), use),
        found_(std::move(found)),
        records_(records),
        opened_(
            std::make_unique<HostFile::Opened>(found_->descriptor.get(), records, use, status)) {}

  HostResult<FileStatus> status() const;
  // not_found: it is no symbolic link (readlink(2), an empty path).
  HostResult<std::string> read_link() const;
  // nullptr: it is no directory.
  const HeldDirectoryRef& directory() const { return directory_; }
  // nullptr: it is no open file.
  const std::shared_ptr<LinkedObject>& object() const { return object_; }

  // ---- For this package.
  const GuestPath& path() const { return directory_ ? directory_->path() : path_.get(); }
  // The host's file once more; nullopt: it is none, or a directory.
  HostResult<std::optional<NameSpace::Found>> found() const;

 private:
  HeldPath path_{GuestPath()};
  FileStatus status_;
  std::shared_ptr<LinkedObject> object_;
  std::optional<NameSpace::Found> found_;  // without its path, which is `path_`
  HeldDirectoryRef directory_;
  std::shared_ptr<FileRecords> records_;
  std::unique_ptr<HostFile::Opened> opened_;
};

using HeldFileRef = std::shared_ptr<const HeldFile>;

}  // namespace hardclock::host
