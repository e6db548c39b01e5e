#include "sim/engine/cached_memory.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "sim/state/archive.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_status.h"

namespace hardclock {
namespace {

constexpr std::uint64_t no_line = ~std::uint64_t{0};
constexpr std::size_t places_without_cache = 512;

// The pieces of memory in which a side's accesses hit together: its cache's lines, pages without a
// cache.
unsigned shift_of(const CacheDescription& cache) {
  return cache.present() ? static_cast<unsigned>(std::countr_zero(cache.line)) : page_shift;
}

std::size_t sets_of(const CacheDescription& cache) {
  return cache.present() ? cache.sets() : places_without_cache;
}

// Of a set of more than one line all may hit at any time, where hits change nothing.
std::size_t places_of(const CacheDescription& cache) {
  const bool orders_hits = cache.replacement == Replacement::lru;
  return sets_of(cache) * (orders_hits ? 1 : std::bit_ceil(std::size_t{cache.ways}));
}

const CacheDescription& fetch_cache(const MemoryDescription& memory) {
  return memory.l1.present() ? memory.l1 : memory.l1i;
}

}  // namespace

std::uint64_t MachineMemory::physical_page(std::uint64_t frame, std::uint64_t virtual_page) {
  const auto [at, is_new] = physical_.try_emplace(frame, 0);
  if (is_new) at->second = pages_.allocate(virtual_page);
  return at->second;
}

[[gnu::noinline]] void LineIndex::put_into_list(std::size_t place, std::uint64_t physical) {
  if (first_.empty()) {
    first_.assign(set_mask_ + 1, 0);
    next_.assign(lines_.size(), 0);
    for (std::size_t each = 0; each < lines_.size(); ++each) {
      if (lines_[each] != no_line) link(each);
    }
  }
  if (lines_[place] != no_line) unlink(place);
  lines_[place] = physical;
  link(place);
}

void LineIndex::link(std::size_t place) {
  std::uint32_t& first = first_[set_of(lines_[place])];
  next_[place] = std::exchange(first, static_cast<std::uint32_t>(place + 1));
}

void LineIndex::unlink(std::size_t place) {
  std::uint32_t* link = &first_[set_of(lines_[place])];
  while (*link != place + 1) link = &next_[*link - 1];
  *link = next_[place];
}

void LineIndex::clear() {
  lines_.assign(lines_.size(), no_line);
  first_.clear();
}

CachedMemory::CachedMemory(AddressSpace& memory, std::shared_ptr<MachineMemory> machine)
    : memory_(memory),
      machine_(std::move(machine)),
      user_(machine_->add_user()),
      data_shift_(shift_of(machine_->system.description().data_cache())),
      data_(data_shift_, places_of(machine_->system.description().data_cache())),
      data_places_(data_shift_, sets_of(machine_->system.description().data_cache()),
                   data_.entries().size()),
      fetch_shift_(shift_of(fetch_cache(machine_->system.description()))),
      fetch_line_(std::uint64_t{1} << fetch_shift_),
      fetches_(places_of(fetch_cache(machine_->system.description())), no_line),
      fetch_places_(fetch_shift_, sets_of(fetch_cache(machine_->system.description())),
                    fetches_.size()) {}

void CachedMemory::begin() {
  if (machine_->change_user(user_)) all_changed();
  machine_->system.add_listener(*this);
  for (const CacheSide each : {CacheSide::fetch, CacheSide::data}) {
    const bool is_data = each == CacheSide::data;
    side(each).pages = is_data ? pages_.data() : text_pages_.data();
    side(each).lines = is_data ? data_places_.lines() : fetch_places_.lines();
    side(each).caches = machine_->system.plain_parts(each);
  }
  seen_fetches_ = 0;
  seen_data_ = 0;
}

void CachedMemory::end(Instructions instructions, std::uint64_t fetches,
                       std::uint64_t data_accesses) {
  machine_->system.remove_listener(*this);
  machine_->instructions += instructions;
  // More may have been seen: the accesses of an instruction that then trapped, or a line that will
  // be asked for again. Where the stretches end must not matter.
  const auto count = [&](CacheSide side, std::uint64_t all, std::uint64_t seen) {
    machine_->system.count_hits(side, static_cast<std::int64_t>(all - seen));
  };
  count(CacheSide::fetch, fetches, seen_fetches_);
  count(CacheSide::data, data_accesses, seen_data_);
}

std::uint64_t CachedMemory::physical_page(std::uint64_t address) {
  const KeptHostStatus kept;
  return machine_->physical_page(memory_.frame_number(GuestAddr(address)), address >> page_shift);
}

std::optional<Fault> CachedMemory::learn_page(GuestAddr address, unsigned size, Access access) {
  const auto host = memory_.translate(address, size, access);
  if (!host) return host.error();
  const std::uint64_t at = address.value();
  CachedPage& page = page_of(at >> page_shift);
  if (page.number != at >> page_shift && page.known.any()) {
    other_data_pages_.add(page.number);
    page.known.clear();
  }
  page.number = at >> page_shift;
  page.physical = physical_page(at) << page_shift;
  page.addend = reinterpret_cast<std::uint64_t>(*host) - at;
  page.readable = memory_.region_at(address)->permissions.read;
  page.writable = access == Access::write;
  page.cease_to_be_plain();
  return std::nullopt;
}

void CachedMemory::learn_text_page(CachedPage& page, std::uint64_t pc) {
  if (page.known.any()) other_fetched_pages_.add(page.number);
  page = {};
  page.number = pc >> page_shift;
  page.physical = physical_page(pc) << page_shift;
  page.readable = true;
}

Result<CachedMemory::Data, Fault> CachedMemory::access(GuestAddr address, unsigned size,
                                                       Access access,
                                                       const MemorySystem::Moment& moment) {
  CachedPage& page = page_of(address.value() >> page_shift);
  if (!page.allows(address.value(), size, access == Access::write)) [[unlikely]] {
    if (const auto fault = learn_page(address, size, access)) return Failure{*fault};
  }
  const MemorySystem::Address at = address_in(page, address.value());
  return note_access(page, at, access,
                     access == Access::write ? machine_->system.store(at, moment)
                                             : machine_->system.load(at, moment));
}

CachedMemory::Data CachedMemory::plain_access(std::uint64_t address, unsigned size, Access access,
                                              Cycles now, std::uint32_t most) {
  const bool is_write = access == Access::write;
  CachedPage& page = page_of(address >> page_shift);
  if (!page.is_plain(address, size, is_write)) return {};
  const std::uint64_t physical = page.physical_address(address);
  const std::uint32_t wait = machine_->system.plain_access<CacheSide::data>(
      is_write, physical, now, most,
      [this](std::uint64_t line) { line_changed(CacheSide::data, line); });
  if (wait == MemorySystem::not_plain) return {};
  know_data_line(address, physical, page, access);
  return {.host = page.host(address), .cycles = wait, .line = physical >> data_shift_};
}

std::uint32_t CachedMemory::plain_fetch(std::uint64_t pc, Cycles now, std::uint32_t most) {
  CachedPage& page = text_page_of(pc >> page_shift);
  if (!page.is_plain(pc, 1, false)) return MemorySystem::not_plain;
  const std::uint64_t physical = page.physical_address(pc);
  const std::uint32_t wait = machine_->system.plain_access<CacheSide::fetch>(
      false, physical, now, most,
      [this](std::uint64_t line) { line_changed(CacheSide::fetch, line); });
  if (wait != MemorySystem::not_plain) know_fetch_line(pc, physical, page);
  return wait;
}

namespace {

// Whether a plain access can be made now.
bool may_be_made(const HostFrame& frame, std::int64_t cycles_left) {
  return frame.plain != nullptr && frame.slow == 0 && cycles_left >= 0;
}

void note_wait(const HostFrame& frame, const AccessSite& site, std::uint32_t cycles,
               CacheSide side) {
  if (frame.waits == nullptr || cycles == 0) return;
  frame.waits[wait_place(site.exit, side == CacheSide::fetch, site.in_slot)] += cycles;
}

}  // namespace

// With all that they need in one place: calls would cost as much as what they do.
[[gnu::flatten]] PlainAccess CachedMemory::plain_access(HostFrame* frame, std::uint64_t address,
                                                        std::uint64_t packed,
                                                        std::uint64_t budget) {
  const AccessSite site = AccessSite::unpack(packed);
  const std::int64_t left = RunBudget(budget).cycles_left() - site.spare;
  if (!may_be_made(*frame, left)) return {};
  const auto most = static_cast<std::uint32_t>(left);
  try {
    const Data data =
        static_cast<CachedMemory*>(frame->plain)
            ->plain_access(address, site.size, site.is_write ? Access::write : Access::read,
                           Cycles(frame->ends_at - most - site.until_end), most);
    if (data.host != nullptr) note_wait(*frame, site, data.cycles, CacheSide::data);
    return {data.host, RunBudget::cycles(data.cycles)};
  } catch (...) {
    *frame->thrown = std::current_exception();
    return {};
  }
}

[[gnu::flatten]] PlainAccess CachedMemory::plain_fetch(HostFrame* frame, std::uint64_t line,
                                                       std::uint64_t packed, std::uint64_t budget) {
  const AccessSite site = AccessSite::unpack(packed);
  const std::int64_t left = RunBudget(budget).cycles_left() - site.spare;
  if (!may_be_made(*frame, left)) return {};
  const auto most = static_cast<std::uint32_t>(left);
  auto& memory = *static_cast<CachedMemory*>(frame->plain);
  try {
    const std::uint32_t wait =
        memory.plain_fetch(line, Cycles(frame->ends_at - most - site.until_end), most);
    if (wait == MemorySystem::not_plain) return {};
    // Only what the line's accesses change is of interest.
    memory.fetches_changed_ = false;
    note_wait(*frame, site, wait, CacheSide::fetch);
    return {static_cast<std::uint8_t*>(frame->plain), RunBudget::cycles(wait)};
  } catch (...) {
    *frame->thrown = std::current_exception();
    return {};
  }
}

void CachedMemory::know_fetch_hit(std::uint64_t pc, std::uint64_t physical) {
  CachedPage& page = text_page_of(pc >> page_shift);
  if (machine_->system.has_plain_accesses(CacheSide::fetch)) page.become_plain();
  know_fetch_line(pc, physical, page);
  side(CacheSide::fetch).lines = fetch_places_.lines();
}

void CachedMemory::know_fetch_line(std::uint64_t pc, std::uint64_t physical, CachedPage& page) {
  page.known.add(pc);
  fetch_places_.put(place_of(pc), line_of(physical));
  std::uint64_t& line = fetches_[place_of(pc)];
  if (line != no_line && line != line_of(pc)) ++fetch_changes();
  line = line_of(pc);
}

void CachedMemory::forget_fetch(std::size_t place) {
  fetches_[place] = no_line;
  fetches_changed_ = true;
  ++fetch_changes();
}

void CachedMemory::forget_page(std::uint64_t page_number) {
  forget_hits_of_page(page_number);
  if (page_of(page_number).number == page_number) page_of(page_number) = {};
  CachedPage& text = text_page_of(page_number);
  if (text.number == page_number) text = {};
}

// The page is where it was.
void CachedMemory::forget_hits_of_page(std::uint64_t page_number) {
  const std::uint64_t start = page_number << page_shift;
  if (CachedPage& page = page_of(page_number); page.number == page_number) {
    page.cease_to_be_plain();
    page.known.take(start, [this](std::uint64_t at) { data_.forget(at, KnownPieces::piece); });
  }
  if (CachedPage& page = text_page_of(page_number); page.number == page_number) {
    page.cease_to_be_plain();
    page.known.take(start, [this](std::uint64_t at) { forget_fetches(at, KnownPieces::piece); });
  }
  if (other_data_pages_.take(page_number)) data_.forget(start, page_size);
  if (other_fetched_pages_.take(page_number)) forget_fetches(start, page_size);
}

void CachedMemory::forget_fetches(std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t line = line_of(address); line < address + bytes; line += fetch_line_) {
    if (fetch_hits(line)) forget_fetch(place_of(line));
  }
}

void CachedMemory::forget_space() {
  pages_.fill({});
  text_pages_.fill({});
  all_changed();
  machine_->system.remove_space(memory_.number());
}

void CachedMemory::line_changed(CacheSide side, std::uint64_t physical_address) {
  if (side == CacheSide::data) {
    data_places_.find(physical_address, [this](std::size_t place) { data_.clear_place(place); });
  } else {
    fetch_places_.find(physical_address, [this](std::size_t place) { forget_fetch(place); });
  }
}

void CachedMemory::page_left(std::uint32_t space, std::uint64_t virtual_page) {
  if (space != memory_.number()) return;
  const std::uint64_t bytes = machine_->system.description().tlb.page;
  for (std::uint64_t at = virtual_page * bytes; at < (virtual_page + 1) * bytes; at += page_size) {
    forget_hits_of_page(at >> page_shift);
  }
}

void CachedMemory::all_changed() {
  const auto forget = [](auto& page) {
    page.cease_to_be_plain();
    page.known.clear();
  };
  std::for_each(pages_.begin(), pages_.end(), forget);
  std::for_each(text_pages_.begin(), text_pages_.end(), forget);
  data_.clear();
  data_places_.clear();
  fetches_.assign(fetches_.size(), no_line);
  other_data_pages_.clear();
  other_fetched_pages_.clear();
  fetches_changed_ = true;
  ++fetch_changes();
  fetch_places_.clear();
}

WaitReasons CachedMemory::take_reasons(CacheSide side, std::uint32_t cycles) {
  const MemoryDescription& description = machine_->system.description();
  const bool is_behind_l2 = description.l2.present() && last_cost_.level > MemorySystem::Level::l2;
  WaitReasons reasons;
  reasons.rest = is_behind_l2              ? CycleReason::second_level
                 : side == CacheSide::data ? CycleReason::data_miss
                                           : CycleReason::instruction_miss;
  const std::uint32_t refills =
      (last_cost_.tlb_missed ? description.tlb.refill_cycles : 0) +
      (last_cost_.load_tlb_missed ? description.load_tlb.refill_cycles : 0);
  reasons.tlb = std::min(refills, cycles);
  reasons.write_buffer = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(machine_->take_write_buffer_stalls().value(), cycles - reasons.tlb));
  return reasons;
}

void MachineMemory::archive(Archive& to) {
  auto& [memory_system, executed, stalls, users, user, pages, physical] = *this;
  const Archive::Part part(to, StatePart::caches);
  to.state(memory_system, executed, stalls, users, user.number, pages, physical);
}

void CachedMemory::archive(Archive& to) {
  if (to.loads()) machine_->drop_user();  // that the constructor added
  to.state(user_.number);
  to.existing(*machine_);
  to.derived(pages_, text_pages_, data_shift_, data_, data_places_, fetch_shift_, fetch_line_,
             fetches_, fetch_places_, other_data_pages_, other_fetched_pages_, sides_,
             fetches_changed_, last_access_, last_cost_, seen_fetches_, seen_data_);
  to.wiring(memory_);
}

}  // namespace hardclock
