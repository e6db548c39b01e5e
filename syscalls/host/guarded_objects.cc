#include "syscalls/host/guarded_objects.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace hardclock::host {
namespace {

std::optional<HostIdentity> identity_of(const Descriptor& object) {
  struct ::stat status;
  if (::fstat(object.get(), &status) != 0) return std::nullopt;
  return host::identity_of(status);
}

// A directory and its ancestors, one after another, up to the host's root.
class Ascent {
 public:
  explicit Ascent(const Descriptor& start) : current_(::openat(start.get(), ".", flags)) {
    identity_ = identity_of(current_);
  }

  // None: the host does not let us look.
  const std::optional<HostIdentity>& identity() const { return identity_; }
  // False at the top.
  bool climb() {
    Descriptor above(::openat(current_.get(), "..", flags));
    const auto identity = identity_of(above);
    if (identity == identity_) return false;
    current_ = std::move(above);
    identity_ = identity;
    return identity_.has_value();
  }

 private:
  static constexpr int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

  Descriptor current_;
  std::optional<HostIdentity> identity_;
};

}  // namespace

GuardedObjects::GuardedObjects(const std::vector<const Mount*>& guarded,
                               const std::vector<const Mount*>& writable) {
  for (const Mount* mount : guarded) guard(*mount, writable);
}

void GuardedObjects::guard(const Mount& mount, const std::vector<const Mount*>& writable) {
  if (guard_above(mount.directory(), !mount.is_file(), writable)) objects_.insert(mount.identity());
}

void GuardedObjects::guard_later(std::shared_ptr<const OwnDirectory> directory,
                                 const std::vector<const Mount*>& writable) {
  if (guard_above(directory->parent(), false, writable)) later_ = std::move(directory);
}

// False: no writable mount is above.
bool GuardedObjects::guard_above(const Descriptor& directory, bool is_itself,
                                 const std::vector<const Mount*>& writable) {
  std::vector<HostIdentity> passed;
  Ascent ascent(directory);
  bool is_below_one = false;
  if (is_itself && !ascent.climb()) return false;
  do {
    if (!ascent.identity()) break;
    const HostIdentity here = *ascent.identity();
    const bool is_top = std::any_of(writable.begin(), writable.end(), [&](const Mount* each) {
      return !each->is_file() && each->identity() == here;
    });
    if (is_top) {
      is_below_one = true;
      tops_.insert(here);
      above_.insert(passed.begin(), passed.end());
    }
    passed.push_back(here);
  } while (ascent.climb());
  return is_below_one;
}

bool GuardedObjects::hold(const Descriptor& directory, const Mount& mount) const {
  Ascent ascent(directory);
  do {
    if (!ascent.identity()) return true;
    if (*ascent.identity() == mount.identity()) return false;
    if (contain(*ascent.identity())) return true;
  } while (ascent.climb());
  return true;
}

}  // namespace hardclock::host
