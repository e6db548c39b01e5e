// What a case expects against what a backend saw.
#pragma once

#include <string>
#include <vector>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// A line for each difference ("process 1: BUF[3] is 2, not 1"); empty: the case passes. After
// kMostDifferences lines one line says how many more there are. The observation has no error.
std::vector<std::string> compare(const Case& of, const Observation& seen);

inline constexpr std::size_t kMostDifferences = 20;

}  // namespace hardclock::conform
