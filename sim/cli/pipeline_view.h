// The output of `hardclock run --pipeline`: a stretch of instructions on their way through the
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
#include "sim/trace/instruction_stages.h"
#include "sim/trace/konata.h"
#include "sim/trace/pipeline_diagram.h"

namespace hardclock {

class PipelineView {
 public:
  enum class Format : std::uint8_t { text, konata };

  // Shows `count` instructions from the first one at `from`. The error, for a processor without a
  // pipeline, is one line for the user.
  static Result<std::unique_ptr<PipelineView>, std::string> create(const CpuDescription& cpu,
                                                                   GuestAddr from,
                                                                   std::uint64_t count,
                                                                   Format format,
                                                                   std::ostream& out);

  // Adds the next instruction of the simulation. `awaited` names times.awaited; empty: none is.
  void add(const InstructionTimes& times, std::string text, const std::string& awaited);
  // Call it once, at the end.
  void finish();

 private:
  PipelineView(InstructionStages stages, GuestAddr from, std::uint64_t count, Format format,
               std::ostream& out);

  InstructionStages stages_;
  GuestAddr from_;
  std::uint64_t left_;
  std::uint64_t added_ = 0;
  std::optional<PipelineDiagram> diagram_;
  std::optional<KonataWriter> konata_;
};

}  // namespace hardclock
