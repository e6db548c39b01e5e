#include "sim/cli/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <utility>

#include "sim/base/check.h"

namespace hardclock {
namespace {

struct Place {
  std::atomic<const char*> name = nullptr;  // null: free
  int directory = AT_FDCWD;
  Leftover::Kind kind = Leftover::Kind::file;
};
static_assert(std::atomic<const char*>::is_always_lock_free);  // for signal handlers

constinit std::array<Place, 16> places;

// A number as a name, without memory from the heap.
class NumberName {
 public:
  explicit NumberName(unsigned long number) {
    do {
      *--start_ = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
  }
  const char* text() const { return start_; }

 private:
  std::array<char, 24> digits_ = {};
  char* start_ = digits_.data() + digits_.size() - 1;
};

// Whatever mode a guest gave a directory, what is in it may be removed. Where this fails, that
// will.
void allow_all(int parent, const char* name) {
  [[maybe_unused]] const int ignored = ::fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW);
}

// -1: it is no directory.
int open_directory(int parent, const char* name) {
  allow_all(parent, name);
  return ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Calls remove(name) for all names of a directory. False: it has none.
template <class Remove>
bool for_each_name(int directory, Remove remove) {
  alignas(::dirent64) std::array<char, 8192> entries;
  bool any = false;
  ::lseek(directory, 0, SEEK_SET);
  for (;;) {
    const long size = ::syscall(SYS_getdents64, directory, entries.data(), entries.size());
    if (size <= 0) return any;
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const ::dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      any = true;
      remove(entry->d_name);
    }
  }
}

// Removes a file or an empty directory.
bool remove_name(int directory, const char* name) {
  return ::unlinkat(directory, name, 0) == 0 || ::unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

// Empties a tree from its top down: what lies in a directory of the top moves up into the top, so
// that no depth needs more than two descriptors.
class TreeRemoval {
 public:
  explicit TreeRemoval(int top) : top_(top) {}

  void empty() {
    bool progress = true;
    while (std::exchange(progress, false)) {
      for_each_name(top_, [&](const char* name) { progress = remove(name) || progress; });
    }
  }

 private:
  // True: something is gone, or nearer to the top.
  bool remove(const char* name) {
    if (remove_name(top_, name)) return true;
    const int directory = open_directory(top_, name);
    if (directory < 0) return false;
    bool progress = false;
    for_each_name(directory, [&](const char* below) {
      progress = remove_name(directory, below) || move_up(directory, below) || progress;
    });
    ::close(directory);
    return remove_name(top_, name) || progress;
  }

  bool move_up(int directory, const char* name) {
    allow_all(directory, name);  // its ".." changes
    for (int attempt = 0; attempt < 100; ++attempt) {
      const NumberName free(++moved_);
      if (::renameat(directory, name, top_, free.text()) == 0) return true;
      if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return false;
    }
    return false;
  }

  int top_;
  unsigned long moved_ = 0;
};

void remove_tree(int parent, const char* name) {
  const int top = open_directory(parent, name);
  if (top < 0) return;
  TreeRemoval(top).empty();
  ::close(top);
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

Leftover::Leftover(int directory, std::string name, Kind kind) : name_(std::move(name)) {
  while (places[place_].name != nullptr) {
    ++place_;
    CHECK(place_ < places.size());
  }
  places[place_].directory = directory;
  places[place_].kind = kind;
  places[place_].name = name_.c_str();
}

Leftover::~Leftover() {
  places[place_].name = nullptr;
}

void remove_leftovers() {
  for (Place& place : places) {
    const char* const name = place.name.exchange(nullptr);
    if (name == nullptr) continue;
    if (place.kind == Leftover::Kind::file) {
      ::unlinkat(place.directory, name, 0);
    } else {
      remove_tree(place.directory, name);
    }
  }
}

}  // namespace hardclock
