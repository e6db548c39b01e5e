// Reading the names in a directory: getdents(2) and its relatives.
#pragma once

#include <cstdint>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "syscalls/posix/call.h"

namespace hardclock::posix {

// A system's layout of one entry: its bytes, including the record's length and padding. `next` is
// the position after the entry, as lseek(2) takes it.
using DirectoryRecord = std::vector<std::uint8_t> (*)(const host::DirectoryEntry& entry,
                                                      std::uint64_t next, Endian endian);

struct NamesRead {
  std::uint64_t bytes = 0;  // 0: the end of the directory
  bool at_end = false;      // no names remain
};

// Fills the buffer with as many entries as fit, from the directory's position on. EBADF, ENOTDIR,
// EFAULT; EINVAL if not even one fits; ENOENT if the directory is gone.
Result<NamesRead, Errno> read_names(Call& call, std::size_t descriptor, GuestAddr buffer,
                                    std::uint64_t size, DirectoryRecord record);

}  // namespace hardclock::posix
