// A process's memory as other processes see it: ptrace(2), and the files of /proc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/memory/address_space.h"
#include "sim/memory/page.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// The first region that ends above `at`; nullptr: there is none.
const Region* next_region(const AddressSpace& memory, std::uint64_t at);

// Calls visit(region) for each, by address.
template <class Visit>
void for_each_region(const AddressSpace& memory, Visit visit) {
  for (std::uint64_t at = 0; const Region* const region = next_region(memory, at);) {
    visit(*region);
    at = region->end;
  }
}

// `bytes` are not empty. Writes to pages that the program itself may not write are its own, and no
// other process sees them: a debugger's breakpoints. False: part of the range is not mapped, or is
// shared and not writable (Linux, mm/gup.c, check_vma_flags()); nothing behind the page with the
// fault is written.
bool write_forcibly(AddressSpace& memory, GuestAddr address, std::span<const std::uint8_t> bytes);

// Moves bytes page by page with move(memory, address, part), which is false where there are none:
// as many as there are. None of them: EIO.
template <class Bytes, class Move>
Transfer move_memory(AddressSpace& memory, Bytes bytes, std::uint64_t address, Move move) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::uint64_t at = address + done;
    const std::size_t part =
        std::min<std::size_t>(bytes.size() - done, page_size - (at & page_mask));
    if (!move(memory, GuestAddr(at), bytes.subspan(done, part))) break;
    done += part;
  }
  if (done == 0 && !bytes.empty()) return Failure{host::Error::io};
  return std::optional(done);
}
// As the program itself may read it.
Transfer read_memory(AddressSpace& memory, std::span<std::uint8_t> bytes, std::uint64_t address);

}  // namespace hardclock::posix
