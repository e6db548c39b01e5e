#include "syscalls/posix/cpu_clock.h"

#include "sim/base/check.h"
#include "sim/process/simulation.h"
#include "syscalls/posix/timers.h"

namespace hardclock::posix {
namespace {

Cycles cycles_of(const Thread& thread) {
  return thread.earlier_cycles + thread.cpu->counts().cycles;
}

Cycles cycles_of(const Process& process) {
  Cycles used = process.earlier_cycles + process.ended_threads.counts.cycles;
  for (const auto& thread : process.threads) used += thread->cpu->counts().cycles;
  return used;
}

template <class Worker>
std::uint64_t used_by(const Worker& worker, CpuClock::What what, const VirtualClock& clock) {
  switch (what) {
    case CpuClock::What::ticks:
      return time_of(worker.time.user + worker.time.system, clock.tick_rate());
    case CpuClock::What::user_ticks:
      return time_of(worker.time.user, clock.tick_rate());
    case CpuClock::What::cycles:
      return multiply_divide_down(cycles_of(worker).value(), 1'000'000'000,
                                  clock.cpu_rate().value());
  }
  CHECK(false);
}

}  // namespace

std::optional<std::uint64_t> time_of(const Simulation& simulation, const CpuClock& clock) {
  const Process* const process = simulation.find(clock.pid);
  if (process == nullptr || process->exit_status) return std::nullopt;
  if (clock.thread == 0) return used_by(*process, clock.what, simulation.clock());
  const Thread* const thread = process->thread(clock.thread);
  if (thread == nullptr) return std::nullopt;
  return used_by(*thread, clock.what, simulation.clock());
}

}  // namespace hardclock::posix
