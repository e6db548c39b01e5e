#include "syscalls/posix/directory_calls.h"

#include "syscalls/posix/file_access.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::posix {

Result<NamesRead, Errno> read_names(Call& call, std::size_t descriptor, GuestAddr buffer,
                                    std::uint64_t size, DirectoryRecord record) {
  const auto file = file_at(call, descriptor);
  if (file == nullptr) return Failure{Errno::ebadf};
  Directory* const directory = file->directory();
  if (directory == nullptr) return Failure{Errno::enotdir};
  if (!directory->is_read) {
    auto entries = call.os.files().list(path_of(*directory));
    if (!entries) return Failure{to_errno(entries.error())};
    directory->listing = {};
    const auto may = call.os.files().use()->may_list(entries->size());
    if (!may) return Failure{to_errno(may.error())};
    directory->listing = Listing(*std::move(entries), call.os.files().use());
    directory->is_read = true;
  }
  const auto& entries = directory->listing.entries();
  std::vector<std::uint8_t> bytes;
  std::uint64_t position = directory->position;
  while (position < entries.size()) {
    const auto next = record(entries[position], position + 1, call.memory.endian());
    if (bytes.size() + next.size() > size) break;
    bytes.insert(bytes.end(), next.begin(), next.end());
    ++position;
  }
  if (bytes.empty() && position < entries.size()) return Failure{Errno::einval};
  if (!call.memory.write_bytes(buffer, bytes)) return Failure{Errno::efault};
  directory->position = position;
  return NamesRead{bytes.size(), position >= entries.size()};
}

}  // namespace hardclock::posix
