// What a program on a real machine cannot do.
#pragma once

#include <cstddef>
#include <string>

#include "syscalls/conform/case.h"

namespace hardclock::conform {

// Why no program on the case's system can perform it, in one line; empty: one can. The case has no
// defect.
std::string why_not(const Case& of);

// Whether the process has executed a program before the event `events`.
bool has_exec(const Case& of, int pid, std::size_t events);

}  // namespace hardclock::conform
