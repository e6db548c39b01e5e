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
  const int above = tid - process.pid;
  return above % between_threads == 0 ? process.thread(above / between_threads + 1) : nullptr;
}

}  // namespace hardclock::gnu_linux
