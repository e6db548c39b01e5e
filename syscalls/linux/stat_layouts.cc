#include "syscalls/linux/stat_layouts.h"

#include "syscalls/posix/file_access.h"

namespace hardclock::gnu_linux {
namespace {

using host::FileStatus;
using host::FileTime;
using posix::Call;
using posix::GuestStruct;

void put_times(GuestStruct& members, const FileStatus& status) {
  for (const FileTime& time :
       {status.times.access, status.times.modification, status.times.change}) {
    members.word(static_cast<std::uint64_t>(time.seconds)).word(time.nanoseconds);
  }
}

}  // namespace

GuestStruct mips_stat(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.word(status.device).skip(12).word(status.inode).word(posix::mode_of(status));
  members.word(status.links).word(status.owner).word(status.group);
  members.word(0).skip(8).word(status.size).skip(4);  // st_rdev, st_size
  put_times(members, status);
  members.word(posix::preferred_block_size).word(status.blocks).skip(56);
  return members;
}

GuestStruct mips_stat64(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.word(status.device).skip(12).wide(status.inode).word(posix::mode_of(status));
  members.word(status.links).word(status.owner).word(status.group);
  members.word(0).skip(12).wide(status.size);  // st_rdev, st_size
  put_times(members, status);
  members.word(posix::preferred_block_size).skip(4).wide(status.blocks);
  return members;
}

GuestStruct ia64_stat(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.wide(status.device).wide(status.inode).wide(status.links).word(posix::mode_of(status));
  members.word(status.owner).word(status.group).skip(4).wide(0).wide(status.size);  // st_rdev
  for (const FileTime& time :
       {status.times.access, status.times.modification, status.times.change}) {
    members.wide(static_cast<std::uint64_t>(time.seconds)).wide(time.nanoseconds);
  }
  return members.wide(posix::preferred_block_size).wide(status.blocks).skip(24);
}

// Owner and group have 16 bits where HP-UX has them, and 32 behind all else.
GuestStruct pa_risc_stat(const Call& call, const FileStatus& status) {
  constexpr std::size_t to_owner = 28, behind_group = 12;
  GuestStruct members(call);
  members.word(status.device).word(status.inode).half(posix::mode_of(status)).half(status.links);
  members.skip(4).word(0).word(status.size);  // st_rdev, st_size
  put_times(members, status);
  members.word(posix::preferred_block_size).word(status.blocks).skip(to_owner);
  members.word(status.owner).word(status.group).skip(behind_group);
  return members;
}

GuestStruct pa_risc_stat64(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.wide(status.device).skip(8).word(posix::mode_of(status));
  members.word(status.links).word(status.owner).word(status.group);
  members.wide(0).skip(4).wide(status.size).word(posix::preferred_block_size);  // st_rdev
  members.wide(status.blocks);
  put_times(members, status);
  return members.wide(status.inode);
}

}  // namespace hardclock::gnu_linux
