// What the end of a thread does to the words in memory that it has named for that: the locks that
// it holds (set_robust_list(2)) and the word by which others wait for it (set_tid_address(2)).
#pragma once

#include "sim/process/simulation.h"

namespace hardclock::gnu_linux {

// The thread's memory is still there.
void release_words(Thread& thread);

// For every thread of the process.
void release_all_words(Process& process);

}  // namespace hardclock::gnu_linux
