// The numbers that threads have among processes, where a system gives them some.
#pragma once

#include "sim/process/process.h"

namespace hardclock::posix {

// A process's first thread has its number, and the others numbers that no process has: pids begin
// again below 32768 on Linux (kernel/pid.c, pid_max), and here they do not get as far.
inline constexpr int between_threads = 1 << 16;

// `id`: of the thread, 1, 2, ...
inline int thread_number(const Process& process, int id) {
  return process.pid + (id - 1) * between_threads;
}
inline int thread_number(const Thread& thread) {
  return thread_number(thread.process, thread.id);
}

// Nullptr: it has none with this number.
inline Thread* thread_with_number(const Process& process, int number) {
  const int above = number - process.pid;
  return above % between_threads == 0 ? process.thread(above / between_threads + 1) : nullptr;
}

}  // namespace hardclock::posix
