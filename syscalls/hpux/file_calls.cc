// HP-UX's file calls whose structures or requests are its own.
// Sources: aeriebsd, sys/compat/hpux (hpux_file.c, hpux.h); Linux, arch/parisc/hpux/fs.c; HP's
// simulator Ski, src/lp64struct.h (struct stat64, stat64x, flock64).
#include <array>
#include <vector>

#include "syscalls/hpux/calls.h"
#include "syscalls/posix/files/directory_calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/files/flock.h"
#include "syscalls/posix/files/terminal_calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/sockets/socket_transfer.h"

namespace hardclock::hpux::calls {
namespace {

using posix::GuestStruct;

// Of an off_t.
constexpr std::size_t narrow_offset = 4, wide_offset = 8;

bool is_wide(const Call& call) {
  return call.abi().address_bits == 64;
}

// ---- struct stat, and struct stat64 of 32-bit programs whose off_t has 64 bits. The ids have 16
// bits, and 32 behind all else.

GuestStruct to_stat(const Call& call, const host::FileStatus& status, std::size_t offset_bytes) {
  GuestStruct stat(call);
  stat.word(status.device).word_long(status.inode);
  stat.half(posix::mode_of(status)).half(status.links).half(status.owner).half(status.group);
  stat.word(0).member(offset_bytes, status.size);  // st_rdev
  for (const host::FileTime& time :
       {status.times.access, status.times.modification, status.times.change}) {
    stat.time(static_cast<std::uint64_t>(time.seconds)).skip_longs(1);
  }
  stat.word_long(posix::preferred_block_size).member(offset_bytes, status.blocks);
  stat.skip(16).skip_longs(1).word(status.device).half(posix::mode_of(status));  // st_realdev
  return stat.word(status.owner).word(status.group).skip(8).skip_longs(1);
}

// ---- Directory entries.

// What entries of both kinds end with: the lengths of the entry and of the name, and the name,
// padded with NULs to a multiple of `alignment`.
std::vector<std::uint8_t> with_name(GuestStruct members, const host::DirectoryEntry& entry,
                                    std::size_t alignment) {
  const std::size_t name_bytes = entry.name.size() + 1;
  const std::size_t used = members.bytes().size() + 4 + name_bytes;
  members.half((used + alignment - 1) / alignment * alignment).half(entry.name.size());
  return members.text(entry.name, name_bytes).align(alignment).bytes();
}

std::vector<std::uint8_t> to_direntry(const host::DirectoryEntry& entry, std::uint64_t,
                                      Endian endian) {
  return with_name(GuestStruct({.endian = endian}).word(entry.inode), entry, 4);
}

// Entries begin at multiples of a long.
template <std::size_t long_bytes>
std::vector<std::uint8_t> to_dirent(const host::DirectoryEntry& entry, std::uint64_t next,
                                    Endian endian) {
  return with_name(GuestStruct({.endian = endian}).wide(next).word(entry.inode), entry, long_bytes);
}

// ---- File systems. All files seem to be in one whose figures never change, so that no run depends
// on the host's disks: 4 GiB in blocks, half of it used.

constexpr std::uint32_t file_system_blocks = 1 << 20, free_blocks = file_system_blocks / 2;
constexpr std::uint32_t file_system_inodes = 1 << 20, free_inodes = file_system_inodes / 2;
constexpr std::uint32_t name_max = 255;  // HP-UX Reference, limits(5)

// What struct statvfs and struct statvfs64 end with. 16 characters of f_basetype are System V.4's:
// HP's manual has only the name FSTYPSZ.
GuestStruct& add_file_system_name(GuestStruct& status, std::uint64_t device) {
  status.word_long(device).text("vxfs", 16);  // f_fsid, f_basetype
  status.word_long(0).word_long(name_max);    // f_flag, f_namemax
  return status.skip(32).time(0);             // f_fstr, f_time
}

// struct statvfs: members and order are those of statvfs(2), HP-UX Reference 11i v1 (00/12), where
// all are longs; that it is the order in memory is a guess, as no program was found that says so.
GuestStruct to_statvfs(const Call& call, const host::FileStatus& file) {
  GuestStruct status(call);
  for (const std::uint32_t value :
       {posix::preferred_block_size, posix::preferred_block_size, file_system_blocks,
        file_system_blocks, free_blocks, free_blocks, file_system_inodes, free_inodes,
        free_inodes}) {  // f_bsize, f_frsize, f_blocks, f_size ... f_favail
    status.word_long(value);
  }
  return add_file_system_name(status, file.device);
}

// struct statvfs64 of 32-bit programs: members, types and order are those of statvfs(2) of 11i v3,
// which has the counts of 64 bits first; the order in memory is a guess, too.
GuestStruct to_statvfs64(const Call& call, const host::FileStatus& file) {
  GuestStruct status(call);
  for (const std::uint32_t value : {file_system_blocks, free_blocks, free_blocks,
                                    file_system_inodes, free_inodes, free_inodes}) {
    status.wide(value);
  }
  status.word_long(posix::preferred_block_size).word_long(posix::preferred_block_size);
  status.word_long(file_system_blocks);  // f_size
  return add_file_system_name(status, file.device);
}

// ---- fcntl(2): commands besides those that every Unix has. struct flock, and struct flock64.

enum FcntlCommand : std::uint32_t {
  f_getlk = 5,
  f_setlk = 6,
  f_setlkw = 7,
  f_getlk64 = 8,
  f_setlk64 = 9,
  f_setlkw64 = 10,
};
constexpr posix::FlockLayout flock_narrow{.offset_bytes = narrow_offset},
    flock_wide{.offset_bytes = wide_offset, .alignment = 8};

CallResult lock_command(Call& call, std::uint32_t command) {
  const bool has_wide_offsets = is_wide(call) || command >= f_getlk64;
  auto flock = posix::Flock::read(call, has_wide_offsets ? flock_wide : flock_narrow);
  if (!flock) return CallResult::failure(flock.error());
  const auto request = flock->request();
  if (!request) return CallResult::failure(Errno::einval);
  if (command == f_getlk || command == f_getlk64) {
    const auto lock = posix::find_lock(call, *request);
    return lock ? flock->answer(call, *lock) : CallResult::failure(lock.error());
  }
  return posix::set_lock(call, *request, command == f_setlkw || command == f_setlkw64);
}

// lockf(2): F_ULOCK, F_LOCK, F_TLOCK and F_TEST, for `size` bytes from the file's position on, or
// before it if negative. Where fcntl(2) would return EAGAIN instead of waiting, lockf returns
// EACCES.
CallResult lock_section(Call& call, std::int64_t size) {
  enum Function : std::uint32_t { f_ulock, f_lock, f_tlock, f_test };
  constexpr std::uint32_t seek_cur = 1;
  if (posix::file_at(call) == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t function = call.argument(1);
  if (function > f_test) return CallResult::failure(Errno::einval);
  using Kind = posix::LockRequest::Kind;
  const posix::LockRequest request{function == f_ulock ? Kind::unlock : Kind::exclusive, seek_cur,
                                   0, size};
  if (function == f_test) {
    const auto lock = posix::find_lock(call, request);
    if (!lock) return CallResult::failure(lock.error());
    return *lock ? CallResult::failure(Errno::eacces) : CallResult::value(0);
  }
  const CallResult result = posix::set_lock(call, request, function == f_lock);
  const bool is_taken = result.kind == CallResult::Kind::error && result.error == Errno::eagain;
  return is_taken ? CallResult::failure(Errno::eacces) : result;
}

// An off_t in place of the shared handlers' 64-bit one: arguments 4 and 5.
void widen_offset(Call& call) {
  const auto offset = static_cast<std::uint64_t>(call.offset(3));
  call.arguments[4] = offset >> 32;
  call.arguments[5] = offset & 0xffffffff;
}

// By what pathconf(2) lists first, from 0 on: GNU bash for HP-UX asks for _PC_NAME_MAX by 3.
// Values: HP-UX Reference, limits(5).
CallResult file_limit(std::uint64_t variable) {
  constexpr std::array<std::uint32_t, 6> limits = {
      32767,  // _PC_LINK_MAX
      512,    // _PC_MAX_CANON
      512,    // _PC_MAX_INPUT
      name_max,
      1023,  // _PC_PATH_MAX
      8192,  // _PC_PIPE_BUF
  };
  if (variable >= limits.size()) return CallResult::failure(Errno::einval);
  return CallResult::value(limits[variable]);
}

}  // namespace

// (file, status). EOVERFLOW: the size does not fit the structure.
CallResult write_status(Call& call, FileAt which, std::size_t offset_bytes) {
  const auto status = posix::status_of(call, which);
  if (!status) return CallResult::failure(status.error());
  if (is_wide(call)) offset_bytes = wide_offset;
  if (offset_bytes == narrow_offset && status->size > 0x7fffffff) {
    return CallResult::failure(Errno::eoverflow);
  }
  return to_stat(call, *status, offset_bytes).store(call, call.address(1));
}

// struct statfs: 15 words in programs of both widths (statfs(2) of 11i: int32_t), an unsigned short
// and padding.
CallResult write_statfs(Call& call, FileAt which) {
  const auto file = posix::status_of(call, which);
  if (!file) return CallResult::failure(file.error());
  const std::array<std::uint32_t, 16> words = {
      0,           posix::preferred_block_size, file_system_blocks, free_blocks,
      free_blocks, file_system_inodes,          free_inodes};
  return posix::write_words(call, call.address(1), words, CallResult::value(0));
}

// (file, status)
CallResult write_statvfs(Call& call, FileAt which, bool has_wide_counts) {
  const auto file = posix::status_of(call, which);
  if (!file) return CallResult::failure(file.error());
  const GuestStruct status =
      has_wide_counts && !is_wide(call) ? to_statvfs64(call, *file) : to_statvfs(call, *file);
  return status.store(call, call.address(1));
}

// (path, variable)
CallResult pathconf(Call& call) {
  const auto status = posix::status_of(call, FileAt::path);
  if (!status) return CallResult::failure(status.error());
  return file_limit(call.argument(1));
}

// (file, variable)
CallResult fpathconf(Call& call) {
  if (posix::file_at(call) == nullptr) return CallResult::failure(Errno::ebadf);
  return file_limit(call.argument(1));
}

// getdirentries(fd, buffer, bytes, position): stores the position of the entries in the directory.
CallResult getdirentries(Call& call) {
  const auto file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  posix::Directory* const directory = file->directory();
  if (directory == nullptr) return CallResult::failure(Errno::enotdir);
  const CallResult written =
      GuestStruct(call).word_long(directory->position).store(call, call.address(3));
  if (written.kind == CallResult::Kind::error) return written;
  const auto names = posix::read_names(call, 0, call.address(1), call.argument(2), to_direntry);
  return names ? CallResult::value(names->bytes) : CallResult::failure(names.error());
}

CallResult getdents(Call& call) {
  const auto names = posix::read_names(call, 0, call.address(1), call.argument(2),
                                       is_wide(call) ? to_dirent<8> : to_dirent<4>);
  return names ? CallResult::value(names->bytes) : CallResult::failure(names.error());
}

// utime(path, times): struct utimbuf is two time_t, which are longs. NULL: now.
CallResult utime(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  host::TimeChange access = host::TimeChange::now(), modification = access;
  if (call.address(1) != GuestAddr(0)) {
    posix::GuestReader times(call, call.address(1));
    access = host::FileTime{times.time(), 0};
    modification = host::FileTime{times.time(), 0};
    if (!times.ok()) return CallResult::failure(Errno::efault);
  }
  return posix::done_or_errno(
      call.os.files().set_times(*path, access, modification, host::Follow::yes));
}

// pread(fd, buffer, size, offset); pread64(fd, buffer, size, pad, int64 offset)
CallResult pread(Call& call) {
  widen_offset(call);
  return posix::calls::pread(call);
}

CallResult pwrite(Call& call) {
  widen_offset(call);
  return posix::calls::pwrite(call);
}

// The most descriptors that the process may have: getdtablesize(2) of the C library.
CallResult getnumfds(Call& call) {
  return CallResult::value(call.descriptors().limit());
}

CallResult fcntl(Call& call) {
  const auto common = posix::fcntl_common(call);
  if (common) return *common;
  const std::uint32_t command = call.argument(1);
  if (command < f_getlk || command > f_setlkw64) return CallResult::failure(Errno::einval);
  return lock_command(call, command);
}

// The other requests are a terminal's; isatty(3C) asks TCGETA or TCGETATTR.
CallResult ioctl(Call& call) {
  // _IOW('f', 126, int) of aeriebsd, _IOW('f', 118, int) of Lites; _IOR('f', 127, int)
  constexpr std::uint32_t fiosnbio = 0x8004667e, older_fiosnbio = 0x80046676, fionread = 0x4004667f;
  // _IOR('s', 7, int), _IOW('s', 8, int) and _IOR('s', 9, int) of 4.3BSD (sys/ioctl.h)
  constexpr std::uint32_t siocatmark = 0x40047307, siocspgrp = 0x80047308, siocgpgrp = 0x40047309;
  if (posix::file_at(call) == nullptr) return CallResult::failure(Errno::ebadf);
  switch (call.argument(1)) {
    case fiosnbio:
    case older_fiosnbio:
      return posix::set_non_blocking(call);
    case fionread:
      return posix::count_available(call);
    case siocatmark:
      return posix::is_at_mark(call);
    case siocspgrp:
      return posix::set_owner_at(call);
    case siocgpgrp:
      return posix::get_owner_at(call);
    default:
      return posix::terminal_request(call);
  }
}

CallResult lockf(Call& call) {
  return lock_section(call, call.offset(2));
}

CallResult lockf64(Call& call) {
  return lock_section(call, static_cast<std::int64_t>(call.argument64(2)));
}

}  // namespace hardclock::hpux::calls
