#include "cli/leftovers.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

#include "sim/base/check.h"
#include "syscalls/host/remove_tree.h"

namespace hardclock {
namespace {

struct Place {
  std::atomic<const char*> name = nullptr;  // null: free
  int directory = AT_FDCWD;
  Leftover::Kind kind = Leftover::Kind::file;
};
static_assert(std::atomic<const char*>::is_always_lock_free);  // for signal handlers

constinit std::array<Place, 16> places;

void remove_tree(int parent, const char* name) {
  const int top = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (top < 0) return;
  (void)host::empty_directory(top);
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
