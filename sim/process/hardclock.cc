#include "sim/process/simulation.h"

namespace hardclock {
namespace {

// A process computes for this many ticks before another ready one gets the processor: 100 ms, the
// round-robin interval of BSD (4.4BSD kern_synch.c, roundrobin()). As there, a wait begins no new
// interval: a thread that wakes another one and waits again before that one has done anything would
// keep the processor from it for ever.
constexpr Ticks time_slice{10};

// Counts a timer down by one tick; true when it expires. An expired timer is armed again with its
// interval, as 4.4BSD's itimerdecr() does.
bool count_down(IntervalTimer& timer, std::uint64_t tick_microseconds) {
  if (timer.value == 0) return false;
  if (timer.value > tick_microseconds) {
    timer.value -= tick_microseconds;
    return false;
  }
  timer.value = timer.interval;
  return true;
}

}  // namespace

std::uint64_t tick_microseconds(const VirtualClock& clock) {
  return 1'000'000 / clock.tick_rate().value();
}

void hardclock(Simulation& simulation, Thread* current, ProcessorMode mode) {
  const std::uint64_t tick = tick_microseconds(simulation.clock());
  const bool user = mode == ProcessorMode::user;
  if (current != nullptr) {
    for (CpuTime* const time : {&current->process.time, &current->time}) {
      (user ? time->user : time->system) += Ticks(1);
    }
  }
  for (auto& [pid, process] : simulation.processes_) {
    if (!process->exit_status && count_down(process->timer(TimerKind::real), tick)) {
      process->os->timer_expired(*process, TimerKind::real);
    }
    if (process->exit_status) continue;
    const bool has_run = current != nullptr && &current->process == process.get();
    process->os->clock_ticked(*process, has_run ? current : nullptr);
  }
  if (current == nullptr) return;
  Process& process = current->process;
  if (user && count_down(process.timer(TimerKind::virtual_), tick)) {
    process.os->timer_expired(process, TimerKind::virtual_);
  }
  if (count_down(process.timer(TimerKind::prof), tick)) {
    process.os->timer_expired(process, TimerKind::prof);
  }
  const GuestAddr pc = current->cpu->interrupted_pc();
  if (user) simulation.count_tick_sample(*current, pc);
  process.os->profile_tick(*current, pc, ClockKind::clock, mode);
  current->slice_used += Ticks(1);
  if (current->slice_used < time_slice) return;
  current->slice_used = Ticks(0);
  simulation.yield_ = true;
}

void fast_hardclock(Thread* current, ProcessorMode mode) {
  if (current == nullptr) return;
  current->process.os->profile_tick(*current, current->cpu->interrupted_pc(), ClockKind::fast_clock,
                                    mode);
}

// A moment is over when the cycle behind it begins, as a tick's is.
void Simulation::note_user_mode(const Thread& thread) {
  if (sweep_ != nullptr) sweep_->take(thread.cpu->interrupted_pc(), clock_.now() + Cycles(1));
}

void Simulation::note_kernel_mode(const Thread& thread) {
  if (sweep_ != nullptr) sweep_->pass_kernel(thread.process.pid, clock_.now() + Cycles(1));
}

}  // namespace hardclock
