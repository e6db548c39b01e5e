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

// What a link can lead to though it has no path: an open file (proc(5), /proc/PID/fd).
class LinkedObject {
 public:
  virtual ~LinkedObject() = default;
  virtual HostResult<FileStatus> status() const = 0;
};

struct MadeFile {
  FileType type = FileType::regular;  // or directory, or symlink
  std::uint32_t permissions = 0444;
  std::string content = {};             // of a file; of a link, where it leads
  std::vector<std::string> names = {};  // in a directory, in the order in which they are listed
  // Of a link: it leads here, whatever its text says. Null: where that says.
  std::shared_ptr<LinkedObject> object = {};
};

// A symbolic link outside of the tree, which every guest has: /dev/stdin.
struct MadeLink {
  std::string_view path;
  std::string_view target;
};

// A tree of them. What it has may change at any time.
class MadeFiles {
 public:
  virtual ~MadeFiles() = default;
  // Absolute, directly below "/".
  virtual std::string_view root() const = 0;
  // At this path below the root ("" for the root, no slash at either end), which leads through no
  // link; nullopt: there is nothing.
  virtual std::optional<MadeFile> find(std::string_view path) const = 0;
  virtual std::span<const MadeLink> links() const { return {}; }
  // What an open file reads, as long as somebody has it; null: there is no memory for it.
  virtual std::shared_ptr<const std::string> keep(std::string content) const = 0;
};

}  // namespace hardclock::host
