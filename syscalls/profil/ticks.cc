#include "syscalls/profil/ticks.h"

#include <utility>

namespace hardclock::profil {
namespace {

bool is_fast(const State& state) {
  return state.on() && state.fast;
}

TickFate fast_tick(const SystemRules& system, State& state, GuestAddr pc) {
  if (system.fast_buffer == 0) return TickFate::charge;
  if (state.waiting.size() >= system.fast_buffer) return TickFate::lost;
  state.waiting.push_back(pc);
  return TickFate::waits;
}

}  // namespace

TickFate user_tick(const SystemRules& system, State& state, GuestAddr pc, Clock clock) {
  if (clock == Clock::fast) {
    return is_fast(state) ? fast_tick(system, state, pc) : TickFate::ignored;
  }
  if (is_fast(state)) return system.fast_buffer == 0 ? TickFate::ignored : TickFate::fetches;
  const bool is_marked =
      system.user_ticks == UserTicks::as_one || system.user_ticks == UserTicks::as_one_at_resume;
  if (!state.on() || !is_marked) return TickFate::charge;
  state.owed_tick = pc;
  return TickFate::owed;
}

std::vector<Due> take_waiting(State& state) {
  std::vector<Due> due;
  for (const GuestAddr pc : std::exchange(state.waiting, {})) {
    due.push_back({Due::Kind::sample, pc, Ticks(1)});
  }
  return due;
}

std::vector<Due> take_due(const SystemRules& system, State& state, const KernelExit& exit) {
  std::vector<Due> due = take_waiting(state);
  if (const auto marked = std::exchange(state.owed_tick, std::nullopt)) {
    const bool at_resume = system.user_ticks == UserTicks::as_one_at_resume;
    due.push_back({Due::Kind::tick, at_resume ? exit.resume_pc : *marked, Ticks(1)});
  }
  const bool is_probed = system.probes_on_kernel_exit && state.on();
  if (system.system_ticks == SystemTicks::none) return due;
  if (exit.system_ticks == Ticks(0) && !is_probed) return due;
  const std::uint64_t factor = is_fast(state) ? system.fast_ticks_a_tick : 1;
  const bool at_trap = system.system_ticks == SystemTicks::trap_pc;
  due.push_back({Due::Kind::system, at_trap ? exit.trap_pc : exit.resume_pc,
                 Ticks(exit.system_ticks.value() * factor)});
  return due;
}

}  // namespace hardclock::profil
