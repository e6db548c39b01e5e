#include "syscalls/host/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "syscalls/host/descriptor.h"

namespace hardclock::host {
namespace {

bool is_dots(const char* name) {
  return std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0;
}

// A directory deep in the tree is moved to its top and emptied there, so that depth costs nothing.
class Emptying {
 public:
  Emptying(int top, std::uint64_t most_steps) : top_(top), steps_left_(most_steps) {}

  HostResult<bool> run() {
    while (steps_left_ > 0) {
      removed_any_ = false;
      error_.reset();
      std::size_t seen = 0;
      for_each_name(top_, [&](const char* name) {
        ++seen;
        remove_at_top(name);
      });
      if (error_ && !removed_any_) return Failure{*error_};
      if (seen == 0) return true;
      if (!removed_any_) return Failure{Error::io};
    }
    return false;
  }

 private:
  void fail(int host_errno) {
    if (!error_) error_ = from_host_errno(host_errno);
  }

  void for_each_name(int directory, const std::function<void(const char*)>& action) {
    const int again = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const auto close = [](::DIR* stream) { ::closedir(stream); };
    const std::unique_ptr<::DIR, decltype(close)> stream(again < 0 ? nullptr : ::fdopendir(again),
                                                         close);
    if (!stream) {
      fail(errno);
      if (again >= 0) ::close(again);
      return;
    }
    while (const struct ::dirent* entry = steps_left_ > 0 ? ::readdir(stream.get()) : nullptr) {
      if (is_dots(entry->d_name)) continue;
      --steps_left_;
      action(entry->d_name);
    }
  }

  // Anything but a directory with something in it.
  bool remove(int directory, const char* name) {
    if (::unlinkat(directory, name, 0) != 0 && ::unlinkat(directory, name, AT_REMOVEDIR) != 0) {
      return false;
    }
    removed_any_ = true;
    return true;
  }

  void remove_at_top(const char* name) {
    if (remove(top_, name)) return;
    const Descriptor directory = open_for_change(name);
    if (directory.get() < 0) return fail(errno);
    for_each_name(directory.get(), [&](const char* inner) {
      if (!remove(directory.get(), inner)) move_to_top(directory, inner);
    });
    if (!remove(top_, name) && steps_left_ > 0) fail(errno);
  }

  // Of the top's; -1 for anything but a directory.
  Descriptor open_for_change(const char* name) {
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    allow_changes(top_, name);
    return Descriptor(::openat(top_, name, flags));
  }

  // A directory that is moved is written to: its ".." changes.
  void allow_changes(int directory, const char* name) {
    struct ::stat status;
    if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (!S_ISDIR(status.st_mode) || (status.st_mode & S_IRWXU) == S_IRWXU) return;
    if (::fchmodat(directory, name, S_IRWXU, 0) != 0) fail(errno);
  }

  void move_to_top(const Descriptor& directory, const char* name) {
    allow_changes(directory.get(), name);
    for (;;) {
      const std::string free = "hardclock-" + std::to_string(next_++);
      if (::renameat(directory.get(), name, top_, free.c_str()) == 0) {
        removed_any_ = true;
        return;
      }
      const bool is_taken = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR;
      if (!is_taken) return fail(errno);
    }
  }

  int top_;
  std::uint64_t steps_left_;
  std::uint64_t next_ = 0;  // name at the top to try
  bool removed_any_ = false;
  std::optional<Error> error_;
};

}  // namespace

HostResult<bool> empty_directory(int directory, std::uint64_t most_steps) {
  return Emptying(directory, most_steps).run();
}

}  // namespace hardclock::host
