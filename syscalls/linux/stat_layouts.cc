#include "syscalls/linux/stat_layouts.h"

#include "syscalls/posix/file_access.h"

namespace hardclock::gnu_linux {
namespace {

using host::FileStatus;
using host::FileTime;
using posix::Call;

void put_times(Record& record, const FileStatus& status) {
  for (const FileTime& time :
       {status.times.access, status.times.modification, status.times.change}) {
    record.word(static_cast<std::uint64_t>(time.seconds)).word(time.nanoseconds);
  }
}

}  // namespace

Record mips_stat(const Call& call, const FileStatus& status) {
  Record record(call);
  record.word(status.device).zeros(12).word(status.inode).word(posix::mode_of(status));
  record.word(status.links).word(status.owner).word(status.group);
  record.word(0).zeros(8).word(status.size).zeros(4);  // st_rdev, st_size
  put_times(record, status);
  record.word(posix::preferred_block_size).word(status.blocks).zeros(56);
  return record;
}

Record mips_stat64(const Call& call, const FileStatus& status) {
  Record record(call);
  record.word(status.device).zeros(12).wide(status.inode).word(posix::mode_of(status));
  record.word(status.links).word(status.owner).word(status.group);
  record.word(0).zeros(12).wide(status.size);  // st_rdev, st_size
  put_times(record, status);
  record.word(posix::preferred_block_size).zeros(4).wide(status.blocks);
  return record;
}

// Owner and group have 16 bits where HP-UX has them, and 32 behind all else.
Record pa_risc_stat(const Call& call, const FileStatus& status) {
  constexpr std::size_t to_owner = 28, behind_group = 12;
  Record record(call);
  record.word(status.device).word(status.inode).half(posix::mode_of(status)).half(status.links);
  record.zeros(4).word(0).word(status.size);  // st_rdev, st_size
  put_times(record, status);
  record.word(posix::preferred_block_size).word(status.blocks).zeros(to_owner);
  record.word(status.owner).word(status.group).zeros(behind_group);
  return record;
}

Record pa_risc_stat64(const Call& call, const FileStatus& status) {
  Record record(call);
  record.wide(status.device).zeros(8).word(posix::mode_of(status));
  record.word(status.links).word(status.owner).word(status.group);
  record.wide(0).zeros(4).wide(status.size).word(posix::preferred_block_size);  // st_rdev
  record.wide(status.blocks);
  put_times(record, status);
  return record.wide(status.inode);
}

}  // namespace hardclock::gnu_linux
