// The result of stat(2) for a guest, in a form that belongs to no system.
#pragma once

#include <sys/stat.h>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

#include "syscalls/host/error.h"

namespace hardclock::host {

class FileRecords;

enum class FileType : std::uint8_t {
  regular,
  directory,
  symlink,
  character_device,
  block_device,
  fifo,
  socket,
  anonymous  // none of these: what eventfd(2) and its like make
};

// The devices of every machine that have no host file. `full` is Linux's alone (full(4)).
enum class SpecialFile : std::uint8_t { null, zero, terminal, console, random, urandom, full };

// Seconds since 1970-01-01 00:00:00 UTC, and 0..999999999 nanoseconds.
struct FileTime {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  friend auto operator<=>(const FileTime&, const FileTime&) = default;
  static constexpr std::size_t state_members = 2;
};

struct FileTimes {
  FileTime access, modification, change;
  friend auto operator<=>(const FileTimes&, const FileTimes&) = default;
  static constexpr std::size_t state_members = 3;
};

// The effect of utime(2) and its relatives on one of a file's times.
struct TimeChange {
  enum class Kind : std::uint8_t {
    set,
    now,  // by the guest's clock; on the host by the host's
    keep
  };
  TimeChange(FileTime to) : time(to) {}
  static TimeChange now() { return TimeChange(Kind::now); }
  static TimeChange keep() { return TimeChange(Kind::keep); }

  Kind kind = Kind::set;
  FileTime time;  // for Kind::set

 private:
  explicit TimeChange(Kind what) : kind(what) {}
};

// Nearly all files seem to be in one file system, wherever the host has them. Others are the
// guest's /dev/shm, and the tree of made files.
inline constexpr std::uint64_t common_device = 1, shared_memory_device = 2,
                               synthetic_files_device = 3;

// A guest sees this, so it must be repeatable. Device, inode, blocks, the size and links of a
// directory and the times are ours (FileRecords). Type, permissions, owner, and the links and size
// of a file are the host file's, except that permissions which the user's umask withholds from a
// new file show, and that set-id and sticky bits of a file are those that a guest gave it. A run is
// repeatable to the byte if these, and the times at which the files were last modified before it,
// are the same.
struct FileStatus {
  std::uint64_t device = common_device;
  std::uint64_t inode = 0;  // 1, 2, 3... in order of first sight
  FileType type = FileType::regular;
  std::optional<SpecialFile> special = {};  // of a character device: which one of ours it is
  std::uint32_t permissions = 0;            // 0..07777
  std::uint64_t links = 1;
  std::uint32_t owner = 0;    // the host's user and group numbers
  std::uint32_t group = 0;    //
  bool is_own_owner = false;  // it is the user who runs hardclock
  bool is_own_group = false;  // it is that user's group
  std::uint64_t size = 0;     // bytes; directory_size for every directory
  std::uint64_t blocks = 0;   // of 512 bytes: what guests wrote, not what the host allocated
  FileTimes times;
  std::optional<FileTime> birth = {};  // of what the run's guests made
  static constexpr std::size_t state_members = 14;
};

inline constexpr std::uint64_t directory_size = 512;
inline constexpr std::uint64_t sector_bytes = 512;  // what FileStatus::blocks counts
// Host file systems count subdirectories, or answer 1. Programs that take the count for 2 plus the
// number of subdirectories read 1 as "unknown"; a guest's directory may be several of the host's.
inline constexpr std::uint64_t directory_links = 1;

// Identifies a host object, to tell two of them apart. Never shown to a guest.
struct HostIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend auto operator<=>(const HostIdentity&, const HostIdentity&) = default;
  static constexpr std::size_t state_members = 2;
};

FileType file_type(const struct ::stat& status);
// The permissions that the host keeps: set-id bits of files do not get there.
std::uint32_t host_permissions(const struct ::stat& status);
HostIdentity identity_of(const struct ::stat& status);
// For utimensat(2). Error `invalid`: a second of nanoseconds or more.
HostResult<std::array<struct ::timespec, 2>> host_times(const TimeChange& access,
                                                        const TimeChange& modification);
// How many bytes of a regular file are stored, holes left out.
std::uint64_t stored_of(const struct ::stat& status, const FileRecords& records);
// `device` is that of the file system that it lies in.
FileStatus to_file_status(const struct ::stat& status, FileRecords& records, std::uint64_t device);

}  // namespace hardclock::host
