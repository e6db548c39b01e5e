#include "syscalls/posix/process_memory.h"

namespace hardclock::posix {

// The first region that ends above `at`; nullptr: there is none.
const Region* next_region(const AddressSpace& memory, std::uint64_t at) {
  if (const Region* const here = memory.region_at(GuestAddr(at))) return here;
  const std::uint64_t end = memory.user_end().value();
  if (at >= end || memory.is_free(GuestAddr(at), end - at)) return nullptr;
  // How many bytes are free grows one way only: the last page of the gap is found by halving.
  std::uint64_t free = 0, taken = (end - at) >> page_shift;
  while (taken - free > 1) {
    const std::uint64_t middle = free + (taken - free) / 2;
    (memory.is_free(GuestAddr(at), middle << page_shift) ? free : taken) = middle;
  }
  return memory.region_at(GuestAddr(at + (free << page_shift)));
}

bool write_forcibly(AddressSpace& memory, GuestAddr address, std::span<const std::uint8_t> bytes) {
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{bytes.size() - 1}}) {
    const Region* const region = memory.region_at(address + offset);
    if (region == nullptr) continue;
    if (region->backing.shared != nullptr && !region->permissions.write) return false;
  }
  return memory.initialize(address, bytes).ok();
}

Transfer read_memory(AddressSpace& memory, std::span<std::uint8_t> bytes, std::uint64_t address) {
  return move_memory(memory, bytes, address, [](AddressSpace& from, GuestAddr at, auto part) {
    return from.read_bytes(at, part).ok();
  });
}

}  // namespace hardclock::posix
