#include "syscalls/host/file_events.h"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>

#include "syscalls/host/host_path.h"

namespace hardclock::host {
namespace {

std::optional<struct ::stat> status_of(const char* path) {
  struct ::stat status;
  if (::fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return status;
}

// Fills in the directory and the name there of an open file, if the host tells them.
void add_name(FileEvent& event, int descriptor) {
  constexpr std::string_view deleted = " (deleted)";
  auto path = host_path_of(descriptor);
  if (!path || !path->starts_with('/')) return;
  const auto named = status_of(path->c_str());
  event.has_lost_name = path->ends_with(deleted) && (!named || identity_of(*named) != event.file);
  if (event.has_lost_name) path->resize(path->size() - deleted.size());
  const std::size_t slash = path->rfind('/');
  event.name = path->substr(slash + 1);
  path->resize(slash == 0 ? 1 : slash);
  if (const auto directory = status_of(path->c_str())) event.directory = identity_of(*directory);
}

}  // namespace

// A watcher may be told of more than one thing that it does: nobody is added or removed meanwhile.
void FileEvents::tell(const FileEvent& event) {
  for (FileWatcher* const watcher : watchers_) watcher->hear(event);
}

void FileEvents::happened(Kind kind, int descriptor) {
  struct ::stat status;
  if (watchers_.empty() || ::fstat(descriptor, &status) != 0) return;
  FileEvent event{kind, S_ISDIR(status.st_mode), identity_of(status)};
  add_name(event, descriptor);
  tell(event);
}

void FileEvents::happened(Kind kind, const struct ::stat& file) {
  if (watchers_.empty()) return;
  tell({kind, S_ISDIR(file.st_mode), identity_of(file)});
}

FileEvent FileEvents::name_event(Kind kind, const Name& name, const struct ::stat& file) const {
  FileEvent event{kind, S_ISDIR(file.st_mode)};
  struct ::stat directory;
  if (::fstat(name.directory.get(), &directory) == 0) event.directory = identity_of(directory);
  event.name = name.name;
  event.cookie = kind == Kind::moved_from || kind == Kind::moved_to ? last_cookie_ : 0;
  return event;
}

void FileEvents::happened(Kind kind, const Descriptor& directory, const std::string& name,
                          const struct ::stat& file) {
  if (watchers_.empty()) return;
  tell(name_event(kind, {directory, name}, file));
}

// In the order of Linux's fsnotify_move() (include/linux/fsnotify.h).
void FileEvents::moved(const Name& from, const Name& to, const struct ::stat& file,
                       const std::optional<struct ::stat>& replaced) {
  if (watchers_.empty()) return;
  ++last_cookie_;
  tell(name_event(Kind::moved_from, from, file));
  tell(name_event(Kind::moved_to, to, file));
  if (replaced) happened(Kind::attributes_changed, *replaced);
  happened(Kind::moved_itself, file);
}

void FileEvents::times_set(int descriptor, const TimeChange& access,
                           const TimeChange& modification) {
  const bool keeps_access = access.kind == TimeChange::Kind::keep;
  const bool keeps_modification = modification.kind == TimeChange::Kind::keep;
  if (keeps_access && keeps_modification) return;
  happened(keeps_access         ? Kind::modified
           : keeps_modification ? Kind::accessed
                                : Kind::attributes_changed,
           descriptor);
}

}  // namespace hardclock::host
