#include "syscalls/host/guest_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "syscalls/host/host_path.h"

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
  files.show(nullptr);
  for (const auto& own : {space.scratch, space.shared_memory, space.built_in}) {
    if (own != nullptr) own->belongs_to(files.records_, files.use_);
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
    status.blocks = FileBlocks::block_bytes / sector_bytes;
  }
  return status;
}

FileStatus GuestFiles::special_status(const GuestPath& path, SpecialFile special) {
  FileStatus status = synthetic_status(path, FileType::character_device, special_permissions);
  status.special = special;
  return status;
}

bool GuestFiles::is_below_special(const GuestPath& path) const {
  return std::ranges::any_of(space_.special_files().paths(), [&](std::string_view special) {
    return is_at_or_below(path.text(), special);
  });
}

HostResult<OpenedFile> GuestFiles::open_special(const GuestPath& path, SpecialFile special,
                                                const OpenOptions& options) {
  if (options.create && options.exclusive) return Failure{Error::exists};
  if (options.directory) return Failure{Error::not_directory};
  if (options.keep_access_time) return Failure{Error::not_permitted};
  const bool is_console = special == SpecialFile::terminal || special == SpecialFile::console;
  if (is_console && (options.read || !options.write)) return Failure{Error::no_device};
  OpenedSynthetic device{special_status(path, special), {options.read, options.write}};
  // Each opening reads other bytes.
  if (device.is_random()) device.random_state = records_->unnamed();
  return OpenedFile(std::move(device));
}

// A path can lead from one kind to another: a link in a mount to /dev/stdin, that into the made
// tree, and a link there to a file of a mount.
HostResult<GuestFiles::Meaning> GuestFiles::meaning_of(const GuestPath& path, Follow follow) const {
  GuestPath at = path;
  for (int links = 0; links < max_links; ++links) {
    if (const auto special = find_special(at)) {
      if (at.directory_required()) return Failure{Error::not_directory};
      return Meaning{.path = at, .special = special};
    }
    if (is_below_special(at)) return Failure{Error::not_directory};
    if (is_made(at)) {
      auto made = find_made(at, follow);
      if (!made) return Failure{made.error()};
      at = made->path;
      if (const auto held = made->object == nullptr ? nullptr : made->object->held_file()) {
        auto found = held->found();
        if (!found) return Failure{found.error()};
        if (*found) return Meaning{.path = held->path(), .found = *std::move(*found)};
        at = held->path();
        made->object = held->object();
        if (made->object == nullptr) continue;
      }
      if (made->file || made->object) return Meaning{.path = at, .made = *std::move(made)};
      continue;
    }
    auto found = space_.find(at, follow);
    if (!found) return Failure{found.error()};
    if (!found->is_elsewhere) return Meaning{.path = at, .found = *std::move(found)};
    at = found->path;
  }
  return Failure{Error::loop};
}

GuestPath GuestFiles::without_synthetic_links(const GuestPath& path) const {
  const auto meaning = meaning_of(path, Follow::yes);
  const bool was_made = is_made(path);
  return meaning && (was_made || !meaning->found) ? meaning->path : path;
}

// readlink(2) of /proc/PID/fd tells no more than a page of a name either (fs/proc/base.c,
// do_proc_readlink()).
std::string GuestFiles::name_of(const GuestPath& path) const {
  constexpr std::size_t longest = 4095;
  std::string name = is_made(path) ? without_synthetic_links(path).text() : path.text();
  return name.size() <= longest ? name : std::string();
}

// A slash behind a link has it followed (path_resolution(7)).
HostResult<OpenedFile> GuestFiles::open_quietly(const GuestPath& path, const OpenOptions& options) {
  if (options.no_follow && path.directory_required()) {
    OpenOptions following = options;
    following.no_follow = false;
    return open_quietly(path, following);
  }
  const bool follow = !options.no_follow && !(options.create && options.exclusive);
  const auto meaning = meaning_of(path, follow ? Follow::yes : Follow::no);
  if (!meaning) {
    if (meaning.error() != Error::not_found || !options.create) return Failure{meaning.error()};
    return is_made(path) ? Failure{meaning.error()} : open_new(path, options);
  }
  if (meaning->special) return open_special(meaning->path, *meaning->special, options);
  if (meaning->made) return open_made(*meaning->made, options);
  return open_existing(*meaning->found, options);
}

HostResult<OpenedFile> GuestFiles::open(const GuestPath& path, const OpenOptions& options) {
  auto file = open_quietly(path, options);
  if (auto* const of_host = file ? std::get_if<HostFile>(&*file) : nullptr) of_host->announce();
  return file;
}

HostResult<OpenedFile> GuestFiles::open_existing(const NameSpace::Found& found,
                                                 const OpenOptions& options) {
  if (options.create && options.exclusive) return Failure{Error::exists};
  if (found.type == FileType::symlink) {
    return Failure{options.directory ? Error::not_directory : Error::loop};
  }
  if (!may_open(found.type)) return Failure{Error::access};
  if (found.type == FileType::directory) {
    if (options.write || options.create) return Failure{Error::is_directory};
  } else if (options.directory) {
    return Failure{Error::not_directory};
  }
  if (found.mount == nullptr) {
    return OpenedFile(
        OpenedSynthetic{synthetic_status(found.path, FileType::directory, 0555), {.read = true}});
  }
  if (options.write && !found.writable()) return Failure{Error::read_only};
  if (found.is_held) return open_held(found, options);
  return open_host(*found.mount, found.path, options, 0, found.writable());
}

// Through the host's link to the descriptor: the file's name may be another's by now.
HostResult<OpenedFile> GuestFiles::open_held(const NameSpace::Found& found,
                                             const OpenOptions& options) {
  if (const auto may = use_->may_open(); !may) return Failure{may.error()};
  const auto open = [&](int flags) { return open_by_link(found.descriptor.get(), flags); };
  return to_open_file(open, HostFile::host_flags(options), options, *found.mount, found.writable());
}

// The name is free, or it is a symbolic link to a name that is. That link is read here and not
// followed by the host, because it can lead below another mount.
HostResult<OpenedFile> GuestFiles::open_new(const GuestPath& path, const OpenOptions& options) {
  if (path.directory_required()) return Failure{Error::is_directory};
  OpenOptions of_empty = options;
  of_empty.truncate = false;
  GuestPath target = path;
  for (int links = 0; links < max_links; ++links) {
    const auto place = space_.place_of(target);
    if (!place) return Failure{place.error()};
    if (!place->writable()) return Failure{Error::read_only};
    if (const auto may = use_->may_add_name(); !may) return Failure{may.error()};
    auto file = open_host(*place->mount, place->path, of_empty, O_CREAT | O_EXCL, true);
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

HostResult<OpenedFile> GuestFiles::open_host(const Mount& mount, const GuestPath& path,
                                             const OpenOptions& options, int create_flags,
                                             bool writable) {
  if (const auto may = use_->may_open(); !may) return Failure{may.error()};
  const int no_follow = options.no_follow ? O_NOFOLLOW : 0;
  const int flags = HostFile::host_flags(options) | no_follow | create_flags;
  const auto open = [&](int all) { return mount.open(path, all, options.mode); };
  return to_open_file(open, flags, options, mount, writable);
}

// O_NOATIME so that a run leaves the next one the same access times where the host allows that (to
// a file's owner).
HostResult<OpenedFile> GuestFiles::to_open_file(
    const std::function<HostResult<Descriptor>(int flags)>& open, int flags,
    const OpenOptions& options, const Mount& mount, bool writable) {
  auto descriptor = open(flags | O_NOATIME);
  if (!descriptor && descriptor.error() == Error::not_permitted) descriptor = open(flags);
  if (!descriptor) return Failure{descriptor.error()};
  const auto type = type_of(descriptor->get());
  if (!type) return Failure{type.error()};
  if (!may_open(*type)) return Failure{Error::access};
  const bool read = options.read || !options.write;
  auto file = HostFile::of_opened(std::move(descriptor).value(),
                                  {.read = read, .write = options.write, .attributes = writable},
                                  options, mount.device(), records_, use_);
  if (!file) return Failure{file.error()};
  return OpenedFile(*std::move(file));
}

HostResult<FileStatus> GuestFiles::status(const GuestPath& path, Follow follow) {
  const auto meaning = meaning_of(path, follow);
  if (!meaning) return Failure{meaning.error()};
  return status_of(*meaning);
}

HostResult<FileStatus> GuestFiles::status_of(const Meaning& meaning) {
  if (meaning.special) return special_status(meaning.path, *meaning.special);
  if (meaning.made) return synthetic_status(*meaning.made);
  const auto& found = meaning.found;
  if (found->mount == nullptr) return synthetic_status(found->path, FileType::directory, 0555);
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return host_failure();
  return to_file_status(status, *records_, found->mount->device());
}

std::optional<Node> GuestFiles::find_node(const GuestPath& path, Follow follow) {
  const auto meaning = meaning_of(path, follow);
  if (!meaning) return std::nullopt;
  if (meaning->made && meaning->made->object != nullptr) {
    const auto status = meaning->made->object->status();
    if (!status) return std::nullopt;
    return Node{.identity = {}, .status = *status, .object = meaning->made->object};
  }
  const auto& found = meaning->found;
  if (!found || found->mount == nullptr) return std::nullopt;
  if (found->type != FileType::fifo && found->type != FileType::socket) return std::nullopt;
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return std::nullopt;
  return Node{identity_of(status), to_file_status(status, *records_, found->mount->device()),
              found->writable()};
}

HostResult<Ok> GuestFiles::access(const GuestPath& path, AccessKinds kinds) {
  const auto meaning = meaning_of(path, Follow::yes);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->special) {
    if (kinds.execute) return Failure{Error::access};
    return Ok{};
  }
  if (meaning->made) return access_made(*meaning->made, kinds);
  const auto& found = meaning->found;
  if (kinds.write && !found->writable()) return Failure{Error::read_only};
  if (found->mount == nullptr) return Ok{};
  const int mode = (kinds.read ? R_OK : 0) | (kinds.write ? W_OK : 0) | (kinds.execute ? X_OK : 0);
  if (::faccessat(found->descriptor.get(), "", mode, AT_EACCESS | AT_EMPTY_PATH) != 0) {
    return host_failure();
  }
  return Ok{};
}

HostResult<GuestPath> GuestFiles::find_directory(const GuestPath& path) {
  const auto meaning = meaning_of(path, Follow::yes);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->made) {
    const auto& file = meaning->made->file;
    if (!file || file->type != FileType::directory) return Failure{Error::not_directory};
    return meaning->path;
  }
  const auto& found = meaning->found;
  if (!found) return Failure{Error::not_directory};
  if (found->type != FileType::directory) return Failure{Error::not_directory};
  if (found->mount == nullptr) return found->path;
  if (::faccessat(found->descriptor.get(), "", X_OK, AT_EACCESS | AT_EMPTY_PATH) != 0) {
    return host_failure();
  }
  return space_.real_path_of(*found);
}

HostResult<HeldDirectoryRef> GuestFiles::hold(const GuestPath& path) {
  auto meaning = meaning_of(path, Follow::yes);
  if (!meaning) return Failure{meaning.error()};
  return hold_directory(*std::move(meaning));
}

HostResult<HeldDirectoryRef> GuestFiles::hold_directory(Meaning meaning) {
  if (meaning.made) return std::make_shared<const HeldDirectory>(meaning.path);
  auto& found = meaning.found;
  if (!found || found->type != FileType::directory) return Failure{Error::not_directory};
  if (found->mount == nullptr) return std::make_shared<const HeldDirectory>(found->path);
  const auto real = space_.real_path_of(*found);
  if (!real) return Failure{real.error()};
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return host_failure();
  if (auto held = held_.find(*real, identity_of(status))) return HeldDirectoryRef(std::move(held));
  if (const auto may = use_->may_open(); !may) return Failure{may.error()};
  const auto plain = GuestPath::parse_long("/", real->text());
  if (!plain) return Failure{plain.error()};
  if (const auto may = use_->may_hold(plain->text().size()); !may) return Failure{may.error()};
  auto held = std::make_shared<HeldDirectory>(*plain, *found->mount, std::move(found->descriptor),
                                              records_, use_, status);
  held_.add(held);
  return HeldDirectoryRef(std::move(held));
}

HostResult<HeldFileRef> GuestFiles::hold_file(const GuestPath& path, Follow follow) {
  auto meaning = meaning_of(path, path.directory_required() ? Follow::yes : follow);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->made && meaning->made->object != nullptr) {
    return std::make_shared<const HeldFile>(std::move(meaning->made->object));
  }
  const auto status = status_of(*meaning);
  if (!status) return Failure{status.error()};
  if (status->type == FileType::directory) {
    auto directory = hold_directory(*std::move(meaning));
    if (!directory) return Failure{directory.error()};
    return std::make_shared<const HeldFile>(*std::move(directory), *status, records_);
  }
  if (!meaning->found) return std::make_shared<const HeldFile>(meaning->path, *status);
  if (const auto may = use_->may_open(); !may) return Failure{may.error()};
  const std::uint64_t path_bytes = meaning->found->path.text().size();
  if (const auto may = use_->may_hold(path_bytes); !may) return Failure{may.error()};
  struct ::stat of_host;
  if (::fstat(meaning->found->descriptor.get(), &of_host) != 0) return host_failure();
  return std::make_shared<const HeldFile>(*std::move(meaning->found), records_, use_, of_host);
}

HeldDirectoryRef GuestFiles::hold_initial_directory() {
  const auto path = GuestPath::parse("/", initial_directory_);
  if (auto held = hold(*path)) return *std::move(held);
  return std::make_shared<const HeldDirectory>(*path);
}

HostResult<HostIdentity> GuestFiles::identity(const GuestPath& path, Follow follow) {
  const auto meaning = meaning_of(path, follow);
  if (!meaning) return Failure{meaning.error()};
  const auto& found = meaning->found;
  if (!found || found->mount == nullptr) {
    return HostIdentity{0, records_->number(meaning->path.text())};
  }
  struct ::stat status;
  if (::fstat(found->descriptor.get(), &status) != 0) return host_failure();
  return identity_of(status);
}

void GuestFiles::owner_was_set(const GuestPath& path, Follow follow) {
  const auto meaning = meaning_of(path, follow);
  if (meaning && meaning->made && meaning->made->object != nullptr) {
    meaning->made->object->owner_was_set();
  }
  if (!meaning || !meaning->found) return;
  records_->events().happened(FileEvent::Kind::attributes_changed,
                              meaning->found->descriptor.get());
}

HostResult<std::string> GuestFiles::read_link(const GuestPath& path) {
  const auto meaning = meaning_of(path, Follow::no);
  if (!meaning) return Failure{meaning.error()};
  if (meaning->made) {
    const auto& file = meaning->made->file;
    if (!file || file->type != FileType::symlink) return Failure{Error::invalid};
    return file->content;
  }
  const auto& found = meaning->found;
  if (!found || found->type != FileType::symlink) return Failure{Error::invalid};
  return link_at(found->descriptor.get(), "");
}

}  // namespace hardclock::host
