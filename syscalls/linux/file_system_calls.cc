// File systems as a whole, and what one may have and this one has not: extended attributes.
#include "syscalls/linux/calls.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestStruct;

// The figures of all file systems are the same and never change, so that no run depends on the
// host's disks: 4 GiB in blocks, half of it used.
constexpr std::uint64_t blocks = 1 << 20, inodes = 1 << 20, name_max = 255;

// include/uapi/linux/magic.h; include/linux/statfs.h: ST_NOSUID and so on, as in mounts (proc(5)).
constexpr std::uint64_t ext2_magic = 0xef53, tmpfs_magic = 0x01021994, proc_magic = 0x9fa0,
                        anon_inode_magic = 0x09041934;
constexpr std::uint64_t st_nosuid = 2, st_nodev = 4, st_noexec = 8, st_valid = 0x20,
                        st_relatime = 0x1000;

struct FileSystem {
  std::uint64_t magic = 0, flags = 0;
};

FileSystem file_system_of(const host::FileStatus& file) {
  if (file.type == host::FileType::anonymous) return {anon_inode_magic, st_valid};
  switch (file.device) {
    case host::shared_memory_device:
      return {tmpfs_magic, st_valid | st_nosuid | st_nodev};
    case host::synthetic_files_device:
      return {proc_magic, st_valid | st_nosuid | st_nodev | st_noexec | st_relatime};
    default:
      return {ext2_magic, st_valid};
  }
}

// struct statfs, with longs, and struct statfs64 of programs whose longs have 32 bits
// (arch/mips/include/uapi/asm/statfs.h, include/uapi/asm-generic/statfs.h).
GuestStruct statfs_struct(const Call& call, const host::FileStatus& file, bool is_statfs64) {
  const FileSystem file_system = file_system_of(file);
  const bool is_mips = uapi_of(call.system).fragment_size_precedes_blocks;
  const bool has_wide_counts = is_statfs64 && call.abi().long_bytes() == 4;
  GuestStruct members(call);
  const auto count = [&](std::uint64_t value) {
    has_wide_counts ? members.wide(value) : members.word_long(value);
  };
  members.word_long(file_system.magic).word_long(posix::preferred_block_size);
  if (is_mips) members.word_long(posix::preferred_block_size);
  count(blocks);
  count(blocks / 2);
  if (!is_mips) count(blocks / 2);  // f_bavail
  count(inodes);
  count(inodes / 2);
  if (is_mips) count(blocks / 2);
  members.word(0).word(0).word_long(name_max);  // f_fsid
  if (!is_mips) members.word_long(posix::preferred_block_size);
  members.word_long(file_system.flags).skip_longs(is_mips ? 5 : 4);
  return has_wide_counts ? members.align(8) : members;
}

}  // namespace

CallResult write_statfs(Call& call, FileAt which, bool is_statfs64) {
  const auto file = posix::status_of(call, which);
  if (!file) return CallResult::failure(file.error());
  const GuestStruct members = statfs_struct(call, *file, is_statfs64);
  if (!is_statfs64) return members.store(call, call.address(1));
  if (call.arguments[1] != members.bytes().size()) return CallResult::failure(Errno::einval);
  return members.store(call, call.address(2));
}

CallResult no_attributes(Call& call, FileAt which) {
  if (which == FileAt::descriptor && posix::file_at(call) == nullptr) {
    return CallResult::failure(Errno::ebadf);
  }
  const auto file = posix::status_of(call, which);
  return CallResult::failure(file ? Errno::eopnotsupp : file.error());
}

}  // namespace hardclock::gnu_linux::calls
