// The status of files. struct stat is the architecture's; struct statx is that of
// include/uapi/linux/stat.h.
#include "syscalls/linux/calls.h"
#include "syscalls/linux/path_at.h"
#include "syscalls/linux/stat_layouts.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {
namespace {

using host::FileStatus;
using host::FileTime;
using posix::GuestStruct;

// Everything except the time of birth, and that.
constexpr std::uint32_t statx_basic_stats = 0x7ff, statx_btime = 0x800;
constexpr std::size_t statx_bytes = 256;

using StatusResult = Result<FileStatus, Errno>;

GuestStruct to_statx(const Call& call, const FileStatus& status) {
  const auto put_time = [](GuestStruct& members, const FileTime& time) {
    members.wide(static_cast<std::uint64_t>(time.seconds)).word(time.nanoseconds).skip(4);
  };
  GuestStruct members(call);
  members.word(statx_basic_stats | (status.birth ? statx_btime : 0));
  members.word(posix::preferred_block_size).wide(0);
  members.word(status.links).word(status.owner).word(status.group);
  members.half(posix::mode_of(status)).skip(2);
  members.wide(status.inode).wide(status.size).wide(status.blocks).wide(0);
  put_time(members, status.times.access);
  put_time(members, status.birth.value_or(FileTime{}));
  put_time(members, status.times.change);
  put_time(members, status.times.modification);
  const DeviceNumber represented = device_number(status);  // stx_rdev
  members.word(represented.major).word(represented.minor);
  members.word(0).word(status.device);  // stx_dev: major and minor
  members.skip(statx_bytes - members.bytes().size());
  return members;
}

using Layout = GuestStruct (*)(const Call&, const FileStatus&);

CallResult write_status(Call& call, const StatusResult& status, std::size_t buffer, Layout layout) {
  if (!status) return CallResult::failure(status.error());
  return layout(call, *status).store(call, call.address(buffer));
}

// For (directory, path, ..., flags): the status of the path or, with an empty path and
// libc's fstat(3) is one of a descriptor.
StatusResult status_at(Call& call, std::uint32_t flags) {
  const bool is_of_descriptor =
      (flags & at_empty_path) != 0 && call.signed_argument(0) != at_fdcwd && is_empty_path(call, 0);
  if (is_of_descriptor) return posix::status_of_descriptor(call, 0);
  const auto named = path_at(call, 0, flags);
  if (!named) return Failure{named.error()};
  return posix::status_of(call, named->path, named->follow);
}

}  // namespace

namespace calls {

CallResult write_file_status(Call& call, FileAt which, bool is_stat64) {
  const Uapi& uapi = uapi_of(call.system);
  return write_status(call, posix::status_of(call, which), 1, is_stat64 ? uapi.stat64 : uapi.stat);
}

CallResult fstatat64(Call& call) {
  return write_status(call, status_at(call, call.argument(3)), 2, uapi_of(call.system).stat64);
}

CallResult statx(Call& call) {
  return write_status(call, status_at(call, call.argument(2)), 4, to_statx);
}

}  // namespace calls
}  // namespace hardclock::gnu_linux
