#include "sim/debug/thread_control.h"

#include <vector>

namespace hardclock::debug {

ThreadName name_of(const Thread& thread) {
  return {thread.process.pid, thread.id};
}

Thread* ThreadControl::find(const ThreadName& name) const {
  const Process* const process = simulation_.find(name.process);
  return process == nullptr ? nullptr : process->thread(name.thread);
}

void ThreadControl::hold_all_but(const Thread& thread) {
  for (Process* const process : simulation_.processes()) {
    for (const auto& each : process->threads) each->held = each.get() != &thread;
  }
}

SimulationEnd ThreadControl::run_until(const std::function<bool()>& stop) {
  const Simulation::Poll poll(simulation_, [&stop] { return !stop(); });
  return simulation_.run();
}

SimulationEnd ThreadControl::run_to(Cycles time) {
  simulation_.stop_at(time);
  SimulationEnd outcome = simulation_.run();
  simulation_.stop_at(std::nullopt);
  return outcome;
}

SimulationEnd ThreadControl::step(Thread& thread) {
  const ThreadName name = name_of(thread);
  std::vector<ThreadName> held;
  for (Process* const process : simulation_.processes()) {
    for (const auto& other : process->threads) {
      if (other.get() == &thread || other->held) continue;
      hold(*other);
      held.push_back(name_of(*other));
    }
  }
  const bool was_held = thread.held;
  release(thread);
  const Cpu* const cpu = thread.cpu.get();
  const GuestAddr pc = cpu->interrupted_pc();
  const Instructions done = cpu->counts().instructions;
  simulation_.set_longest_stretch(Instructions(1));
  SimulationEnd outcome = run_until([&] {
    const Thread* const now = find(name);
    if (now == nullptr || now->cpu.get() != cpu) return true;
    return (now->waiting() && !simulation_.is_over(*now)) || cpu->interrupted_pc() != pc ||
           cpu->counts().instructions != done;
  });
  simulation_.set_longest_stretch(Simulation::longest_stretch);
  if (Thread* const now = find(name)) now->held = was_held;
  for (const ThreadName& other : held) {
    if (Thread* const found = find(other)) release(*found);
  }
  return outcome;
}

InjectedCall ThreadControl::inject(Thread& thread, CallSite& site, unsigned number,
                                   std::span<const std::uint64_t> arguments) {
  if (!site.enter(thread, number, arguments)) return {InjectedCall::End::failed, {}};
  const ThreadName name = name_of(thread);
  hold_all_but(thread);
  const auto is_gone = [&] { return find(name) != &thread; };
  run_until([&] { return is_gone() || site.has_returned(thread); });
  if (is_gone()) return {InjectedCall::End::gone, {}};
  if (!site.has_returned(thread)) return {InjectedCall::End::waits, {}};
  return {InjectedCall::End::returned, site.answer(thread)};
}

bool ThreadControl::leave_kernel(Thread& thread) {
  if (!thread.in_kernel) return false;
  simulation_.leave_kernel(thread);
  return true;
}

}  // namespace hardclock::debug
