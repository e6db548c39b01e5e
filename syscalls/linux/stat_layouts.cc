#include "syscalls/linux/stat_layouts.h"

#include "syscalls/posix/files/file_access.h"

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

// new_encode_dev() of include/linux/kdev_t.h, of numbers below 256.
std::uint64_t represented_device(const FileStatus& status) {
  const DeviceNumber device = device_number(status);
  return device.major << 8 | device.minor;
}

}  // namespace

// Documentation/admin-guide/devices.txt
DeviceNumber device_number(const FileStatus& status) {
  using host::SpecialFile;
  if (!status.special) return {};
  switch (*status.special) {
    case SpecialFile::null:
      return {1, 3};
    case SpecialFile::zero:
      return {1, 5};
    case SpecialFile::full:
      return {1, 7};
    case SpecialFile::random:
      return {1, 8};
    case SpecialFile::urandom:
      return {1, 9};
    case SpecialFile::terminal:
      return {5, 0};
    case SpecialFile::console:
      return {5, 1};
  }
  return {};
}

GuestStruct mips_stat(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.word(status.device).skip(12).word(status.inode).word(posix::mode_of(status));
  members.word(status.links).word(status.owner).word(status.group);
  members.word(represented_device(status)).skip(8).word(status.size).skip(4);
  put_times(members, status);
  members.word(posix::preferred_block_size).word(status.blocks).skip(56);
  return members;
}

GuestStruct mips_stat64(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.word(status.device).skip(12).wide(status.inode).word(posix::mode_of(status));
  members.word(status.links).word(status.owner).word(status.group);
  members.word(represented_device(status)).skip(12).wide(status.size);
  put_times(members, status);
  members.word(posix::preferred_block_size).skip(4).wide(status.blocks);
  return members;
}

GuestStruct ia64_stat(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.wide(status.device).wide(status.inode).wide(status.links).word(posix::mode_of(status));
  members.word(status.owner).word(status.group).skip(4);
  members.wide(represented_device(status)).wide(status.size);
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
  members.skip(4).word(represented_device(status)).word(status.size);
  put_times(members, status);
  members.word(posix::preferred_block_size).word(status.blocks).skip(to_owner);
  members.word(status.owner).word(status.group).skip(behind_group);
  return members;
}

GuestStruct pa_risc_stat64(const Call& call, const FileStatus& status) {
  GuestStruct members(call);
  members.wide(status.device).skip(8).word(posix::mode_of(status));
  members.word(status.links).word(status.owner).word(status.group);
  members.wide(represented_device(status)).skip(4).wide(status.size);
  members.word(posix::preferred_block_size);
  members.wide(status.blocks);
  put_times(members, status);
  return members.wide(status.inode);
}

}  // namespace hardclock::gnu_linux
