// `hardclock sweep --jobs-dir`: a sweep over processors, machines and caches, as jobs.
#pragma once

#include "cli/arguments.h"

namespace hardclock {

// Whether the words are for one run (false) or for jobs.
bool asks_for_jobs(const Arguments& arguments);

// Returns the exit status: 0 if all jobs came to their end, 1 if one failed. Signals are taken.
int sweep_jobs(const Arguments& arguments);

}  // namespace hardclock
