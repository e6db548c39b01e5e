// The files whose code a profiled run executed beside its program, found as the run found them,
// below its guest roots: shared objects, and the programs of other processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/load/image.h"
#include "sim/load/load_error.h"
#include "sim/report/by_line.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
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
  // Of the program with that path and text_hash(), unless that is empty; null: as above.
  const Image* find_program(const std::string& path, const std::string& text_hash);
  // All that were found.
  report::Objects take() &&;

 private:
  using Load = Result<Image, LoadError> (*)(std::span<const std::uint8_t>);
  const Image* find(const std::string& path, Load load, const std::string& text_hash);

  std::shared_ptr<host::GuestFiles> files_;
  report::Lines* lines_;
  std::uint64_t room_ = std::uint64_t{256} << 20;  // bytes
  std::map<std::string, std::unique_ptr<Image>, std::less<>> known_;
};

// Of those that a mapping names, hardclock's own files for HP-UX (guest/hpux) whose code
// is what is mapped, as far as `objects` has no file of that path.
void add_runtime_objects(const std::vector<const report::Profile*>& profiles,
                         report::Objects& objects);

// The files that the mappings of these profiles name, and the programs of processes that did not
// run `program`, as far as they are below `roots` or in the working directory, by their guest
// paths. Missing files, files of other kinds and programs that have changed are left out. Without
// roots there are hardclock's own alone. Source lines go to `lines`, if it is not null. The error
// is one line.
Result<report::Objects, std::string> find_shared_objects(
    const std::vector<const report::Profile*>& profiles, const report::Identity& program,
    const std::vector<std::string>& roots, report::Lines* lines = nullptr);

// The same, as far as a guest sees them in `files`.
report::Objects read_shared_objects(const std::vector<const report::Profile*>& profiles,
                                    const report::Identity& program,
                                    std::shared_ptr<host::GuestFiles> files,
                                    report::Lines* lines = nullptr);

}  // namespace hardclock
