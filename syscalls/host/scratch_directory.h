// The guest's own /tmp: an empty directory on the host that is removed when the run ends.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "syscalls/host/descriptor.h"

namespace hardclock::host {

// It lies in a directory of ours that no guest sees and that is locked (flock(2)) while hardclock
// lives. So the same user's next run recognises what a killed run left behind, and removes it.
class ScratchDirectory {
 public:
  // In TMPDIR or /tmp; nullptr if nothing can be made there: the guest then has no /tmp.
  static std::unique_ptr<ScratchDirectory> create();
  ~ScratchDirectory() { (void)remove(); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  // The directory around it, which remove() also removes: the host must still allow that at the
  // end.
  const std::string& outer() const { return outer_; }

  // Removes it with everything in it, however deep; links are removed, never followed. The error is
  // one line for the user: something is still there.
  std::optional<std::string> remove();

 private:
  ScratchDirectory(std::string outer, Descriptor lock)
      : outer_(std::move(outer)), path_(outer_ + "/tmp"), lock_(std::move(lock)) {}

  std::string outer_;  // empty once it is removed
  std::string path_;
  Descriptor lock_;  // of outer_
};

}  // namespace hardclock::host
