// Reads files of conformance cases: docs/conformance.md has the format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// The cases of a file of cases or of a file of observations of real kernels, in the file's order.
// `text` may be any bytes; `file` is its name for messages. The error is one line about the first
// violation of the format: "cases.json:17: cases[3].events[0].tick.pc: not a hexadecimal address".
// A well-formed case that names a system, an event, a call or a flag that does not exist becomes a
// case with a defect.
Result<std::vector<Case>, std::string> parse_cases(std::string_view text, std::string_view file);

}  // namespace hardclock::conform
