#include "syscalls/host/synthetic_files.h"

#include <algorithm>
#include <utility>

#include "syscalls/host/guest_files.h"

namespace hardclock::host {
namespace {

constexpr int max_links = 40;  // as many as Linux follows (path_resolution(7))

// Where the path leads if the first `end` bytes of it are a link to `target`. A slash at its end
// stays one.
HostResult<GuestPath> through_link(const GuestPath& path, std::size_t end,
                                   const std::string& target) {
  const std::string& text = path.text();
  const std::string directory = text.substr(0, text.rfind('/', end - 1));
  auto next = GuestPath::parse_long(directory.empty() ? "/" : directory, target + text.substr(end));
  if (next && path.directory_required()) next->require_directory();
  return next;
}

// The same for a link to an open directory.
HostResult<GuestPath> through_directory(const GuestPath& path, std::size_t end,
                                        HeldDirectoryRef directory) {
  const std::string_view rest =
      relative_to(path.text(), std::string_view(path.text()).substr(0, end));
  if (rest.empty()) return GuestPath::of_held(std::move(directory));
  return GuestPath::parse(directory, rest);
}

}  // namespace

void GuestFiles::show(std::shared_ptr<const SyntheticFiles> made) {
  synthetic_ = std::move(made);
  std::vector<std::string> paths;
  for (const std::string_view special : space_.special_files().paths()) paths.emplace_back(special);
  if (synthetic_ != nullptr) {
    paths.emplace_back(synthetic_->root());
    for (const SyntheticLink& link : synthetic_->links()) paths.emplace_back(link.path);
  }
  space_.leave_to_others(std::move(paths));
}

// Null: there is none.
const SyntheticLink* GuestFiles::synthetic_link_above(const GuestPath& path) const {
  if (synthetic_ == nullptr) return nullptr;
  const auto links = synthetic_->links();
  const auto found = std::ranges::find_if(
      links, [&](const SyntheticLink& link) { return is_at_or_below(path.text(), link.path); });
  return found == links.end() ? nullptr : &*found;
}

bool GuestFiles::is_made(const GuestPath& path) const {
  if (synthetic_ == nullptr) return false;
  return is_at_or_below(path.text(), synthetic_->root()) || synthetic_link_above(path) != nullptr;
}

HostResult<GuestFiles::Made> GuestFiles::find_made(const GuestPath& path, Follow follow) const {
  GuestPath at = path;
  for (int links = 0; links < max_links; ++links) {
    if (!is_made(at)) return Made{at, std::nullopt};
    const std::string text = at.text();
    if (const SyntheticLink* const link = synthetic_link_above(at)) {
      const bool is_itself = text == link->path && !at.directory_required();
      const std::string target(link->target);
      if (is_itself && follow == Follow::no) {
        return Made{at, SyntheticFile{FileType::symlink, 0777, target}};
      }
      auto next = through_link(at, link->path.size(), target);
      if (!next) return Failure{next.error()};
      at = *std::move(next);
      continue;
    }
    std::size_t end = synthetic_->root().size();
    std::optional<SyntheticFile> file = synthetic_->find("");
    while (file && file->type == FileType::directory && end != text.size()) {
      end = std::min(text.find('/', end + 1), text.size());
      file =
          synthetic_->find(relative_to(std::string_view(text).substr(0, end), synthetic_->root()));
    }
    if (!file) return Failure{Error::not_found};
    const bool is_last = end == text.size();
    const bool follows = !is_last || follow == Follow::yes || at.directory_required();
    if (file->type == FileType::symlink && follows) {
      auto directory = file->object == nullptr ? nullptr : file->object->held_directory();
      if (file->object != nullptr && directory == nullptr) {
        if (!is_last || at.directory_required()) return Failure{Error::not_directory};
        return Made{at, std::nullopt, std::move(file->object)};
      }
      auto next = directory == nullptr ? through_link(at, end, file->content)
                                       : through_directory(at, end, std::move(directory));
      if (!next) return Failure{next.error()};
      at = *std::move(next);
      continue;
    }
    if (!is_last || (at.directory_required() && file->type != FileType::directory)) {
      return Failure{Error::not_directory};
    }
    return Made{at, std::move(file)};
  }
  return Failure{Error::loop};
}

FileStatus GuestFiles::synthetic_status(const GuestPath& path, const SyntheticFile& file) {
  FileStatus status = synthetic_status(path, file.type, file.permissions);
  if (is_at_or_below(path.text(), synthetic_->root())) status.device = synthetic_files_device;
  status.is_own_owner = status.is_own_group = true;
  return status;
}

HostResult<FileStatus> GuestFiles::synthetic_status(const Made& made) {
  if (made.object != nullptr) return made.object->status();
  return synthetic_status(made.path, *made.file);
}

HostResult<Ok> GuestFiles::access_made(const Made& made, AccessKinds kinds) {
  if (made.object != nullptr) {
    const auto status = made.object->status();
    if (!status) return Failure{status.error()};
    const unsigned wanted =
        (kinds.read ? 4U : 0U) | (kinds.write ? 2U : 0U) | (kinds.execute ? 1U : 0U);
    const unsigned class_shift = status->is_own_owner ? 6 : status->is_own_group ? 3 : 0;
    if ((wanted & ~(status->permissions >> class_shift)) != 0) return Failure{Error::access};
    return Ok{};
  }
  const bool is_directory = made.file->type == FileType::directory;
  if (kinds.write || (kinds.execute && !is_directory)) return Failure{Error::access};
  return Ok{};
}

// The object of a link is opened by whoever knows what it is (find_node()).
HostResult<OpenedFile> GuestFiles::open_made(const Made& made, const OpenOptions& options) {
  if (made.object != nullptr) return Failure{Error::no_device};
  const FileType type = made.file->type;
  if (options.create && options.exclusive) return Failure{Error::exists};
  if (type == FileType::symlink) return Failure{Error::loop};
  OpenedSynthetic file{synthetic_status(made.path, *made.file), {.read = true}};
  if (type == FileType::directory) {
    if (options.write || options.create) return Failure{Error::is_directory};
    return OpenedFile(std::move(file));
  }
  if (options.directory) return Failure{Error::not_directory};
  if (options.write) return Failure{Error::access};
  file.text = synthetic_->keep(made.file->content);
  if (file.text == nullptr) return Failure{Error::no_memory};
  return OpenedFile(std::move(file));
}

std::vector<DirectoryEntry> GuestFiles::list_made(const Made& directory) {
  std::vector<DirectoryEntry> entries;
  const auto add = [&](const std::string& name, const GuestPath& target, Follow follow) {
    const auto entry = status(target, follow);
    if (entry) entries.push_back({name, entry->inode, entry->type});
  };
  add(".", directory.path, Follow::yes);
  add("..", directory.path.parent(), Follow::yes);
  for (const std::string& name : directory.file->names) {
    add(name, directory.path.child(name), Follow::no);
  }
  return entries;
}

}  // namespace hardclock::host
