// What the user lets a guest see of the host's files, as options say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"

namespace hardclock::host {

// --bind HOST:GUEST[:ro]
struct Bind {
  std::string host;   // a directory or a regular file
  std::string guest;  // absolute, normalised
  bool writable = true;
};

struct FileSpace {
  std::vector<std::string> roots = {};  // host directories; the first that has a path wins
  std::vector<Bind> binds = {};         // any order; the longest guest prefix wins
  std::optional<std::string> working_directory = {};  // absolute host directory; none: not visible
  std::optional<std::string> scratch = {};  // host directory that is the guest's /tmp; none: no /tmp
};

// The process's working directory, as the value for FileSpace. The error is one line for the user.
Result<std::string, std::string> current_working_directory();

}  // namespace hardclock::host
