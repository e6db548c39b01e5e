// Reading the names in a directory: getdents(2) and its relatives.
#pragma once

#include <cstdint>
#include <vector>

#include "syscalls/host/guest_files.h"
#include "syscalls/posix/call.h"

namespace hardclock::posix {

// How a system lays out one entry: its bytes, the record's length and padding included. `next` is
// the position behind the entry, which lseek(2) takes.
using DirectoryRecord = std::vector<std::uint8_t> (*)(const host::DirectoryEntry& entry,
                                                      std::uint64_t next, Endian endian);

struct NamesRead {
  std::uint64_t bytes = 0;  // 0: the end of the directory
  bool at_end = false;      // no name is left
};

// Fills the buffer with the entries from the directory's position on, as many as fit. EBADF,
// ENOTDIR, EFAULT; EINVAL when not even one fits; ENOENT when the directory is gone.
Result<NamesRead, Errno> read_names(Call& call, std::size_t descriptor, GuestAddr buffer,
                                    std::uint64_t size, DirectoryRecord record);

}  // namespace hardclock::posix
