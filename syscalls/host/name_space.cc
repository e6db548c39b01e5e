#include "syscalls/host/name_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace hardclock::host {
namespace {

// As many times as Linux follows links (path_resolution(7)).
constexpr int max_links = 40;

// System V.4 has the second, and IRIX and HP-UX the third as a link to it (hier(5)).
constexpr const char* scratch_paths[] = {"/tmp", "/var/tmp", "/usr/tmp"};

// Where Linux has a file system in memory, for shm_open(3) (shm_overview(7)).
constexpr const char* shared_memory_path = "/dev/shm";

constexpr const char* without_proc =
    "without /proc the guest cannot follow some symbolic links and, before Linux 6.6, not change "
    "modes; mount /proc";

HostResult<FileType> type_of(int descriptor) {
  struct ::stat status;
  if (::fstat(descriptor, &status) != 0) return host_failure();
  return file_type(status);
}

bool may_search(const Descriptor& directory) {
  return ::faccessat(directory.get(), "", X_OK, AT_EACCESS | AT_EMPTY_PATH) == 0;
}

bool is_missing(Error error) {
  return error == Error::not_found || error == Error::not_directory;
}

std::optional<std::string> conflict(const Bind& bind, const std::vector<Mount>& others,
                                    const SpecialFiles& special_files) {
  const std::string where = "bind " + bind.host + ":" + bind.guest;
  for (const Mount& other : others) {
    if (other.guest() == bind.guest) {
      return where + ": the guest path is bound already; pass one --bind for it";
    }
  }
  for (const std::string_view special : special_files.paths()) {
    if (is_at_or_below(bind.guest, special)) {
      return where + ": hardclock provides that file itself; choose another guest path";
    }
  }
  return std::nullopt;
}

}  // namespace

HostResult<std::string> link_at(int directory, const char* name) {
  std::string target(GuestPath::max_length + 1, 0);
  const ::ssize_t size = ::readlinkat(directory, name, target.data(), target.size());
  if (size < 0) return host_failure();
  target.resize(static_cast<std::size_t>(size));
  return target;
}

Result<NameSpace, std::string> NameSpace::create(const FileSpace& space) {
  NameSpace result;
  result.special_files_ = SpecialFiles(space.has_full_device);
  for (const std::string& root : space.roots) {
    auto mount = Mount::root(root);
    if (!mount) return Failure{mount.error()};
    result.roots_.push_back(std::move(mount).value());
  }
  for (const Bind& bind : space.binds) {
    if (const auto message = conflict(bind, result.binds_, result.special_files_))
      return Failure{*message};
    auto mount = Mount::bind(bind);
    if (!mount) return Failure{mount.error()};
    result.binds_.push_back(std::move(mount).value());
  }
  std::stable_sort(result.binds_.begin(), result.binds_.end(), [](const Mount& a, const Mount& b) {
    return a.guest().size() > b.guest().size();
  });
  if (auto added = result.add_working_directory(space); !added) return Failure{added.error()};
  result.guarded_ = GuardedObjects(result.binds_and_roots(false), result.binds_and_roots(true));
  if (space.built_in != nullptr)
    result.guarded_.guard_later(space.built_in, result.binds_and_roots(true));
  result.add_own_directories(space);
  if (::access("/proc/self/fd", F_OK) != 0) result.notices_.push_back(without_proc);
  return result;
}

// A working directory that is also a guest root stays read-only, as the user asked for the root.
Result<Ok, std::string> NameSpace::add_working_directory(const FileSpace& space) {
  if (!space.working_directory) return Ok{};
  const std::string& host = *space.working_directory;
  auto mount = Mount::working_directory(host, space.working_directory_writable);
  if (!mount) return Failure{mount.error()};
  const bool is_root = std::any_of(roots_.begin(), roots_.end(), [&](const Mount& root) {
    return root.identity() == mount->identity();
  });
  if (is_root && mount->writable()) {
    notices_.push_back(
        "the working directory is a guest root and so read-only; to write there "
        "pass --bind " +
        host + ":" + host);
    mount = Mount::working_directory(host, false);
    if (!mount) return Failure{mount.error()};
  }
  working_directory_ = std::move(mount).value();
  return Ok{};
}

void NameSpace::add_own_directories(const FileSpace& space) {
  for (const char* const path : scratch_paths) {
    if (space.scratch != nullptr) own_.push_back(Mount::own(space.scratch, path));
  }
  if (space.shared_memory != nullptr) {
    own_.push_back(Mount::own(space.shared_memory, shared_memory_path));
    own_.back().set_device(shared_memory_device);
  }
  if (space.built_in != nullptr) roots_.push_back(Mount::own(space.built_in, std::nullopt));
}

std::vector<const Mount*> NameSpace::binds_and_roots(bool writable) const {
  std::vector<const Mount*> mounts;
  const auto add = [&](const Mount& mount) {
    if (mount.writable() == writable) mounts.push_back(&mount);
  };
  std::for_each(roots_.begin(), roots_.end(), add);
  std::for_each(binds_.begin(), binds_.end(), add);
  if (working_directory_) add(*working_directory_);
  return mounts;
}

std::optional<GuestPath> NameSpace::working_directory() const {
  if (!working_directory_) return std::nullopt;
  return GuestPath::parse("/", working_directory_->guest()).value();
}

std::vector<const Mount*> NameSpace::mounts_for(const GuestPath& path) const {
  for (const Mount& bind : binds_) {
    if (bind.holds(path)) return {&bind};
  }
  if (working_directory_ && working_directory_->holds(path)) return {&*working_directory_};
  for (const Mount& own : own_) {
    if (own.holds(path)) return {&own};
  }
  std::vector<const Mount*> roots;
  for (const Mount& root : roots_) roots.push_back(&root);
  return roots;
}

bool NameSpace::is_in_roots(const GuestPath& path) const {
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](const Mount& root) { return root.find(path, true).ok(); });
}

std::vector<std::string> NameSpace::pinned_paths() const {
  std::vector<std::string> paths;
  for (const std::string_view special : special_files_.paths()) paths.emplace_back(special);
  for (const Mount& bind : binds_) paths.push_back(bind.guest());
  if (working_directory_) paths.push_back(working_directory_->guest());
  for (const Mount& own : own_) paths.push_back(own.guest());
  return paths;
}

bool NameSpace::is_at_or_above_pinned(const GuestPath& path) const {
  if (path.text() == "/") return true;
  const auto pinned = pinned_paths();
  return std::any_of(pinned.begin(), pinned.end(),
                     [&](const std::string& inner) { return is_at_or_below(inner, path.text()); });
}

bool NameSpace::is_elsewhere(const GuestPath& path) const {
  return std::ranges::any_of(
      elsewhere_, [&](const std::string& outer) { return is_at_or_below(path.text(), outer); });
}

// Whether `path`, which `mount` holds, is not covered by a mount on top of it.
bool NameSpace::same_owner(const GuestPath& path, const Mount& mount) const {
  const Mount* const owner = mounts_for(path).front();
  return owner == &mount || (owner->is_root() && mount.is_root());
}

// Whether another mount covers a part of `mount`, or others answer for a part, so that links inside
// it may lead below a cover.
bool NameSpace::is_shadowed(const Mount& mount) const {
  const auto covers = [&](const Mount& other) {
    return &other != &mount && !other.is_root() && is_at_or_below(other.guest(), mount.guest());
  };
  return std::any_of(binds_.begin(), binds_.end(), covers) ||
         (working_directory_ && covers(*working_directory_)) ||
         std::any_of(own_.begin(), own_.end(), covers) ||
         std::ranges::any_of(elsewhere_, [&](const std::string& path) {
           return is_at_or_below(path, mount.guest());
         });
}

HostResult<NameSpace::Found> NameSpace::find_in_mounts(const GuestPath& path, Follow follow) const {
  const bool to_the_end = follow == Follow::yes || path.directory_required();
  Error error = Error::not_found;
  for (const Mount* mount : mounts_for(path)) {
    auto object = mount->find(path, to_the_end);
    if (object) {
      const auto type = type_of(object->descriptor.get());
      if (!type) return Failure{type.error()};
      if (path.directory_required() && *type != FileType::directory) {
        return Failure{Error::not_directory};
      }
      return Found{mount, path, std::move(object->descriptor), *type, object->through_links};
    }
    if (!is_missing(object.error())) return Failure{object.error()};
    // One root's file above the path is there in all of them.
    if (error != Error::not_directory) error = object.error();
  }
  const auto pinned = pinned_paths();
  const bool is_above = std::any_of(pinned.begin(), pinned.end(), [&](const std::string& inner) {
    return inner != path.text() && is_at_or_below(inner, path.text());
  });
  if (is_above) return Found{.path = path, .descriptor = {}};
  return Failure{error};
}

// If a link leads to a place that another mount covers, that mount decides: otherwise a guest could
// write into a read-only bind inside its working directory through a link around it.
HostResult<NameSpace::Found> NameSpace::find_through_mounts(GuestPath path, Follow follow) const {
  for (int links = 0; links < max_links; ++links) {
    auto found = find_in_mounts(path, follow);
    if (!found || found->mount == nullptr || !is_shadowed(*found->mount)) return found;
    if (!found->through_links) return found;
    auto real = found->mount->path_of(found->descriptor);
    if (!real) return Failure{real.error()};
    if (is_elsewhere(*real)) {
      if (path.directory_required()) real->require_directory();
      return Found{.path = *std::move(real), .descriptor = {}, .is_elsewhere = true};
    }
    if (same_owner(*real, *found->mount)) {
      found->path = std::move(real).value();
      found->through_links = false;
      return found;
    }
    if (path.directory_required()) real->require_directory();
    path = std::move(real).value();
  }
  return Failure{Error::loop};
}

// Whether a link may lead elsewhere than where the host looked.
bool NameSpace::has_links(const GuestPath& path, Follow follow) const {
  const auto mounts = mounts_for(path);
  return std::any_of(mounts.begin(), mounts.end(), [&](const Mount* mount) {
    if (mount->has_links_above(path)) return true;
    if (follow == Follow::no && !path.directory_required()) return false;
    const auto object = mount->find(path, false);
    const auto type = object ? type_of(object->descriptor.get()) : HostResult<FileType>(FileType{});
    return type.ok() && *type == FileType::symlink;
  });
}

// Looks up name by name, and follows links in the guest's name space, as a kernel does
// (path_resolution(7)). The host is asked for one object at a time, and follows none.
HostResult<NameSpace::Found> NameSpace::walk(const GuestPath& path, Follow follow) const {
  GuestPath at;
  std::string rest = path.text().substr(1);
  const bool to_the_end = follow == Follow::yes || path.directory_required();
  for (int links = 0; !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const GuestPath next = at.child(std::string_view(rest).substr(0, slash));
    rest = slash == rest.npos ? "" : rest.substr(slash + 1);
    if (is_elsewhere(next)) {
      auto whole =
          rest.empty() ? HostResult<GuestPath>(next) : GuestPath::parse_long(next.text(), rest);
      if (!whole) return Failure{whole.error()};
      if (path.directory_required()) whole->require_directory();
      return Found{.path = *std::move(whole), .descriptor = {}, .is_elsewhere = true};
    }
    const auto found = find_in_mounts(next, Follow::no);
    if (!found) return Failure{found.error()};
    if (found->type != FileType::symlink || (rest.empty() && !to_the_end)) {
      at = next;
      continue;
    }
    if (++links > max_links) return Failure{Error::loop};
    const auto link = link_at(found->descriptor.get(), "");
    if (!link) return Failure{link.error()};
    const auto target = GuestPath::parse_long(at.text(), *link + (rest.empty() ? "" : "/" + rest));
    if (!target) return Failure{target.error()};
    at = GuestPath();
    rest = target->text().substr(1);
  }
  if (path.directory_required()) at.require_directory();
  return find_in_mounts(at, Follow::no);
}

HostResult<NameSpace::Found> NameSpace::find_unguarded(const GuestPath& path, Follow follow) const {
  auto found = find_through_mounts(path, follow);
  // The host has no name for what lies too deep.
  const bool may_be_there =
      !found && (is_missing(found.error()) || found.error() == Error::name_too_long);
  if (!may_be_there || !has_links(path, follow)) return found;
  return walk(path, follow);
}

HostResult<NameSpace::Found> NameSpace::find(const GuestPath& path, Follow follow) const {
  auto found = find_unguarded(path, follow);
  if (!found) return found;
  if (found->is_elsewhere) return found;
  const bool is_looked_into = path.ends_in_dots() && found->mount != nullptr;
  if (is_looked_into && !may_search(found->descriptor)) return Failure{Error::access};
  found->is_guarded = is_guarded(*found);
  return found;
}

// An object that is not a directory is guarded by the directory that contains it.
bool NameSpace::is_guarded(const Found& found) const {
  if (found.mount == nullptr || !found.mount->writable()) return false;
  if (!guarded_.lie_below(*found.mount)) return false;
  if (found.type == FileType::directory) return guarded_.hold(found.descriptor, *found.mount);
  if (is_needed(found.descriptor)) return true;
  const auto path = real_path_of(found);
  if (!path) return true;
  const auto directory = found.mount->open(path->parent(), O_PATH | O_DIRECTORY | O_NOFOLLOW);
  return !directory || guarded_.hold(*directory, *found.mount);
}

bool NameSpace::is_needed(const Descriptor& object) const {
  struct ::stat status;
  return ::fstat(object.get(), &status) != 0 || guarded_.need(identity_of(status));
}

HostResult<GuestPath> NameSpace::real_path_of(const Found& found) const {
  if (!found.through_links) return found.path;
  auto real = found.mount->path_of(found.descriptor);
  if (real || real.error() != Error::name_too_long) return real;
  const auto walked = walk(found.path, Follow::yes);
  if (!walked) return Failure{walked.error()};
  return walked->path;
}

HostResult<GuestPath> NameSpace::real_path_of_directory(const Place& place) const {
  return place.through_links ? place.mount->path_of(place.directory) : place.path.parent();
}

HostResult<NameSpace::Place> NameSpace::place_of(const GuestPath& path) const {
  if (path.text() == "/") return Failure{Error::busy};
  auto parent = find(path.parent(), Follow::yes);
  if (!parent) return Failure{parent.error()};
  if (parent->is_elsewhere) return Failure{Error::not_found};
  if (parent->type != FileType::directory) return Failure{Error::not_directory};
  Place place{parent->mount,
              parent->path.child(path.name()),
              std::move(parent->descriptor),
              std::string(path.name()),
              parent->through_links,
              parent->is_guarded};
  const auto mounts = mounts_for(place.path);
  if (!mounts.empty() && mounts.front()->guest() == place.path.text()) {
    return Failure{Error::busy};
  }
  return place;
}

}  // namespace hardclock::host
