// The host objects that do not change even though a guest may write to a directory above them:
// guest roots and read-only binds. They are identified by the host's numbers, not by names, which
// have aliases: links, mounts, upper and lower case. Internal to this package.
#pragma once

#include <set>
#include <vector>

#include "syscalls/host/file_status.h"
#include "syscalls/host/mount.h"

namespace hardclock::host {

class GuardedObjects {
 public:
  GuardedObjects() = default;
  GuardedObjects(const std::vector<const Mount*>& guarded,
                 const std::vector<const Mount*>& writable);

  // Whether a guarded object lies below the directory of `mount`.
  bool lie_below(const Mount& mount) const { return tops_.contains(mount.identity()); }
  // Whether `directory`, which lies in `mount`, is a guarded object or below one. True if the host
  // does not let us look.
  bool hold(const Descriptor& directory, const Mount& mount) const;
  bool contain(HostIdentity object) const { return objects_.contains(object); }
  // Whether the object is guarded, or is a directory between a guarded one and a writable mount.
  bool need(HostIdentity object) const { return contain(object) || above_.contains(object); }

 private:
  void guard(const Mount& mount, const std::vector<const Mount*>& writable);

  std::set<HostIdentity> objects_;
  std::set<HostIdentity> above_;
  std::set<HostIdentity> tops_;  // the writable mounts above guarded objects
};

}  // namespace hardclock::host
