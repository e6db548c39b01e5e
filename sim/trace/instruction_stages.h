// The stages that a processor's instructions go through, one after the other, for diagrams.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/instruction_text.h"
#include "sim/base/result.h"
#include "sim/engine/cpu.h"
#include "sim/timing/cpu_description.h"
#include "sim/trace/pipeline_record.h"
#include "sim/trace/stages.h"

namespace hardclock {

// Takes the instructions of a stretch in program order.
class InstructionStages {
 public:
  // The error, for a processor without a pipeline, is one line for the user of --pipeline.
  static Result<InstructionStages, std::string> create(const CpuDescription& cpu);

  std::vector<PipelineRecord::Stage> next(const InstructionTimes& times);
  // What follows is another stretch.
  void restart();

 private:
  explicit InstructionStages(std::optional<StageNames> names);

  std::optional<StageNames> names_;  // nullopt: out of order
  std::optional<InOrderStages> in_order_;
  InstructionText last_;
};

// Why the instruction took longer than its stages: "waits 3 for $9", "dmiss 14". `awaited` names
// times.awaited; empty: none is.
std::vector<std::string> waits_of(const InstructionTimes& times, const std::string& awaited);

}  // namespace hardclock
