// One processor's access to memory through the machine's caches and TLB: which accesses cost
// nothing, and what the others cost.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
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
#include "sim/timing/memory_system.h"
#include "sim/timing/physical_pages.h"

namespace hardclock {

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
  // The user is about to make accesses. Returns whether another one made the last ones.
  bool change_user(User next) { return std::exchange(user_, next) != next; }

  MemorySystem system;
  Instructions instructions;  // executed by all processors

 private:
  std::uint64_t users_ = 0;
  User user_;  // made the last accesses
  PhysicalPages pages_;
  std::unordered_map<std::uint64_t, std::uint64_t> physical_;  // by frame; never iterated
};

// Which places of a table hold which physical lines: at most one for each set of the cache.
class LineIndex {
 public:
  LineIndex(unsigned shift, std::size_t entries)
      : shift_(shift), places_(entries, 0), lines_(entries, 0) {}

  // Records that `place` holds this line. Returns the place, if any, whose line of the same set
  // this may have evicted.
  std::optional<std::size_t> put(std::size_t place, std::uint64_t physical);
  std::optional<std::size_t> find(std::uint64_t physical) const;
  void clear();

 private:
  std::size_t set_of(std::uint64_t physical) const {
    return (physical >> shift_) & (places_.size() - 1);
  }

  unsigned shift_;
  std::vector<std::uint32_t> places_;  // by set; place + 1, 0: none
  std::vector<std::uint64_t> lines_;   // by place
};

class CachedMemory final : private MemoryListener {
 public:
  CachedMemory(AddressSpace& memory, std::shared_ptr<MachineMemory> machine);

  const std::shared_ptr<MachineMemory>& machine() const { return machine_; }

  // Brackets each stretch in which this processor runs; the numbers are those of the stretch.
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
    return hit_at == fetch_changes_ || look_for_hits(first, last, hit_at);
  }

  // Changes whenever fetches that hit may cease to; never 0.
  const std::uint64_t& fetch_changes() const { return fetch_changes_; }

  // The first byte, from `first` up to one behind `last`, whose fetch does not hit if that of
  // `first` did.
  std::uint64_t end_of_fetch_hits(std::uint64_t first, std::uint64_t last) const {
    std::uint64_t end = line_of(first) + fetch_line_;
    while (end <= last && fetch_hits(end)) end += fetch_line_;
    return std::min(end, last + 1);
  }

  // Whether fetches that hit may no longer do so, since the last call.
  bool take_fetches_changed() { return std::exchange(fetches_changed_, false); }
  // The cycles that the pipeline waits for an instruction, whose page must have been touched.
  std::uint32_t fetch(std::uint64_t pc, const MemorySystem::Moment& moment);

  struct Data {
    std::uint8_t* host = nullptr;
    std::uint32_t cycles = 0;  // that the pipeline waits
    std::uint64_t line = 0;    // number of the physical line
  };
  // Makes an access of 1, 2, 4 or 8 bytes.
  Result<Data, Fault> access(GuestAddr address, unsigned size, Access access,
                             const MemorySystem::Moment& moment);

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
    hit_at = fetch_changes_;
    return true;
  }
  // A page whose accesses need no look at the address space.
  struct Page {
    std::uint64_t number = ~std::uint64_t{0};  // virtual
    std::uint64_t physical = 0;                // page number
    std::uint8_t* host = nullptr;
    bool readable = false;
    bool writable = false;

    // An access of `size` bytes.
    bool allows(std::uint64_t address, unsigned size, Access access) const {
      return number == address >> page_shift && (address & (size - 1)) == 0 &&
             (access == Access::write ? writable : readable);
    }
  };
  // Where a page of text is.
  struct TextPage {
    std::uint64_t number = ~std::uint64_t{0};  // virtual
    std::uint64_t physical = 0;                // page number
  };
  static constexpr std::size_t known_pages = 64;

  Page& page_of(std::uint64_t page_number) { return pages_[page_number % known_pages]; }
  // Adds the page of an access to the known ones.
  std::optional<Fault> learn_page(GuestAddr address, unsigned size, Access access);
  std::uint64_t physical_page(std::uint64_t address);
  std::uint64_t physical_address_of_text(std::uint64_t pc);
  // False: no fetch from the page is known to hit. Most pages that a TLB drops have no text.
  bool may_have_fetched(std::uint64_t page_number) const {
    return fetched_pages_.test(page_number % fetched_pages_.size());
  }
  void forget_fetches_of_page(std::uint64_t page_address);
  void know_data_hit(std::uint64_t address, const Page& page, Access access);
  void forget_fetch(std::size_t place);
  void know_fetch_hit(std::uint64_t pc, std::uint64_t physical);

  AddressSpace& memory_;
  std::shared_ptr<MachineMemory> machine_;
  MachineMemory::User user_;
  std::array<Page, known_pages> pages_;
  std::array<TextPage, known_pages> text_pages_;
  unsigned data_shift_;
  AccessTable data_;
  LineIndex data_places_;
  unsigned fetch_shift_;
  std::uint64_t fetch_line_;
  std::vector<std::uint64_t> fetches_;  // by place; the virtual address of a line
  LineIndex fetch_places_;
  std::bitset<1024> fetched_pages_;  // by the last bits of their numbers
  bool fetches_changed_ = false;
  std::uint64_t fetch_changes_ = 1;  // how often fetches that hit may have ceased to
  std::uint64_t last_access_ = 0;
  std::uint64_t seen_fetches_ = 0;  // accesses since begin() that the system has counted
  std::uint64_t seen_data_ = 0;
};

}  // namespace hardclock
