// One processor's access to memory through the machine's caches and TLB: which accesses cost
// nothing, and what the others cost.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/memory/access_table.h"
#include "sim/memory/address_space.h"
#include "sim/state/archive.h"
#include "sim/timing/memory_system.h"
#include "sim/timing/physical_pages.h"
#include "sim/timing/wait_reasons.h"
#include "sim/translator/plain_memory.h"

namespace hardclock {

struct HostFrame;
struct PlainAccess;

// The part that the processors of one simulated machine share: one runs at a time.
class MachineMemory {
 public:
  explicit MachineMemory(const MemoryDescription& description)
      : system(description), pages_(description, page_size) {}

  // The page that holds a frame. Its colour is that of the page at which it is first accessed.
  std::uint64_t physical_page(std::uint64_t frame, std::uint64_t virtual_page);

  // The frame no longer exists; no other frame will get its page.
  void forget_frame(std::uint64_t frame) { physical_.erase(frame); }

  // One of the processors, which a snapshot can name: no number is given twice, and 0 to nobody.
  struct User {
    std::uint64_t number = 0;
    friend bool operator==(const User&, const User&) = default;
  };
  User add_user() { return {++users_}; }
  void drop_user() { --users_; }
  // The user is about to make accesses. Returns whether another one made the last ones.
  bool change_user(User next) { return std::exchange(user_, next) != next; }

  // The waits for the write buffer since the last call.
  Cycles take_write_buffer_stalls() {
    const Cycles all = system.statistics().write_buffer_stalls;
    return all - std::exchange(seen_write_buffer_stalls_, all);
  }

  void archive(Archive& to);

  MemorySystem system;
  Instructions instructions;  // executed by all processors

 private:
  Cycles seen_write_buffer_stalls_;
  std::uint64_t users_ = 0;
  User user_;  // made the last accesses
  PhysicalPages pages_;
  std::unordered_map<std::uint64_t, std::uint64_t> physical_;  // by frame; never iterated
};

// Which places of a table hold which physical lines, so that a line that leaves the cache is found.
//
// The table has as many places as the cache has sets, or a power of two times as many. Where pages
// are coloured (physical_pages.h) a line's place, modulo the number of sets, is its set, so that
// there are few places to look at. From the first line elsewhere until clear(), the places of each
// set are in a list.
class LineIndex {
 public:
  // Lines of 2^shift bytes. `sets` and `places` are powers of two, `places` is not smaller.
  LineIndex(unsigned shift, std::size_t sets, std::size_t places)
      : shift_(shift), set_mask_(sets - 1), lines_(places, no_line) {}

  // From now on `place` holds this line.
  void put(std::size_t place, std::uint64_t physical) {
    if (first_.empty() && (place & set_mask_) == set_of(physical)) [[likely]]
      lines_[place] = physical;
    else
      put_into_list(place, physical);
  }
  // Calls visit(place) for each place that held the line last.
  template <class Visit>
  void find(std::uint64_t physical, Visit visit) const {
    const std::size_t set = set_of(physical);
    if (first_.empty()) [[likely]] {
      // Most often there is one.
      if (lines_[set] == physical) visit(set);
      for (std::size_t place = set + set_mask_ + 1; place < lines_.size(); place += set_mask_ + 1) {
        if (lines_[place] == physical) visit(place);
      }
      return;
    }
    for (std::uint32_t next = first_[set]; next != 0; next = next_[next - 1]) {
      if (lines_[next - 1] == physical) visit(std::size_t{next - 1});
    }
  }
  void clear();
  // What each place holds, as long as that is all that has to be kept; else null.
  std::uint64_t* lines() { return first_.empty() ? lines_.data() : nullptr; }

 private:
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};

  std::size_t set_of(std::uint64_t physical) const { return (physical >> shift_) & set_mask_; }
  void put_into_list(std::size_t place, std::uint64_t physical);
  void link(std::size_t place);
  void unlink(std::size_t place);

  unsigned shift_;
  std::size_t set_mask_;
  std::vector<std::uint64_t> lines_;  // by place
  // The lists, of places + 1 that end with 0; empty as long as there are none.
  std::vector<std::uint32_t> first_;  // by set
  std::vector<std::uint32_t> next_;   // by place
};

// Pages of which something may be known, so that the others need not be gone through. A page that
// shares its slot with another one may always be among them, until clear().
class KnownPages {
 public:
  KnownPages() { clear(); }
  void add(std::uint64_t page_number) {
    std::uint64_t& slot = slot_of(page_number);
    if (slot != page_number) slot = slot == none ? page_number : several;
  }
  // Nothing is known of the page any more. Returns whether something may have been.
  bool take(std::uint64_t page_number) {
    std::uint64_t& slot = slot_of(page_number);
    if (slot == several) return true;
    if (slot != page_number) return false;
    slot = none;
    return true;
  }
  void clear() { slots_.fill(none); }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr std::uint64_t several = none - 1;

  std::uint64_t& slot_of(std::uint64_t page_number) { return slots_[page_number % slots_.size()]; }

  std::array<std::uint64_t, 1024> slots_;
};

class CachedMemory final : private MemoryListener {
 public:
  CachedMemory(AddressSpace& memory, std::shared_ptr<MachineMemory> machine);

  const std::shared_ptr<MachineMemory>& machine() const { return machine_; }

  void archive(Archive& to);

  // Brackets each stretch in which this processor runs; the numbers are those of the stretch: what
  // was fetched, and the accesses of instructions that completed.
  void begin();
  void end(Instructions instructions, std::uint64_t fetches, std::uint64_t data_accesses);

  // The bytes of an instruction cache's line.
  std::uint64_t fetch_line() const { return fetch_line_; }
  // The data accesses that cost nothing and change nothing.
  const AccessTable& data_hits() const { return data_; }
  bool fetch_hits(std::uint64_t pc) const { return fetches_[place_of(pc)] == line_of(pc); }
  // Of all instructions from the byte `first` to the byte `last`. `hit_at` says when they did: it
  // is kept by the caller with these instructions, and 0 at first.
  bool all_fetches_hit(std::uint64_t first, std::uint64_t last, std::uint64_t& hit_at) const {
    return hit_at == fetch_changes() || look_for_hits(first, last, hit_at);
  }

  // The lines whose fetches hit, by their virtual address: the line with number n is in place n
  // modulo the size, a power of two. Stays where it is.
  const std::vector<std::uint64_t>& fetched_lines() const { return fetches_; }
  unsigned fetch_shift() const { return fetch_shift_; }

  // The first byte, from `first` up to one behind `last`, whose fetch does not hit if that of
  // `first` did.
  std::uint64_t end_of_fetch_hits(std::uint64_t first, std::uint64_t last) const {
    std::uint64_t end = line_of(first) + fetch_line_;
    while (end <= last && fetch_hits(end)) end += fetch_line_;
    return std::min(end, last + 1);
  }

  // Whether fetches that hit may no longer do so, since the last call.
  bool have_fetches_changed() const { return fetches_changed_; }
  bool take_fetches_changed() { return std::exchange(fetches_changed_, false); }
  // The cycles that the pipeline waits for an instruction, whose page must have been touched.
  std::uint32_t fetch(std::uint64_t pc, const MemorySystem::Moment& moment) {
    if (fetch_hits(pc)) return 0;
    const MemorySystem::Address address = fetch_address(pc);
    return note_fetch(address, machine_->system.fetch(address, moment));
  }
  // The same, if that does not depend on the number of instructions executed. Nothing: it may, and
  // has not been made.
  std::optional<std::uint32_t> fetch_at_once(std::uint64_t pc, Cycles now) {
    const MemorySystem::Address address = fetch_address(pc);
    if (!machine_->system.is_mapped_at_once(address)) return std::nullopt;
    return note_fetch(address, machine_->system.fetch_mapped(address, now));
  }

  struct Data {
    std::uint8_t* host = nullptr;
    std::uint32_t cycles = 0;       // that the pipeline waits
    std::uint32_t memory_busy = 0;  // that memory works for it
    std::uint64_t line = 0;         // number of the physical line
  };
  // Makes an access of 1, 2, 4 or 8 bytes.
  Result<Data, Fault> access(GuestAddr address, unsigned size, Access access,
                             const MemorySystem::Moment& moment);
  // The same, if the page is known and the access does not depend on the number of instructions
  // executed. Without a host address: it may, and has not been made. A store that is made changes
  // no predecoded code.
  Data access_at_once(std::uint64_t address, unsigned size, Access access, Cycles now) {
    CachedPage& page = page_of(address >> page_shift);
    if (!page.allows(address, size, access == Access::write)) [[unlikely]]
      return {};
    const MemorySystem::Address at = address_in(page, address);
    if (!machine_->system.is_mapped_at_once(at)) return {};
    return note_access(page, at, access,
                       access == Access::write ? machine_->system.store_mapped(at, now)
                                               : machine_->system.load_mapped(at, now));
  }

  // The same as access_at_once() and fetch_at_once() of the accesses that MemorySystem calls plain,
  // for translated code: HostFrame::plain_access and plain_fetch.
  static PlainAccess plain_access(HostFrame* frame, std::uint64_t address, std::uint64_t site,
                                  std::uint64_t budget);
  static PlainAccess plain_fetch(HostFrame* frame, std::uint64_t line, std::uint64_t site,
                                 std::uint64_t budget);
  // The pipeline waits `most` cycles at most. Without a host address, or MemorySystem::not_plain:
  // the access may not be plain, and has not been made.
  Data plain_access(std::uint64_t address, unsigned size, Access access, Cycles now,
                    std::uint32_t most);
  std::uint32_t plain_fetch(std::uint64_t pc, Cycles now, std::uint32_t most);
  // For code that makes them itself: by CacheSide. Between begin() and end().
  PlainSide* plain_sides() { return sides_.data(); }

  // For which memory is busy with the lines of the last access that did not hit.
  std::uint32_t memory_busy() const { return machine_->system.memory_busy(last_cost_); }
  // Why the last access, of this side and not a plain one, waited for so many cycles. To be asked
  // once for each access that waits.
  WaitReasons take_reasons(CacheSide side, std::uint32_t cycles);

  // The instruction that made the last access will run again, and then only be completed().
  void interrupted() {
    --seen_data_;
    data_.at(last_access_) = {};
  }
  // An instruction completes whose access was made before it was interrupted.
  void completed() { ++seen_data_; }

  // For the address space. When the kernel changes mappings, the space's whole TLB contents go.
  void forget_page(std::uint64_t page_number);
  void forget_space();

 private:
  void line_changed(CacheSide side, std::uint64_t physical_address) override;
  void page_left(std::uint32_t space, std::uint64_t virtual_page) override;
  void all_changed() override;

  std::size_t place_of(std::uint64_t pc) const {
    return (pc >> fetch_shift_) & (fetches_.size() - 1);
  }
  std::uint64_t line_of(std::uint64_t pc) const { return pc & ~(fetch_line_ - 1); }
  bool look_for_hits(std::uint64_t first, std::uint64_t last, std::uint64_t& hit_at) const {
    if (!fetch_hits(first) || end_of_fetch_hits(first, last) <= last) return false;
    hit_at = fetch_changes();
    return true;
  }
  CachedPage& page_of(std::uint64_t page_number) { return pages_[page_number % cached_pages]; }
  CachedPage& text_page_of(std::uint64_t page_number) {
    return text_pages_[page_number % cached_pages];
  }
  PlainSide& side(CacheSide side) { return sides_[static_cast<std::size_t>(side)]; }
  std::uint64_t& fetch_changes() { return side(CacheSide::fetch).fetch_changes; }
  std::uint64_t fetch_changes() const {
    return sides_[static_cast<std::size_t>(CacheSide::fetch)].fetch_changes;
  }
  MemorySystem::Address address_in(const CachedPage& page, std::uint64_t address) const {
    return {memory_.number(), address, page.physical_address(address)};
  }
  MemorySystem::Address fetch_address(std::uint64_t pc) {
    return {memory_.number(), pc, physical_address_of_text(pc)};
  }
  std::uint32_t note_fetch(const MemorySystem::Address& address,
                           const MemorySystem::AccessCost& cost) {
    ++seen_fetches_;
    last_cost_ = cost;
    if (cost.repeats_as_hit) know_fetch_hit(address.virtual_address, address.physical_address);
    return cost.cycles;
  }
  Data note_access(CachedPage& page, const MemorySystem::Address& at, Access access,
                   const MemorySystem::AccessCost& cost) {
    ++seen_data_;
    last_access_ = at.virtual_address;
    last_cost_ = cost;
    if (cost.repeats_as_hit) know_data_hit(at, page, access);
    return {page.host(at.virtual_address), cost.cycles, machine_->system.memory_busy(cost),
            at.physical_address >> data_shift_};
  }
  // Adds the page of an access to the known ones.
  std::optional<Fault> learn_page(GuestAddr address, unsigned size, Access access);
  void learn_text_page(CachedPage& page, std::uint64_t pc);
  std::uint64_t physical_page(std::uint64_t address);
  std::uint64_t physical_address_of_text(std::uint64_t pc) {
    CachedPage& page = text_page_of(pc >> page_shift);
    if (page.number != pc >> page_shift) [[unlikely]]
      learn_text_page(page, pc);
    return page.physical_address(pc);
  }
  void forget_hits_of_page(std::uint64_t page_number);
  void forget_fetches(std::uint64_t address, std::uint64_t bytes);
  void know_data_hit(const MemorySystem::Address& at, CachedPage& page, Access access) {
    if (machine_->system.has_plain_accesses(CacheSide::data)) page.become_plain();
    know_data_line(at.virtual_address, at.physical_address, page, access);
    side(CacheSide::data).lines = data_places_.lines();
  }
  void know_data_line(std::uint64_t address, std::uint64_t physical, CachedPage& page,
                      Access access) {
    page.known.add(address);
    data_places_.put(data_.place(address), data_.piece(physical));
    data_.enter(address, page.host(address & ~page_mask), page.readable, access == Access::write);
  }
  void forget_fetch(std::size_t place);
  void know_fetch_hit(std::uint64_t pc, std::uint64_t physical);
  void know_fetch_line(std::uint64_t pc, std::uint64_t physical, CachedPage& page);

  AddressSpace& memory_;
  std::shared_ptr<MachineMemory> machine_;
  MachineMemory::User user_;
  std::array<CachedPage, cached_pages> pages_;
  std::array<CachedPage, cached_pages> text_pages_;
  unsigned data_shift_;
  AccessTable data_;
  LineIndex data_places_;
  unsigned fetch_shift_;
  std::uint64_t fetch_line_;
  std::vector<std::uint64_t> fetches_;  // by place; the virtual address of a line
  LineIndex fetch_places_;
  // Other pages than those of pages_ and text_pages_ with accesses in data_, or lines in fetches_.
  KnownPages other_data_pages_;
  KnownPages other_fetched_pages_;
  std::array<PlainSide, 2> sides_;  // by CacheSide
  bool fetches_changed_ = false;
  std::uint64_t last_access_ = 0;
  MemorySystem::AccessCost last_cost_;  // of a fetch or an access
  std::uint64_t seen_fetches_ = 0;      // accesses since begin() that the system has counted
  std::uint64_t seen_data_ = 0;
};

}  // namespace hardclock
