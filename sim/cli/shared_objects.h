// The shared objects of a profiled program, found as the run found them, below its guest roots.
#pragma once

#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/report/flat.h"
#include "sim/report/profile.h"
#include "syscalls/host/guest_files.h"

namespace hardclock {

// The files that the mappings of these profiles name and that are below `roots` or in the working
// directory, by their guest paths. Missing files and files that are not shared objects are left
// out. Without roots there are none. The error is one line.
Result<report::Objects, std::string> find_shared_objects(
    const std::vector<const report::Profile*>& profiles, const std::vector<std::string>& roots);

// The same, as far as a guest sees them in `files`.
report::Objects read_shared_objects(const std::vector<const report::Profile*>& profiles,
                                    host::GuestFiles& files);

}  // namespace hardclock
