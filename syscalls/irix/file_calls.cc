// IRIX's file calls whose structures or requests are its own. The structures are those of
// <sys/stat.h>, <sys/dirent.h> and <sys/fcntl.h>, as NetBSD's sys/compat/irix/irix_types.h has
// them: in n32 off_t and ino_t have 64 bits, in n64 every long and pointer besides.
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "syscalls/irix/calls.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/directory_calls.h"
#include "syscalls/posix/fields.h"
#include "syscalls/posix/file_access.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

using mips_ports::DataModel;
using posix::Fields;

// ---- struct stat.

// Versions of the structure, the first argument of xstat and its relatives (<sys/stat.h>). Version
// 1 was System V.3's.
constexpr std::uint32_t stat_version = 2, stat64_version = 3;
constexpr char file_system_type[] = "xfs";
// Device numbers have 18 bits of minor number (<sys/types.h>).
constexpr unsigned minor_bits = 18;

// The offsets of the fields that depend on the widths of ino_t, off_t and long. The link count and
// the owners follow the mode.
struct StatLayout {
  std::size_t inode, mode, device_type, size, times, block_size, blocks, file_system, bytes;
  bool is_wide;     // ino_t, off_t and blkcnt_t have 64 bits
  bool long_is_64;  // and so have longs; time_t has 32
};
constexpr StatLayout stat_o32{16, 20, 36, 48, 56, 80, 84, 88, 136, false, false};
// Also struct stat64 of o32 and n32.
constexpr StatLayout stat_n32{16, 24, 40, 56, 68, 92, 96, 104, 152, true, false};
constexpr StatLayout stat_n64{32, 40, 56, 80, 96, 144, 152, 160, 240, true, true};

const StatLayout* stat_layout(DataModel model, std::uint32_t version) {
  if (version != stat_version && version != stat64_version) return nullptr;
  if (model == DataModel::n64) return &stat_n64;
  return model == DataModel::o32 && version == stat_version ? &stat_o32 : &stat_n32;
}

void put_time(Fields& fields, const StatLayout& layout, std::size_t at,
              const host::FileTime& time) {
  fields.put32(at, static_cast<std::uint64_t>(time.seconds));
  if (layout.long_is_64) {
    fields.put64(at + 8, time.nanoseconds);
  } else {
    fields.put32(at + 4, time.nanoseconds);
  }
}

std::vector<std::uint8_t> to_stat(const StatLayout& layout, const host::FileStatus& status,
                                  Endian endian) {
  std::vector<std::uint8_t> bytes(layout.bytes);
  Fields fields(bytes, endian);
  const auto put = [&](std::size_t at, std::uint64_t value) {
    fields.put(at, value, layout.is_wide ? 8 : 4);
  };
  fields.put32(0, status.device << minor_bits);
  put(layout.inode, status.inode);
  fields.put32(layout.mode, posix::mode_of(status));
  fields.put32(layout.mode + 4, status.links);
  fields.put32(layout.mode + 8, status.owner);
  fields.put32(layout.mode + 12, status.group);
  put(layout.size, status.size);
  const std::size_t time_bytes = layout.long_is_64 ? 16 : 8;
  put_time(fields, layout, layout.times, status.times.access);
  put_time(fields, layout, layout.times + time_bytes, status.times.modification);
  put_time(fields, layout, layout.times + 2 * time_bytes, status.times.change);
  if (layout.long_is_64) {
    fields.put64(layout.block_size, posix::preferred_block_size);
  } else {
    fields.put32(layout.block_size, posix::preferred_block_size);
  }
  put(layout.blocks, status.blocks);
  std::memcpy(&bytes[layout.file_system], file_system_type, sizeof file_system_type);
  return bytes;
}

// xstat(version, file, status) and its relatives, with the status at argument 2. EOVERFLOW: the
// size does not fit the structure.
CallResult write_status(Call& call, const Result<host::FileStatus, Errno>& status) {
  if (!status) return CallResult::failure(status.error());
  const StatLayout& layout = *stat_layout(mips_ports::data_model_of(call.abi()), call.argument(0));
  if (!layout.is_wide && status->size > 0x7fffffff) return CallResult::failure(Errno::eoverflow);
  const auto bytes = to_stat(layout, *status, call.memory.endian());
  if (!call.memory.write_bytes(call.address(2), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

bool has_stat_version(const Call& call) {
  return stat_layout(mips_ports::data_model_of(call.abi()), call.argument(0)) != nullptr;
}

// ---- struct dirent.

std::vector<std::uint8_t> to_dirent(const host::DirectoryEntry& entry, std::uint64_t next,
                                    Endian endian, std::size_t word) {
  const std::size_t name_at = 2 * word + 2;
  const std::size_t length = (name_at + entry.name.size() + 1 + word - 1) / word * word;
  std::vector<std::uint8_t> bytes(length);
  Fields fields(bytes, endian);
  if (word == 8) {
    fields.put64(0, entry.inode);
    fields.put64(word, next);
  } else {
    fields.put32(0, entry.inode);
    fields.put32(word, next);
  }
  fields.put16(2 * word, length);
  std::memcpy(&bytes[name_at], entry.name.data(), entry.name.size());
  return bytes;
}

std::vector<std::uint8_t> to_dirent32(const host::DirectoryEntry& entry, std::uint64_t next,
                                      Endian endian) {
  return to_dirent(entry, next, endian, 4);
}

std::vector<std::uint8_t> to_dirent64(const host::DirectoryEntry& entry, std::uint64_t next,
                                      Endian endian) {
  return to_dirent(entry, next, endian, 8);
}

posix::DirectoryRecord native_dirent(const Call& call) {
  return mips_ports::data_model_of(call.abi()) == DataModel::o32 ? to_dirent32 : to_dirent64;
}

// getdents(fd, buffer, size)
CallResult read_dirents(Call& call, posix::DirectoryRecord record) {
  const auto names = posix::read_names(call, 0, call.address(1), call.arguments[2], record);
  return names ? CallResult::value(names->bytes) : CallResult::failure(names.error());
}

// ngetdents(fd, buffer, size, eof): stores 1 at `eof`, an int, if no names remain, else 0.
CallResult read_dirents_and_end(Call& call, posix::DirectoryRecord record) {
  if (!call.memory.probe(call.address(3), 4, Access::write)) {
    return CallResult::failure(Errno::efault);
  }
  const auto names = posix::read_names(call, 0, call.address(1), call.arguments[2], record);
  if (!names) return CallResult::failure(names.error());
  const std::uint32_t at_end[] = {names->at_end ? 1u : 0u};
  return posix::write_words(call, call.address(3), at_end, CallResult::value(names->bytes));
}

}  // namespace

CallResult xstat(Call& call) {
  if (!has_stat_version(call)) return CallResult::failure(Errno::einval);
  return write_status(call, posix::status_of(call, call.address(1), host::Follow::yes));
}

CallResult lxstat(Call& call) {
  if (!has_stat_version(call)) return CallResult::failure(Errno::einval);
  return write_status(call, posix::status_of(call, call.address(1), host::Follow::no));
}

CallResult fxstat(Call& call) {
  if (!has_stat_version(call)) return CallResult::failure(Errno::einval);
  return write_status(call, posix::status_of_descriptor(call, 1));
}

CallResult getdents(Call& call) {
  return read_dirents(call, native_dirent(call));
}

CallResult getdents64(Call& call) {
  return read_dirents(call, to_dirent64);
}

CallResult ngetdents(Call& call) {
  return read_dirents_and_end(call, native_dirent(call));
}

CallResult ngetdents64(Call& call) {
  return read_dirents_and_end(call, to_dirent64);
}

// utime(path, times): struct utimbuf is two time_t, which have 32 bits whatever a long has. NULL:
// now.
CallResult utime(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  if (!path) return CallResult::failure(path.error());
  host::TimeChange access = host::TimeChange::now(), modification = access;
  if (call.address(1) != GuestAddr(0)) {
    std::array<std::uint8_t, 8> bytes;
    if (!call.memory.read_bytes(call.address(1), bytes)) return CallResult::failure(Errno::efault);
    const Fields fields(bytes, call.memory.endian());
    access = host::FileTime{static_cast<std::int32_t>(fields.get32(0)), 0};
    modification = host::FileTime{static_cast<std::int32_t>(fields.get32(4)), 0};
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
