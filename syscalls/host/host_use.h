// The part of the host that a run's guests use together, and its limits: what they add to its disk,
// how many of its files they have open, how many names of directories they are reading, and how
// long the paths are of what they hold.
//
// Disk. A file counts by what is stored of it (FileBlocks): not its holes. What a guest adds to
// that counts, and is given back when the file shrinks, a hole is punched or, once nobody has it
// open, its last name goes. So the count follows only from what the guests do, not from the host's
// file system. A name counts name_bytes, whether of a file, a directory or a link. Removing the
// user's own files also gives back, down to a count of 0.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "syscalls/host/error.h"
#include "syscalls/host/file_blocks.h"
#include "syscalls/host/file_status.h"

namespace hardclock::host {

class HostUse {
 public:
  struct Limits {
    std::uint64_t disk = std::uint64_t{1} << 30;  // bytes
    std::uint64_t open_files = 4096;
    std::uint64_t listed_names = 300'000;  // 100 MB of the host's memory if they are the longest
    std::uint64_t held_paths = std::uint64_t{32} << 20;  // bytes, in all
  };
  enum class Limit : std::uint8_t { disk, open_files, listed_names, held_paths, own_directories };
  // A directory's block in small file systems; the longest symbolic link fits.
  static constexpr std::uint64_t name_bytes = 4096;

  HostUse() : HostUse(Limits{}) {}
  explicit HostUse(Limits limits) : limits_(limits) {}

  const Limits& limits() const { return limits_; }
  // `tell` is called when a limit first refuses something to a guest, once for each limit.
  void on_limit(std::function<void(Limit)> tell) { tell_ = std::move(tell); }

  // ---- The disk.
  std::uint64_t disk_used() const { return disk_; }
  // How many of `count` bytes can be written at `offset` of a file of this size. no_space: none.
  HostResult<std::uint64_t> room_to_write(const FileBlocks& blocks, std::uint64_t size,
                                          std::uint64_t offset, std::uint64_t count);
  // What is stored of a file changes. no_space: it may not grow that much.
  HostResult<Ok> may_resize(std::uint64_t from, std::uint64_t to);
  void resized(std::uint64_t from, std::uint64_t to);
  // A name is made. no_space: refused.
  HostResult<Ok> may_add_name();
  void name_added() { resized(0, name_bytes); }
  void name_removed() { resized(name_bytes, 0); }

  // The host refused what a run has there besides the user's files (OwnDirectory).
  Failure<Error> has_no_room(Error error) { return refuse(Limit::own_directories, error); }

  // ---- Open files, several of which may be the same host file.
  HostResult<Ok> may_open();
  // `size` is the file's current size. The result is its size as the guests' own writing changes
  // it, without a query of the file; valid until the file is closed as often as it was opened.
  std::uint64_t& opened(HostIdentity file, std::uint64_t size);
  void closed(HostIdentity file);
  bool is_open(HostIdentity file) const { return open_.contains(file); }

  // ---- Names that open directories hold. no_memory: refused.
  HostResult<Ok> may_list(std::uint64_t names);
  void listed(std::uint64_t names) { listed_ += names; }
  void dropped(std::uint64_t names) { listed_ -= names; }

  // ---- The paths, in bytes, of held directories and files (HeldPath). no_memory: refused.
  HostResult<Ok> may_hold(std::uint64_t bytes);
  void held(std::uint64_t bytes) { held_ += bytes; }
  void let_go(std::uint64_t bytes) { held_ -= bytes; }

 private:
  Failure<Error> refuse(Limit limit, Error error);

  Limits limits_;
  std::function<void(Limit)> tell_;
  std::set<Limit> told_;
  std::uint64_t disk_ = 0;  // bytes; at most limits_.disk
  struct Open {
    std::uint64_t times = 0;
    std::uint64_t size = 0;  // bytes
  };
  std::map<HostIdentity, Open> open_;
  std::uint64_t times_open_ = 0;  // of all files
  std::uint64_t listed_ = 0;
  std::uint64_t held_ = 0;
};

}  // namespace hardclock::host
