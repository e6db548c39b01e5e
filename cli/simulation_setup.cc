#include "cli/simulation_setup.h"

#include "sim/timing/physical_pages.h"

namespace hardclock {
namespace {

// The sanitizers report what is left.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
constexpr bool is_sanitized = __has_feature(address_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif

}  // namespace

bool keeps_profiles(const RunOptions& options) {
  return options.profile || options.sweep;
}

SimulationOptions simulation_options(const RunOptions& options, const CpuSetup& cpu,
                                     const posix::UnixSystem& os) {
  SimulationOptions simulation;
  simulation.cpu_clock = cpu.clock;
  const profil::SystemRules& profiling = *os.profiling;
  simulation.tick_rate = options.tick_rate.value_or(profiling.tick_rate);
  if (profiling.fast_tick_rate != Hertz(0)) {
    const std::uint64_t ratio = profiling.fast_tick_rate.value() / profiling.tick_rate.value();
    simulation.fast_tick_rate = Hertz(simulation.tick_rate.value() * ratio);
  }
  simulation.tick_counter = cpu.tick_counter;
  simulation.kernel_costs = cpu.kernel_costs;
  if (options.placement) simulation.stack_gap = stack_gap(*options.placement);
  simulation.max_instructions = options.max_instructions;
  simulation.max_cycles = options.max_cycles;
  simulation.max_memory = options.max_memory;
  simulation.first_pid = options.first_pid;
  simulation.keep_profiles = keeps_profiles(options);
  if (options.sweep) simulation.sweep = SweepOptions{options.sweep->rates, options.sweep->phases};
  // Their memory is that in which a profile is written.
  simulation.leaves_last_processors = !is_sanitized && !keeps_profiles(options);
  // Without either nobody sees more of them than their sum.
  if (!keeps_profiles(options) && !options.stats) simulation.most_records = 0;
  return simulation;
}

}  // namespace hardclock
