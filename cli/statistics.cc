#include "cli/statistics.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/usage_error.h"
#include "sim/base/terminal_text.h"
#include "sim/report/text_table.h"

namespace hardclock {
namespace {

using Json = nlohmann::ordered_json;

double cycles_per_instruction(const ExecutionCounts& counts) {
  if (counts.instructions == Instructions(0)) return 0;
  return static_cast<double>(counts.cycles.value()) /
         static_cast<double>(counts.instructions.value());
}

std::string ending(const std::optional<ExitStatus>& status) {
  if (!status) return "exec or still running";
  return fmt::format("{} {}", status->by_signal ? "signal" : "exit", status->code);
}

std::string sandbox_text(const host::Sandbox& sandbox) {
  std::string text = "the name space of the guest";
  if (sandbox.landlock != 0) text += fmt::format(", landlock {}", sandbox.landlock);
  if (sandbox.seccomp) text += ", seccomp";
  return text;
}

using Programs = std::vector<std::shared_ptr<const ProgramRecord>>;

ExecutionCounts total(const Programs& programs) {
  ExecutionCounts sum;
  for (const auto& program : programs) {
    sum.instructions += program->counts.instructions;
    sum.cycles += program->counts.cycles;
  }
  return sum;
}

// cycles / instructions with four digits, so that no host's floating point shows.
std::string cpi_text(const ExecutionCounts& counts) {
  return fmt::format("{:.4f}", cycles_per_instruction(counts));
}

Json program_json(const ProgramRecord& program) {
  Json json{{"pid", program.pid},
            {"parent", program.parent},
            {"program", program.program},
            {"instructions", program.counts.instructions.value()},
            {"cycles", program.counts.cycles.value()},
            {"cpi", cpi_text(program.counts)},
            {"ticks",
             {{"user", program.time.user.value()},
              {"system", program.time.system.value()},
              {"charged", program.profiled_ticks.value()}}},
            {"ended", ending(program.exit_status)}};
  if (program.runs > 1) json["runs"] = program.runs;
  return json;
}

struct NamedCache {
  const char* name;
  MemorySystem::CacheCounts counts;
};

std::vector<NamedCache> caches_of(const MemorySystem::Statistics& memory) {
  return {{"l1i", memory.l1i}, {"l1d", memory.l1d}, {"l2", memory.l2}, {"l3", memory.l3}};
}

Json memory_json(const MemorySystem::Statistics& memory) {
  Json json = Json::object();
  for (const auto& [name, counts] : caches_of(memory)) {
    // Few machines have it.
    if (name == std::string_view("l3") && counts.accesses == 0) continue;
    json[name] = {{"accesses", counts.accesses},
                  {"misses", counts.misses},
                  {"write_backs", counts.write_backs}};
  }
  json["tlb_misses"] = memory.tlb_misses;
  json["write_buffer_stalls"] = memory.write_buffer_stalls.value();
  return json;
}

std::string memory_text(const MemorySystem::Statistics& memory) {
  std::string text;
  for (const auto& [name, counts] : caches_of(memory)) {
    if (counts.accesses == 0) continue;
    text += fmt::format(
        "{:14} {} accesses, {} misses ({:.2f} %), {} write-backs\n", name, counts.accesses,
        counts.misses,
        100.0 * static_cast<double>(counts.misses) / static_cast<double>(counts.accesses),
        counts.write_backs);
  }
  text += fmt::format("tlb            {} misses\n", memory.tlb_misses);
  if (memory.write_buffer_stalls != Cycles(0)) {
    text += fmt::format("write buffer   {} cycles waited\n", memory.write_buffer_stalls.value());
  }
  return text;
}

std::string programs_text(const Programs& programs, const Terminal& terminal) {
  using report::Align;
  std::vector<report::Column> columns = {{.title = "pid", .cells = {}},
                                         {.title = "instructions", .cells = {}, .rank = 3},
                                         {.title = "cycles", .cells = {}},
                                         {.title = "cpi", .cells = {}, .rank = 5},
                                         {.title = "user tk", .cells = {}, .rank = 2},
                                         {.title = "sys tk", .cells = {}, .rank = 4},
                                         {.title = "charged", .cells = {}, .rank = 1},
                                         {.title = "ended", .align = Align::left, .cells = {}},
                                         {.title = "program", .align = Align::left, .cells = {}}};
  for (const auto& program : programs) {
    const std::string ended =
        program->runs > 1 ? fmt::format("{} runs", program->runs) : ending(program->exit_status);
    const std::string cells[] = {std::to_string(program->pid),
                                 std::to_string(program->counts.instructions.value()),
                                 std::to_string(program->counts.cycles.value()),
                                 cpi_text(program->counts),
                                 std::to_string(program->time.user.value()),
                                 std::to_string(program->time.system.value()),
                                 std::to_string(program->profiled_ticks.value()),
                                 ended,
                                 printable(program->program)};
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return report::table_text(std::move(columns), {.terminal = terminal});
}

}  // namespace

std::string statistics_json(const Simulation& simulation, const RunSummary& summary) {
  const Programs programs = simulation.programs();
  const ExecutionCounts sum = total(programs);
  Json json{{"format", "hardclock-stats"},
            {"version", 1},
            {"os", summary.os},
            {"cpu", summary.cpu},
            {"machine", summary.machine.empty() ? Json() : Json(summary.machine)},
            {"timing", summary.timing},
            {"clock_hz", simulation.clock().cpu_rate().value()},
            {"tick_hz", simulation.clock().tick_rate().value()},
            {"outcome", summary.ending},
            {"instructions", sum.instructions.value()},
            {"cycles", sum.cycles.value()},
            {"cpi", cpi_text(sum)},
            {"elapsed_cycles", simulation.clock().now().value()},
            {"clock_ticks", simulation.clock().ticks().value()},
            {"peak_memory_bytes", simulation.budget()->peak_bytes()},
            {"programs", Json::array()},
            {"missing_calls", Json::object()}};
  if (!summary.cache_changes.empty()) json["cache"] = Json::array();
  for (const CacheChange& change : summary.cache_changes) json["cache"].push_back(to_text(change));
  if (summary.placement) json["placement"] = *summary.placement;
  if (summary.foreign_instructions) json["foreign_instructions"] = *summary.foreign_instructions;
  if (summary.reaches_internet) json["network"] = "host";
  if (summary.memory) json["memory"] = memory_json(*summary.memory);
  for (const auto& program : programs) json["programs"].push_back(program_json(*program));
  for (const auto& [name, count] : summary.missing_calls) json["missing_calls"][name] = count;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string statistics_text(const Simulation& simulation, const RunSummary& summary,
                            double host_seconds, const Terminal& terminal) {
  const Programs programs = simulation.programs();
  const ExecutionCounts sum = total(programs);
  const VirtualClock& clock = simulation.clock();
  std::string text = fmt::format(
      "cpu            {} at {:g} MHz, {} timing, clock tick {} Hz, {}\n"
      "instructions   {}\n"
      "cycles         {}  (cpi {})\n"
      "time           {:.6f} s simulated, {} clock ticks\n"
      "memory         {} KiB at most\n",
      summary.hardware, static_cast<double>(clock.cpu_rate().value()) / 1e6, summary.timing,
      clock.tick_rate().value(), summary.os, sum.instructions.value(), sum.cycles.value(),
      cpi_text(sum), static_cast<double>(clock.microseconds()) / 1e6, clock.ticks().value(),
      simulation.budget()->peak_bytes() / 1024);
  if (host_seconds > 0) {
    text += fmt::format("speed          {:.1f} million instructions a second ({:.2f} s)\n",
                        static_cast<double>(sum.instructions.value()) / host_seconds / 1e6,
                        host_seconds);
  }
  if (summary.foreign_instructions) {
    text += fmt::format("isa            any: {} instructions in the files are later than the {}\n",
                        *summary.foreign_instructions, summary.cpu);
  }
  text += fmt::format("engine         {}\n", summary.engine);
  text += fmt::format("sandbox        {}\n", sandbox_text(summary.sandbox));
  if (summary.reaches_internet) {
    text += "network        the host's: this run cannot be repeated\n";
  }
  if (summary.memory) text += memory_text(*summary.memory);
  for (const auto& [name, count] : summary.missing_calls) {
    text += fmt::format("missing call   {}: {} times\n", name, count);
  }
  return fitted(text, terminal) + '\n' + programs_text(programs, terminal);
}

}  // namespace hardclock
