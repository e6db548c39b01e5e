#include "syscalls/host/scratch_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "syscalls/host/remove_tree.h"
#include "syscalls/host/temporary_file.h"

namespace hardclock::host {
namespace {

constexpr std::string_view prefix = "hardclock-scratch-";
constexpr std::string_view placeholder = "XXXXXX";  // mkdtemp(3)

constexpr int open_directory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// The most host calls that a start spends on what killed runs have left, however much that is.
constexpr std::uint64_t most_steps = 20'000;

enum class Lock : std::uint8_t { taken, others, unknown };

Lock lock(const Descriptor& directory) {
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK ? Lock::others : Lock::unknown;
}

bool may_be_scratch(std::string_view name) {
  return name.starts_with(prefix) && name.size() == prefix.size() + placeholder.size();
}

bool is_ours(const struct ::stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & 07777) == S_IRWXU;
}

// Removes the directory of a dead run; a live one's is locked. Returns false if enough was done.
bool remove_stale(int parent, const char* name) {
  const Descriptor directory(::openat(parent, name, open_directory));
  struct ::stat status;
  if (directory.get() < 0 || ::fstat(directory.get(), &status) != 0) return true;
  if (!is_ours(status) || lock(directory) != Lock::taken) return true;
  const auto is_empty = empty_directory(directory.get(), most_steps);
  if (is_empty && *is_empty) ::unlinkat(parent, name, AT_REMOVEDIR);
  return !is_empty || *is_empty;
}

void remove_all_stale(const std::string& parent) {
  const auto close = [](::DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<::DIR, decltype(close)> stream(::opendir(parent.c_str()), close);
  if (!stream) return;
  for (std::uint64_t steps = 0; steps < most_steps; ++steps) {
    const struct ::dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr) return;
    if (!may_be_scratch(entry->d_name)) continue;
    if (!remove_stale(::dirfd(stream.get()), entry->d_name)) return;
  }
}

// A concurrent start of hardclock may take a directory for a stale one before it is locked.
bool is_still_there(const Descriptor& directory) {
  struct ::stat status;
  return ::fstat(directory.get(), &status) == 0 && status.st_nlink != 0;
}

}  // namespace

std::optional<std::string> ScratchDirectory::name_to_make() {
  const auto parent = temporary_directory();
  if (!parent) return std::nullopt;
  return *parent + "/" + std::string(prefix) + std::string(placeholder);
}

std::unique_ptr<ScratchDirectory> ScratchDirectory::create(char* name) {
  const std::string unmade = name;
  remove_all_stale(unmade.substr(0, unmade.rfind('/')));
  // All memory is there before there is something to remove.
  std::unique_ptr<ScratchDirectory> scratch(new ScratchDirectory(unmade));
  for (;;) {
    unmade.copy(name, unmade.size());
    if (::mkdtemp(name) == nullptr) return nullptr;
    Descriptor directory(::open(name, open_directory));
    if (directory.get() >= 0 && lock(directory) != Lock::others && is_still_there(directory)) {
      scratch->was_made(name, std::move(directory));
      return scratch;
    }
    if (directory.get() < 0 && errno != ENOENT) {
      ::rmdir(name);
      return nullptr;
    }
  }
}

std::unique_ptr<ScratchDirectory> ScratchDirectory::create() {
  auto name = name_to_make();
  return name ? create(name->data()) : nullptr;
}

void ScratchDirectory::was_made(std::string_view path, Descriptor lock) {
  path.copy(path_.data(), path.size());
  *lock_ = std::move(lock);
}

std::optional<std::string> ScratchDirectory::remove() {
  if (path_.empty() || lock_->get() < 0) return std::nullopt;
  const std::string outer = std::exchange(path_, {});
  const auto emptied = empty_directory(lock_->get());
  if (emptied && ::rmdir(outer.c_str()) == 0) return std::nullopt;
  const Error reason = emptied ? from_host_errno(errno) : emptied.error();
  return outer + ", what is left of the guest's /tmp, cannot be removed: " + describe(reason) +
         "; remove it yourself";
}

}  // namespace hardclock::host
