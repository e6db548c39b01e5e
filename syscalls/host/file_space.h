// The host's files that the user lets a guest see, as the options say.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/host/file_status.h"
#include "syscalls/host/host_use.h"
#include "syscalls/host/own_directory.h"
#include "syscalls/host/time_of_day.h"

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
  std::optional<std::string> working_directory = {};  // absolute host directory; nullopt: hidden
  bool working_directory_writable = true;
  // The guest's /tmp, /var/tmp and /usr/tmp; null: it has none.
  std::shared_ptr<OwnDirectory> scratch = {};
  // The guest's /dev/shm, a file system of its own; null: it has none.
  std::shared_ptr<OwnDirectory> shared_memory = {};
  // The last of the roots; null: there are no built-in files.
  std::shared_ptr<OwnDirectory> built_in = {};
  bool has_full_device = false;  // /dev/full
  // The guest's time of day at the start of the run: no existing file seems newer.
  FileTime start = {.seconds = default_guest_epoch};
  HostUse::Limits limits = {};
};

// The process's working directory, as the value for FileSpace. The error is one line for the user.
Result<std::string, std::string> current_working_directory();

}  // namespace hardclock::host
