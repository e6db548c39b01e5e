#include "sim/translator/indirect_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "sim/memory/page.h"

namespace hardclock {
namespace {

constexpr std::size_t all_bytes = sizeof(IndirectTable::Entry) << IndirectTable::bits;

}  // namespace

IndirectTable::IndirectTable() {
  void* const place =
      mmap(nullptr, all_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  entries_ = static_cast<Entry*>(place);
  // What is empty has the key of pc 0 in state 0. Only in this place it would be found.
  static_assert(place_of(0, 0, 0) == 0);
  entries_[0].key = ~std::uint64_t{0};
}

IndirectTable::~IndirectTable() {
  munmap(entries_, all_bytes);
}

void IndirectTable::enter(std::uint64_t pc, PipelineStates::Id state, unsigned shift,
                          const void* code) {
  if (can_hold(pc, state)) entries_[place_of(pc, state, shift)] = {key_of(pc, state), code};
}

std::size_t IndirectTable::bytes(std::size_t blocks) {
  return std::min(all_bytes, (blocks + 1) << page_shift);
}

}  // namespace hardclock
