#include "syscalls/host/file_status.h"

#include <unistd.h>

namespace hardclock::host {
namespace {

FileTime to_file_time(const struct ::timespec& time) {
  return {time.tv_sec, static_cast<std::uint32_t>(time.tv_nsec)};
}

}  // namespace

std::uint64_t InodeNumbers::number(HostIdentity file) {
  const auto [entry, is_new] = files_.try_emplace(file, last_ + 1);
  if (is_new) ++last_;
  return entry->second;
}

std::uint64_t InodeNumbers::number(const std::string& guest_path) {
  const auto [entry, is_new] = paths_.try_emplace(guest_path, last_ + 1);
  if (is_new) ++last_;
  return entry->second;
}

std::uint64_t InodeNumbers::renew(HostIdentity file) {
  return files_[file] = ++last_;
}

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

HostIdentity identity_of(const struct ::stat& status) {
  return {status.st_dev, status.st_ino};
}

FileStatus to_file_status(const struct ::stat& status, InodeNumbers& numbers) {
  FileStatus result;
  result.inode = numbers.number(identity_of(status));
  result.type = file_type(status);
  result.permissions = status.st_mode & 0777;
  result.links = status.st_nlink;
  result.owner = status.st_uid;
  result.group = status.st_gid;
  result.is_own_owner = status.st_uid == ::geteuid();
  result.is_own_group = status.st_gid == ::getegid();
  result.size = result.type == FileType::directory ? directory_size
                                                   : static_cast<std::uint64_t>(status.st_size);
  result.blocks = result.size / 512 + (result.size % 512 != 0);
  // A pipe or terminal carries the time at which this run used it: the host clock, not a file.
  if (result.type != FileType::regular && result.type != FileType::directory &&
      result.type != FileType::symlink) {
    return result;
  }
  result.access_time = to_file_time(status.st_atim);
  result.modification_time = to_file_time(status.st_mtim);
  result.change_time = to_file_time(status.st_ctim);
  return result;
}

}  // namespace hardclock::host
