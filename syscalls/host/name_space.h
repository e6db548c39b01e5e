// Finds the host object that a guest path means. Internal to this package; guest_files.h has the
// rules.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"
#include "syscalls/host/file_space.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/guarded_objects.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/mount.h"
#include "syscalls/host/special_files.h"

namespace hardclock::host {

// What a symbolic link says: the name in a directory, or with an empty name the object itself.
HostResult<std::string> link_at(int directory, const char* name);

enum class Follow : bool { no, yes };  // a symbolic link at the end of the path

class NameSpace {
 public:
  // The meaning of a path: a host object, open with O_PATH.
  struct Found {
    const Mount* mount = nullptr;  // nullptr: a directory above a mount, without a host object
    GuestPath path;                // in `mount`; differs from the requested one if links led there
    Descriptor descriptor;
    FileType type = FileType::directory;
    bool through_links = false;
    bool is_guarded = false;    // by a guest root or a read-only bind inside the mount
    bool is_elsewhere = false;  // links led to a path that is left to others, which this is
    bool is_held = false;       // its path says where it was once; the descriptor alone counts
    bool writable() const { return mount != nullptr && mount->writable() && !is_guarded; }
  };
  // A place where a name can be made or removed.
  struct Place {
    const Mount* mount = nullptr;  // nullptr: in a directory above a mount
    GuestPath path;                // of the name, in `mount`
    Descriptor directory;          // contains the name; open with O_PATH
    std::string name;
    bool through_links = false;  // to the directory
    bool is_guarded = false;     // as in Found
    bool writable() const { return mount != nullptr && mount->writable() && !is_guarded; }
  };

  // The error is one line for the user.
  static Result<NameSpace, std::string> create(const FileSpace& space);

  const SpecialFiles& special_files() const { return special_files_; }
  // What the user should know before the run, a line each.
  const std::vector<std::string>& notices() const { return notices_; }
  // The guest path of the working directory, if it is visible.
  std::optional<GuestPath> working_directory() const;

  // Others answer for these paths and what is below them, whatever mounts have there. Who begins
  // there does not ask here.
  void leave_to_others(std::vector<std::string> paths) { elsewhere_ = std::move(paths); }

  HostResult<Found> find(const GuestPath& path, Follow follow) const;
  // The directory that contains the last component of `path`, which need not exist itself. busy if
  // the path is a mount point or "/".
  HostResult<Place> place_of(const GuestPath& path) const;

  // The path, without symbolic links, of an object in a mount, or of the directory of a place in
  // one.
  HostResult<GuestPath> real_path_of(const Found& found) const;
  HostResult<GuestPath> real_path_of_directory(const Place& place) const;
  // Whether the object must keep its name: a guest root or a read-only bind, or a directory above
  // one.
  bool is_needed(const Descriptor& object) const;

  // The mounts that may have a path, in this order: one bind, or the working directory, or a
  // directory of the run's own, or all roots.
  std::vector<const Mount*> mounts_for(const GuestPath& path) const;
  // Whether a guest root has the path, hidden or not.
  bool is_in_roots(const GuestPath& path) const;
  // The guest paths of binds, of the working directory and the run's own ones, and of our special
  // files.
  std::vector<std::string> pinned_paths() const;
  bool is_at_or_above_pinned(const GuestPath& path) const;

 private:
  NameSpace() = default;

  Result<Ok, std::string> add_working_directory(const FileSpace& space);
  void add_own_directories(const FileSpace& space);
  std::vector<const Mount*> binds_and_roots(bool writable) const;

  bool is_guarded(const Found& found) const;
  bool is_elsewhere(const GuestPath& path) const;
  bool same_owner(const GuestPath& path, const Mount& mount) const;
  bool is_shadowed(const Mount& mount) const;
  HostResult<Found> find_in_mounts(const GuestPath& path, Follow follow) const;
  HostResult<Found> find_through_mounts(GuestPath path, Follow follow) const;
  HostResult<Found> find_unguarded(const GuestPath& path, Follow follow) const;
  bool has_links(const GuestPath& path, Follow follow) const;
  HostResult<Found> walk(const GuestPath& path, Follow follow) const;

  std::vector<Mount> binds_;  // longest guest path first
  std::optional<Mount> working_directory_;
  // The scratch directory, the same at each of its places, and that of shared memory.
  std::vector<Mount> own_;
  std::vector<Mount> roots_;
  SpecialFiles special_files_;
  GuardedObjects guarded_;
  std::vector<std::string> elsewhere_;
  std::vector<std::string> notices_;
};

}  // namespace hardclock::host
