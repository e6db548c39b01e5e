#include "cli/pipeline_view.h"

#include <utility>

namespace hardclock {

Result<std::unique_ptr<PipelineView>, std::string> PipelineView::create(const CpuDescription& cpu,
                                                                        const Stretch& stretch,
                                                                        Format format,
                                                                        DiagramLayout layout,
                                                                        std::ostream& out) {
  auto stages = InstructionStages::create(cpu);
  if (!stages) return Failure{"--pipeline: " + stages.error()};
  return std::unique_ptr<PipelineView>(
      new PipelineView(*std::move(stages), stretch, format, layout, out));
}

PipelineView::PipelineView(InstructionStages stages, const Stretch& stretch, Format format,
                           DiagramLayout layout, std::ostream& out)
    : stages_(std::move(stages)),
      stretch_(stretch),
      awaited_(std::make_shared<Awaited>(Awaited{.left = stretch.nth})) {
  if (format == Format::text)
    diagram_.emplace(out, layout);
  else
    konata_.emplace(out);
}

bool PipelineView::shows() const {
  return has_begun() && added_ < stretch_.count;
}

void PipelineView::add(const InstructionTimes& times, std::string text,
                       const std::string& awaited) {
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
