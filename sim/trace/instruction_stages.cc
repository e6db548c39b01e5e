#include "sim/trace/instruction_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hardclock {
namespace {

std::vector<PipelineRecord::Stage> out_of_order_stages(const InstructionTimes& times) {
  const InstructionTimes::Stages& at = *times.out_of_order;
  const std::pair<const char*, std::uint64_t> begins[] = {
      {"fetch", at.fetch},       {"decode", at.decode},     {"issue", at.issue},
      {"complete", at.complete}, {"graduate", times.issue}, {"", times.issue + 1}};
  std::vector<PipelineRecord::Stage> stages;
  for (std::size_t i = 0; i + 1 < std::size(begins); ++i) {
    const auto& [name, begin] = begins[i];
    const std::uint64_t end = begins[i + 1].second;
    if (begin < end) stages.push_back({name, begin, end});
  }
  return stages;
}

std::string wait_of(CycleReason reason, std::uint64_t cycles, const std::string& awaited) {
  if (reason == CycleReason::operand) {
    return fmt::format("waits {} for {}", cycles, awaited.empty() ? "a register" : awaited);
  }
  return fmt::format("{} {}", cycle_reason_names[static_cast<std::size_t>(reason)], cycles);
}

}  // namespace

Result<InstructionStages, std::string> InstructionStages::create(const CpuDescription& cpu) {
  if (cpu.functional()) {
    return Failure{cpu.name +
                   " has no pipeline that could be shown; choose another with --cpu or "
                   "--machine"};
  }
  if (cpu.kind != PipelineKind::in_order && cpu.kind != PipelineKind::bundles) {
    return InstructionStages(std::nullopt);
  }
  const auto row = std::ranges::find(cpu.rows, "stages", &TimingRow::keyword);
  if (row == cpu.rows.end()) return Failure{cpu.name + " has no row of stages"};
  auto names = read_stage_names(*row);
  if (!names) return Failure{cpu.name + ": " + names.error()};
  return InstructionStages(*std::move(names));
}

InstructionStages::InstructionStages(std::optional<StageNames> names) : names_(std::move(names)) {
  restart();
}

void InstructionStages::restart() {
  if (names_) in_order_.emplace(*names_);
  last_ = {};
}

std::vector<PipelineRecord::Stage> InstructionStages::next(const InstructionTimes& times) {
  const InstructionText before = std::exchange(last_, times.text);
  if (times.out_of_order) return out_of_order_stages(times);
  InOrderStages::Moments moments;
  moments.issue = times.issue;
  moments.fetch_stall = times.fetch_stall;
  moments.execution = times.execution_stall;
  moments.memory_stall = times.memory_stall;
  if (!times.text.follows(before)) {
    const std::uint64_t fetch = fetch_of_issue(*names_, times.issue);
    moments.fetch = fetch - std::min<std::uint64_t>(fetch, times.fetch_stall);
  }
  return in_order_->next(moments);
}

std::vector<std::string> waits_of(const InstructionTimes& times, const std::string& awaited) {
  std::vector<std::string> waits;
  for (std::size_t i = 0; i < cycle_reasons; ++i) {
    const auto reason = static_cast<CycleReason>(i);
    const std::uint64_t cycles = times.reasons[reason];
    if (reason != CycleReason::issue && cycles != 0)
      waits.push_back(wait_of(reason, cycles, awaited));
  }
  return waits;
}

}  // namespace hardclock
