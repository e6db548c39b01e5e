// What stat(2) tells a guest, in a form that belongs to no system.
#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace hardclock::host {

enum class FileType : std::uint8_t {
  regular,
  directory,
  symlink,
  character_device,
  block_device,
  fifo,
  socket
};

// Seconds since 1970-01-01 00:00:00 UTC, and 0..999999999 nanoseconds.
struct FileTime {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  friend bool operator==(const FileTime&, const FileTime&) = default;
};

// Guest-visible, so repeatability matters: device, inode, blocks and the size of a directory are
// ours and depend on nothing but the order in which the guest meets files. Type, permissions, link
// count, owner, times and the size of a file are the host file's own: a run is repeatable to the
// byte when they are the same, and a file that the guest writes carries the host's time of writing
// until the guest sets its times. Pipes, terminals and devices have all times 0.
struct FileStatus {
  std::uint64_t device = 1;  // always 1: all files seem to be in one file system
  std::uint64_t inode = 0;   // 1, 2, 3... in order of first sight
  FileType type = FileType::regular;
  std::uint32_t permissions = 0;  // 0..0777; set-id bits are never shown
  std::uint64_t links = 1;
  std::uint32_t owner = 0;     // the host's user and group numbers
  std::uint32_t group = 0;     //
  bool is_own_owner = false;   // they are those of the user who runs us
  bool is_own_group = false;   //
  std::uint64_t size = 0;      // bytes; directory_size for every directory
  std::uint64_t blocks = 0;    // of 512 bytes, from the size: host file systems allocate lazily
  FileTime access_time;        //
  FileTime modification_time;  //
  FileTime change_time;        //
};

inline constexpr std::uint64_t directory_size = 512;

// A host object, for telling two of them apart. Never shown to a guest.
struct HostIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend auto operator<=>(const HostIdentity&, const HostIdentity&) = default;
};

// Gives every file its guest inode number: a counter from 1 in order of first sight.
class InodeNumbers {
 public:
  std::uint64_t number(HostIdentity file);
  // For files that exist only in the guest's name space, by guest path.
  std::uint64_t number(const std::string& guest_path);
  // For an object that no name leads to, such as a pipe: seen for the first time.
  std::uint64_t unnamed() { return ++last_; }
  // A file that was just created is seen for the first time even when the host reuses the inode
  // of a deleted one; whether it does differs between host file systems.
  std::uint64_t renew(HostIdentity file);

 private:
  std::uint64_t last_ = 0;
  std::map<HostIdentity, std::uint64_t> files_;
  std::map<std::string, std::uint64_t> paths_;
};

FileType file_type(const struct ::stat& status);
HostIdentity identity_of(const struct ::stat& status);
FileStatus to_file_status(const struct ::stat& status, InodeNumbers& numbers);

}  // namespace hardclock::host
