// What the clock's interrupts do with the timers that the kernel keeps. Those of used time are
// looked at with each tick (Linux 6.1, kernel/time/posix-cpu-timers.c), the others also when the
// clock interrupts for them (kernel/time/posix-timers.c, itimer.c).
#include <algorithm>
#include <optional>

#include "syscalls/posix/kernel.h"
#include "syscalls/posix/limits.h"
#include "syscalls/posix/signals/process_control.h"
#include "syscalls/posix/state.h"
#include "syscalls/posix/timers.h"

namespace hardclock::posix {
namespace {

const Thread* target_of(const Process& process, const Timer& timer) {
  return timer.thread == 0 ? nullptr : process.thread(timer.thread);
}

// The signal that the timer sent last has not been taken yet.
bool is_pending(const Process& process, const Timer& timer) {
  const Thread* const thread = target_of(process, timer);
  if (thread == nullptr) return state_of(process).pending.has_of_timer(timer.signal, timer.id);
  const auto* const own = static_cast<const ThreadState*>(thread->os_state.get());
  return own != nullptr && own->pending.has_of_timer(timer.signal, timer.id);
}

bool is_pending(const Process& process, unsigned signal) {
  return process.signals.pending.test(signal - 1);
}

// The time since the start at which timers are looked at: where none interrupts, the last tick's.
std::uint64_t seen_time(const Simulation& simulation, const Process& process) {
  const VirtualClock& clock = simulation.clock();
  return port_of(process).timers_interrupt ? nanoseconds_of(clock)
                                           : time_of(clock.ticks(), clock.tick_rate());
}

// One expiry at most: what an interval timer of used time has missed comes with the next ticks
// (check_cpu_itimer()).
bool expires(IntervalTimers::One& timer, std::uint64_t now) {
  if (timer.next == 0 || now < timer.next) return false;
  timer.next = timer.interval == 0 ? 0 : timer.next + timer.interval;
  return true;
}

}  // namespace

// Whether sending the process this signal would change anything: it is not ignored, and not pending
// already. A tracer hears of ignored ones, too.
bool TimerTicks::would_change(const Process& process, unsigned signal) const {
  if (signal == 0 || is_pending(process, signal)) return false;
  const bool is_watched =
      is_signal_controlled(process, signal) ||
      std::ranges::any_of(process.threads, [](const auto& each) { return bool(each->tracer); });
  return is_watched || !is_ignored(system().signals, process, signal);
}

bool TimerTicks::heeds_timer(const Process& process, TimerKind timer) const {
  return timer != TimerKind::real || would_change(process, sigalrm);
}

void TimerTicks::timer_expired(Process& process, TimerKind timer) const {
  const unsigned signals[timer_kinds] = {sigalrm, system().signals.virtual_alarm,
                                         system().signals.profiling_alarm};
  const unsigned signal = signals[static_cast<std::size_t>(timer)];
  if (signal != 0) kernel_.signals().post(process, signal);
}

void TimerTicks::clock_ticked(Process& process, Thread* running) const {
  if (process.os_state == nullptr) return;
  kernel_.tell_of_files();
  obey_cpu_limit(kernel_, process);
  expire_timers(process, true);
  expire_interval_timers(process, running);
  const ProcessState& state = state_of(process);
  const bool has_timers = !state.timers.all().empty() || state.interval_timers.real.next != 0;
  if (has_timers && port_of(process).timers_interrupt) simulation().update_alarm();
}

void TimerTicks::alarm_came(Process& process) const {
  if (process.os_state == nullptr || !port_of(process).timers_interrupt) return;
  expire_timers(process, false);
  expire_real_timer(process);
}

void TimerTicks::expire_timers(Process& process, bool with_used) const {
  for (Timer& timer : state_of(process).timers.all()) {
    if (with_used || !timer.used) expire(process, timer);
  }
}

void TimerTicks::expire(Process& process, Timer& timer) const {
  if (timer.next == 0 || timer.signal == 0) return;
  if (timer.is_sent && is_pending(process, timer)) return;
  const auto now =
      timer.used ? time_of(simulation(), *timer.used) : seen_time(simulation(), process);
  if (!now || *now < timer.next) return;
  const bool is_ignored_now = timer.thread == 0 && !would_change(process, timer.signal) &&
                              !is_pending(process, timer.signal);
  // An ignored timer goes on by itself, the others when their signals are taken.
  timer.next = timer.interval == 0 ? 0 : timer.next + timer.interval;
  timer.is_sent = !is_ignored_now && timer.next != 0;
  if (is_ignored_now) {
    (void)expirations(*now, timer.next, timer.interval);
    return;
  }
  SignalInfo info;
  info.cause = SignalInfo::Cause::timer;
  info.pid = timer.id;
  info.value = timer.value;
  info.code = timer.code;
  if (timer.thread == 0) {
    kernel_.signals().post(process, timer.signal, info);
  } else if (Thread* const thread = process.thread(timer.thread)) {
    kernel_.signals().post_to(*thread, timer.signal, info);
  } else {
    timer.next = 0;
  }
}

// Source: posixtimer_rearm(), and dequeue_signal() for SIGALRM.
void TimerTicks::rearm(Process& process, unsigned signal, SignalInfo& info) const {
  ProcessState& state = state_of(process);
  IntervalTimers::One& real = state.interval_timers.real;
  if (signal == sigalrm && real.is_sent) {
    real.is_sent = false;
    (void)expirations(nanoseconds_of(simulation().clock()), real.next, real.interval);
    simulation().update_alarm();
  }
  if (info.cause != SignalInfo::Cause::timer) return;
  Timer* const timer = state.timers.find(info.pid);
  if (timer == nullptr || !timer->is_sent) return;
  timer->is_sent = false;
  const auto now =
      timer->used ? time_of(simulation(), *timer->used) : nanoseconds_of(simulation().clock());
  timer->overruns = now ? expirations(*now, timer->next, timer->interval) : 0;
  info.user = static_cast<std::uint32_t>(std::min<std::uint64_t>(timer->overruns, 0x7fffffff));
  simulation().update_alarm();
}

// setitimer(2)'s, which hardclock() does not count. One of used time sends its signal to the thread
// that runs (send_signal_locked() of `current`), unless that blocks it.
void TimerTicks::expire_interval_timers(Process& process, Thread* running) const {
  expire_real_timer(process);
  if (running == nullptr) return;
  IntervalTimers& timers = state_of(process).interval_timers;
  const auto signal_at = [&](IntervalTimers::One& timer, CpuClock::What what, unsigned signal) {
    if (!expires(timer, *time_of(simulation(), {.what = what, .pid = process.pid}))) return;
    if (running->blocked_signals.test(signal - 1)) {
      kernel_.signals().post(process, signal);
    } else {
      kernel_.signals().post_to(*running, signal, {});
    }
  };
  signal_at(timers.prof, CpuClock::What::ticks, system().signals.profiling_alarm);
  signal_at(timers.virtual_, CpuClock::What::user_ticks, system().signals.virtual_alarm);
}

void TimerTicks::expire_real_timer(Process& process) const {
  IntervalTimers::One& real = state_of(process).interval_timers.real;
  const std::uint64_t now = seen_time(simulation(), process);
  if (real.is_sent || !expires(real, now)) return;
  real.is_sent = would_change(process, sigalrm) && real.next != 0;
  if (!real.is_sent) (void)expirations(now, real.next, real.interval);
  kernel_.signals().post(process, sigalrm);
}

// When a timer or a file next lets somebody go on, in nanoseconds since the machine's start. A
// timer whose expiry would change nothing does not. That of a file that is over has happened.
std::optional<std::uint64_t> TimerTicks::next_time(const Process& process) const {
  if (process.os_state == nullptr || state_of(process).port == nullptr) return std::nullopt;
  const ProcessState& state = state_of(process);
  std::optional<std::uint64_t> first;
  const auto consider = [&](std::uint64_t time) { first = std::min(first.value_or(time), time); };
  for (const Timer& timer : state.timers.all()) {
    if (timer.next == 0 || timer.signal == 0 || timer.used) continue;
    if (timer.is_sent && is_pending(process, timer)) continue;
    if (timer.thread != 0 || would_change(process, timer.signal)) consider(timer.next);
  }
  const IntervalTimers::One& real = state.interval_timers.real;
  if (real.next != 0 && !real.is_sent && would_change(process, sigalrm)) consider(real.next);
  const Descriptors* before = nullptr;
  for (const auto& thread : process.threads) {
    const Descriptors& descriptors = *thread_state_of(*thread).descriptors;
    if (before != nullptr && descriptors.shares(*before)) continue;
    before = &descriptors;
    for (std::size_t number = 0; number < descriptors.end(); ++number) {
      const auto file = descriptors.get(static_cast<std::int64_t>(number));
      const auto time = file == nullptr ? std::nullopt : file->next_event();
      if (time && *time > seen_time(simulation(), process)) consider(*time);
    }
  }
  return first;
}

std::optional<Ticks> TimerTicks::next_expiry(const Process& process) const {
  const auto time = next_time(process);
  if (!time) return std::nullopt;
  const VirtualClock& clock = simulation().clock();
  return std::max(tick_of(*time, clock.tick_rate()), clock.ticks() + Ticks(1));
}

std::optional<Cycles> TimerTicks::next_alarm(const Process& process) const {
  if (process.os_state == nullptr || state_of(process).port == nullptr) return std::nullopt;
  if (!port_of(process).timers_interrupt) return std::nullopt;
  const auto time = next_time(process);
  if (!time) return std::nullopt;
  return cycle_of(*time, simulation().clock());
}

}  // namespace hardclock::posix
