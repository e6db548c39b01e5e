// IRIX's calls about file systems. All files seem to be in one XFS file system whose figures never
// change, so no run depends on the host's disks.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "syscalls/irix/calls.h"
#include "syscalls/posix/files/file_access.h"
#include "syscalls/posix/guest_struct.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::irix::calls {
namespace {

// 4 GiB in blocks of 4096 bytes, half of it used.
constexpr std::uint64_t block_bytes = posix::preferred_block_size;
constexpr std::uint64_t blocks = 1 << 20, free_blocks = blocks / 2;
constexpr std::uint64_t inodes = 1 << 20, free_inodes = inodes / 2;
constexpr std::uint64_t longest_name = host::GuestPath::max_name_length;
// The number of the file system; st_dev of every file.
constexpr std::uint64_t file_system_id = std::uint64_t{1} << 18;
constexpr std::string_view file_system_type = "xfs";

// What sysfs(2) numbers, from 1 on. The kernel's debugging file system is /proc.
constexpr std::array<std::string_view, 2> file_system_types = {file_system_type, "proc"};
constexpr std::size_t proc_type = 2;

std::size_t type_number(std::string_view name) {
  if (name == "dbg") return proc_type;  // its former name, which odbx of IRIX 5.3 knows
  const auto at = std::ranges::find(file_system_types, name);
  return at == file_system_types.end()
             ? 0
             : static_cast<std::size_t>(at - file_system_types.begin()) + 1;
}

// struct statfs at argument 1, truncated to the bytes of argument 2. Argument 3, a type of file
// system, is for those that are not mounted (System V.4, statfs(2)).
CallResult write_statfs(Call& call, const Result<host::FileStatus, Errno>& file, std::size_t type) {
  if (!file) return CallResult::failure(file.error());
  posix::GuestStruct status(call);
  status.half(type);
  for (const std::uint64_t value :
       {block_bytes, block_bytes, blocks, free_blocks, inodes, free_inodes}) {
    status.word_long(value);
  }
  status.skip(12);  // names of the volume and of the pack
  const std::int32_t wanted = call.signed_argument(2);
  if (wanted < 0 || static_cast<std::size_t>(wanted) > status.bytes().size() ||
      call.argument(3) != 0) {
    return CallResult::failure(Errno::einval);
  }
  const auto bytes = std::span(status.bytes()).first(static_cast<std::size_t>(wanted));
  if (!call.memory.write_bytes(call.address(1), bytes)) return CallResult::failure(Errno::efault);
  return CallResult::value(0);
}

// Of the file at this path.
std::size_t type_of(std::string_view path) {
  constexpr std::string_view root = "/proc";
  const bool is_proc =
      path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
  return is_proc ? proc_type : 1;
}

}  // namespace

// struct statvfs at argument 1, as Linux 2.6 has it (arch/mips/kernel/sysirix.c, struct
// irix_statvfs and irix_statvfs64): the counts are as wide as off_t, the rest is of type unsigned
// long.
CallResult write_statvfs(Call& call, FileAt which, bool is_wide) {
  const auto file = posix::status_of(call, which);
  if (!file) return CallResult::failure(file.error());
  const std::size_t count_bytes = is_wide || call.abi().register_bits == 64 ? 8 : 4;
  posix::GuestStruct status(call);
  status.word_long(block_bytes).word_long(block_bytes);
  for (const std::uint64_t value :
       {blocks, free_blocks, free_blocks, inodes, free_inodes, free_inodes}) {
    status.member(count_bytes, value);
  }
  status.word_long(file_system_id).text(file_system_type, 16);
  status.word_long(0).word_long(longest_name);  // flags: neither read-only nor without set-user-id
  return status.skip(32).skip_longs(16).store(call, call.address(1));
}

CallResult statfs(Call& call) {
  const auto path = posix::read_path(call, call.address(0));
  const std::size_t type = path ? type_of(path->text()) : 0;
  return write_statfs(call, posix::status_of(call, FileAt::path), type);
}

CallResult fstatfs(Call& call) {
  const auto file = posix::file_at(call);
  const std::size_t type = file != nullptr ? type_of(file->path) : 0;
  return write_statfs(call, posix::status_of_descriptor(call, 0), type);
}

// sysfs(GETFSIND, name), sysfs(GETFSTYP, number, name) and sysfs(GETNFSTYP).
CallResult sysfs(Call& call) {
  enum Operation : std::uint32_t { number_of_name = 1, name_of_number = 2, count = 3 };
  switch (call.argument(0)) {
    case number_of_name: {
      const auto name = call.memory.read_string(call.address(1), longest_name);
      if (!name) return CallResult::failure(Errno::efault);
      const std::size_t number = type_number(*name);
      return number != 0 ? CallResult::value(number) : CallResult::failure(Errno::einval);
    }
    case name_of_number: {
      const std::uint32_t number = call.argument(1);
      if (number == 0 || number > file_system_types.size()) {
        return CallResult::failure(Errno::einval);
      }
      const std::string_view name = file_system_types[number - 1];
      return posix::GuestStruct(call).text(name, name.size() + 1).store(call, call.address(2));
    }
    case count:
      return CallResult::value(file_system_types.size());
    default:
      return CallResult::failure(Errno::einval);
  }
}

// Four words that differ between mounted file systems.
CallResult getmountid(Call& call) {
  const auto file = posix::status_of(call, FileAt::path);
  if (!file) return CallResult::failure(file.error());
  const std::uint32_t id[] = {static_cast<std::uint32_t>(file_system_id), 0, 0, 0};
  return posix::write_words(call, call.address(1), id, CallResult::value(0));
}

}  // namespace hardclock::irix::calls
