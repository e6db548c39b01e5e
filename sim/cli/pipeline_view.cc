#include "sim/cli/pipeline_view.h"

#include <utility>

namespace hardclock {

Result<std::unique_ptr<PipelineView>, std::string> PipelineView::create(const CpuDescription& cpu,
                                                                        GuestAddr from,
                                                                        std::uint64_t count,
                                                                        Format format,
                                                                        std::ostream& out) {
  auto stages = InstructionStages::create(cpu);
  if (!stages) return Failure{stages.error()};
  return std::unique_ptr<PipelineView>(
      new PipelineView(*std::move(stages), from, count, format, out));
}

PipelineView::PipelineView(InstructionStages stages, GuestAddr from, std::uint64_t count,
                           Format format, std::ostream& out)
    : stages_(std::move(stages)), from_(from), left_(count) {
  if (format == Format::text)
    diagram_.emplace(out);
  else
    konata_.emplace(out);
}

void PipelineView::add(const InstructionTimes& times, std::string text,
                       const std::string& awaited) {
  if (left_ == 0 || (added_ == 0 && times.text.pc() != from_)) return;
  --left_;
  PipelineRecord record;
  record.number = added_++;
  record.pc = times.text.pc();
  record.text = std::move(text);
  record.stages = stages_.next(times);
  record.notes = waits_of(times, awaited);
  record.completed = times.completed;
  if (diagram_)
    diagram_->add(std::move(record));
  else
    konata_->add(record);
}

void PipelineView::finish() {
  if (diagram_)
    diagram_->finish();
  else
    konata_->finish();
}

}  // namespace hardclock
