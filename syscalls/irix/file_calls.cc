// IRIX's file calls whose structures or requests are its own. The structures are those of
// <sys/stat.h>, <sys/dirent.h> and <sys/fcntl.h>, as NetBSD's sys/compat/irix/irix_types.h has
// them: in n32 off_t and ino_t have 64 bits, in n64 every long and pointer besides.
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/irix/semaphore_device.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/files/directory_calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

using mips_ports::DataModel;
using posix::GuestStruct;

// ---- struct stat.

// Versions of the structure, the first argument of xstat and its relatives (<sys/stat.h>). Version
// 1 was System V.3's.
constexpr std::uint32_t stat_version = 2, stat64_version = 3;
constexpr std::string_view file_system_type = "xfs";
// Device numbers have 18 bits of minor number (<sys/types.h>).
constexpr unsigned minor_bits = 18;

// The width of ino_t, off_t and blkcnt_t: those of struct stat64 are wide in o32 and n32, too.
// Returns 0 if there is no such version.
std::size_t size_bytes(const Call& call, std::uint32_t version) {
  if (version != stat_version && version != stat64_version) return 0;
  return call.abi().register_bits == 64 || version == stat64_version ? 8 : 4;
}

GuestStruct to_stat(const Call& call, const host::FileStatus& status, std::size_t bytes,
                    std::uint32_t device) {
  GuestStruct stat(call);
  stat.word(status.device << minor_bits).skip_longs(3);
  stat.member(bytes, status.inode).word(posix::mode_of(status)).word(status.links);
  stat.word(status.owner).word(status.group);
  stat.word(device).skip_longs(2).member(bytes, status.size).skip_longs(1);  // st_rdev
  for (const host::FileTime& time :
       {status.times.access, status.times.modification, status.times.change}) {
    stat.time(static_cast<std::uint64_t>(time.seconds)).word_long(time.nanoseconds);
  }
  stat.word_long(posix::preferred_block_size).member(bytes, status.blocks);
  return stat.text(file_system_type, 16).skip_longs(8);
}

// ---- struct dirent.

// ino_t and off_t of so many bytes, the entry's length, and its name.
std::vector<std::uint8_t> to_dirent(const host::DirectoryEntry& entry, std::uint64_t next,
                                    Endian endian, std::size_t bytes) {
  const std::size_t used = 2 * bytes + 2 + entry.name.size() + 1;
  GuestStruct dirent({.endian = endian});
  dirent.member(bytes, entry.inode).member(bytes, next);
  dirent.half((used + bytes - 1) / bytes * bytes).text(entry.name, entry.name.size() + 1);
  return dirent.align(bytes).bytes();
}

std::vector<std::uint8_t> to_dirent32(const host::DirectoryEntry& entry, std::uint64_t next,
                                      Endian endian) {
  return to_dirent(entry, next, endian, 4);
}

std::vector<std::uint8_t> to_dirent64(const host::DirectoryEntry& entry, std::uint64_t next,
                                      Endian endian) {
  return to_dirent(entry, next, endian, 8);
}

posix::DirectoryRecord dirent_form(const Call& call, bool is_wide) {
  const bool is_narrow = !is_wide && mips_ports::data_model_of(call.abi()) == DataModel::o32;
  return is_narrow ? to_dirent32 : to_dirent64;
}

constexpr std::string_view descriptor_folder = "/dev/fd/";

// The number of /dev/fd/N; nullopt: the path is another.
std::optional<std::int64_t> named_descriptor(std::string_view path) {
  if (!path.starts_with(descriptor_folder)) return std::nullopt;
  const std::string_view name = path.substr(descriptor_folder.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_whole = error == std::errc() && end == name.data() + name.size();
  return is_whole ? std::optional<std::int64_t>(number) : std::nullopt;
}

}  // namespace

// fd(4): "If file descriptor n is open, these two system calls have the same effect": open() of
// /dev/fd/N, with any mode, and dup(N). EBADF if it is not open.
std::optional<CallResult> open_descriptor(Call& call, const host::GuestPath& path) {
  const auto number = named_descriptor(path.text());
  if (!number) return std::nullopt;
  auto file = call.descriptors().get(*number);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  return posix::add_descriptor(call, std::move(file));
}

// On the files of /dev/fd it is open().
CallResult creat(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  if (const auto result = open_descriptor(call, *path)) return *result;
  return posix::calls::creat(call);
}

// xstat(version, file, status) and its relatives. EOVERFLOW: the size does not fit the structure.
CallResult write_status(Call& call, FileAt which) {
  const std::size_t bytes = size_bytes(call, call.argument(0));
  if (bytes == 0) return CallResult::failure(Errno::einval);
  const auto status = posix::status_of(call, which, 1);
  if (!status) return CallResult::failure(status.error());
  if (bytes == 4 && status->size > 0x7fffffff) return CallResult::failure(Errno::eoverflow);
  const auto file = which == FileAt::descriptor
                        ? std::dynamic_pointer_cast<SemaphoreFile>(posix::file_at(call, 1))
                        : nullptr;
  const bool is_device = file != nullptr && file->device() != nullptr;
  return to_stat(call, *status, bytes, is_device ? file->device()->number() : 0)
      .store(call, call.address(2));
}

CallResult write_old_status(Call& call, FileAt which) {
  const auto status = posix::status_of(call, which);
  if (!status) return CallResult::failure(status.error());
  if (status->size > 0x7fffffff) return CallResult::failure(Errno::eoverflow);
  const auto short_of = [](std::uint64_t value) { return static_cast<std::uint16_t>(value); };
  GuestStruct stat(call);
  stat.word(static_cast<std::uint32_t>(status->inode)).half(short_of(status->device));
  stat.half(short_of(posix::mode_of(*status))).half(short_of(status->links));
  stat.half(short_of(status->owner)).half(short_of(status->group)).half(0);  // st_rdev
  stat.word(static_cast<std::uint32_t>(status->size));
  for (const host::FileTime& time :
       {status->times.access, status->times.modification, status->times.change}) {
    stat.word(static_cast<std::uint32_t>(time.seconds));
  }
  return stat.store(call, call.address(1));
}

// getdents(fd, buffer, size)
CallResult read_dirents(Call& call, bool is_wide) {
  const auto names =
      posix::read_names(call, 0, call.address(1), call.arguments[2], dirent_form(call, is_wide));
  return names ? CallResult::value(names->bytes) : CallResult::failure(names.error());
}

// ngetdents(fd, buffer, size, eof): stores 1 at `eof`, an int, if no names remain, else 0.
CallResult read_dirents_and_end(Call& call, bool is_wide) {
  if (!call.memory.probe(call.address(3), 4, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  const auto names =
      posix::read_names(call, 0, call.address(1), call.arguments[2], dirent_form(call, is_wide));
  if (!names) return CallResult::failure(names.error());
  const std::uint32_t at_end[] = {names->at_end ? 1u : 0u};
  return posix::write_words(call, call.address(3), at_end, CallResult::value(names->bytes));
}

// utime(path, times): struct utimbuf is two time_t, which have 32 bits whatever a long has. NULL:
// now.
CallResult utime(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  host::TimeChange access = host::TimeChange::now(), modification = access;
  if (call.address(1) != GuestAddr(0)) {
    posix::GuestReader times(call, call.address(1));
    const auto next = [&times] { return static_cast<std::int32_t>(times.word()); };
    access = host::FileTime{next(), 0};
    modification = host::FileTime{next(), 0};
    if (!times.ok()) return CallResult::failure(Errno::efault);
  }
  return posix::done_or_errno(
      call.os.files().set_times(*path, access, modification, host::Follow::yes));
}

CallResult xmknod(Call& call) {
  constexpr std::uint32_t mknod_version = 2;
  if (call.argument(0) != mknod_version) return CallResult::failure(Errno::einval);
  return mknod_at(call, 1);
}

}  // namespace hardclock::irix::calls
