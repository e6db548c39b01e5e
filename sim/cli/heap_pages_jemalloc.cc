// jemalloc maps much memory at a time and gives it away piece by piece. It is told here that what
// it has mapped is not yet committed, so that it asks for each piece before that is used.
#include <jemalloc/jemalloc.h>

#include <algorithm>

#include "sim/base/host_pages.h"
#include "sim/cli/heap_pages.h"

namespace hardclock {
namespace {

// A larger piece may be a table that is used here and there.
constexpr std::size_t largest_piece = std::size_t{1} << 22;

extent_hooks_t original;
extent_hooks_t hooks;
HostWindows windows;

// jemalloc wants some memory committed at once; that, and whatever does not consist of windows, is
// left alone.
void* map(extent_hooks_t*, void* wanted, std::size_t size, std::size_t alignment, bool* zeroed,
          bool* committed, unsigned arena) {
  const bool has_windows = size % host_window == 0;
  const bool claims_it = *committed || !has_windows;
  bool can_be_written = true;
  void* const memory = original.alloc(&hooks, wanted, size,
                                      has_windows ? std::max(alignment, host_window) : alignment,
                                      zeroed, &can_be_written, arena);
  *committed = claims_it;
  return memory;
}

// False is success.
bool commit(extent_hooks_t*, void* memory, std::size_t, std::size_t offset, std::size_t length,
            unsigned) {
  if (length > largest_piece) return false;
  const auto start = reinterpret_cast<std::uintptr_t>(memory) + offset;
  windows.visit_new(start, length, [](std::uint64_t number) {
    make_present(reinterpret_cast<void*>(number * host_window), host_window);
  });
  return false;
}

}  // namespace

void make_heap_pages_present() {
  extent_hooks_t* before = nullptr;
  std::size_t size = sizeof before;
  if (mallctl("arena.0.extent_hooks", &before, &size, nullptr, 0) != 0) return;
  original = *before;
  hooks = original;
  hooks.alloc = map;
  hooks.commit = commit;
  hooks.decommit = nullptr;  // what is committed stays so
  // The first arena has mapped memory already.
  extent_hooks_t* after = &hooks;
  unsigned arena = 0;
  size = sizeof arena;
  if (mallctl("arenas.create", &arena, &size, &after, sizeof after) != 0) return;
  mallctl("thread.arena", nullptr, nullptr, &arena, sizeof arena);
}

}  // namespace hardclock
