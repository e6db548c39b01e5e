#include "sim/trace/instruction_stages.h"

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

std::vector<std::string> waits_of(const InstructionTimes& times) {
  std::vector<std::string> waits;
  const auto add = [&](const char* what, std::uint32_t cycles) {
    if (cycles != 0) waits.push_back(what + std::to_string(cycles));
  };
  add("fetch waits ", times.fetch_stall);
  add("waits ", times.waited);
  add("operands take ", times.execution_stall);
  add("memory waits ", times.memory_stall);
  return waits;
}

}  // namespace hardclock
