// GuestFiles: listing directories and changing the name space.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>

#include "syscalls/host/guest_files.h"
#include "syscalls/host/host_path.h"

namespace hardclock::host {
namespace {

// fchmodat2(2), which reaches exactly the object behind an O_PATH descriptor; glibc 2.36 does not
// name it. Linux before 6.6 lacks it, and containers that do not know it may answer EPERM: there
// the object's name in /proc does the same.
HostResult<Ok> change_mode_of(const Descriptor& object, std::uint32_t mode) {
  constexpr long fchmodat2 = 452;
  if (::syscall(fchmodat2, object.get(), "", mode, AT_EMPTY_PATH) == 0) return Ok{};
  if (errno != ENOSYS && errno != EPERM) return host_failure();
  if (::chmod(host_link_to(object.get()).c_str(), mode) != 0) return host_failure();
  return Ok{};
}

// nullopt: the host's file system does not tell.
std::optional<FileType> named_type(unsigned char type) {
  struct ::stat status {};
  status.st_mode = DTTOIF(type);
  if (type == DT_UNKNOWN) return std::nullopt;
  return file_type(status);
}

// Roots are one read-only device together, with the directories above mounts.
bool is_fixed(const NameSpace::Place& place) {
  return place.mount == nullptr || place.mount->is_root();
}

bool same_device(const NameSpace::Place& a, const NameSpace::Place& b) {
  if (is_fixed(a) && is_fixed(b)) return true;
  return a.mount == b.mount && a.is_guarded == b.is_guarded;
}

// Devices belong to the host: a guest can make none.
bool is_the_hosts(FileType type) {
  return type == FileType::character_device || type == FileType::block_device;
}

// The object at a place now, itself if it is a link; nullopt if there is none.
std::optional<struct ::stat> status_at(const NameSpace::Place& place) {
  struct ::stat status;
  const int host_result =
      ::fstatat(place.directory.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW);
  if (host_result != 0) return std::nullopt;
  return status;
}

bool is_missing(Error error) {
  return error == Error::not_found || error == Error::not_directory;
}

}  // namespace

// Adds the names in a host directory, unless another one has them.
HostResult<Ok> GuestFiles::collect_names(Descriptor directory, Names& names) {
  struct ::stat status;
  const int number = ::fcntl(directory.get(), F_DUPFD_CLOEXEC, 0);
  if (number < 0) return host_failure();
  const auto close = [](::DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<::DIR, decltype(close)> stream(::fdopendir(number), close);
  if (!stream) {
    ::close(number);
    return host_failure();
  }
  if (::fstat(number, &status) != 0) return host_failure();
  errno = 0;
  while (const struct ::dirent* entry = ::readdir(stream.get())) {
    std::optional<Named> named;
    if (const auto type = named_type(entry->d_type)) {
      named = Named{{status.st_dev, entry->d_ino}, *type};
    }
    names.emplace(entry->d_name, named);
  }
  if (errno != 0) return host_failure();
  return Ok{};
}

HostResult<GuestFiles::Names> GuestFiles::names_in(const GuestPath& path) const {
  Names names;
  for (const Mount* mount : space_.mounts_for(path)) {
    auto directory = mount->open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    if (!directory && is_missing(directory.error())) continue;
    if (!directory) return Failure{directory.error()};
    const auto done = collect_names(std::move(directory).value(), names);
    if (!done) return Failure{done.error()};
  }
  for (const std::string& pinned : space_.pinned_paths()) {
    if (pinned == path.text() || !is_at_or_below(pinned, path.text())) continue;
    const std::string_view below = relative_to(pinned, path.text());
    names.emplace(below.substr(0, below.find('/')), std::nullopt);
  }
  if (synthetic_ != nullptr && path.text() == "/")
    names.emplace(synthetic_->root().substr(1), std::nullopt);
  for (const SyntheticLink& link :
       synthetic_ == nullptr ? std::span<const SyntheticLink>() : synthetic_->links()) {
    const auto of_link = GuestPath::parse("/", link.path);
    if (of_link && of_link->parent().text() == path.text()) {
      names.emplace(of_link->name(), std::nullopt);
    }
  }
  names.erase(".");
  names.erase("..");
  return names;
}

HostResult<std::vector<DirectoryEntry>> GuestFiles::list(const GuestPath& path) {
  const auto meaning = meaning_of(path, Follow::yes);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->made) {
    const auto& file = meaning->made->file;
    if (!file || file->type != FileType::directory) return Failure{Error::not_directory};
    return list_made(*meaning->made);
  }
  const auto& found = meaning->found;
  if (!found || found->type != FileType::directory) return Failure{Error::not_directory};
  const auto names = names_in(found->path);
  if (!names) return Failure{names.error()};
  struct ::stat directory;
  if (found->mount != nullptr && ::fstat(found->descriptor.get(), &directory) == 0) {
    if (directory.st_nlink == 0) return Failure{Error::not_found};
    if (found->writable()) records_->was_read(directory);
    records_->events().happened(FileEvent::Kind::accessed, found->descriptor.get());
  }
  std::vector<DirectoryEntry> entries;
  const auto add = [&](const std::string& name, const GuestPath& target, Follow follow,
                       const std::optional<Named>& named) {
    const auto entry = status(target, follow);
    if (entry) {
      entries.push_back({name, entry->inode, entry->type});
    } else if (named && entry.error() == Error::access) {
      entries.push_back({name, records_->number(named->identity), named->type});
    }
  };
  add(".", found->path, Follow::yes, std::nullopt);
  add("..", found->path.parent(), Follow::yes, std::nullopt);
  for (const auto& [name, named] : *names) add(name, found->path.child(name), Follow::no, named);
  return entries;
}

HostResult<NameSpace::Place> GuestFiles::place_for_new(const GuestPath& path) const {
  if (find_special(path) || path.text() == "/") return Failure{Error::exists};
  const auto meaning = meaning_of(path, Follow::no);
  if (meaning) return Failure{Error::exists};
  if (is_made(path) || meaning.error() != Error::not_found) return Failure{meaning.error()};
  return space_.place_of(path);
}

// The place of `path`, to remove or rename it; sets `type` to the type of the object.
HostResult<NameSpace::Place> GuestFiles::place_of_existing(const GuestPath& path,
                                                           FileType& type) const {
  if (path.ends_in_dots()) return Failure{Error::invalid};
  if (find_special(path)) return Failure{Error::busy};
  if (is_below_special(path)) return Failure{Error::not_directory};
  if (is_made(path)) {
    const auto meaning = meaning_of(path, Follow::no);
    return Failure{meaning ? Error::not_permitted : meaning.error()};
  }
  auto place = space_.place_of(path);
  if (!place) return place;
  const auto found = space_.find(place->path, Follow::no);
  if (!found) return Failure{found.error()};
  type = found->type;
  if (path.directory_required() && type != FileType::directory) {
    return Failure{Error::not_directory};
  }
  if (const auto done = may_lose_name(*place, *found); !done) return Failure{done.error()};
  return place;
}

// A place for a new name that may be in use: its present object goes.
HostResult<NameSpace::Place> GuestFiles::place_to_replace(const GuestPath& path) const {
  if (path.ends_in_dots()) return Failure{Error::invalid};
  if (find_special(path)) return Failure{Error::busy};
  if (is_below_special(path)) return Failure{Error::not_directory};
  if (is_made(path)) return Failure{Error::not_permitted};
  auto place = space_.place_of(path);
  if (!place) return place;
  if (const auto existing = space_.find(place->path, Follow::no)) {
    if (const auto done = may_lose_name(*place, *existing); !done) return Failure{done.error()};
  }
  if (space_.is_at_or_above_pinned(place->path)) return Failure{Error::busy};
  return place;
}

// Whether the object found at `place` may be removed from there, if the place is writable.
HostResult<Ok> GuestFiles::may_lose_name(const NameSpace::Place& place,
                                         const NameSpace::Found& found) const {
  if (space_.is_at_or_above_pinned(place.path)) return Failure{Error::busy};
  if (!place.writable()) return Ok{};
  if (space_.is_needed(found.descriptor)) return Failure{Error::busy};
  if (is_the_hosts(found.type)) return Failure{Error::not_permitted};
  return Ok{};
}

void GuestFiles::note_names_changed(const Descriptor& directory) {
  struct ::stat status;
  if (::fstat(directory.get(), &status) == 0) records_->was_written(status);
}

void GuestFiles::note_created(const NameSpace::Place& place, std::uint32_t permissions) {
  const auto status = status_at(place);
  if (status) records_->created(*status, permissions);
  use_->name_added();
  note_names_changed(place.directory);
  if (status) tell_of_name(FileEvent::Kind::created, place, *status);
}

void GuestFiles::note_removed(const struct ::stat& removed) {
  use_->name_removed();
  if (!S_ISDIR(removed.st_mode) && removed.st_nlink > 1) {
    records_->was_changed(removed);
    return;
  }
  if (use_->is_open(identity_of(removed))) {  // closing it does the rest
    records_->was_changed(removed);
    return;
  }
  if (S_ISREG(removed.st_mode)) use_->resized(stored_of(removed, *records_), 0);
  records_->gone(removed);
}

void GuestFiles::tell_of_name(FileEvent::Kind kind, const NameSpace::Place& place,
                              const struct ::stat& file) {
  records_->events().happened(kind, place.directory, place.name, file);
}

// Whether there is room for the longer paths of the directories that are held there.
HostResult<Ok> GuestFiles::may_move(const NameSpace::Place& from, const NameSpace::Place& to) {
  const auto old = space_.real_path_of_directory(from), now = space_.real_path_of_directory(to);
  if (!old || !now) return Ok{};
  return use_->may_hold(
      held_.growth_by_move(*from.mount, old->child(from.name), now->child(to.name)));
}

// Those who are in the directory, or below it, are so no less.
void GuestFiles::note_moved(const NameSpace::Place& from, const NameSpace::Place& to) {
  const auto old = space_.real_path_of_directory(from), now = space_.real_path_of_directory(to);
  if (old && now) held_.was_moved(*from.mount, old->child(from.name), now->child(to.name));
}

HostResult<Ok> GuestFiles::make_directory(const GuestPath& path, std::uint32_t mode) {
  const auto place = place_for_new(path);
  if (!place) return Failure{place.error()};
  if (!place->writable()) return Failure{Error::read_only};
  if (const auto may = use_->may_add_name(); !may) return may;
  if (::mkdirat(place->directory.get(), place->name.c_str(), mode & 01777) != 0) {
    return host_failure();
  }
  note_created(*place, mode);
  return Ok{};
}

HostResult<Ok> GuestFiles::make_symlink(std::string_view target, const GuestPath& path) {
  if (target.empty()) return Failure{Error::not_found};
  if (target.size() > GuestPath::max_length) return Failure{Error::name_too_long};
  if (target.find('\0') != target.npos) return Failure{Error::invalid};
  const auto place = place_for_new(path);
  if (!place) return Failure{place.error()};
  if (!place->writable()) return Failure{Error::read_only};
  if (path.directory_required()) return Failure{Error::not_found};
  if (const auto may = use_->may_add_name(); !may) return may;
  const std::string text(target);
  if (::symlinkat(text.c_str(), place->directory.get(), place->name.c_str()) != 0) {
    return host_failure();
  }
  note_created(*place, 0);
  return Ok{};
}

HostResult<Node> GuestFiles::make_node(const GuestPath& path, FileType type, std::uint32_t mode) {
  const auto place = place_for_new(path);
  if (!place) return Failure{place.error()};
  if (!place->writable()) return Failure{Error::read_only};
  if (path.directory_required()) return Failure{Error::not_found};
  if (const auto may = use_->may_add_name(); !may) return Failure{may.error()};
  const ::mode_t kind = type == FileType::fifo ? S_IFIFO : S_IFSOCK;
  if (::mknodat(place->directory.get(), place->name.c_str(), kind | (mode & 0777), 0) != 0) {
    return host_failure();
  }
  note_created(*place, mode);
  auto made = find_node(place->path, Follow::no);
  if (!made) return Failure{Error::not_found};
  return *std::move(made);
}

HostResult<Ok> GuestFiles::link(const GuestPath& existing, const GuestPath& created) {
  FileType type{};
  const auto source = place_of_existing(existing, type);
  if (!source && source.error() == Error::busy) return Failure{Error::cross_device};
  if (!source) return Failure{source.error()};
  if (type == FileType::directory) return Failure{Error::is_directory};
  const auto target = place_for_new(created);
  if (!target) return Failure{target.error()};
  if (!same_device(*source, *target)) return Failure{Error::cross_device};
  if (!target->writable()) return Failure{Error::read_only};
  if (created.directory_required()) return Failure{Error::not_found};
  if (const auto may = use_->may_add_name(); !may) return may;
  if (::linkat(source->directory.get(), source->name.c_str(), target->directory.get(),
               target->name.c_str(), 0) != 0) {
    return host_failure();
  }
  use_->name_added();
  const auto status = status_at(*target);
  if (status) records_->was_changed(*status);
  note_names_changed(target->directory);
  if (status) {
    records_->events().happened(FileEvent::Kind::attributes_changed, *status);
    tell_of_name(FileEvent::Kind::created, *target, *status);
  }
  return Ok{};
}

HostResult<Ok> GuestFiles::rename(const GuestPath& from, const GuestPath& to) {
  FileType type{};
  const auto source = place_of_existing(from, type);
  if (!source) return Failure{source.error()};
  const auto target = place_to_replace(to);
  if (!target) return Failure{target.error()};
  if (!same_device(*source, *target)) return Failure{Error::cross_device};
  if (!source->writable()) return Failure{Error::read_only};
  if (to.directory_required() && type != FileType::directory) {
    return Failure{Error::not_directory};
  }
  if (type == FileType::directory) {
    if (const auto may = may_move(*source, *target); !may) return may;
  }
  const auto moved = status_at(*source);
  const auto replaced = status_at(*target);
  if (::renameat(source->directory.get(), source->name.c_str(), target->directory.get(),
                 target->name.c_str()) != 0) {
    return host_failure();
  }
  // Two names of one file both stay.
  const bool is_same = moved && replaced && identity_of(*moved) == identity_of(*replaced);
  if (moved && !is_same) {
    records_->events().moved({source->directory, source->name}, {target->directory, target->name},
                             *moved, replaced);
  }
  if (replaced && !is_same) note_removed(*replaced);
  if (const auto status = status_at(*target)) records_->was_changed(*status);
  if (type == FileType::directory) note_moved(*source, *target);
  note_names_changed(source->directory);
  note_names_changed(target->directory);
  return Ok{};
}

HostResult<Ok> GuestFiles::remove_file(const GuestPath& path) {
  FileType type{};
  const auto place = place_of_existing(path, type);
  if (!place) return Failure{place.error()};
  if (type == FileType::directory) return Failure{Error::is_directory};
  if (!place->writable()) return Failure{Error::read_only};
  const auto removed = status_at(*place);
  if (::unlinkat(place->directory.get(), place->name.c_str(), 0) != 0) return host_failure();
  note_names_changed(place->directory);
  if (!removed) return Ok{};
  records_->events().happened(FileEvent::Kind::attributes_changed, *removed);
  note_removed(*removed);
  tell_of_name(FileEvent::Kind::deleted, *place, *removed);
  return Ok{};
}

HostResult<Ok> GuestFiles::remove_directory(const GuestPath& path) {
  FileType type{};
  const auto place = place_of_existing(path, type);
  if (!place) return Failure{place.error()};
  if (type != FileType::directory) return Failure{Error::not_directory};
  if (!place->writable()) return Failure{Error::read_only};
  const auto removed = status_at(*place);
  if (::unlinkat(place->directory.get(), place->name.c_str(), AT_REMOVEDIR) != 0) {
    return host_failure();
  }
  note_names_changed(place->directory);
  if (!removed) return Ok{};
  note_removed(*removed);
  tell_of_name(FileEvent::Kind::deleted, *place, *removed);
  return Ok{};
}

HostResult<Ok> GuestFiles::truncate(const GuestPath& path, std::uint64_t size) {
  auto file = open_quietly(path, {.write = true});
  if (!file) return Failure{file.error()};
  auto* const of_host = std::get_if<HostFile>(&*file);
  return of_host != nullptr ? of_host->truncate(size) : Failure{Error::invalid};
}

// Nobody changes mode or times of a file of ours. nullopt: it is none.
std::optional<Error> GuestFiles::refusal_to_change(const Meaning& meaning) {
  if (meaning.special) return Error::read_only;
  if (meaning.made) return Error::not_permitted;
  return std::nullopt;
}

HostResult<Ok> GuestFiles::change_mode(const GuestPath& path, std::uint32_t mode) {
  const auto meaning = meaning_of(path, Follow::yes);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->made && meaning->made->object) return meaning->made->object->change_mode(mode);
  if (const auto refused = refusal_to_change(*meaning)) return Failure{*refused};
  const auto& found = meaning->found;
  if (!found->writable()) return Failure{Error::read_only};
  if (found->type == FileType::symlink || is_the_hosts(found->type)) return Failure{Error::access};
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return host_failure();
  const auto done = change_mode_of(found->descriptor, mode & host_permissions(status));
  if (!done) return done;
  records_->set_permissions(status, mode);
  records_->events().happened(FileEvent::Kind::attributes_changed, found->descriptor.get());
  return Ok{};
}

HostResult<Ok> GuestFiles::set_times(const GuestPath& path, const TimeChange& access,
                                     const TimeChange& modification, Follow follow) {
  const auto times = host_times(access, modification);
  if (!times) return Failure{times.error()};
  const auto meaning = meaning_of(path, follow);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->made && meaning->made->object) {
    return meaning->made->object->set_times(access, modification);
  }
  if (const auto refused = refusal_to_change(*meaning)) return Failure{*refused};
  const auto& found = meaning->found;
  if (!found->writable()) return Failure{Error::read_only};
  if (is_the_hosts(found->type)) return Failure{Error::not_permitted};
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0 ||
      ::utimensat(found->descriptor.get(), "", times->data(), AT_EMPTY_PATH) != 0) {
    return host_failure();
  }
  records_->set_times(status, access, modification);
  records_->events().times_set(found->descriptor.get(), access, modification);
  return Ok{};
}

}  // namespace hardclock::host
