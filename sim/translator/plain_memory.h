// What code needs for plain accesses (MemorySystem::plain_access) that it makes itself: pages whose
// place is known, and where the machine's caches and the tables of what hits lie.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/memory/page.h"
#include "sim/timing/memory_system.h"

namespace hardclock {

// Which pieces of a page something may be known of.
class KnownPieces {
 public:
  static constexpr std::uint64_t piece = page_size / 64;

  void add(std::uint64_t address) {
    pieces_ |= std::uint64_t{1} << (address / piece % (page_size / piece));
  }
  bool any() const { return pieces_ != 0; }
  // Nothing is known any more. Calls visit(address) for each piece of the page at `page_address`.
  template <class Visit>
  void take(std::uint64_t page_address, Visit visit) {
    for (std::uint64_t left = std::exchange(pieces_, 0); left != 0; left &= left - 1) {
      visit(page_address + static_cast<unsigned>(std::countr_zero(left)) * piece);
    }
  }
  void clear() { pieces_ = 0; }

 private:
  std::uint64_t pieces_ = 0;  // a bit each
};

// A page whose accesses of one side need no look at the address space.
struct alignas(64) CachedPage {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::uint64_t number = none;  // virtual
  // The same for reads and writes that may be plain, because the TLB has the page at once; or none.
  std::array<std::uint64_t, 2> plain = {none, none};
  std::uint64_t physical = 0;  // address
  std::uint64_t addend = 0;    // of data: from a guest's address to the host's
  KnownPieces known;           // with accesses that hit
  bool readable = false;
  bool writable = false;

  // An access of `size` bytes.
  bool allows(std::uint64_t address, unsigned size, bool is_write) const {
    return number == address >> page_shift && (address & (size - 1)) == 0 &&
           (is_write ? writable : readable);
  }
  bool is_plain(std::uint64_t address, unsigned size, bool is_write) const {
    return plain[is_write ? 1 : 0] == address >> page_shift && (address & (size - 1)) == 0;
  }
  void become_plain() { plain = {readable ? number : none, readable && writable ? number : none}; }
  void cease_to_be_plain() { plain = {none, none}; }
  std::uint64_t physical_address(std::uint64_t address) const {
    return physical | (address & page_mask);
  }
  std::uint8_t* host(std::uint64_t address) const {
    return reinterpret_cast<std::uint8_t*>(address + addend);
  }
};
// Pages are found by their number modulo this.
inline constexpr std::size_t cached_pages = 256;

// One side, as plain_code.h needs it.
struct PlainSide {
  CachedPage* pages = nullptr;  // cached_pages
  // Of the first-level line in each place of the table of what hits: its physical address. Null: it
  // is more than these that has to be kept (LineIndex).
  std::uint64_t* lines = nullptr;
  MemorySystem::PlainParts caches;
  std::uint64_t fetch_changes = 1;  // how often fetches that hit may have ceased to
};

}  // namespace hardclock
