// The numbers of threads, gettid(2).
#pragma once

#include "sim/process/process.h"
#include "syscalls/posix/thread_numbers.h"

namespace hardclock::gnu_linux {

using posix::between_threads;

inline int tid_of(const Thread& thread) {
  return posix::thread_number(thread);
}

// Nullptr: there is none.
inline Thread* find_thread(const Process& process, int tid) {
  return posix::thread_with_number(process, tid);
}

}  // namespace hardclock::gnu_linux
