#include "syscalls/linux/clock_ids.h"

#include "syscalls/linux/thread_ids.h"

namespace hardclock::gnu_linux::calls {
namespace {

using posix::CpuClock;

// make_process_cpuclock(): the complement of a number, above what is counted, with a bit for a
// thread's.
struct Encoded {
  explicit Encoded(std::uint32_t clock)
      : id(~(static_cast<std::int32_t>(clock) >> 3)),
        what(clock & 3),
        is_thread((clock & 4) != 0) {}
  std::int32_t id;
  std::uint32_t what;
  bool is_thread;
};

std::optional<CpuClock::What> what_of(std::uint32_t code) {
  switch (code) {
    case 0:
      return CpuClock::What::ticks;
    case 1:
      return CpuClock::What::user_ticks;
    case 2:
      return CpuClock::What::cycles;
    default:  // a clock that is a file
      return std::nullopt;
  }
}

}  // namespace

// Source: kernel/time/posix-cpu-timers.c, pid_for_clock().
std::optional<CpuClock> used_clock(const Call& call, std::uint32_t clock, bool is_to_be_read) {
  const CpuClock own_process{.pid = call.process.pid};
  const CpuClock own_thread{.pid = call.process.pid, .thread = call.thread.id};
  if (clock == clock_process_cputime) return own_process;
  if (clock == clock_thread_cputime) return own_thread;
  if (static_cast<std::int32_t>(clock) >= 0) return std::nullopt;
  const Encoded encoded(clock);
  const auto what = what_of(encoded.what);
  if (!what) return std::nullopt;
  CpuClock found = encoded.is_thread ? own_thread : own_process;
  found.what = *what;
  if (encoded.id == 0) return found;
  if (encoded.is_thread) {
    const Thread* const thread = find_thread(call.process, encoded.id);
    if (thread == nullptr) return std::nullopt;
    found.thread = thread->id;
    return found;
  }
  if (is_to_be_read && encoded.id == tid_of(call.thread)) return found;
  const Process* const process = call.simulation().find(encoded.id);
  if (process == nullptr) return std::nullopt;
  found.pid = encoded.id;
  return found;
}

}  // namespace hardclock::gnu_linux::calls
