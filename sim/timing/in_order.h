// Processors that issue in program order, one or two instructions a cycle: a scoreboard with
// reservation tables. An instruction waits for its operands, for its unit, for the stages it will
// need, and until its result cannot overtake an older one to the same register.
//
// The rows of a .timing file that describe one (cpu_description.h has the grammar):
//   issue 1|2                      instructions a cycle; 2 exactly where there are pair rows
//   pair CLASSES with CLASSES      two neighbours, one of either list in any order, may share a
//                                  cycle
//   pair CLASSES then CLASSES      the same in this order alone
//   pair_words CLASSES in doubleword   and two neighbours of one class that access the two words of
//                                  an aligned doubleword, in the stages of the first
//   alone NAMES in cycle           instructions that share no cycle: delay_slots (with their
//                                  successors), odd_targets (targets of taken transfers of control
//                                  that are not at a multiple of two instructions)
//   class CLASSES latency L [repeat R unit U] [reserve STAGES] [locks N]
//       latency  a dependent instruction may issue L cycles later; 1: the next cycle
//       repeat   unit U accepts the next instruction R cycles later
//       reserve  the stages it holds, a cycle each from its issue on: "U,S+A,A+R,R+S"; "D*27" for
//                27 cycles. A stage takes one instruction a cycle; a conflict delays the later one
//       locks    cycles after its own in which no instruction issues
//   bypass CLASSES to CLASSES latency L [as address|data]
//                                  between these, instead of the producer's; 0: they may share a
//                                  cycle; as: only for operands that are, or are not, a part of the
//                                  address that is accessed
//   waits CLASSES for CLASSES      one of the first list issues when all results of the second are
//                                  there
//   overwrite CLASSES by CLASSES [operand N] [target N]
//                                  one of the second list issues at least N cycles after one of the
//                                  first if it writes an operand of that one, or if it writes the
//                                  target of that one without reading it
//   redirect CLASSES [taken N] [not_taken N]   cycles lost after the delay slot of a transfer of
//                                  control
//   continues CLASSES in stalls    classes that proceed while a cache miss freezes the pipeline
//   stages NAMES issue NAME        the pipeline's stages, and the one in which an instruction
//                                  issues: only for diagrams (sim/trace/stages.h reads it)
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
  // How many cycles an instruction holds a stage, given by its number.
  struct StageUse {
    std::size_t stage;
    BusyCycles cycles;
  };
  enum class Use : std::uint8_t { any, address, data };
  struct Bypass {
    std::uint8_t consumer;  // timing class
    std::uint16_t latency;
    Use use = Use::any;
  };
  struct Overwrite {
    std::uint8_t later;  // timing class
    std::uint16_t operand = 0;
    std::uint16_t target = 0;
  };
  struct Class {
    std::uint16_t latency = 1;
    std::uint16_t repeat = 1;
    Resource unit = 0;  // above first_unit; 0: no unit of its own
    std::uint16_t locks = 0;
    bool transfers_control = false;  // it has a redirect row
    std::uint16_t taken = 0;
    std::uint16_t not_taken = 0;
    bool continues = false;
    bool pairs_words = false;
    bool waits = false;  // for all results of the classes that are awaited
    bool is_awaited = false;
    std::vector<StageUse> stages;
    std::vector<Bypass> bypasses;
    std::vector<Overwrite> overwrites;
    std::vector<std::uint8_t> partners;  // classes that may follow in its issue cycle
  };
  struct Alone {
    bool delay_slots = false;
    bool odd_targets = false;
  };

  // `classes` is indexed by timing class.
  InOrderPipeline(std::vector<Class> classes, Alone alone);

  std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const override;
  IssueWaits waits(const PipelineState& state, const InstructionTiming& instruction) const override;
  void redirect(PipelineState& state, std::uint8_t branch_class, bool taken) const override;
  void pass(PipelineState& state, std::uint32_t cycles) const override;
  bool issues_together() const override;
  std::uint32_t nullified_cycles() const override { return 1; }
  void freeze(PipelineState& state, std::uint32_t cycles) const override { state.freeze(cycles); }

 private:
  using Distance = std::uint16_t Overwrite::*;

  std::uint32_t operand_ready(const PipelineState::Pending& pending, std::uint8_t consumer,
                              bool is_address) const;
  std::uint32_t overwrite_ready(const PipelineState::Pending& pending, std::uint8_t later,
                                Distance distance) const;
  std::uint32_t ready_to_write(const PipelineState& state, const InstructionTiming& instruction,
                               std::uint32_t from) const;
  struct Operands {
    std::uint32_t cycle = 0;            // in which it may issue for all that registers matter
    std::optional<Resource> awaited{};  // the register that is there last; nullopt: none is awaited
  };
  Operands operands(const PipelineState& state, const InstructionTiming& instruction,
                    std::uint32_t from) const;
  std::uint32_t unit_free(const PipelineState& state, const InstructionTiming& instruction,
                          std::uint32_t from) const;
  std::uint32_t ready(const PipelineState& state, const InstructionTiming& instruction,
                      std::uint32_t from) const;
  std::uint32_t stages_free(const PipelineState& state, const InstructionTiming& instruction,
                            std::uint32_t from) const;
  std::uint32_t earliest(const PipelineState& state, const InstructionTiming& instruction,
                         std::uint32_t from) const;
  bool joins(const PipelineState& state, const InstructionTiming& instruction) const;
  bool is_other_word(const PipelineState& state, const InstructionTiming& instruction) const;
  void open_group(PipelineState& state, const InstructionTiming& instruction, bool is_target) const;
  void put_in_flight(PipelineState& state, const InstructionTiming& instruction) const;

  // What later instructions can still tell of one of a class.
  struct Left {
    bool anything = false;
    std::vector<StageUse> stages;
  };
  static Left left_by(const Class& timing);

  std::vector<Class> classes_;
  std::vector<Left> left_;  // by class
  Alone alone_;
};

// The pipeline of an in-order description; `class_names` are the ISA's timing classes in order, and
// `absent` those of which the processor has no instruction: they need no row.
// Error: "line N: what is wrong", or a class without a row.
Result<std::shared_ptr<const Pipeline>, std::string> make_in_order(
    const CpuDescription& description, std::span<const char* const> class_names,
    std::span<const char* const> absent = {});

}  // namespace hardclock
