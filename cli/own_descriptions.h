// A processor or a machine that the user describes in a file: ./my.timing, ./my.machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/usage_error.h"
#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// Whether the name of a processor or machine is that of a file: it has a slash.
bool names_own_file(std::string_view name);
// Whether the file describes a machine, as far as can be seen without an error: its name ends in
// .machine or one of its lines is about a processor.
bool describes_machine(const std::string& path);

// Errors are one line for the user.
Result<std::shared_ptr<const CpuDescription>, UsageError> read_own_cpu(const std::string& path);
// Its processor is a known one, and all of its rows have been read without an error.
Result<std::shared_ptr<const MachineDescription>, UsageError> read_own_machine(
    const std::string& path);

}  // namespace hardclock
