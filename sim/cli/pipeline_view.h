// What `hardclock run --pipeline` shows: a stretch of instructions on their way through the
// pipeline, as a text diagram or as a trace for the viewer Konata.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/timing/cpu_description.h"
#include "sim/trace/konata.h"
#include "sim/trace/pipeline_diagram.h"
#include "sim/trace/stages.h"

namespace hardclock {

class PipelineView {
 public:
  enum class Format : std::uint8_t { text, konata };

  // Shows `count` instructions from the first one at `from`. Error: one line for the user, for a
  // processor without a pipeline.
  static Result<std::unique_ptr<PipelineView>, std::string> create(const CpuDescription& cpu,
                                                                   GuestAddr from,
                                                                   std::uint64_t count,
                                                                   Format format,
                                                                   std::ostream& out);

  // The next instruction of the simulation.
  void add(const InstructionTimes& times, std::string text);
  // To be called once, at the end.
  void finish();

 private:
  PipelineView(std::optional<StageNames> names, GuestAddr from, std::uint64_t count, Format format,
               std::ostream& out);

  std::vector<PipelineRecord::Stage> stages_of(const InstructionTimes& times);

  std::optional<StageNames> names_;  // none: out of order
  std::optional<InOrderStages> in_order_;
  GuestAddr from_;
  std::uint64_t left_;
  std::uint64_t added_ = 0;
  GuestAddr next_pc_;  // of what would be sequential
  std::optional<PipelineDiagram> diagram_;
  std::optional<KonataWriter> konata_;
};

}  // namespace hardclock
