// A processor that the user describes in a file of his own, for --cpu and `hardclock cpus`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/base/result.h"
#include "sim/cli/usage_error.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// Whether it is a file's name: no processor has a '/' in its name.
bool names_own_cpu(std::string_view name);
Result<std::shared_ptr<const CpuDescription>, UsageError> read_own_cpu(const std::string& path);

}  // namespace hardclock
