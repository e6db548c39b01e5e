// A directory that guests are in or have open. It stays the same one, whatever becomes of its name
// and of the directories above it.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/state/archive.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/host_file.h"
#include "syscalls/host/host_use.h"
#include "syscalls/host/mount.h"

namespace hardclock::host {

// A path that is kept as long as a guest likes. Its bytes count as the guests' use of the host.
class HeldPath {
 public:
  // One of hardclock's own, which are short and do not count, and one that may be held
  // (HostUse::may_hold()).
  explicit HeldPath(GuestPath path) : path_(std::move(path)) {}
  HeldPath(GuestPath path, std::shared_ptr<HostUse> use)
      : path_(std::move(path)), use_(std::move(use)) {
    use_->held(path_.text().size());
  }
  ~HeldPath() {
    if (use_ != nullptr) use_->let_go(path_.text().size());
  }
  HeldPath(const HeldPath&) = delete;
  HeldPath& operator=(const HeldPath&) = delete;

  const GuestPath& get() const { return path_; }
  // Only one that counts.
  void set(GuestPath path) {
    use_->held(path.text().size());
    use_->let_go(path_.text().size());
    path_ = std::move(path);
  }

 private:
  GuestPath path_;
  std::shared_ptr<HostUse> use_;  // nullptr: does not count
};

class HeldDirectory {
 public:
  // One without an object of the host is known by its path.
  explicit HeldDirectory(GuestPath path) : path_(std::move(path)) {}
  // Counts as an open file.
  HeldDirectory(GuestPath path, const Mount& mount, Descriptor descriptor,
                const std::shared_ptr<FileRecords>& records, const std::shared_ptr<HostUse>& use,
                const struct ::stat& status)
      : path_(std::move(path), use),
        mount_(&mount),
        descriptor_(std::move(descriptor)),
        opened_(std::make_unique<HostFile::Opened>(descriptor_.get(), records, use, status)),
        identity_(identity_of(status)) {}

  // Where it is now, from the root; where it was, if it was removed.
  const GuestPath& path() const { return path_.get(); }
  void archive(Archive& to);
  bool is_removed() const;

  // ---- For this package.
  // The mount that has it; nullptr: it has no object of the host.
  const Mount* mount() const { return mount_; }
  const Descriptor& descriptor() const { return descriptor_; }
  const HostIdentity& identity() const { return identity_; }
  // The path that it gets when a directory of `mount`, this or one above it, gets another one;
  // nullopt: it keeps its own.
  std::optional<GuestPath> path_after_move(const Mount& mount, const GuestPath& from,
                                           const GuestPath& to) const;
  void set_path(GuestPath path) { path_.set(std::move(path)); }

 private:
  HeldPath path_;
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
  // By how many bytes their paths would grow.
  std::uint64_t growth_by_move(const Mount& mount, const GuestPath& from,
                               const GuestPath& to) const;
  void was_moved(const Mount& mount, const GuestPath& from, const GuestPath& to) const;

 private:
  std::vector<std::weak_ptr<HeldDirectory>> held_;
};

}  // namespace hardclock::host
