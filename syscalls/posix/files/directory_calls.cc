#include "syscalls/posix/files/directory_calls.h"

#include "syscalls/posix/buffers.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::posix {
namespace {

struct Records {
  std::vector<std::uint8_t> bytes;
  std::uint64_t end = 0;  // the position behind the last one
};

// As many as fit into so many bytes.
Records records_from(const Directory& directory, std::uint64_t size, DirectoryRecord record,
                     Endian endian) {
  const auto& entries = directory.listing.entries();
  Records records{{}, directory.position};
  while (records.end < entries.size()) {
    const auto next = record(entries[records.end], records.end + 1, endian);
    if (records.bytes.size() + next.size() > size) break;
    records.bytes.insert(records.bytes.end(), next.begin(), next.end());
    ++records.end;
  }
  return records;
}

}  // namespace

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
  Records records = records_from(*directory, size, record, call.memory.endian());
  if (records.bytes.empty() && records.end < entries.size()) return Failure{Errno::einval};
  if (call.system.moves_what_fits) {
    const Buffers there({{buffer, records.bytes.size()}});
    const std::uint64_t room = there.reach(call.memory, 0, records.bytes.size(), Access::write);
    const bool is_short = room < records.bytes.size();
    if (is_short) records = records_from(*directory, room, record, call.memory.endian());
    if (is_short && records.bytes.empty()) return Failure{Errno::efault};
  }
  if (!call.memory.write_bytes(buffer, records.bytes)) return Failure{Errno::efault};
  directory->position = records.end;
  return NamesRead{records.bytes.size(), records.end >= entries.size()};
}

}  // namespace hardclock::posix
