// The numbers of threads, gettid(2).
#pragma once

#include "sim/process/process.h"

namespace hardclock::gnu_linux {

// A process's first thread has its number, and the others numbers that no process has: pids begin
// again below 32768 on Linux (kernel/pid.c, pid_max), and here they do not get as far.
inline constexpr int between_threads = 1 << 16;

inline int tid_of(const Thread& thread) {
  return thread.process.pid + (thread.id - 1) * between_threads;
}

// Nullptr: there is none.
inline Thread* find_thread(const Process& process, int tid) {
  const int above = tid - process.pid;
  return above % between_threads == 0 ? process.thread(above / between_threads + 1) : nullptr;
}

}  // namespace hardclock::gnu_linux
