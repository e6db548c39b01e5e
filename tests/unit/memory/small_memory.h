// An address space of a few pages, for the tests of its rules.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>

#include "sim/memory/address_space.h"

namespace hardclock {

inline constexpr Permissions none{};
inline constexpr Permissions r{.read = true};
inline constexpr Permissions w{.write = true};
inline constexpr Permissions rw{.read = true, .write = true};
inline constexpr Permissions rx{.read = true, .execute = true};

// 2 GB, where the user's part of a 32-bit MIPS address space ends (kuseg).
inline constexpr GuestAddr kuseg_end{0x8000'0000};

inline std::shared_ptr<MemoryBudget> pages(std::uint64_t count) {
  return std::make_shared<MemoryBudget>(count * page_size);
}

struct Memory : AddressSpace {
  explicit Memory(Endian endian = Endian::big, std::uint64_t page_count = 64)
      : AddressSpace(pages(page_count), endian, kuseg_end) {}
};

inline GuestAddr at(std::uint64_t address) {
  return GuestAddr(address);
}

inline constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

// Where translated code makes an access without a look at the address space; null: it has to look.
inline std::uint8_t* flat_host(AddressSpace& memory, std::uint64_t address, Access access) {
  const FlatTable* const table = memory.flat_translations();
  if (table == nullptr) return nullptr;
  const std::size_t first = access == Access::write ? FlatTable::pages : 0;
  const std::uint64_t word = table->words()[first + (address >> page_shift)];
  return word == 0 ? nullptr : reinterpret_cast<std::uint8_t*>(address - word);
}

// Whether an access needs no look at the address space: the engine reads the table's entry itself,
// and translated code, in a table of its own, finds the same.
inline bool may_hit(AddressSpace& memory, std::uint64_t address, Access access) {
  const AccessTable::Entry& entry = memory.translations().at(address);
  const std::uint64_t tag = access == Access::write ? entry.write_tag : entry.read_tag;
  const std::uint64_t page = address & ~page_mask;
  // Of an entry, pages may take turns.
  const auto is_others = [page](std::uint64_t each) {
    return each != page && each != AccessTable::no_tag;
  };
  if (!is_others(entry.read_tag) && !is_others(entry.write_tag)) {
    EXPECT_EQ(flat_host(memory, address, access), tag == page ? entry.host(address) : nullptr);
  }
  return tag == page;
}

// Whether the access failed, and with this fault.
template <class T>
testing::AssertionResult faults(const Result<T, Fault>& result, Fault::Kind kind, Access access,
                                GuestAddr address) {
  if (result.ok()) return testing::AssertionFailure() << "no fault";
  const Fault& fault = result.error();
  if (fault.kind == kind && fault.access == access && fault.address == address) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "kind " << static_cast<int>(fault.kind) << ", access " << static_cast<int>(fault.access)
         << ", address " << std::hex << fault.address.value();
}

}  // namespace hardclock
