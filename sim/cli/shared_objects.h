// The shared objects of a profiled program, found as the run found them, below its guest roots.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/report/by_line.h"
#include "sim/report/flat.h"
#include "sim/report/profile.h"
#include "syscalls/host/guest_files.h"

namespace hardclock {

// Shared objects as the guest sees them, each read once.
class SharedObjects {
 public:
  // The objects' source lines go to `lines`, if it is not null.
  explicit SharedObjects(std::shared_ptr<host::GuestFiles> files, report::Lines* lines = nullptr)
      : files_(std::move(files)), lines_(lines) {}

  // Of the file with that path; null: there is none, it is no shared object, or all of them
  // together are larger than 256 MiB.
  const Image* find(const std::string& path);
  // All that were found.
  report::Objects take() &&;

 private:
  std::shared_ptr<host::GuestFiles> files_;
  report::Lines* lines_;
  std::uint64_t room_ = std::uint64_t{256} << 20;  // bytes
  std::map<std::string, std::unique_ptr<Image>, std::less<>> known_;
};

// The files that the mappings of these profiles name and that are below `roots` or in the working
// directory, by their guest paths. Missing files and files that are not shared objects are left
// out. Without roots there are none. Their source lines go to `lines`, if it is not null. The error
// is one line.
Result<report::Objects, std::string> find_shared_objects(
    const std::vector<const report::Profile*>& profiles, const std::vector<std::string>& roots,
    report::Lines* lines = nullptr);

// The same, as far as a guest sees them in `files`.
report::Objects read_shared_objects(const std::vector<const report::Profile*>& profiles,
                                    std::shared_ptr<host::GuestFiles> files,
                                    report::Lines* lines = nullptr);

}  // namespace hardclock
