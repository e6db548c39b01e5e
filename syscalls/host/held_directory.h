// A directory that guests are in or have open. It stays the same one, whatever becomes of its name
// and of the directories above it.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <utility>
#include <vector>

#include "syscalls/host/descriptor.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/host_file.h"
#include "syscalls/host/mount.h"

namespace hardclock::host {

class HeldDirectory {
 public:
  // One without an object of the host is known by its path.
  explicit HeldDirectory(GuestPath path) : path_(std::move(path)) {}
  // Counts as an open file.
  HeldDirectory(GuestPath path, const Mount& mount, Descriptor descriptor,
                const std::shared_ptr<FileRecords>& records, const std::shared_ptr<HostUse>& use,
                const struct ::stat& status)
      : path_(std::move(path)),
        mount_(&mount),
        descriptor_(std::move(descriptor)),
        opened_(std::make_unique<HostFile::Opened>(descriptor_.get(), records, use, status)),
        identity_(identity_of(status)) {}

  // Where it is now, from the root; where it was, if it was removed.
  const GuestPath& path() const { return path_; }
  bool is_removed() const;

  // ---- For this package.
  // The mount that has it; nullptr: it has no object of the host.
  const Mount* mount() const { return mount_; }
  const Descriptor& descriptor() const { return descriptor_; }
  const HostIdentity& identity() const { return identity_; }
  // A directory of `mount`, this or one above it, has another path now.
  void was_moved(const Mount& mount, const GuestPath& from, const GuestPath& to);

 private:
  GuestPath path_;
  const Mount* mount_ = nullptr;
  Descriptor descriptor_;  // O_PATH
  std::unique_ptr<HostFile::Opened> opened_;
  HostIdentity identity_;
};

using HeldDirectoryRef = std::shared_ptr<const HeldDirectory>;

// All of a run. The same directory at the same path is held once.
class HeldDirectories {
 public:
  // nullptr: it is not held.
  std::shared_ptr<HeldDirectory> find(const GuestPath& path, const HostIdentity& identity) const;
  void add(const std::shared_ptr<HeldDirectory>& directory);
  void was_moved(const Mount& mount, const GuestPath& from, const GuestPath& to) const;

 private:
  std::vector<std::weak_ptr<HeldDirectory>> held_;
};

}  // namespace hardclock::host
