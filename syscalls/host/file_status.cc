#include "syscalls/host/file_status.h"

#include <unistd.h>

#include "syscalls/host/file_records.h"

namespace hardclock::host {
FileType file_type(const struct ::stat& status) {
  switch (status.st_mode & S_IFMT) {
    case S_IFDIR:
      return FileType::directory;
    case S_IFLNK:
      return FileType::symlink;
    case S_IFCHR:
      return FileType::character_device;
    case S_IFBLK:
      return FileType::block_device;
    case S_IFIFO:
      return FileType::fifo;
    case S_IFSOCK:
      return FileType::socket;
    default:
      return FileType::regular;
  }
}

std::uint32_t host_permissions(const struct ::stat& status) {
  return S_ISDIR(status.st_mode) ? 07777 : 0777;
}

HostIdentity identity_of(const struct ::stat& status) {
  return {status.st_dev, status.st_ino};
}

HostResult<std::array<struct ::timespec, 2>> host_times(const TimeChange& access,
                                                        const TimeChange& modification) {
  constexpr std::uint32_t second = 1'000'000'000;
  std::array<struct ::timespec, 2> times{};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const TimeChange& change = i == 0 ? access : modification;
    if (change.time.nanoseconds >= second) return Failure{Error::invalid};
    times[i].tv_sec = change.time.seconds;
    times[i].tv_nsec = change.kind == TimeChange::Kind::now    ? UTIME_NOW
                       : change.kind == TimeChange::Kind::keep ? UTIME_OMIT
                                                               : long{change.time.nanoseconds};
  }
  return times;
}

std::uint64_t stored_of(const struct ::stat& status, const FileRecords& records) {
  return records.blocks(identity_of(status)).stored(static_cast<std::uint64_t>(status.st_size));
}

FileStatus to_file_status(const struct ::stat& status, FileRecords& records, std::uint64_t device) {
  FileStatus result;
  result.device = device;
  result.inode = records.number(identity_of(status));
  result.type = file_type(status);
  result.permissions = records.permissions(status);
  const bool is_named_directory = result.type == FileType::directory && status.st_nlink != 0;
  result.links = is_named_directory ? directory_links : status.st_nlink;
  result.owner = status.st_uid;
  result.group = status.st_gid;
  result.is_own_owner = status.st_uid == ::geteuid();
  result.is_own_group = status.st_gid == ::getegid();
  result.size = result.type == FileType::directory ? directory_size
                                                   : static_cast<std::uint64_t>(status.st_size);
  if (result.type == FileType::directory) result.blocks = FileBlocks::block_bytes / sector_bytes;
  if (result.type == FileType::regular) {
    result.blocks = records.blocks(identity_of(status)).sectors(result.size);
  }
  result.times = records.times(status);
  result.birth = records.birth(status);
  return result;
}

}  // namespace hardclock::host
