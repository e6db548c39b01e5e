// What the clock interrupt does with the timers of POSIX.1b.
#include <algorithm>
#include <optional>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/state.h"
#include "syscalls/posix/timers.h"

namespace hardclock::posix {
namespace {

// The signal that a timer sent last has not been taken yet.
bool is_pending(const Process& process, const Timer& timer) {
  const Thread* const thread = process.thread(timer.thread);
  const SignalSet& pending = thread != nullptr ? thread->pending_signals : process.signals.pending;
  return pending.test(timer.signal - 1);
}

}  // namespace

void Kernel::clock_ticked(Simulation& simulation, Process& process) {
  if (process.os_state == nullptr) return;
  tell_of_files(simulation);
  obey_cpu_limit(*this, simulation, process);
  const VirtualClock& clock = simulation.clock();
  for (Timer& timer : state_of(process).timers.all()) {
    const Ticks ticks =
        timer.counts_used_time ? process.time.user + process.time.system : clock.ticks();
    const std::uint64_t count =
        expirations(time_of(ticks, clock.tick_rate()), timer.next, timer.interval);
    if (count == 0 || timer.signal == 0) continue;
    if (is_pending(process, timer)) {
      timer.overruns += count;
      continue;
    }
    timer.overruns = count - 1;
    SignalInfo info;
    info.cause = SignalInfo::Cause::queued;
    info.pid = timer.id;
    info.user = static_cast<std::uint32_t>(timer.overruns);
    info.value = timer.value;
    info.code = timer.code;
    if (timer.thread == 0) {
      post(simulation, process, timer.signal, info);
    } else if (Thread* const thread = process.thread(timer.thread)) {
      post_to(simulation, *thread, timer.signal, info);
    }
  }
}

// A timer that sends nothing changes nothing by itself.
std::optional<Ticks> Kernel::next_expiry(const Simulation& simulation,
                                         const Process& process) const {
  if (process.os_state == nullptr) return std::nullopt;
  const State& state = state_of(process);
  const VirtualClock& clock = simulation.clock();
  std::optional<Ticks> first;
  const auto consider = [&](Ticks tick) {
    if (tick > clock.ticks()) first = std::min(first.value_or(tick), tick);
  };
  for (const Timer& timer : state.timers.all()) {
    const bool comes = timer.next != 0 && timer.signal != 0 && !timer.counts_used_time;
    if (comes) consider(tick_of(timer.next, clock.tick_rate()));
  }
  for (std::size_t number = 0; number < state.descriptors.end(); ++number) {
    const auto file = state.descriptors.get(static_cast<std::int64_t>(number));
    if (file == nullptr) continue;
    if (const auto tick = file->next_event()) consider(*tick);
  }
  return first;
}

}  // namespace hardclock::posix
