#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/process_state.h"

namespace hardclock::posix {
namespace {

// A guest is one user (process_state.h), whoever runs it: what is the host user's own is its own.
Result<host::FileStatus, Errno> as_guest_sees(host::HostResult<host::FileStatus> status) {
  if (!status) return Failure{to_errno(status.error())};
  if (status->is_own_owner) status->owner = first_user;
  if (status->is_own_group) status->group = first_user;
  return *status;
}

}  // namespace

Result<host::FileStatus, Errno> status_of(Call& call, GuestAddr path, host::Follow follow) {
  const auto name = read_path(call, path);
  if (!name) return Failure{name.error()};
  return status_of(call, *name, follow);
}

Result<host::FileStatus, Errno> status_of(Call& call, const host::GuestPath& path,
                                          host::Follow follow) {
  return as_guest_sees(call.os.files().status(path, follow));
}

Result<host::FileStatus, Errno> status_of_descriptor(Call& call, std::size_t argument) {
  const auto file = raw_file_at(call, argument);
  if (file == nullptr) return Failure{Errno::ebadf};
  return as_guest_sees(file->status());
}

Result<host::FileStatus, Errno> status_of(Call& call, FileAt which, std::size_t argument) {
  if (which == FileAt::descriptor) return status_of_descriptor(call, argument);
  return status_of(call, call.address(argument),
                   which == FileAt::link ? host::Follow::no : host::Follow::yes);
}

std::uint32_t mode_of(const host::FileStatus& status) {
  const auto type = [&]() -> std::uint32_t {
    switch (status.type) {
      case host::FileType::regular:
        return 0100000;
      case host::FileType::directory:
        return 0040000;
      case host::FileType::symlink:
        return 0120000;
      case host::FileType::character_device:
        return 0020000;
      case host::FileType::block_device:
        return 0060000;
      case host::FileType::fifo:
        return 0010000;
      case host::FileType::socket:
        return 0140000;
      case host::FileType::anonymous:
        return 0;
    }
    return 0;
  };
  return type() | status.permissions;
}

}  // namespace hardclock::posix
