// The guest's own /tmp: an empty directory on the host that goes when the run ends.
#pragma once

#include <memory>
#include <string>

namespace hardclock::host {

class ScratchDirectory {
 public:
  // In TMPDIR or /tmp; null where nothing can be made there: the guest then has no /tmp.
  static std::unique_ptr<ScratchDirectory> create();
  // Removes it with all that is in it. Links are removed, never followed.
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  // What the host has to let us remove in the end.
  const std::string& top() const { return path_; }

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace hardclock::host
