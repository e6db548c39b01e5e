// The shared objects of a profiled program, found as the run found them, below its guest roots.
#pragma once

#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/report/by_line.h"
#include "sim/report/flat.h"
#include "sim/report/profile.h"

namespace hardclock {

// The files that the mappings of these profiles name and that are below `roots` or in the working
// directory, by their guest paths. Missing files and files that are not shared objects are left
// out. Without roots there are none. Their source lines go to `lines`, if it is not null. The error
// is one line.
Result<report::Objects, std::string> find_shared_objects(
    const std::vector<const report::Profile*>& profiles, const std::vector<std::string>& roots,
    report::Lines* lines = nullptr);

}  // namespace hardclock
