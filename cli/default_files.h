// The files below /etc that a guest finds where none of its roots has them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "syscalls/host/built_in_files.h"

namespace hardclock {

// Who there is (passwd, group), what the network's names mean (hosts, services, protocols), and
// that these files are where the C library looks for them (nsswitch.conf).
class DefaultFiles {
 public:
  // The machine's name, which is the loopback address's, too.
  explicit DefaultFiles(const std::string& host_name);
  DefaultFiles(const DefaultFiles&) = delete;

  // As long as this object lives.
  std::span<const host::BuiltInFile> files() const { return files_; }

 private:
  std::string hosts_;
  std::vector<host::BuiltInFile> files_;
};

}  // namespace hardclock
