// One host directory or file at its place in the guest's name space, and the only way to open
// something in it. Internal to this package.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/result.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/error.h"
#include "syscalls/host/file_space.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/guest_path.h"
#include "syscalls/host/own_directory.h"

namespace hardclock::host {

class Mount {
 public:
  // The errors are one line for the user.
  static Result<Mount, std::string> root(const std::string& host);
  static Result<Mount, std::string> bind(const Bind& bind);
  static Result<Mount, std::string> working_directory(const std::string& host, bool writable);
  // A directory of the run's own, writable at this place or, without one, a root.
  static Mount own(std::shared_ptr<OwnDirectory> own, const std::optional<std::string>& guest);

  const std::string& guest() const { return guest_; }
  bool writable() const { return writable_; }
  // FileStatus::device of all that is in it.
  std::uint64_t device() const { return device_; }
  void set_device(std::uint64_t device) { device_ = device; }
  // The identity of the directory or the single file.
  HostIdentity identity() const { return own_ == nullptr ? identity_ : own_->identity(); }
  // The directory, or the one that contains the single file.
  const Descriptor& directory() const { return own_ == nullptr ? directory_ : own_->directory(); }
  bool is_file() const { return !file_.empty(); }
  bool is_root() const { return is_root_; }
  bool holds(const GuestPath& path) const { return is_at_or_below(path.text(), guest_); }

  // openat2(2) of a path at or below guest(), confined. ".." and symbolic links never leave the
  // mount (RESOLVE_IN_ROOT for a root, in which absolute links start at the root; RESOLVE_BENEATH
  // for the others, in which absolute links are not_found, like every link that leads out).
  // /proc-like magic links are never followed. Whatever is mounted on the host somewhere inside is
  // not_found as well: /proc/self/mem is a way into our memory, and the user has not named what
  // other mounts show. `flags` are open(2)'s; the mode counts only with O_CREAT and is masked with
  // 0777.
  HostResult<Descriptor> open(const GuestPath& path, int flags, std::uint32_t mode = 0) const;
  struct Object {
    Descriptor descriptor;
    bool through_links = false;  // false: the path is the real one
  };
  // The same with O_PATH, which does not open the file and so has no effect on devices.
  HostResult<Object> find(const GuestPath& path, bool follow) const;
  // Whether a link precedes the last component, which need not exist.
  bool has_links_above(const GuestPath& path) const;
  // The guest path of an object in this mount, without symbolic links. Needs /proc.
  HostResult<GuestPath> path_of(const Descriptor& object) const;

 private:
  Mount() = default;

  HostResult<Descriptor> resolve(const GuestPath& path, int flags, std::uint32_t mode,
                                 std::uint64_t rules) const;

  std::shared_ptr<OwnDirectory> own_;  // nullptr: it is the user's
  Descriptor directory_;               // O_PATH; for a single file, the directory that contains it
  std::string file_;                   // for a single file, its name in directory_; else empty
  HostIdentity identity_;
  std::string guest_ = "/";
  std::uint64_t device_ = common_device;
  bool writable_ = false;
  bool is_root_ = false;
};

}  // namespace hardclock::host
