#include "syscalls/host/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>

#include "syscalls/host/descriptor.h"

namespace hardclock::host {
namespace {

// A file name that uses no heap.
class NumberedName {
 public:
  explicit NumberedName(std::uint64_t number) {
    *std::to_chars(text_.data(), text_.data() + text_.size() - 1, number).ptr = '\0';
  }
  const char* text() const { return text_.data(); }

 private:
  std::array<char, 24> text_ = {};
};

// A directory deep in the tree is moved to its top and emptied there, so that depth costs nothing.
class Emptying {
 public:
  Emptying(int top, std::uint64_t most_steps) : top_(top), steps_left_(most_steps) {}

  HostResult<bool> run() {
    while (steps_left_ > 0) {
      progress_ = false;
      error_.reset();
      bool is_empty = true;
      for_each_name(top_, [&](const char* name) {
        is_empty = false;
        remove_at_top(name);
      });
      if (error_ && !progress_) return Failure{*error_};
      if (is_empty) return true;
    }
    return false;
  }

 private:
  void fail(int host_errno) {
    if (!error_) error_ = from_host_errno(host_errno);
  }

  // Stops when the steps are used up.
  template <class Action>
  void for_each_name(int directory, const Action& action) {
    alignas(struct ::dirent64) std::array<char, 4096> entries;
    ::lseek(directory, 0, SEEK_SET);
    for (;;) {
      const long size = ::syscall(SYS_getdents64, directory, entries.data(), entries.size());
      if (size < 0) return fail(errno);
      if (size == 0) return;
      for (long at = 0; at < size;) {
        const auto* const entry = reinterpret_cast<const struct ::dirent64*>(entries.data() + at);
        at += entry->d_reclen;
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (steps_left_ == 0) return;
        --steps_left_;
        action(entry->d_name);
      }
    }
  }

  // Anything but a directory with something in it.
  bool remove(int directory, const char* name) {
    if (::unlinkat(directory, name, 0) != 0 && ::unlinkat(directory, name, AT_REMOVEDIR) != 0) {
      return false;
    }
    progress_ = true;
    return true;
  }

  void remove_at_top(const char* name) {
    if (remove(top_, name)) return;
    allow_changes(top_, name);
    const Descriptor directory(
        ::openat(top_, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (directory.get() < 0) return fail(errno);
    for_each_name(directory.get(), [&](const char* inner) {
      if (!remove(directory.get(), inner)) move_to_top(directory, inner);
    });
    if (!remove(top_, name) && steps_left_ > 0) fail(errno);
  }

  // A directory that is moved is written to, too: its ".." changes.
  void allow_changes(int directory, const char* name) {
    struct ::stat status;
    if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (!S_ISDIR(status.st_mode) || (status.st_mode & S_IRWXU) == S_IRWXU) return;
    if (::fchmodat(directory, name, S_IRWXU, 0) != 0) fail(errno);
  }

  void move_to_top(const Descriptor& directory, const char* name) {
    allow_changes(directory.get(), name);
    for (;;) {
      if (::renameat(directory.get(), name, top_, NumberedName(next_++).text()) == 0) {
        progress_ = true;
        return;
      }
      const bool is_taken = errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR;
      if (!is_taken) return fail(errno);
    }
  }

  int top_;
  std::uint64_t steps_left_;
  std::uint64_t next_ = 0;  // name at the top to try
  bool progress_ = false;
  std::optional<Error> error_;
};

}  // namespace

HostResult<bool> empty_directory(int directory, std::uint64_t most_steps) {
  return Emptying(directory, most_steps).run();
}

}  // namespace hardclock::host
