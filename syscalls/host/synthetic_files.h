// Files whose contents are made when somebody looks: Linux's /proc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/host/error.h"
#include "syscalls/host/file_status.h"

namespace hardclock::host {

class HeldDirectory;
class HeldFile;

// What a link can lead to though it has no path: an open file (proc(5), /proc/PID/fd).
class LinkedObject {
 public:
  virtual ~LinkedObject() = default;
  virtual HostResult<FileStatus> status() const = 0;
  // read_only if the object's mode and times are fixed.
  virtual HostResult<Ok> change_mode(std::uint32_t) { return Failure{Error::read_only}; }
  virtual HostResult<Ok> set_times(const TimeChange&, const TimeChange&) {
    return Failure{Error::read_only};
  }
  // chown(2) changed nothing, but who watches the file hears of it.
  virtual void owner_was_set() {}
  // The directory that it is; nullptr: it is something else.
  virtual std::shared_ptr<const HeldDirectory> held_directory() const { return nullptr; }
  // What it names without having it open; nullptr: it has it open.
  virtual std::shared_ptr<const HeldFile> held_file() const { return nullptr; }
};

struct SyntheticFile {
  FileType type = FileType::regular;  // or directory, or symlink
  std::uint32_t permissions = 0444;
  std::string content = {};             // of a file; of a link, where it leads
  std::vector<std::string> names = {};  // in a directory, in the order in which they are listed
  // Of a link: it leads here, whatever its text says. Null: where that says.
  std::shared_ptr<LinkedObject> object = {};
};

// A symbolic link outside of the tree, which every guest has: /dev/stdin.
struct SyntheticLink {
  std::string_view path;
  std::string_view target;
};

// A tree of them. What it has may change at any time.
class SyntheticFiles {
 public:
  virtual ~SyntheticFiles() = default;
  // Absolute, directly below "/".
  virtual std::string_view root() const = 0;
  // At this path below the root ("" for the root, no slash at either end), which leads through no
  // link; nullopt: there is nothing.
  virtual std::optional<SyntheticFile> find(std::string_view path) const = 0;
  virtual std::span<const SyntheticLink> links() const { return {}; }
  // What an open file reads, as long as somebody has it; null: there is no memory for it.
  virtual std::shared_ptr<const std::string> keep(std::string content) const = 0;
};

}  // namespace hardclock::host
