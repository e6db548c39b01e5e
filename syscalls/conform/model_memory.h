// The memory of a model process: which bytes are mapped, their protection, and their values.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>

#include "sim/base/units.h"
#include "syscalls/conform/case.h"
#include "syscalls/profil/charge.h"

namespace hardclock::conform {

// Holds ranges and the bytes that are not 0, so a range may be as large as the address space.
// Big-endian, as case files read memory. Addresses wrap at the width of the address space.
class ModelMemory final : public profil::CounterMemory {
 public:
  // `highest_address` is a power of two minus 1. `has_write_only`: see profil::SystemRules.
  explicit ModelMemory(std::uint64_t highest_address, bool has_write_only = false)
      : highest_(highest_address), has_write_only_(has_write_only) {}

  // `size` is at least 1 and the range ends inside the address space.
  void map(GuestAddr address, std::uint64_t size, Protection protection);  // zeroes
  void unmap(GuestAddr address, std::uint64_t size);
  void protect(GuestAddr address, std::uint64_t size, Protection protection);  // what is mapped

  // Whether every byte of the range is mapped, whatever its protection.
  bool is_mapped(GuestAddr address, std::uint64_t size) const;
  bool is_writable(GuestAddr address, std::uint64_t size) const;
  // Whether all of the range's bytes in some page of `page` bytes (a power of two) are mapped.
  bool has_page(GuestAddr address, std::uint64_t size, std::uint64_t page) const;
  // The bytes of the range that are not 0, by their distance from its start.
  std::map<std::uint64_t, std::uint8_t> nonzero_bytes(GuestAddr address, std::uint64_t size) const;
  // Stores `value` as `width` (1 to 8) big-endian bytes, whatever the protection.
  void store(GuestAddr address, unsigned width, std::uint64_t value);

  Endian endian() const override { return Endian::big; }
  bool is_accessible(GuestAddr address, unsigned bytes) override;
  void read(GuestAddr address, std::span<std::uint8_t> bytes) override;
  void write(GuestAddr address, std::span<const std::uint8_t> bytes) override;

 private:
  struct Range {
    std::uint64_t last;  // its last byte
    Protection protection;
  };
  using Ranges = std::map<std::uint64_t, Range>;  // by first byte; disjoint

  Ranges::const_iterator range_of(std::uint64_t address) const;
  // Whether `predicate` holds for the protection of every byte of the range.
  template <class Predicate>
  bool all_of(GuestAddr address, std::uint64_t size, Predicate predicate) const;
  bool is_readable(std::uint64_t address) const;
  // Makes a range begin at `address`, if one contains it.
  void split_at(std::uint64_t address);

  std::uint64_t highest_;
  bool has_write_only_;
  Ranges ranges_;
  std::set<std::uint64_t> written_;              // observed pages that were stored to
  std::map<std::uint64_t, std::uint8_t> bytes_;  // those that are not 0
};

}  // namespace hardclock::conform
