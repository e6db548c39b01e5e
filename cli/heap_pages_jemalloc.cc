// jemalloc maps much memory at a time and gives it away piece by piece. It is told here that what
// it has mapped is not yet committed, so that it asks for each piece before that is used.
#include <jemalloc/jemalloc.h>

#include <algorithm>

#include "cli/heap_pages.h"
#include "sim/base/host_pages.h"

// jemalloc's own name for its settings. Where mmap() fails it would try sbrk(), for which it asks
// the hooks below for memory again, without end.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "dss:disabled";
}

namespace hardclock {
namespace {

// A larger piece may be a table that is used here and there.
constexpr std::size_t largest_piece = std::size_t{1} << 22;

extent_hooks_t original;
extent_hooks_t hooks;
HostChunks chunks;
// The host commits only what is asked for (vm.overcommit_memory is 2).
bool host_commits_on_demand = false;

// jemalloc wants some memory committed at once; that, and whatever does not consist of chunks, is
// left alone.
void* map(extent_hooks_t*, void* wanted, std::size_t size, std::size_t alignment, bool* zeroed,
          bool* committed, unsigned arena) {
  const bool was_wanted = *committed;
  const bool has_chunks = size % host_chunk == 0;
  void* const memory =
      original.alloc(&hooks, wanted, size, has_chunks ? std::max(alignment, host_chunk) : alignment,
                     zeroed, committed, arena);
  host_commits_on_demand = host_commits_on_demand || (memory != nullptr && !*committed);
  if (has_chunks && !was_wanted) *committed = false;
  return memory;
}

// False is success.
bool commit(extent_hooks_t*, void* memory, std::size_t size, std::size_t offset, std::size_t length,
            unsigned arena) {
  if (host_commits_on_demand && original.commit(&hooks, memory, size, offset, length, arena)) {
    return true;
  }
  if (length > largest_piece) return false;
  const auto start = reinterpret_cast<std::uintptr_t>(memory) + offset;
  // Of a chunk that is not committed as a whole the host gives what it can.
  chunks.visit_new(start, length, [](std::uint64_t number) {
    populate(reinterpret_cast<void*>(number * host_chunk), host_chunk);
  });
  return false;
}

}  // namespace

void populate_heap_ahead() {
  extent_hooks_t* before = nullptr;
  std::size_t size = sizeof before;
  if (mallctl("arena.0.extent_hooks", &before, &size, nullptr, 0) != 0) return;
  original = *before;
  hooks = original;
  hooks.alloc = map;
  hooks.commit = commit;
  // The first arena has mapped memory already.
  extent_hooks_t* after = &hooks;
  unsigned arena = 0;
  size = sizeof arena;
  if (mallctl("arenas.create", &arena, &size, &after, sizeof after) != 0) return;
  mallctl("thread.arena", nullptr, nullptr, &arena, sizeof arena);
}

}  // namespace hardclock
