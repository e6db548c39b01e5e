// An address space of a few pages, for the tests of its rules.
#pragma once

#include <cstdint>
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

// Whether an access needs no look at the address space: the engine reads the table's entry itself.
inline bool may_hit(AddressSpace& memory, std::uint64_t address, Access access) {
  const AccessTable::Entry& entry = memory.translations().at(address);
  return (access == Access::write ? entry.write_tag : entry.read_tag) == (address & ~page_mask);
}

}  // namespace hardclock
