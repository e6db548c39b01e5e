// Which host object a guest path means. Internal to this package; the rules are in guest_files.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"
#include "syscalls/host/file_space.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/mount.h"

namespace hardclock::host {

enum class Follow : bool { no, yes };  // a symbolic link at the end of the path

class NameSpace {
 public:
  // What a path means: a host object, open with O_PATH.
  struct Found {
    const Mount* mount = nullptr;  // nullptr: a directory above a mount, without a host object
    GuestPath path;                // in `mount`; another one than asked for when links led there
    Descriptor descriptor;
    FileType type = FileType::directory;
    bool writable() const { return mount != nullptr && mount->writable(); }
  };
  // Where a name can be made or removed.
  struct Place {
    const Mount* mount = nullptr;  // nullptr: in a directory above a mount
    GuestPath path;                // of the name, in `mount`
    Descriptor directory;          // that the name is in, open with O_PATH
    std::string name;
    bool writable() const { return mount != nullptr && mount->writable(); }
  };

  // The error is one line for the user.
  static Result<NameSpace, std::string> create(const FileSpace& space);

  // The guest path of the working directory, if that is visible.
  std::optional<GuestPath> working_directory() const;

  HostResult<Found> find(const GuestPath& path, Follow follow) const;
  // The directory of the last component of `path`, which need not exist itself. busy when the path
  // is a mount point or "/".
  HostResult<Place> place_of(const GuestPath& path) const;

  // The mounts to ask for a path, in this order: one bind, or the working directory, or the scratch
  // directory, or all roots.
  std::vector<const Mount*> mounts_for(const GuestPath& path) const;
  // Whether a guest root has the path, hidden or not.
  bool is_in_roots(const GuestPath& path) const;
  // The guest paths of binds, of the working and scratch directories and of our special files.
  std::vector<std::string> pinned_paths() const;
  bool is_at_or_above_pinned(const GuestPath& path) const;

 private:
  NameSpace() = default;

  bool same_owner(const GuestPath& path, const Mount& mount) const;
  bool is_shadowed(const Mount& mount) const;
  HostResult<Found> find_in_mounts(const GuestPath& path, Follow follow) const;
  HostResult<Found> find_through_mounts(GuestPath path, Follow follow) const;
  HostResult<GuestPath> settle(const GuestPath& path) const;

  std::vector<Mount> binds_;  // longest guest path first
  std::optional<Mount> working_directory_;
  std::vector<Mount> scratch_;  // the same directory at each of its places
  std::vector<Mount> roots_;
};

}  // namespace hardclock::host
