// Compares what a case expects with what a backend observed.
#pragma once

#include <string>
#include <vector>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// One line for each difference ("process 1: BUF[3] is 2, not 1"); empty: the case passes. After
// most_differences lines, one line counts the rest. The observation has no error.
std::vector<std::string> compare(const Case& of, const Observation& seen);

inline constexpr std::size_t most_differences = 20;

}  // namespace hardclock::conform
