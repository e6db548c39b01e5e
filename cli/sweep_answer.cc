#include "cli/sweep_answer.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "cli/run_profile.h"
#include "cli/shared_objects.h"
#include "cli/terminal.h"
#include "sim/report/identity.h"
#include "sim/report/sweep.h"

namespace hardclock {
namespace {

report::ClockTicks ticks_in(SweepCounts::ByClock ticks) {
  return {ticks.begin(), ticks.end()};
}

report::SweepProgram sweep_program_of(const ProgramRecord& record) {
  const SweepCounts& counts = record.profile->sweep;
  report::SweepProgram program;
  program.process = process_of(record);
  record.profile->cycles.own().for_each_pc(
      [&](GuestAddr pc, std::uint64_t cycles) { program.cycles.emplace_back(pc, cycles); });
  for (const SweepTicks& at : counts.user()) program.ticks.push_back({at.pc, at.clock, at.ticks});
  program.elsewhere = ticks_in(counts.elsewhere());
  program.kernel = ticks_in(counts.kernel());
  return program;
}

report::Sweep sweep_of(const Simulation& simulation, const posix::Program& program,
                       const SweepChoice& choice) {
  report::Sweep sweep;
  sweep.command = command_line_of(program);
  sweep.cpu = simulation.clock().cpu_rate();
  sweep.tick_rate = simulation.clock().tick_rate();
  sweep.elapsed = simulation.clock().now();
  sweep.rates = choice.rates;
  sweep.phases = choice.phases;
  for (const auto& record : simulation.programs()) {
    sweep.programs.push_back(sweep_program_of(*record));
  }
  sweep.idle = ticks_in(simulation.sweep()->idle());
  return sweep;
}

// For the names of functions.
report::Profile mappings_of(const report::Sweep& sweep) {
  report::Profile profile;
  for (const report::SweepProgram& program : sweep.programs) {
    report::ProcessProfile process;
    process.program = program.process.program;
    process.mappings = program.process.mappings;
    process.text_hash = program.process.text_hash;
    profile.processes.push_back(std::move(process));
  }
  return profile;
}

}  // namespace

Result<std::string, std::string> sweep_answer(const Simulation& simulation,
                                              const posix::Program& program,
                                              const RunOptions& options) {
  const report::Sweep sweep = sweep_of(simulation, program, *options.sweep);
  const report::Profile mappings = mappings_of(sweep);
  const report::Identity identity = report::identity_of(options.program, *program.image);
  const auto objects = find_shared_objects({&mappings}, identity, options.roots);
  if (!objects) return Failure{objects.error()};
  const SymbolTable& symbols = program.image->symbols;
  const report::SweepTable table = report::tabulate(sweep, symbols, identity, *objects);
  switch (options.sweep->format) {
    case SweepFormat::text:
      break;
    case SweepFormat::json:
      return report::sweep_json(table, symbols, identity, *objects);
    case SweepFormat::csv:
      return report::sweep_csv(table);
    case SweepFormat::svg:
      return report::sweep_svg(table);
  }
  const bool is_file = !options.sweep->output.file.empty();
  return report::sweep_text(table, is_file ? Terminal() : terminal_of(STDERR_FILENO));
}

std::optional<std::string> lacking_in_sweep(const Simulation& simulation) {
  std::uint64_t cycles = 0, ticks = 0;
  for (const auto& record : simulation.programs()) {
    const ProfileRecord& seen = *record->profile;
    const SweepCounts::ByClock elsewhere = seen.sweep.elsewhere();
    cycles += seen.cycles.own_elsewhere();
    ticks = std::accumulate(elsewhere.begin(), elsewhere.end(), ticks);
  }
  if (cycles == 0 && ticks == 0) return std::nullopt;
  return fmt::format(
      "the sweep lacks the functions of {} cycles and {} ticks: more code ran than there is memory "
      "to keep them by pc; raise --max-memory",
      cycles, ticks);
}

}  // namespace hardclock
