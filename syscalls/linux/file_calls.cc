// Open files and what can be done with them.
#include <optional>
#include <string>

#include "syscalls/linux/calls.h"
#include "syscalls/linux/file_owners.h"
#include "syscalls/linux/memory_file.h"
#include "syscalls/linux/pipe_calls.h"
#include "syscalls/linux/process_memory.h"
#include "syscalls/linux/uapi.h"
#include "syscalls/posix/files/directory_calls.h"
#include "syscalls/posix/files/fcntl_calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/files/flock.h"
#include "syscalls/posix/files/terminal_calls.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/sockets/socket_transfer.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::GuestStruct;

// DT_ of include/linux/fs_types.h: the type's four bits of st_mode.
std::uint8_t type_byte(const host::DirectoryEntry& entry) {
  constexpr unsigned type_shift = 12;
  host::FileStatus status;
  status.type = entry.type;
  return static_cast<std::uint8_t>(posix::mode_of(status) >> type_shift);
}

// One entry of getdents64(2): d_ino, d_off, d_reclen, d_type, d_name.
std::vector<std::uint8_t> dirent64(const host::DirectoryEntry& entry, std::uint64_t next,
                                   Endian endian) {
  constexpr std::size_t fixed_bytes = 19, alignment = 8;
  const std::size_t size = (fixed_bytes + entry.name.size() + 1 + alignment - 1) & ~(alignment - 1);
  GuestStruct members({.endian = endian});
  members.wide(entry.inode).wide(next).half(size).byte(type_byte(entry));
  std::vector<std::uint8_t> bytes = members.bytes();
  bytes.insert(bytes.end(), entry.name.begin(), entry.name.end());
  bytes.resize(size);
  return bytes;
}

// One entry of getdents(2): d_ino, d_off, d_reclen, d_name, and d_type in the last byte.
template <unsigned long_bytes>
std::vector<std::uint8_t> dirent(const host::DirectoryEntry& entry, std::uint64_t next,
                                 Endian endian) {
  const std::size_t used = 2 * long_bytes + sizeof(std::uint16_t) + entry.name.size() + 2;
  const std::size_t size = (used + long_bytes - 1) & ~std::size_t{long_bytes - 1};
  GuestStruct members({.endian = endian});
  members.member(long_bytes, entry.inode).member(long_bytes, next).half(size);
  std::vector<std::uint8_t> bytes = members.bytes();
  bytes.insert(bytes.end(), entry.name.begin(), entry.name.end());
  bytes.resize(size);
  bytes.back() = type_byte(entry);
  return bytes;
}

CallResult with_close_on_exec(Call& call, CallResult result, std::uint32_t flags) {
  if (result.kind == CallResult::Kind::value &&
      (flags & call.system.open_flags.close_on_exec) != 0) {
    call.descriptors().set_close_on_exec(static_cast<std::int64_t>(result.first), true);
  }
  return result;
}

// getdents(directory, entries, bytes)
CallResult entries(Call& call, posix::DirectoryRecord record) {
  const auto read = posix::read_names(call, 0, call.address(1), call.argument(2), record);
  if (!read) return CallResult::failure(read.error());
  return CallResult::value(read->bytes);
}

// The offset of preadv(2) and pwritev(2): the low long at argument 3, the high one behind it.
std::int64_t vector_offset(const Call& call) {
  if (call.abi().long_bytes() == 8) return static_cast<std::int64_t>(call.arguments[3]);
  return static_cast<std::int64_t>(std::uint64_t{call.argument(4)} << 32 | call.argument(3));
}

using VectorCall = CallResult (*)(Call& call, std::optional<std::uint64_t> offset);

// fcntl(2)'s further commands (include/uapi/linux/fcntl.h).
constexpr std::uint32_t f_dupfd = 0, f_ofd_getlk = 36, f_ofd_setlkw = 38, f_dupfd_cloexec = 1030;

// The commands with a struct flock or flock64; nullopt for others.
std::optional<CallResult> lock_command(Call& call, std::uint32_t command) {
  const Uapi& uapi = uapi_of(call.system);
  const LockCommands& known = uapi.lock_commands;
  const bool of_open_file = f_ofd_getlk <= command && command <= f_ofd_setlkw;
  const bool is_wide = of_open_file || command == known.get64 || command == known.set64 ||
                       command == known.set64_and_wait;
  const bool gets = command == known.get || command == known.get64 || command == f_ofd_getlk;
  const bool waits =
      command == known.set_and_wait || command == known.set64_and_wait || command == f_ofd_setlkw;
  if (!is_wide && !gets && !waits && command != known.set) return std::nullopt;
  posix::FlockLayout layout = uapi.flock;
  if (is_wide || call.abi().long_bytes() == 8) {
    layout = {.offset_bytes = 8, .alignment = 8, .shared_type = layout.shared_type};
  }
  auto flock = posix::Flock::read(call, layout);
  if (!flock) return CallResult::failure(flock.error());
  auto request = flock->request();
  if (!request || (of_open_file && flock->process() != 0)) {
    return CallResult::failure(Errno::einval);
  }
  request->of_open_file = of_open_file;
  if (!gets) return posix::set_lock(call, *request, waits);
  const auto lock = posix::find_lock(call, *request);
  return lock ? flock->answer(call, *lock) : CallResult::failure(lock.error());
}

// SEEK_DATA and SEEK_HOLE (include/uapi/linux/fs.h).
constexpr std::uint32_t seek_data = 3, seek_hole = 4;

// The operations of fallocate(2) (include/uapi/linux/falloc.h); nullopt: EOPNOTSUPP.
std::optional<host::SpaceChange> space_change(std::uint32_t mode) {
  using Kind = host::SpaceChange::Kind;
  constexpr std::uint32_t keep_size = 1, punch_hole = 2, zero_range = 16;
  host::SpaceChange change{.keep_size = (mode & keep_size) != 0};
  switch (mode & ~keep_size) {
    case 0:
      return change;
    case zero_range:
      change.kind = Kind::zero;
      return change;
    case punch_hole:
      change.kind = Kind::punch;
      return change.keep_size ? std::optional(change) : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Why an open file has no space to change (Linux, fs/open.c, vfs_fallocate()).
std::optional<Errno> refusal_of_space(posix::OpenFile& file) {
  if (!file.rights().write) return Errno::ebadf;
  const auto status = file.status();
  if (!status) return posix::to_errno(status.error());
  if (status->type == host::FileType::fifo) return Errno::espipe;
  if (status->type != host::FileType::regular) return Errno::enodev;
  return std::nullopt;
}

}  // namespace

CallResult lseek(Call& call) {
  const std::uint32_t whence = call.argument(2);
  if (whence != seek_data && whence != seek_hole) return posix::calls::lseek(call);
  const auto file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto position = file->seek(call.offset(1), static_cast<host::Whence>(whence));
  if (!position) return CallResult::failure(posix::to_errno(position.error()));
  const bool is_narrow = call.abi().register_bits == 32;
  if (is_narrow && *position > posix::largest_transfer) {
    return CallResult::failure(Errno::eoverflow);
  }
  return CallResult::offset(*position);
}

// _llseek(fd, high, low, result, whence)
CallResult llseek(Call& call) {
  const auto file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const std::uint32_t whence = call.argument(4);
  if (whence > seek_hole) return CallResult::failure(Errno::einval);
  const std::uint64_t offset = std::uint64_t{call.argument(1)} << 32 | call.argument(2);
  const auto position =
      file->seek(static_cast<std::int64_t>(offset), static_cast<host::Whence>(whence));
  if (!position) return CallResult::failure(posix::to_errno(position.error()));
  return GuestStruct(call).wide(*position).store(call, call.address(3));
}

// fallocate(fd, mode, offset, length), whose offsets have 64 bits.
CallResult fallocate(Call& call) {
  const auto file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto offset = static_cast<std::int64_t>(call.argument64(2));
  const auto length = static_cast<std::int64_t>(call.argument64(4));
  if (offset < 0 || length <= 0) return CallResult::failure(Errno::einval);
  auto change = space_change(call.argument(1));
  if (!change) return CallResult::failure(Errno::eopnotsupp);
  if (const auto refused = refusal_of_space(*file)) return CallResult::failure(*refused);
  change->offset = static_cast<std::uint64_t>(offset);
  change->length = static_cast<std::uint64_t>(length);
  if (!change->keep_size &&
      !posix::may_have_size(call, file->status()->size, change->offset + change->length)) {
    return CallResult::failure(Errno::efbig);
  }
  const auto done = file->change_space(*change);
  if (!done && done.error() == host::Error::not_supported) {
    return CallResult::failure(Errno::eopnotsupp);
  }
  return posix::done_or_errno(done);
}

// Unlike in dup2(2), duplicating a descriptor to itself is EINVAL.
CallResult dup3(Call& call) {
  const std::uint32_t flags = call.argument(2);
  if ((flags & ~call.system.open_flags.close_on_exec) != 0 ||
      call.argument(0) == call.argument(1)) {
    return CallResult::failure(Errno::einval);
  }
  return with_close_on_exec(call, dup2(call), flags);
}

CallResult fcntl(Call& call) {
  const std::uint32_t command = call.argument(1);
  if (command == f_dupfd_cloexec) {
    call.arguments[1] = f_dupfd;
    return with_close_on_exec(call, *posix::fcntl_common(call),
                              call.system.open_flags.close_on_exec);
  }
  if (const auto answer = posix::fcntl_common(call)) return *answer;
  if (const auto answer = owner_command(call, command)) return *answer;
  if (const auto answer = pipe_command(call, command)) return *answer;
  if (const auto answer = lock_command(call, command)) return *answer;
  if (const auto answer = seal_command(call, command)) return *answer;
  return CallResult::failure(Errno::einval);
}

CallResult ioctl(Call& call) {
  if (posix::file_at(call) == nullptr) return CallResult::failure(Errno::ebadf);
  const IoctlRequests& known = uapi_of(call.system).ioctl_requests;
  const std::uint32_t request = call.argument(1);
  if (request == known.count_available) return posix::count_available(call);
  if (request == known.set_non_blocking) return posix::set_non_blocking(call);
  if (request == known.is_at_mark) return posix::is_at_mark(call);
  if (request == known.close_on_exec) return posix::close_on_exec(call, true);
  if (request == known.keep_on_exec) return posix::close_on_exec(call, false);
  if (request == known.set_async) return posix::set_async(call);
  if (const auto answer = owner_request(call, request)) return *answer;
  return posix::terminal_request(call);
}

CallResult getdents64(Call& call) {
  return entries(call, dirent64);
}

CallResult getdents(Call& call) {
  return entries(call, call.abi().long_bytes() == 8 ? dirent<8> : dirent<4>);
}

CallResult move_vectors(Call& call, VectorCall move) {
  const std::int64_t offset = vector_offset(call);
  if (offset < 0) return CallResult::failure(Errno::einval);
  return move(call, static_cast<std::uint64_t>(offset));
}

// With flags at argument 5. What they ask for happens anyway, but for RWF_NOWAIT and RWF_APPEND.
CallResult move_vectors_with_flags(Call& call, VectorCall move) {
  constexpr std::uint32_t hipri = 1, dsync = 2, sync = 4;
  if ((call.argument(5) & ~(hipri | dsync | sync)) != 0) {
    return CallResult::failure(Errno::eopnotsupp);
  }
  return vector_offset(call) == -1 ? move(call, std::nullopt) : move_vectors(call, move);
}

// readahead(fd, offset, count): the host reads ahead as it likes.
CallResult readahead(Call& call) {
  const auto file = posix::file_at(call);
  if (file == nullptr || !file->rights().read) return CallResult::failure(Errno::ebadf);
  const auto status = file->status();
  const bool is_regular = status && status->type == host::FileType::regular;
  return is_regular ? CallResult::value(0) : CallResult::failure(Errno::einval);
}

// sync_file_range(fd, offset, length, flags): the host writes back by itself.
CallResult sync_file_range(Call& call) {
  constexpr std::uint32_t all_flags = 7;
  const auto file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto offset = static_cast<std::int64_t>(call.argument64(2));
  const auto length = static_cast<std::int64_t>(call.argument64(4));
  if ((call.argument(6) & ~all_flags) != 0 || offset < 0 || length < 0) {
    return CallResult::failure(Errno::einval);
  }
  const auto status = file->status();
  const bool has_blocks = status && (status->type == host::FileType::regular ||
                                     status->type == host::FileType::directory);
  return has_blocks ? CallResult::value(0) : CallResult::failure(Errno::espipe);
}

CallResult syncfs(Call& call) {
  return posix::file_at(call) == nullptr ? CallResult::failure(Errno::ebadf) : CallResult::value(0);
}

// The length, including the NUL. A directory that was removed has no name (getcwd(2), ENOENT).
CallResult getcwd(Call& call) {
  if (call.paths().directory->is_removed()) return CallResult::failure(Errno::enoent);
  const std::string& directory = call.paths().directory->path().text();
  if (directory.size() > host::GuestPath::max_length) {
    return CallResult::failure(Errno::enametoolong);
  }
  const std::size_t size = directory.size() + 1;
  if (call.arguments[1] < size) return CallResult::failure(Errno::erange);
  const std::span text(reinterpret_cast<const std::uint8_t*>(directory.c_str()), size);
  if (!call.memory.write_bytes(call.address(0), text)) return CallResult::failure(Errno::efault);
  return CallResult::value(size);
}

// fadvise64(fd, offset, length, advice): advice about a file has no effect, as the host reads as it
// likes (mm/fadvise.c, generic_fadvise()).
CallResult fadvise64(Call& call) {
  constexpr std::uint32_t last_advice = 5;  // POSIX_FADV_NOREUSE
  const auto file = posix::file_at(call);
  if (file == nullptr) return CallResult::failure(Errno::ebadf);
  const auto status = file->status();
  if (status && status->type == host::FileType::fifo) return CallResult::failure(Errno::espipe);
  const auto length = static_cast<std::int64_t>(call.argument64(4));
  if (length < 0 || call.argument(6) > last_advice) return CallResult::failure(Errno::einval);
  return CallResult::value(0);
}

// close_range(first, last, flags): closes them, or marks them for exec to close.
CallResult close_range(Call& call) {
  constexpr std::uint32_t unshare = 2, close_on_exec = 4;
  const std::uint32_t first = call.argument(0), last = call.argument(1), flags = call.argument(2);
  if (first > last || (flags & ~(unshare | close_on_exec)) != 0) {
    return CallResult::failure(Errno::einval);
  }
  posix::Descriptors& descriptors = call.descriptors();
  if ((flags & unshare) != 0) descriptors.unshare();
  for (std::uint64_t number = first; number <= last && number < descriptors.end(); ++number) {
    const auto descriptor = static_cast<std::int64_t>(number);
    if (descriptors.get_raw(descriptor) == nullptr) continue;
    if ((flags & close_on_exec) != 0) {
      descriptors.set_close_on_exec(descriptor, true);
    } else {
      descriptors.close(descriptor);
    }
  }
  return CallResult::value(0);
}

CallResult open(Call& call) {
  if ((call.argument(1) & uapi_of(call.system).path_only) != 0) return open_path_only(call);
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  const std::uint32_t flags = call.argument(1);
  const host::GuestPath place = call.os.files().without_synthetic_links(*path);
  if (const auto memory = open_process_memory(call, place, flags)) return *memory;
  return posix::calls::open(call);
}

}  // namespace hardclock::gnu_linux::calls
