// Descriptions written back as files, to begin one's own with: in the format of cpu_description.h,
// without comments.
#pragma once

#include <string>

#include "sim/timing/cpu_description.h"

namespace hardclock {

// A processor has the rows that it takes from others as its own.
std::string to_file(const CpuDescription& description);
std::string to_file(const MachineDescription& description);

}  // namespace hardclock
