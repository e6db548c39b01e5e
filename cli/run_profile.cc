#include "cli/run_profile.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cli/usage_error.h"
#include "sim/engine/settled_calls.h"
#include "sim/report/reason_names.h"
#include "sim/report/viewers/output_formats.h"

namespace hardclock {
namespace {

report::CyclesByPc cycles_by_pc(const CycleProfile& profile) {
  std::size_t size = 0;
  profile.for_each_pc([&](GuestAddr, std::uint64_t) { ++size; });
  std::vector<report::CyclesByPc::value_type> items;
  items.reserve(size);
  profile.for_each_pc([&](GuestAddr pc, std::uint64_t cycles) { items.emplace_back(pc, cycles); });
  return report::to_cycles_by_pc(std::move(items));
}

void add_calls(const CallRecord& all, report::ProcessProfile& process) {
  const CallRecord calls = settled(all);
  for (const CallRecord::Node& node : calls.nodes()) {
    process.call_tree.push_back({node.parent, node.function, node.calls, node.cycles, node.ticks});
  }
  for (const auto& [key, arc] : calls.arcs()) {
    process.call_arcs.push_back({key.site, key.function, arc.calls, arc.cycles});
  }
  std::ranges::sort(process.call_arcs, {},
                    [](const report::CallArc& arc) { return std::pair(arc.site, arc.function); });
  process.calls_not_kept = calls.not_kept();
}

void add_reasons(const ReasonProfile& cycles, report::ProcessProfile& process) {
  for (const CycleReason reason : report::all_cycle_reasons) {
    process.reasons[reason] = cycles_by_pc(cycles.of(reason));
  }
}

}  // namespace

std::string command_line_of(const posix::Program& program) {
  std::string line;
  for (const std::string& word : program.arguments) line += (line.empty() ? "" : " ") + word;
  return line;
}

report::ProcessProfile process_of(const ProgramRecord& record) {
  const ProfileRecord& seen = *record.profile;
  report::ProcessProfile process;
  process.pid = static_cast<std::uint32_t>(record.pid);
  process.program = record.program;
  process.text_hash = seen.text_hash;
  process.moved_by = seen.moved_by;
  for (const FileRange& range : seen.code_files) {
    process.mappings.push_back({range.start, range.size, range.file, range.offset});
  }
  return process;
}

report::Profile profile_of(const Simulation& simulation, const posix::Program& program,
                           bool has_reasons, bool has_calls) {
  report::Profile profile;
  profile.command = command_line_of(program);
  profile.byte_order = program.image->endian;
  profile.address_bits = program.image->address_bits;
  profile.cpu = simulation.clock().cpu_rate();
  profile.tick_rate = simulation.clock().tick_rate();
  for (const auto& record : simulation.programs()) {
    profile.processes.push_back(process_of(*record));
    report::ProcessProfile& process = profile.processes.back();
    process.cycles = cycles_by_pc(record->profile->cycles.own());
    process.samples = record->profile->tick_samples;
    if (has_reasons) add_reasons(record->profile->cycles, process);
    if (has_calls) add_calls(record->profile->calls, process);
  }
  return profile;
}

std::optional<std::string> error_in_profile_name(const std::string& name) {
  if (name.find("%p") != std::string::npos)
    return "--profile: one file has the profiles of all processes; leave out %p";
  const auto format = report::output_format_for(name);
  if (format) return std::nullopt;
  return "--profile: " + printable(format.error(), format.error().size());
}

bool shows_calls(const std::optional<std::string>& file) {
  if (!file) return false;
  const auto format = report::output_format_for(*file);
  return format && (*format)->shows_calls;
}

}  // namespace hardclock
