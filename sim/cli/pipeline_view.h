// The output of `hardclock run --pipeline`: a stretch of instructions on their way through the
// pipeline, as a text diagram or as a trace for the viewer Konata.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "sim/base/instruction_text.h"
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

  // What to show.
  struct Stretch {
    GuestAddr from;           // where it begins
    std::uint64_t nth = 1;    // at this time that control reaches it, from 1
    std::uint64_t count = 1;  // instructions
  };

  // The error, for a processor without a pipeline, is one line for the user.
  static Result<std::unique_ptr<PipelineView>, std::string> create(const CpuDescription& cpu,
                                                                   const Stretch& stretch,
                                                                   Format format,
                                                                   std::ostream& out);

  // Takes the next instruction of the simulation, and says whether it is one to add().
  bool shows(const InstructionTimes& times);
  // `awaited` names times.awaited; empty: none is.
  void add(const InstructionTimes& times, std::string text, const std::string& awaited);
  // Call it once, at the end.
  void finish();
  // How often control reached the place before the stretch began, and then once more.
  std::uint64_t reached() const { return reached_; }

 private:
  PipelineView(std::optional<StageNames> names, const Stretch& stretch, Format format,
               std::ostream& out);

  std::vector<PipelineRecord::Stage> stages_of(const InstructionTimes& times);

  std::optional<StageNames> names_;  // nullopt: out of order
  std::optional<InOrderStages> in_order_;
  Stretch stretch_;
  std::uint64_t reached_ = 0;
  std::uint64_t added_ = 0;
  InstructionText last_;
  std::optional<PipelineDiagram> diagram_;
  std::optional<KonataWriter> konata_;
};

}  // namespace hardclock
