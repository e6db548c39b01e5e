// What a program on a real machine cannot do.
#pragma once

#include <cstddef>
#include <string>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

// Why no program on the case's system can perform it, in one line; empty: one can. The case has no
// defect.
std::string why_not(const Case& of);

// Whether parent and child have one memory after the fork, unless the parent has a copy itself.
bool shares_memory(const Case& of, const ForkEvent& fork);

// What the model sees of the process before the event `events`.
ProcessObservation seen_before(const Case& of, int pid, std::size_t events);

// Whether the process has executed a program before the event `events`.
bool has_exec(const Case& of, int pid, std::size_t events);

}  // namespace hardclock::conform
