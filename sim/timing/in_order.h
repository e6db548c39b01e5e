// Processors that issue in program order, one or two instructions a cycle: a scoreboard with
// reservation tables. An instruction waits for its operands, for its unit, for the stages it will
// need, and until its result cannot overtake an older one to the same register.
//
// The rows of a .timing file that describe one (cpu_description.h has the grammar):
//   issue 1|2
//   pair CLASSES with CLASSES      two neighbours, one of either list in any order, may share a
//   cycle class CLASS latency L [repeat R unit U] [reserve STAGES]
//       latency  a dependent instruction may issue so many cycles later; 1: the next cycle
//       repeat   unit U accepts the next instruction so many cycles later
//       reserve  the stages it holds, a cycle each from its issue on: "U,S+A,A+R,R+S"; "D*27" for
//       27
//                cycles. A stage takes one instruction a cycle; a conflict delays the later one
//   bypass CLASSES to CLASSES latency L    between these, instead of the producer's
//   redirect CLASSES taken N       cycles lost after the delay slot of a taken transfer of control
//   continues CLASSES in stalls    what counts on while a cache miss freezes the pipeline
//   stages NAMES issue NAME        the pipeline's stages, and the one in which an instruction
//   issues
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

class InOrderPipeline final : public Pipeline {
 public:
  // Cycles, of the stage with this number.
  struct StageUse {
    std::size_t stage;
    BusyCycles cycles;
  };
  struct Bypass {
    std::uint8_t consumer;  // timing class
    std::uint16_t latency;
  };
  struct Class {
    std::uint16_t latency = 1;
    std::uint16_t repeat = 1;
    Resource unit = 0;  // above first_unit; 0: no unit of its own
    std::uint16_t redirect = 0;
    bool continues = false;
    std::vector<StageUse> stages;
    std::vector<Bypass> bypasses;
    std::vector<std::uint8_t> partners;  // classes that may share its issue cycle
  };

  // `classes` is indexed by timing class.
  explicit InOrderPipeline(std::vector<Class> classes) : classes_(std::move(classes)) {}

  std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const override;
  void redirect(PipelineState& state, std::uint8_t branch_class) const override;
  void pass(PipelineState& state, std::uint32_t cycles) const override;
  std::uint32_t nullified_cycles() const override { return 1; }
  void freeze(PipelineState& state, std::uint32_t cycles) const override { state.freeze(cycles); }

 private:
  std::uint32_t longest_latency(const Class& producer) const;
  std::uint32_t operand_ready(const PipelineState::Pending& pending, std::uint8_t consumer) const;
  std::uint32_t earliest(const PipelineState& state, const InstructionTiming& instruction,
                         std::uint32_t from) const;
  bool joins(const PipelineState& state, const InstructionTiming& instruction) const;

  std::vector<Class> classes_;
};

// The pipeline of an in-order description; `class_names` are the ISA's timing classes in order.
// Error: "line N: what is wrong", or a class without a row.
Result<std::shared_ptr<const Pipeline>, std::string> make_in_order(
    const CpuDescription& description, std::span<const char* const> class_names);

}  // namespace hardclock
