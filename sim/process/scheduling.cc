// Which thread of a Simulation runs next, and how time passes while none can.
#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "sim/process/simulation.h"

namespace hardclock {
namespace {

// Whether one of the process's threads may.
bool may_run(const Process& process) {
  return std::ranges::any_of(process.threads, [](const auto& thread) { return thread->may_run(); });
}

// So many ticks count the timer down, whose expiries change nothing.
void pass_ticks(IntervalTimer& timer, std::uint64_t ticks, std::uint64_t tick_microseconds) {
  const auto ticks_of = [&](std::uint64_t time) {
    return (time + tick_microseconds - 1) / tick_microseconds;
  };
  if (timer.value == 0) return;
  const std::uint64_t left = ticks_of(timer.value);
  if (ticks >= left) {
    timer.value = timer.interval;
    ticks = timer.interval == 0 ? 0 : (ticks - left) % ticks_of(timer.interval);
  }
  timer.value -= ticks * tick_microseconds;
}

}  // namespace

// A wait ends when its condition holds or a signal interrupts it. A thread that a signal wakes runs
// at once: then that signal is taken before another thread of the process is asked.
Thread* Simulation::next_thread() {
  if (stopped_ != nullptr && !stopped_->waiting() && stopped_->may_run()) {
    std::erase(ready_, stopped_);
    return stopped_;
  }
  stopped_ = nullptr;
  wake_waiting();
  for (auto at = ready_.begin(); at != ready_.end(); ++at) {
    Thread* const thread = *at;
    if (!thread->may_run()) continue;
    if (thread->waiting()) {
      if (thread->wait->ends_call() || !thread->process.os->interrupts_wait(*thread)) continue;
      wake(*thread, Wait::Stage::interrupted);
    }
    ready_.erase(at);
    return thread;
  }
  return nullptr;
}

bool Simulation::has_happened(const Thread& waiting, const ChildEvent& event) const {
  const std::vector<Waitable> waitables = waitables_of(waiting, event);
  return waitables.empty() ||
         std::ranges::any_of(waitables, [&](const Waitable& one) { return one.has_done(event); });
}

bool Simulation::has_happened(const Thread&, const VforkEnd& event) const {
  const Process* const child = find(event.child);
  return child == nullptr || child->vfork_parent == 0;
}

bool Simulation::has_happened(const Thread& waiting, const SignalPending& event) const {
  return ((waiting.pending_signals | waiting.process.signals.pending) & event.signals).any();
}

bool Simulation::has_happened(const Thread& waiting, const ObjectEvent& event) const {
  return waiting.process.os->has_happened(waiting, event);
}

bool Simulation::has_happened(const Thread& waiting) const {
  return std::visit([&](const auto& event) { return has_happened(waiting, event); },
                    waiting.wait->event);
}

bool Simulation::is_over(const Thread& waiting) const {
  const Wait& wait = *waiting.wait;
  return (wait.until && wait.until->has_come(clock_)) || has_happened(waiting);
}

// The thread's wait is over. What it waited for is given up at once: it may keep a file open, and
// nobody does anything for the thread any more.
void Simulation::wake(Thread& thread, Wait::Stage next) {
  Wait& wait = *thread.wait;
  if (!has_outcome(wait.event) || !has_happened(thread)) wait.event = NoEvent{};
  wait.stage = next;
}

void Simulation::wake_waiting() {
  for (Thread* thread : ready_) {
    if (!thread->waiting() || !thread->may_run() || !is_over(*thread)) continue;
    if (thread->wait->ends_call()) {
      thread->wait.reset();
    } else {
      wake(*thread, Wait::Stage::repeat);
    }
  }
}

// The tick at which a real-time timer expires first; none: none will.
std::optional<Ticks> Simulation::first_expiry(bool also_of_stopped) const {
  const std::uint64_t tick = tick_microseconds(clock_);
  std::optional<Ticks> first;
  for (const auto& [pid, process] : processes_) {
    if (process->exit_status || (!also_of_stopped && !may_run(*process))) continue;
    if (const auto expiry = process->os->next_expiry(*process)) {
      first = std::min(first.value_or(*expiry), *expiry);
    }
    const std::uint64_t left = process->timer(TimerKind::real).value;
    if (left == 0 || !process->os->heeds_timer(*process, TimerKind::real)) continue;
    const Ticks expiry = clock_.ticks() + Ticks((left - 1) / tick + 1);
    first = std::min(first.value_or(expiry), expiry);
  }
  return first;
}

// The tick that ends a wait or expires a timer first; none: no tick will. The timer of a process
// that is stopped or blocked changes nothing: whoever could let it go on is stuck.
std::optional<Ticks> Simulation::first_wake_up() const {
  std::optional<Ticks> first = first_expiry(false);
  for (const Thread* thread : ready_) {
    if (!thread->may_run() || !thread->waiting() || !thread->wait->until) continue;
    const Ticks last = thread->wait->until->tick;
    first = std::min(first.value_or(last), last);
  }
  return first;
}

// The cycle that ends a wait first, of those that end between two ticks.
Cycles Simulation::first_moment() const {
  Cycles first = never;
  for (const Thread* thread : ready_) {
    if (!thread->may_run() || !thread->waiting() || !thread->wait->until) continue;
    first = std::min(first, thread->wait->until->moment.value_or(never));
  }
  return first;
}

std::string Simulation::waiting_threads() const {
  std::string text;
  for (const Thread* thread : ready_) {
    if (!text.empty()) text += ", ";
    text += "pid " + std::to_string(thread->process.pid);
    if (thread->process.threads.size() > 1) text += " thread " + std::to_string(thread->id);
    if (thread->traced_stop != 0) {
      text += " stopped for its tracer";
    } else if (thread->process.stopped_by != 0) {
      text += " stopped by signal " + std::to_string(thread->process.stopped_by);
    } else if (thread->process.blocked) {
      text += " blocked";
    } else if (thread->held) {
      text += " held";
    } else if (thread->wait) {
      text += " in " + thread->wait->call;
    }
  }
  return text;
}

// The machine's status is the first process's, once that has ended; whoever is left cannot change
// it.
SimulationEnd Simulation::stuck() const {
  const bool first_ended = !processes_.contains(first_pid_);
  return SimulationEnd{first_ended ? SimulationEnd::Kind::exited : SimulationEnd::Kind::deadlock,
                       first_status_, waiting_threads()};
}

// Nobody can run: passes the time until a tick wakes somebody. False when no event can ever help.
bool Simulation::idle() {
  constexpr Cycles end_of_time{std::uint64_t{1} << 62};
  const std::optional<Ticks> wake_up = first_wake_up();
  if (clock_.now() > end_of_time) return false;
  const bool may_get_help =
      (wake_up ? outside_.keeps_pace : outside_.brings_signals) || waits_for_outside();
  if (outside_wait_ && processes_.contains(first_pid_) && may_get_help) {
    wait_for_outside(wake_up);
    return true;
  }
  if (!wake_up) return false;
  pass_idle_time(*wake_up);
  return true;
}

void Simulation::pass_idle_time(Ticks event) {
  skip_idle_ticks(std::min(event, first_expiry(true).value_or(event)));
  clock_.advance_to(idle_event());
  take_clock_events(nullptr, ProcessorMode::system);
  if (sweep_ != nullptr) sweep_->pass_idle(clock_.now() + Cycles(1));
}

// The next event, or the moment before it at which a wait ends.
Cycles Simulation::idle_event() const {
  return std::min(first_moment(), next_event());
}

bool Simulation::waits_for_outside() const {
  bool hears = false;
  for (const auto& [pid, process] : processes_) {
    hears = process->os->hears_of_outside() || hears;
  }
  if (hears) return true;
  return std::ranges::any_of(ready_, [](const Thread* thread) {
    if (!thread->may_run() || !thread->waiting()) return false;
    const auto* const event = std::get_if<ObjectEvent>(&thread->wait->event);
    return event != nullptr && thread->process.os->comes_from_outside(*event);
  });
}

std::uint64_t Simulation::microseconds_until(Cycles when) const {
  const Cycles left = when - std::min(when, clock_.now());
  return multiply_divide_up(left.value(), 1'000'000, clock_.cpu_rate().value());
}

// Time that was waited passes event by event, so that the run's limits count on the way; where what
// is left of it does not reach the next one, the waiting goes on.
void Simulation::wait_for_outside(std::optional<Ticks> wake_up) {
  if (outside_microseconds_ >= microseconds_until(idle_event())) {
    const std::uint64_t before = clock_.microseconds();
    const Ticks next = clock_.ticks() + Ticks(1);
    const std::uint64_t until_next = microseconds_until(clock_.when_ticks_are(next));
    const std::uint64_t behind =
        outside_microseconds_ - std::min(outside_microseconds_, until_next);
    const Ticks due = next + Ticks(behind / tick_microseconds(clock_));
    pass_idle_time(std::min(due, wake_up.value_or(due)));
    const std::uint64_t passed = clock_.microseconds() - before;
    outside_microseconds_ -= std::min(passed, outside_microseconds_);
    return;
  }
  std::optional<std::chrono::microseconds> most;
  if (wake_up) {
    const Cycles first = std::min(first_moment(), alarm_);
    const std::uint64_t whole =
        microseconds_until(std::min(first, clock_.when_ticks_are(*wake_up)));
    most = std::chrono::microseconds(whole - std::min(whole, outside_microseconds_));
  }
  outside_microseconds_ += static_cast<std::uint64_t>(outside_wait_(most).count());
}

// Passes the ticks before `event` at once, but not the cycle limit: one by one they would take
// hours of the host's time for a guest that sleeps for years. They do nothing but count timers
// down.
void Simulation::skip_idle_ticks(Ticks event) {
  constexpr Ticks most{std::uint64_t{1} << 20};  // at a time, so that the poll is asked
  if (event <= clock_.ticks() + Ticks(1)) return;
  const Ticks last = std::min(event - Ticks(1), clock_.ticks() + most);
  Cycles until = clock_.when_ticks_are(last);
  until = std::min(until, std::min(first_moment(), alarm_) - Cycles(1));
  for (const auto& limit : {options_.max_cycles, stop_at_}) {
    if (limit) until = std::min(until, *limit - Cycles(1));
  }
  const std::uint64_t passed = clock_.skip_to(until).value();
  for (auto& [pid, process] : processes_) {
    pass_ticks(process->timer(TimerKind::real), passed, tick_microseconds(clock_));
  }
}

}  // namespace hardclock
