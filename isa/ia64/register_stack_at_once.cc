// The register stack's accesses as translated code makes them. They do as RegisterStack::alloc()
// and ret() with a BackingStore, which are the reference.
#include <algorithm>
#include <array>

#include "isa/ia64/register_stack.h"
#include "sim/base/endian.h"
#include "sim/memory/page.h"

namespace hardclock::ia64 {
namespace {

constexpr unsigned word_bytes = 8;
// Of 96 registers: two collections at most.
static_assert((stacked_registers + 2) * word_bytes <= page_size, "two pages at most");

// The NaT bits of so many registers in their collection.
constexpr std::uint64_t nat_bits(unsigned first, unsigned count) {
  return ((std::uint64_t{1} << count) - 1) << first;
}

// `words` are at least one.
[[gnu::always_inline]] inline bool may_access(const AccessTable& memory,
                                              std::uint64_t AccessTable::Entry::*tag,
                                              std::uint64_t low, unsigned words) {
  const auto is_there = [&](std::uint64_t address) {
    return memory.at(address).*tag == memory.tag(address, word_bytes);
  };
  return is_there(low) && is_there(low + word_bytes * (words - 1));
}

// From one collection to the next, all that follows lies in the same page.
std::uint8_t* host_of(const AccessTable& memory, std::uint64_t address) {
  return memory.at(address).host(address);
}

}  // namespace

bool RegisterStack::may_move_at_once() const {
  return order() == Endian::little && !may_have_nats() &&
         (marker_.rrb_gr | marker_.rrb_fr | marker_.rrb_pr) == 0;
}

unsigned RegisterStack::spill_at_once(unsigned sof, const AccessTable& memory, unsigned most) {
  const unsigned registers = dirty_ + sof - stacked_registers;
  const std::uint64_t last = register_above(bspstore_, registers - 1);
  const auto words = static_cast<unsigned>((last - bspstore_) / word_bytes) + 1;
  if (words > most || !may_move_at_once() ||
      !may_access(memory, &AccessTable::Entry::write_tag, bspstore_, words)) {
    return not_at_once;
  }
  std::uint64_t address = bspstore_;
  const std::uint64_t* from = &values_[store_place_];
  for (unsigned left = registers; left != 0;) {
    std::uint8_t* const host = host_of(memory, address);
    const unsigned first = slot(address);
    if (first == collection_slot) {
      store_bytes(host, rnat_, Endian::little);
      address += word_bytes;
      continue;
    }
    const unsigned run = std::min(left, collection_slot - first);
    for (unsigned i = 0; i < run; ++i) store_bytes(host + word_bytes * i, from[i], Endian::little);
    rnat_ &= ~nat_bits(first, run);
    address += word_bytes * run;
    from += run;
    left -= run;
  }
  bspstore_ = address;
  store_place_ += registers;
  dirty_ -= registers;
  clean_ += registers;
  traffic_.stores += words;
  return words;
}

// What a frame's locals need, from the top down.
struct RegisterStack::Loads {
  // Registers with their NaT bits in one collection, and so in one page.
  struct Run {
    std::uint64_t address = 0;
    unsigned registers = 0;
    unsigned below = 0;  // so many registers below the one at ar.bspstore
  };
  std::array<Run, 3> runs{};
  unsigned count = 0;  // of these
  unsigned words = 0;
  std::uint64_t rnat = 0;  // afterwards
  bool has_nats = false;
};

// Memory may be read.
[[gnu::always_inline]] inline auto RegisterStack::loads_of(unsigned registers,
                                                           const AccessTable& memory) const
    -> Loads {
  Loads loads;
  loads.rnat = rnat_;
  std::uint64_t address = bspstore_;
  for (unsigned below = 0; below != registers;) {
    if (slot(address) == 0) {
      address -= word_bytes;
      loads.rnat = load_bytes<std::uint64_t>(host_of(memory, address), Endian::little) &
                   ~(std::uint64_t{1} << collection_slot);
      ++loads.words;
    }
    const unsigned run = std::min(registers - below, slot(address));
    const unsigned still_there = std::min(run, clean_ - std::min(clean_, below));
    const unsigned loaded = run - still_there;
    below += run;
    address -= word_bytes * run;
    if (loaded == 0) continue;
    loads.runs[loads.count++] = {address, loaded, below};
    loads.words += loaded;
    loads.has_nats |= (loads.rnat & nat_bits(slot(address), loaded)) != 0;
  }
  return loads;
}

unsigned RegisterStack::fill_at_once(std::uint64_t pfs, const AccessTable& memory, unsigned most) {
  const FrameMarker frame = unpack_marker(pfs);
  if (!is_valid(frame) || !may_move_at_once()) return not_at_once;
  const unsigned registers = frame.sol - dirty_;
  const std::uint64_t low = register_below(bspstore_, registers);
  const auto between = static_cast<unsigned>((bspstore_ - low) / word_bytes);
  if (!may_access(memory, &AccessTable::Entry::read_tag, low, between)) return not_at_once;
  const Loads loads = loads_of(registers, memory);
  if (loads.words > most || loads.has_nats) return not_at_once;
  make_room(-frame.sol);
  for (unsigned k = 0; k < loads.count; ++k) {
    const Loads::Run& run = loads.runs[k];
    const std::uint8_t* const host = host_of(memory, run.address);
    std::uint64_t* const to = &values_[store_place_ - run.below];
    for (unsigned i = 0; i < run.registers; ++i) {
      to[i] = load_bytes<std::uint64_t>(host + word_bytes * i, Endian::little);
    }
  }
  rnat_ = loads.rnat;
  bspstore_ = low;
  store_place_ -= registers;
  clean_ -= std::min(clean_, registers);
  dirty_ = frame.sol;
  traffic_.loads += loads.words;
  return loads.words;
}

}  // namespace hardclock::ia64
