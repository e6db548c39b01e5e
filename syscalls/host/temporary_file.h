// A short-lived file of ours on the host.
#pragma once

#include <csignal>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sim/base/result.h"

namespace hardclock::host {

// TMPDIR, or /tmp. The error is one line for the user: it is not a directory.
Result<std::string, std::string> temporary_directory();

// While it exists, this thread takes no signals: Ctrl-C ends hardclock before or after it, and
// leaves no file behind.
class TemporaryFile {
 public:
  // An executable file with these bytes in an existing directory. The error is one line for the
  // user.
  static Result<std::unique_ptr<TemporaryFile>, std::string> create(
      const std::string& directory, std::span<const std::uint8_t> bytes);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Without the directory.
  std::string name() const;

 private:
  TemporaryFile();
  bool write(std::span<const std::uint8_t> bytes);

  std::string path_;
  ::sigset_t signals_;  // the mask before
};

}  // namespace hardclock::host
