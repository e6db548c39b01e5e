#include "isa/ia64/register_stack.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "sim/base/check.h"

namespace hardclock::ia64 {
namespace {

bool is_nat(std::uint64_t collection, std::uint64_t address) {
  return (collection >> slot(address) & 1) != 0;
}

}  // namespace

bool is_valid(const FrameMarker& marker) {
  return marker.sof <= stacked_registers && marker.sol <= marker.sof && marker.sor <= marker.sof &&
         marker.rrb_gr < std::max<unsigned>(marker.sor, 1) && marker.rrb_fr < rotating_frs &&
         marker.rrb_pr < rotating_prs;
}

void RegisterStack::start(std::uint64_t backing_store, const FrameMarker& frame) {
  CHECK(is_valid(frame));
  std::fill(values_.begin() + first_rotating_gr, values_.end(), 0);
  std::fill(nats_.begin() + first_rotating_gr, nats_.end(), false);
  marker_ = frame;
  skip_ = 0;
  store_place_ = first_rotating_gr;
  position_ = first_position;
  dirty_ = clean_ = 0;
  rsc_ = rsc_pl;
  bspstore_ = backing_store & ~std::uint64_t{7};
  bsp_ = register_above(bspstore_, 0);
  rnat_ = 0;
  traffic_ = {};
}

bool RegisterStack::find_nats() {
  static_assert(sizeof(bool) == 1);
  may_have_nats_.value = std::memchr(nats_.data(), 1, nats_.size()) != nullptr;
  return may_have_nats_.value;
}

auto RegisterStack::places() -> const Places& {
  static const Places places = {offsetof(RegisterStack, values_),   offsetof(RegisterStack, skip_),
                                offsetof(RegisterStack, marker_),   offsetof(RegisterStack, bsp_),
                                offsetof(RegisterStack, position_), offsetof(RegisterStack, dirty_),
                                offsetof(RegisterStack, clean_)};
  return places;
}

unsigned RegisterStack::physical(unsigned r) const {
  if (r < first_rotating_gr) return r;
  const unsigned in_frame = renamed(r, first_rotating_gr, marker_.sor, marker_.rrb_gr);
  const std::uint64_t position = position_ + (in_frame - first_rotating_gr);
  return first_rotating_gr + static_cast<unsigned>(position % stacked_registers);
}

AlatRegister RegisterStack::alat_register(unsigned r) const {
  if (r < first_rotating_gr) return r;
  const unsigned in_frame = renamed(r, first_rotating_gr, marker_.sor, marker_.rrb_gr);
  const std::uint64_t turn = (position_ + (in_frame - first_rotating_gr)) / stacked_registers;
  return turn << 8 | physical(r);
}

void RegisterStack::call() {
  CHECK(!is_incomplete());
  turn_back();
  bsp_ = register_above(bsp_, marker_.sol);
  dirty_ += marker_.sol;
  move_bottom(marker_.sol);
  marker_ = {.sof = static_cast<std::uint8_t>(marker_.sof - marker_.sol)};
}

StackResult RegisterStack::ret(std::uint64_t pfs, BackingStore& memory) {
  CHECK(!is_incomplete());
  const FrameMarker frame = unpack_marker(pfs);
  if (!is_valid(frame)) return StackResult::illegal_operation;
  const unsigned outputs = frame.sof - frame.sol;
  const bool fits = outputs + dirty_ <= stacked_registers;
  turn_back();
  if (fits) keep_clean(stacked_registers - outputs - dirty_);
  bsp_ = register_below(bsp_, frame.sol);
  // A frame that does not fit has fewer locals than there are dirty registers.
  dirty_ -= std::min<std::uint32_t>(dirty_, frame.sol);
  move_bottom(-frame.sol);
  marker_ = fits ? frame : FrameMarker{};
  if (is_incomplete()) return complete(memory);
  turn(marker_.rrb_gr);
  return StackResult::done;
}

StackResult RegisterStack::complete(BackingStore& memory) {
  if (!is_incomplete()) return StackResult::done;
  while (is_incomplete()) {
    if (!load_below(memory)) return StackResult::memory;
  }
  turn(marker_.rrb_gr);
  return StackResult::done;
}

StackResult RegisterStack::alloc(unsigned r1, unsigned sof, unsigned sol, unsigned sor,
                                 BackingStore& memory) {
  CHECK(!is_incomplete());
  if (!can_allocate(r1, sof, sol, sor)) return StackResult::illegal_operation;
  const bool renames = (marker_.rrb_gr | marker_.rrb_fr | marker_.rrb_pr) != 0;
  if (sor != marker_.sor && renames) return StackResult::reserved_field;
  while (dirty_ + sof > stacked_registers) {
    if (!store_next(memory)) return StackResult::memory;
  }
  keep_clean(stacked_registers - dirty_ - sof);
  marker_.sof = static_cast<std::uint8_t>(sof);
  marker_.sol = static_cast<std::uint8_t>(sol);
  marker_.sor = static_cast<std::uint8_t>(sor);
  return StackResult::done;
}

void RegisterStack::cover() {
  if (!is_incomplete()) turn_back();
  bsp_ = register_above(bsp_, marker_.sof);
  dirty_ = static_cast<std::uint32_t>(registers_between(bspstore_, bsp_));
  move_bottom(marker_.sof);
  marker_ = {};
}

StackResult RegisterStack::flushrs(BackingStore& memory) {
  CHECK(!is_incomplete());
  while (bspstore_ != bsp_) {
    if (!store_next(memory)) return StackResult::memory;
  }
  return StackResult::done;
}

StackResult RegisterStack::loadrs(BackingStore& memory) {
  CHECK(!is_incomplete());
  const std::uint64_t bytes = bit_field(rsc_, 16, 14) & ~std::uint64_t{7};
  // The fault looks at the whole field (SDM 3, loadrs), the low bits of which have no other use.
  const bool asks_for_some = (rsc_ & rsc_loadrs) != 0;
  if (!is_enforced_lazy() || (marker_.sof != 0 && asks_for_some))
    return StackResult::illegal_operation;
  const std::uint64_t tear_point = bsp_ - bytes;
  const std::uint64_t registers = registers_between(tear_point, bsp_);
  if (registers > stacked_registers) return StackResult::illegal_operation;

  make_room(-static_cast<int>(stacked_registers));
  while (static_cast<std::int64_t>(bspstore_ - tear_point) > 0) {
    if (!load_below(memory)) return StackResult::memory;
    dirty_ = static_cast<std::uint32_t>(registers_between(bspstore_, bsp_));
  }
  // What is dirty beyond the tear point is given up.
  const auto lost = static_cast<unsigned>(dirty_ - registers);
  store_place_ += lost;
  dirty_ = static_cast<std::uint32_t>(registers);
  bspstore_ = tear_point;
  clean_ = 0;
  return StackResult::done;
}

void RegisterStack::clrrrb() {
  turn_back();
  marker_.rrb_gr = marker_.rrb_fr = marker_.rrb_pr = 0;
}

void RegisterStack::rotate() {
  marker_.rrb_gr = static_cast<std::uint8_t>(rotated_base(marker_.rrb_gr, marker_.sor));
  marker_.rrb_fr = static_cast<std::uint8_t>(rotated_base(marker_.rrb_fr, rotating_frs));
  marker_.rrb_pr = static_cast<std::uint8_t>(rotated_base(marker_.rrb_pr, rotating_prs));
  if (marker_.sor != 0) turn(marker_.sor - 1u);
}

StackResult RegisterStack::write_rsc(std::uint64_t value) {
  if ((value & ~(rsc_mode | rsc_pl | rsc_be | rsc_loadrs)) != 0) return StackResult::reserved_field;
  rsc_ = value | rsc_pl;
  return StackResult::done;
}

StackResult RegisterStack::write_bspstore(std::uint64_t value) {
  CHECK(!is_incomplete());
  if (!is_enforced_lazy()) return StackResult::illegal_operation;
  bspstore_ = value & ~std::uint64_t{7};
  bsp_ = register_above(bspstore_, dirty_);
  clean_ = 0;
  return StackResult::done;
}

StackResult RegisterStack::write_rnat(std::uint64_t value) {
  if (!is_enforced_lazy()) return StackResult::illegal_operation;
  rnat_ = value & ~(std::uint64_t{1} << 63);
  return StackResult::done;
}

// Stores the word at ar.bspstore: the lowest dirty register, which is clean then, or a collection.
bool RegisterStack::store_next(BackingStore& memory) {
  const bool is_collection = slot(bspstore_) == collection_slot;
  const std::uint64_t word = is_collection ? rnat_ : values_[store_place_];
  if (!memory.store(bspstore_, word, order())) return false;
  ++traffic_.stores;
  if (!is_collection) {
    const std::uint64_t bit = std::uint64_t{1} << slot(bspstore_);
    rnat_ = nats_[store_place_] ? rnat_ | bit : rnat_ & ~bit;
    ++store_place_;
    --dirty_;
    ++clean_;
  }
  bspstore_ += 8;
  return true;
}

// Moves ar.bspstore down over one word. A clean register is still where it was. A collection is
// loaded even if all registers above it are clean: what is stored there next needs the others'
// bits.
bool RegisterStack::load_below(BackingStore& memory) {
  const std::uint64_t address = bspstore_ - 8;
  const bool is_collection = slot(address) == collection_slot;
  const bool is_loaded = !is_collection && clean_ != 0;
  std::uint64_t word = 0;
  if (!is_loaded) {
    const std::optional<std::uint64_t> loaded = memory.load(address, order());
    if (!loaded) return false;
    word = *loaded;
    ++traffic_.loads;
  }
  bspstore_ = address;
  if (is_collection) {
    rnat_ = word & ~(std::uint64_t{1} << 63);
    return true;
  }
  --store_place_;
  if (is_loaded) {
    --clean_;
    return true;
  }
  values_[store_place_] = word;
  nats_[store_place_] = is_nat(rnat_, address);
  may_have_nats_.value |= nats_[store_place_];
  return true;
}

// Up by at most 96 registers, or down.
void RegisterStack::move_bottom(int registers) {
  position_ += static_cast<std::uint64_t>(std::int64_t{registers});
  make_room(registers);
  skip_ += static_cast<std::uint32_t>(registers);
}

// For a frame so many registers further up, or down. The others that are clean or dirty are at most
// 96.
void RegisterStack::make_room(int registers) {
  const int skip = static_cast<int>(skip_) + registers;
  const auto values = values_.begin() + first_rotating_gr;
  const auto nats = nats_.begin() + first_rotating_gr;
  if (skip < 0) {
    std::copy_backward(values, values_.end() - move_by, values_.end());
    std::copy_backward(nats, nats_.end() - move_by, nats_.end());
    skip_ += move_by;
    store_place_ += move_by;
  } else if (skip > static_cast<int>(most_skipped)) {
    std::copy(values + move_by, values_.end(), values);
    std::copy(nats + move_by, nats_.end(), nats);
    skip_ -= move_by;
    store_place_ -= move_by;
  }
}

// The lowest of the clean registers are the first to go.
void RegisterStack::keep_clean(unsigned most) { clean_ = std::min(clean_, most); }

// Renames the rotating registers: r32 becomes what was so many registers above it.
void RegisterStack::turn(unsigned registers) {
  if (registers == 0 || registers == marker_.sor) return;
  const auto values = values_.begin() + frame();
  const auto nats = nats_.begin() + frame();
  std::rotate(values, values + registers, values + marker_.sor);
  std::rotate(nats, nats + registers, nats + marker_.sor);
}

}  // namespace hardclock::ia64
