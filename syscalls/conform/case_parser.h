// Reads files of conformance cases: docs/conformance.md has the format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// The cases of a file of cases or of a file of observations of real kernels, in the file's order.
// Any bytes are accepted as `text`; `file` is its name for messages.
// The error is one line, "cases.json:17: cases[3].events[0].tick.pc: not a hexadecimal address",
// about the first thing in the file that breaks the format. What is well formed but names a system,
// an event, a call or a flag that does not exist is a case with a defect.
Result<std::vector<Case>, std::string> parse_cases(std::string_view text, std::string_view file);

}  // namespace hardclock::conform
