// The host objects that do not change even though a guest may write to a directory above them:
// guest roots and read-only binds. They are identified by the host's numbers, not by names, which
// have aliases: links, mounts, upper and lower case. Internal to this package.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "syscalls/host/file_status.h"
#include "syscalls/host/mount.h"
#include "syscalls/host/own_directory.h"

namespace hardclock::host {

class GuardedObjects {
 public:
  GuardedObjects() = default;
  GuardedObjects(const std::vector<const Mount*>& guarded,
                 const std::vector<const Mount*>& writable);

  // The same for a directory that is there later. What is around it keeps its name from now on.
  void guard_later(std::shared_ptr<const OwnDirectory> directory,
                   const std::vector<const Mount*>& writable);

  // Whether a guarded object lies below the directory of `mount`.
  bool lie_below(const Mount& mount) const { return tops_.contains(mount.identity()); }
  // Whether `directory`, which lies in `mount`, is a guarded object or below one. True if the host
  // does not let us look.
  bool hold(const Descriptor& directory, const Mount& mount) const;
  bool contain(HostIdentity object) const {
    return objects_.contains(object) || (later_ != nullptr && later_->identity() == object);
  }
  // Whether the object is guarded, or is a directory between a guarded one and a writable mount.
  bool need(HostIdentity object) const { return contain(object) || above_.contains(object); }

 private:
  void guard(const Mount& mount, const std::vector<const Mount*>& writable);
  bool guard_above(const Descriptor& directory, bool is_itself,
                   const std::vector<const Mount*>& writable);

  std::set<HostIdentity> objects_;
  std::shared_ptr<const OwnDirectory> later_;  // nullptr: none that could be reached
  std::set<HostIdentity> above_;
  std::set<HostIdentity> tops_;  // the writable mounts above guarded objects
};

}  // namespace hardclock::host
