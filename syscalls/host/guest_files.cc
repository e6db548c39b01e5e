#include "syscalls/host/guest_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "syscalls/host/special_files.h"

namespace hardclock::host {
namespace {

// As many times as Linux follows links (path_resolution(7)).
constexpr int max_links = 40;

HostResult<FileType> type_of(int descriptor) {
  struct ::stat status;
  if (::fstat(descriptor, &status) != 0) return host_failure();
  return file_type(status);
}

bool may_open(FileType type) {
  return type == FileType::regular || type == FileType::directory;
}

}  // namespace

Result<GuestFiles, std::string> GuestFiles::create(const FileSpace& space) {
  auto name_space = NameSpace::create(space);
  if (!name_space) return Failure{name_space.error()};
  GuestFiles files(std::move(name_space).value(), space.start, space.limits);
  if (space.scratch) {
    struct ::stat status;
    if (::stat(space.scratch->c_str(), &status) == 0) files.records_->made_for_run(status);
  }
  if (const auto directory = files.space_.working_directory()) {
    const auto found = files.space_.find(*directory, Follow::yes);
    if (found && found->type == FileType::directory) files.initial_directory_ = directory->text();
  }
  return files;
}

std::optional<std::string> GuestFiles::what_hides(const GuestPath& path) const {
  const auto mounts = space_.mounts_for(path);
  const bool is_covered = !mounts.empty() && !mounts.front()->is_root();
  if (!is_covered || !space_.is_in_roots(path)) return std::nullopt;
  return "the host's " + mounts.front()->guest() +
         ", as working directory or bind, covers that folder of the guest root; start hardclock "
         "elsewhere";
}

bool GuestFiles::belongs_to_roots(const GuestPath& path) const {
  const auto mounts = space_.mounts_for(path);
  return !mounts.empty() && mounts.front()->is_root() && space_.is_in_roots(path.parent());
}

FileStatus GuestFiles::synthetic_status(const GuestPath& path, FileType type,
                                        std::uint32_t permissions) {
  FileStatus status;
  const FileTime start = records_->start();
  status.times = {start, start, start};
  status.inode = records_->number(path.text());
  status.type = type;
  status.permissions = permissions;
  if (type == FileType::directory) {
    status.links = directory_links;
    status.size = directory_size;
    status.blocks = 1;
  }
  return status;
}

HostResult<HostFile> GuestFiles::open_special(const GuestPath& path, const OpenOptions& options) {
  if (options.create && options.exclusive) return Failure{Error::exists};
  if (options.directory || path.directory_required()) return Failure{Error::not_directory};
  const SpecialFile special = *find_special(path);
  const bool is_console = special == SpecialFile::terminal || special == SpecialFile::console;
  if (is_console && (options.read || !options.write)) return Failure{Error::no_device};
  const OpenRights rights{.read = options.read, .write = options.write};
  const HostFile::Synthetic synthetic = is_console ? HostFile::Synthetic::console
                                        : special == SpecialFile::null ? HostFile::Synthetic::null
                                                                       : HostFile::Synthetic::zero;
  return HostFile::synthetic(
      synthetic, rights, synthetic_status(path, FileType::character_device, special_permissions));
}

HostResult<HostFile> GuestFiles::open(const GuestPath& path, const OpenOptions& options) {
  if (find_special(path)) return open_special(path, options);
  if (is_made(path)) return open_made(path, options);
  const bool follow = !options.no_follow && !(options.create && options.exclusive);
  const auto found = space_.find(path, follow ? Follow::yes : Follow::no);
  if (found) return open_existing(*found, options);
  if (found.error() == Error::not_found && options.create) return open_new(path, options);
  return Failure{found.error()};
}

HostResult<HostFile> GuestFiles::open_existing(const NameSpace::Found& found,
                                               const OpenOptions& options) {
  if (options.create && options.exclusive) return Failure{Error::exists};
  if (found.type == FileType::symlink) return Failure{Error::loop};
  if (!may_open(found.type)) return Failure{Error::access};
  if (found.type == FileType::directory) {
    if (options.write || options.create) return Failure{Error::is_directory};
  } else if (options.directory) {
    return Failure{Error::not_directory};
  }
  if (found.mount == nullptr) {
    return HostFile::synthetic(HostFile::Synthetic::directory, {.read = true},
                               synthetic_status(found.path, FileType::directory, 0555));
  }
  if (options.write && !found.writable()) return Failure{Error::read_only};
  return open_host(*found.mount, found.path, options, 0, found.writable());
}

// The name is free, or it is a symbolic link to a name that is. That link is read here and not
// followed by the host, because it can lead below another mount.
HostResult<HostFile> GuestFiles::open_new(const GuestPath& path, const OpenOptions& options) {
  if (path.directory_required()) return Failure{Error::is_directory};
  GuestPath target = path;
  for (int links = 0; links < max_links; ++links) {
    const auto place = space_.place_of(target);
    if (!place) return Failure{place.error()};
    if (!place->writable()) return Failure{Error::read_only};
    if (const auto may = use_->may_add_name(); !may) return Failure{may.error()};
    auto file = open_host(*place->mount, place->path, options, O_CREAT | O_EXCL, true);
    if (file) note_created(*place, options.mode);
    if (file || file.error() != Error::exists || options.exclusive) return file;
    const auto link = link_at(place->directory.get(), place->name.c_str());
    if (!link) return Failure{link.error()};
    const auto directory = space_.real_path_of_directory(*place);
    if (!directory) return Failure{directory.error()};
    auto next = GuestPath::parse(directory->text(), *link);
    if (!next) return Failure{next.error()};
    if (next->directory_required()) return Failure{Error::is_directory};
    target = std::move(next).value();
  }
  return Failure{Error::loop};
}

HostResult<HostFile> GuestFiles::open_host(const Mount& mount, const GuestPath& path,
                                           const OpenOptions& options, int create_flags,
                                           bool writable) {
  if (const auto may = use_->may_open(); !may) return Failure{may.error()};
  const int direction = !options.write ? O_RDONLY : options.read ? O_RDWR : O_WRONLY;
  const int append = options.append ? O_APPEND : 0;
  const int no_follow = options.no_follow ? O_NOFOLLOW : 0;
  // O_NONBLOCK so that even a file that another host process has just replaced by a FIFO cannot
  // block us; O_NOATIME so that a run leaves the next one the same access times where the host
  // allows that (to a file's owner).
  const int flags = direction | append | no_follow | create_flags | O_NONBLOCK | O_NOCTTY;
  auto descriptor = mount.open(path, flags | O_NOATIME, options.mode);
  if (!descriptor && descriptor.error() == Error::not_permitted) {
    descriptor = mount.open(path, flags, options.mode);
  }
  if (!descriptor) return Failure{descriptor.error()};
  const auto type = type_of(descriptor->get());
  if (!type) return Failure{type.error()};
  if (!may_open(*type)) return Failure{Error::access};
  if (::fcntl(descriptor->get(), F_SETFL, append) != 0) return host_failure();
  const bool read = options.read || !options.write;
  HostFile file = HostFile::of_host(std::move(descriptor).value(),
                                    {.read = read, .write = options.write, .attributes = writable},
                                    records_, use_);
  file.own_position();
  if (options.truncate && options.write) {
    if (const auto done = file.truncate(0); !done) return Failure{done.error()};
  }
  return file;
}

HostResult<FileStatus> GuestFiles::status(const GuestPath& path, Follow follow) {
  if (find_special(path)) {
    if (path.directory_required()) return Failure{Error::not_directory};
    return synthetic_status(path, FileType::character_device, special_permissions);
  }
  if (is_made(path)) {
    const auto made = find_made(path, follow);
    if (!made) return Failure{made.error()};
    return made->file ? made_status(made->path, *made->file) : status(made->path, follow);
  }
  const auto found = space_.find(path, follow);
  if (!found) return Failure{found.error()};
  if (found->mount == nullptr) return synthetic_status(found->path, FileType::directory, 0555);
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return host_failure();
  return to_file_status(status, *records_);
}

std::optional<Node> GuestFiles::find_node(const GuestPath& path, Follow follow) {
  if (find_special(path) || is_made(path)) return std::nullopt;
  const auto found = space_.find(path, follow);
  if (!found || found->mount == nullptr) return std::nullopt;
  if (found->type != FileType::fifo && found->type != FileType::socket) return std::nullopt;
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return std::nullopt;
  return Node{identity_of(status), to_file_status(status, *records_), found->writable()};
}

HostResult<Ok> GuestFiles::access(const GuestPath& path, AccessKinds kinds) {
  if (find_special(path)) {
    if (path.directory_required()) return Failure{Error::not_directory};
    if (kinds.execute) return Failure{Error::access};
    return Ok{};
  }
  if (is_made(path)) {
    const auto made = find_made(path, Follow::yes);
    if (!made) return Failure{made.error()};
    if (!made->file) return access(made->path, kinds);
    const bool is_directory = made->file->type == FileType::directory;
    if (kinds.write || (kinds.execute && !is_directory)) return Failure{Error::access};
    return Ok{};
  }
  const auto found = space_.find(path, Follow::yes);
  if (!found) return Failure{found.error()};
  if (kinds.write && !found->writable()) return Failure{Error::read_only};
  if (found->mount == nullptr) return Ok{};
  const int mode = (kinds.read ? R_OK : 0) | (kinds.write ? W_OK : 0) | (kinds.execute ? X_OK : 0);
  if (::faccessat(found->descriptor.get(), "", mode, AT_EACCESS | AT_EMPTY_PATH) != 0) {
    return host_failure();
  }
  return Ok{};
}

HostResult<GuestPath> GuestFiles::find_directory(const GuestPath& path) {
  if (find_special(path)) return Failure{Error::not_directory};
  if (is_made(path)) {
    const auto made = find_made(path, Follow::yes);
    if (!made) return Failure{made.error()};
    if (!made->file) return find_directory(made->path);
    if (made->file->type != FileType::directory) return Failure{Error::not_directory};
    return made->path;
  }
  const auto found = space_.find(path, Follow::yes);
  if (!found) return Failure{found.error()};
  if (found->type != FileType::directory) return Failure{Error::not_directory};
  if (found->mount == nullptr) return found->path;
  if (::faccessat(found->descriptor.get(), "", X_OK, AT_EACCESS | AT_EMPTY_PATH) != 0) {
    return host_failure();
  }
  return space_.real_path_of(*found);
}

HostResult<std::string> GuestFiles::read_link(const GuestPath& path) {
  if (find_special(path)) return Failure{Error::invalid};
  if (is_made(path)) {
    const auto made = find_made(path, Follow::no);
    if (!made) return Failure{made.error()};
    if (!made->file) return read_link(made->path);
    if (made->file->type != FileType::symlink) return Failure{Error::invalid};
    return made->file->content;
  }
  const auto found = space_.find(path, Follow::no);
  if (!found) return Failure{found.error()};
  if (found->type != FileType::symlink) return Failure{Error::invalid};
  return link_at(found->descriptor.get(), "");
}

}  // namespace hardclock::host
