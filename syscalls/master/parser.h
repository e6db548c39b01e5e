// Reads the text of a syscalls.master file.
#pragma once

#include <string_view>

#include "sim/base/result.h"
#include "syscalls/master/table.h"

namespace hardclock::mastergen {

// The table, or everything that breaks the grammar (README.md, "Grammar"), by line. Any bytes are
// accepted as input.
Result<Table, Diagnostics> parse(std::string_view text);

}  // namespace hardclock::mastergen
