// The guest's own /tmp and /dev/shm: empty directories on the host that are removed when the run
// ends.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/last_work.h"
#include "syscalls/host/descriptor.h"

namespace hardclock::host {

// They lie in a directory of ours that no guest sees and that is locked (flock(2)) while hardclock
// lives. So the same user's next run recognises what a killed run left behind, and removes it.
class ScratchDirectory {
 public:
  // A name in TMPDIR or /tmp that create() turns into one; nullopt if there is neither folder.
  static std::optional<std::string> name_to_make();
  // nullptr if nothing can be made: the guest then has neither. All may use them, but remove only
  // their own files (S_ISVTX), as hier(7) has /tmp. `name` is of name_to_make(), and the
  // directory's before it is there: who removes what is left has it in time.
  static std::unique_ptr<ScratchDirectory> create(char* name);
  static std::unique_ptr<ScratchDirectory> create();
  ~ScratchDirectory() {
    do_last_work([this] { (void)remove(); });
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string& path() const { return path_; }
  const std::string& shared_memory() const { return shared_memory_; }
  // The directory around them, which remove() also removes: the host must still allow that at the
  // end.
  const std::string& outer() const { return outer_; }

  // Removes them with everything in them, however deep; links are removed, never followed. The
  // error is one line for the user: something is still there.
  std::optional<std::string> remove();

 private:
  explicit ScratchDirectory(std::string outer)
      : outer_(std::move(outer)), path_(outer_ + "/tmp"), shared_memory_(outer_ + "/shm") {}

  // The directory is there, of a name as long. Wants no memory.
  void was_made(std::string_view outer, Descriptor lock);

  std::string outer_;  // empty once it is removed
  std::string path_;
  std::string shared_memory_;
  Descriptor lock_;  // of outer_; none: it is not made
};

}  // namespace hardclock::host
