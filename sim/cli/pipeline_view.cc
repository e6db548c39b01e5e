#include "sim/cli/pipeline_view.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hardclock {
namespace {

std::string note_of(CycleReason reason, std::uint64_t cycles, const std::string& awaited) {
  if (reason == CycleReason::operand) {
    return fmt::format("waits {} for {}", cycles, awaited.empty() ? "a register" : awaited);
  }
  return fmt::format("{} {}", cycle_reason_names[static_cast<std::size_t>(reason)], cycles);
}

std::vector<std::string> notes_of(const InstructionTimes& times, const std::string& awaited) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < cycle_reasons; ++i) {
    const auto reason = static_cast<CycleReason>(i);
    const std::uint64_t cycles = times.reasons[reason];
    if (reason != CycleReason::issue && cycles != 0)
      notes.push_back(note_of(reason, cycles, awaited));
  }
  return notes;
}

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

Result<std::unique_ptr<PipelineView>, std::string> PipelineView::create(const CpuDescription& cpu,
                                                                        const Stretch& stretch,
                                                                        Format format,
                                                                        std::ostream& out) {
  std::optional<StageNames> names;
  if (cpu.kind == PipelineKind::in_order || cpu.kind == PipelineKind::bundles) {
    const auto row = std::find_if(cpu.rows.begin(), cpu.rows.end(),
                                  [](const TimingRow& r) { return r.keyword == "stages"; });
    if (row == cpu.rows.end()) return Failure{cpu.name + " has no row of stages"};
    auto read = read_stage_names(*row);
    if (!read) return Failure{cpu.name + ": " + read.error()};
    names = *std::move(read);
  } else if (cpu.functional()) {
    return Failure{cpu.name +
                   " has no pipeline that --pipeline could show; choose another with --cpu or "
                   "--machine"};
  }
  return std::unique_ptr<PipelineView>(new PipelineView(std::move(names), stretch, format, out));
}

PipelineView::PipelineView(std::optional<StageNames> names, const Stretch& stretch, Format format,
                           std::ostream& out)
    : names_(std::move(names)), stretch_(stretch) {
  if (names_) in_order_.emplace(*names_);
  if (format == Format::text)
    diagram_.emplace(out);
  else
    konata_.emplace(out);
}

bool PipelineView::shows(const InstructionTimes& times) {
  if (added_ != 0) return added_ < stretch_.count;
  if (times.text.pc() != stretch_.from) return false;
  return ++reached_ == stretch_.nth;
}

void PipelineView::add(const InstructionTimes& times, std::string text,
                       const std::string& awaited) {
  PipelineRecord record;
  record.number = added_++;
  record.pc = times.text.pc();
  record.text = std::move(text);
  record.stages = times.out_of_order ? out_of_order_stages(times) : stages_of(times);
  record.notes = notes_of(times, awaited);
  record.completed = times.completed;
  last_ = times.text;
  if (diagram_)
    diagram_->add(std::move(record));
  else
    konata_->add(record);
}

std::vector<PipelineRecord::Stage> PipelineView::stages_of(const InstructionTimes& times) {
  InOrderStages::Moments moments;
  moments.issue = times.issue;
  moments.fetch_stall = times.fetch_stall;
  moments.execution = times.execution_stall;
  moments.memory_stall = times.memory_stall;
  if (!times.text.follows(last_)) {
    const std::uint64_t fetch = fetch_of_issue(*names_, times.issue);
    moments.fetch = fetch - std::min<std::uint64_t>(fetch, times.fetch_stall);
  }
  return in_order_->next(moments);
}

void PipelineView::finish() {
  if (diagram_)
    diagram_->finish();
  else
    konata_->finish();
}

}  // namespace hardclock
