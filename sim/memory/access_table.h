// Accesses to guest memory that need no check: a small direct-mapped table that says where a piece
// of memory lies in the host. Pieces are pages, or data cache lines when only accesses that hit the
// cache may go unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/page.h"

namespace hardclock {

class AccessTable {
 public:
  static constexpr std::uint64_t no_tag = ~std::uint64_t{0};

  // A tag is the address of the piece. The low bits of an address take part in the comparison, so
  // an unaligned access is not found.
  // An entry's size is a power of two, for translated code.
  struct alignas(32) Entry {
    std::uint64_t read_tag = no_tag;
    std::uint64_t write_tag = no_tag;
    std::uint64_t addend = 0;  // from a guest's address to the host's

    std::uint8_t* host(std::uint64_t address) const {
      return reinterpret_cast<std::uint8_t*>(address + addend);
    }
  };

  // Pieces have 2^shift bytes, between 4 and a page; `entries` is a power of two.
  AccessTable(unsigned shift, std::size_t entries)
      : shift_(shift),
        index_mask_(entries - 1),
        piece_mask_((std::uint64_t{1} << shift) - 1),
        entries_(entries) {}

  std::size_t place(std::uint64_t address) const { return (address >> shift_) & index_mask_; }
  Entry& at(std::uint64_t address) { return entries_[place(address)]; }
  const Entry& at(std::uint64_t address) const { return entries_[place(address)]; }
  // The tag of an entry that lets an aligned access of this size, 1, 2, 4 or 8 bytes, pass.
  std::uint64_t tag(std::uint64_t address, std::uint64_t size) const {
    return address & ~(piece_mask_ ^ (size - 1));
  }
  std::uint64_t piece(std::uint64_t address) const { return address & ~piece_mask_; }
  unsigned shift() const { return shift_; }
  // All of them, as long as the table lives.
  std::span<const Entry> entries() const { return entries_; }
  std::uint64_t piece_size() const { return piece_mask_ + 1; }

  void enter(std::uint64_t address, std::uint8_t* page, bool may_read, bool may_write) {
    at(address) = {may_read ? piece(address) : no_tag, may_write ? piece(address) : no_tag,
                   reinterpret_cast<std::uint64_t>(page) - (address & ~page_mask)};
  }
  void clear_place(std::size_t place) { entries_[place] = {}; }
  void clear() { entries_.assign(entries_.size(), Entry{}); }
  // Drops the pieces that have any of these bytes.
  void forget(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t tag = piece(address); tag < address + bytes; tag += piece_size()) {
      Entry& entry = at(tag);
      if (entry.read_tag == tag || entry.write_tag == tag) entry = {};
    }
  }

 private:
  unsigned shift_;
  std::uint64_t index_mask_;
  std::uint64_t piece_mask_;
  std::vector<Entry> entries_;
};

}  // namespace hardclock
