#include "syscalls/host/made_files.h"

#include <algorithm>
#include <utility>

#include "syscalls/host/guest_files.h"

namespace hardclock::host {
namespace {

constexpr int max_links = 40;  // as many as Linux follows (path_resolution(7))

// Where the path leads if the first `end` bytes of it are a link to `target`.
HostResult<GuestPath> through_link(const GuestPath& path, std::size_t end,
                                   const std::string& target) {
  const std::string& text = path.text();
  const std::string directory = text.substr(0, text.rfind('/', end - 1));
  return GuestPath::parse(directory.empty() ? "/" : directory, target + text.substr(end));
}

}  // namespace

bool GuestFiles::is_made(const GuestPath& path) const {
  return made_ != nullptr && is_at_or_below(path.text(), made_->root());
}

HostResult<GuestFiles::Made> GuestFiles::find_made(const GuestPath& path, Follow follow) const {
  GuestPath at = path;
  for (int links = 0; links < max_links; ++links) {
    if (!is_made(at)) return Made{at, std::nullopt};
    const std::string text = at.text();
    std::size_t end = made_->root().size();
    std::optional<MadeFile> file = made_->find("");
    while (file && file->type == FileType::directory && end != text.size()) {
      end = std::min(text.find('/', end + 1), text.size());
      file = made_->find(relative_to(std::string_view(text).substr(0, end), made_->root()));
    }
    if (!file) return Failure{Error::not_found};
    const bool is_last = end == text.size();
    if (file->type == FileType::symlink && (!is_last || follow == Follow::yes)) {
      auto next = through_link(at, end, file->content);
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

GuestPath GuestFiles::without_made_links(const GuestPath& path) const {
  if (!is_made(path)) return path;
  auto made = find_made(path, Follow::yes);
  return made ? std::move(made->path) : path;
}

FileStatus GuestFiles::made_status(const GuestPath& path, const MadeFile& file) {
  FileStatus status = synthetic_status(path, file.type, file.permissions);
  status.is_own_owner = status.is_own_group = true;
  return status;
}

HostResult<HostFile> GuestFiles::open_made(const GuestPath& path, const OpenOptions& options) {
  const bool follow = !options.no_follow && !(options.create && options.exclusive);
  auto made = find_made(path, follow ? Follow::yes : Follow::no);
  if (!made) return Failure{made.error()};
  if (!made->file) return open(made->path, options);
  const FileType type = made->file->type;
  if (options.create && options.exclusive) return Failure{Error::exists};
  if (type == FileType::symlink) return Failure{Error::loop};
  const FileStatus status = made_status(made->path, *made->file);
  if (type == FileType::directory) {
    if (options.write || options.create) return Failure{Error::is_directory};
    return HostFile::synthetic(HostFile::Synthetic::directory, {.read = true}, status);
  }
  if (options.directory) return Failure{Error::not_directory};
  if (options.write) return Failure{Error::access};
  auto text = made_->keep(std::move(made->file->content));
  if (text == nullptr) return Failure{Error::no_memory};
  return HostFile::of_text(std::move(text), status);
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
