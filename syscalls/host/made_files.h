// Files whose contents are made when somebody looks: Linux's /proc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syscalls/host/file_status.h"

namespace hardclock::host {

struct MadeFile {
  FileType type = FileType::regular;  // or directory, or symlink
  std::uint32_t permissions = 0444;
  std::string content = {};             // of a file; of a link, where it leads
  std::vector<std::string> names = {};  // in a directory, in the order in which they are listed
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
  // What an open file reads, as long as somebody has it; null: there is no memory for it.
  virtual std::shared_ptr<const std::string> keep(std::string content) const = 0;
};

}  // namespace hardclock::host
