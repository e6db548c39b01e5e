// The host directory of what a run has besides the user's files. It is removed when the run ends.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/last_work.h"
#include "syscalls/host/descriptor.h"
#include "syscalls/host/own_directory.h"

namespace hardclock::host {

// It is made before the run, empty: a confined process may make what a guest looks for in it, and
// nothing beside it (sandbox.h). No guest sees it, and the host's other users cannot search it. It
// is locked (flock(2)) while hardclock lives. So the same user's next run recognises what a killed
// run left behind, and removes it.
class ScratchDirectory {
 public:
  // A name in TMPDIR or /tmp that create() turns into one; nullopt if there is neither folder.
  static std::optional<std::string> name_to_make();
  // nullptr if it cannot be made. `name` is of name_to_make(), and the directory's before it is
  // there: who removes what is left has it in time.
  static std::unique_ptr<ScratchDirectory> create(char* name);
  static std::unique_ptr<ScratchDirectory> create();
  ~ScratchDirectory() {
    do_last_work([this] { (void)remove(); });
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  // The host must still allow that remove() removes it at the end.
  const std::string& path() const { return path_; }
  // One in it.
  std::shared_ptr<OwnDirectory> own(std::string name, OwnDirectory::Kind kind) const {
    return std::make_shared<OwnDirectory>(lock_, std::move(name), kind);
  }

  // Removes it with everything in it, however deep; links are removed, never followed. The
  // error is one line for the user: something is still there.
  std::optional<std::string> remove();

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}

  // The directory is there, of a name as long. Wants no memory.
  void was_made(std::string_view path, Descriptor lock);

  std::string path_;  // empty once it is removed
  // Of path_; none: it is not made.
  std::shared_ptr<Descriptor> lock_ = std::make_shared<Descriptor>();
};

}  // namespace hardclock::host
