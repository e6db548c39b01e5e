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

// Whether an access needs no look at the address space: the engine reads the table's entry itself.
inline bool may_hit(AddressSpace& memory, std::uint64_t address, Access access) {
  const AccessTable::Entry& entry = memory.translations().at(address);
  return (access == Access::write ? entry.write_tag : entry.read_tag) == (address & ~page_mask);
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
