// Checks a parsed syscalls.master file.
#pragma once

#include "syscalls/master/table.h"

namespace hardclock::mastergen {

// Everything that breaks a rule (README.md, "Rules"), by line; empty for a good table.
Diagnostics check(const Table& table);

}  // namespace hardclock::mastergen
