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

  // What to show.
  struct Stretch {
    std::uint64_t nth = 1;    // from this time on that control reaches its place, from 1
    std::uint64_t count = 1;  // instructions
  };

  // The error, for a processor without a pipeline, is one line for the user.
  static Result<std::unique_ptr<PipelineView>, std::string> create(const CpuDescription& cpu,
                                                                   const Stretch& stretch,
                                                                   Format format,
                                                                   DiagramLayout layout,
                                                                   std::ostream& out);

  // Where it counts down how often control has still to reach its place.
  const std::shared_ptr<Awaited>& awaited() const { return awaited_; }
  bool has_begun() const { return awaited_->left == 0; }
  // Takes the next instruction of the simulation, and says whether it is one to add().
  bool shows() const;
  // `awaited` names times.awaited, if there is one.
  void add(const InstructionTimes& times, std::string text, const std::string& awaited);
  // Call it once, at the end.
  void finish();
  // How often control reached the place before the stretch began, and then once more.
  std::uint64_t reached() const { return stretch_.nth - awaited_->left; }

 private:
  PipelineView(InstructionStages stages, const Stretch& stretch, Format format,
               DiagramLayout layout, std::ostream& out);

  InstructionStages stages_;
  Stretch stretch_;
  std::shared_ptr<Awaited> awaited_;
  std::uint64_t added_ = 0;
  std::optional<PipelineDiagram> diagram_;
  std::optional<KonataWriter> konata_;
};

}  // namespace hardclock
