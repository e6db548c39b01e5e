// Processors that issue bundles in program order: Itanium and its successors. Each cycle the
// instructions of one or two bundles, up to a stop, go to ports; they are an issue group, whose
// members wait for one another's operands, and for nobody else's. Sources are those of the rows.
//
// The rows of a .timing file that describe one (cpu_description.h has the grammar):
//   window N [fetch N buffer N]  the bundles that one cycle's instructions may come from
//       fetch    bundles that a cycle fetches
//       buffer   fetched bundles that can wait for their issue. A taken branch that was predicted
//                loses cycles of the fetch alone
//   ports M|I|F number N order any|lowest|bundle [overflow M] [last highest]
//       any      an instruction takes a port of its class; those that are there give way
//       lowest   the lowest free port; one that cannot use it begins the next cycle
//       bundle   the port whose number is that of the bundle in the window
//       overflow (I only) when all are in use, an instruction takes a port M of its class
//       last     (I only) in the last slot of the window's second bundle it is the highest port
//   class CLASSES latency L [ports P,P...] [all_ports F]
//       latency  a dependent instruction may issue L cycles later; 0: in the same cycle
//       ports    "M0,M1,I0": those that it may use, a part of the ports rows. Of a unit without
//                ports here it takes none
//       all_ports  it takes all of F, and shares no cycle with another that takes one
//   bypass CLASSES to CLASSES latency L [as address|data] [early N]
//                             between these, instead of the producer's; a later row wins
//       as       only for operands that are, or are not, a part of the address
//       early    what would issue sooner waits so long
//   in_slots I classes CLASSES as CLASS     in these slots they make results as that class does
//   second CLASSES as CLASS   the base register that they modify, or their other result, is ready
//                             like a result of that class; else in the next cycle
//   split SHAPES at end [unless CLASSES]    no instruction joins those of such a bundle (unless its
//                             last one is of these classes)
//   split SHAPES before SHAPES              nor a bundle of the second list one of the first
//   split_after CLASSES at instruction      nor any instruction one of these classes
//   redirect CLASSES taken N mispredicted N cycles lost by a transfer of control: one that is
//                             taken as it said, and one that does not do what it said
//   predictor two_level sets N ways N history N   overrules the hints of branches that allow it:
//                             two_level_predictor.h; no row: what they say holds
//   stages NAMES issue NAME   as of in_order.h
// A result cannot come before an older one to the same register.
// An instruction whose predicate is 0 waits for nothing else (J. Turley, "64-Bit CPUs: What You
// Need to Know", eWeek, 11 February 2002, on the Itanium). What reads its target waits as if it
// were on: only so the Itanium 2 takes the cycles that GMP's authors measured for gcd_11.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

class BundlePipeline final : public Pipeline {
 public:
  // From a producer to one kind of its consumers' operands, in cycles.
  struct Latency {
    std::uint16_t address = 1;
    std::uint16_t data = 1;
    std::uint16_t early = 0;  // more than these, if the consumer would not wait so long by itself
  };
  struct Class {
    std::vector<Latency> to;                 // by the consumer's class
    std::uint16_t usual = 1;                 // to most
    std::uint16_t longest = 1;               // of these
    std::optional<std::uint8_t> second;      // whose latencies its second result has
    std::optional<std::uint8_t> in_slots_i;  // whose its results have when it stands in a slot I
    std::uint8_t memory_ports = 0;           // bit p: it may use port M p
    std::uint8_t integer_ports = 0;
    std::uint8_t float_ports = 0;
    bool takes_all_float_ports = false;
    bool splits_after = false;
    std::uint16_t taken = 0;
    std::uint16_t mispredicted = 0;
  };
  static constexpr std::size_t shapes = 11;
  struct Dispersal {
    enum class Order : std::uint8_t { any, lowest, bundle };
    struct Unit {
      unsigned ports = 0;
      Order order = Order::lowest;
    };

    unsigned bundles = 1;
    unsigned fetched = 0;  // a cycle; 0: nothing waits for it
    unsigned buffer = 0;
    Unit memory, integer, floating;
    bool integer_overflows = false;
    bool last_slot_is_highest = false;
    // By shape.
    std::array<bool, shapes> splits_at_end{};
    std::array<std::vector<bool>, shapes> unless{};  // by the class of the last slot
    std::array<std::array<bool, shapes>, shapes> splits_between{};
  };

  BundlePipeline(std::vector<Class> classes, Dispersal dispersal,
                 std::optional<TwoLevelPredictor::Shape> predictor)
      : classes_(std::move(classes)), dispersal_(std::move(dispersal)), predictor_(predictor) {}

  // An instruction that joins a group and waits for its operands delays the whole group: what it
  // returns is that wait.
  std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const override;
  IssueWaits waits(const PipelineState& state, const InstructionTiming& instruction) const override;
  void redirect(PipelineState& state, std::uint8_t branch_class, bool taken) const override;
  void pass(PipelineState& state, std::uint32_t cycles) const override;
  std::optional<std::uint32_t> delay(const PipelineState& early,
                                     const PipelineState& late) const override;
  bool issues_together() const override { return true; }
  std::uint32_t nullified_cycles() const override { return 1; }
  void freeze(PipelineState& state, std::uint32_t cycles) const override { state.freeze(cycles); }
  std::unique_ptr<TwoLevelPredictor> make_predictor() const override {
    return predictor_ ? std::make_unique<TwoLevelPredictor>(*predictor_) : nullptr;
  }

 private:
  // The group with the instruction in it; nullopt: it does not fit.
  std::optional<IssueGroup> joined(const IssueGroup& group,
                                   const InstructionTiming& instruction) const;
  bool take_bundle(IssueGroup& group, const BundleSlot& place) const;
  std::uint32_t until_fetched(const PipelineState& state, const BundleSlot& place) const;
  std::uint32_t first_cycle(const PipelineState& state, const InstructionTiming& instruction) const;
  void fetch(PipelineState& state, std::uint32_t cycles) const;
  void lose_rest_of_fetch(PipelineState& state) const;
  void lose_fetches(PipelineState& state, unsigned cycles) const;
  void advance(PipelineState& state, std::uint32_t cycles) const;
  bool take_port(IssueGroup& group, const InstructionTiming& instruction) const;
  bool take_memory_port(IssueGroup& group, std::uint8_t ports) const;
  bool take_integer_port(IssueGroup& group, const Class& timing, std::uint8_t slot) const;
  bool take_float_port(IssueGroup& group, const Class& timing) const;
  std::optional<IssueGroup> continued(const PipelineState& state,
                                      const InstructionTiming& instruction) const;
  std::optional<Resource> awaited(const PipelineState& state,
                                  const InstructionTiming& instruction) const;
  bool needs_own_group(const PipelineState& state, const InstructionTiming& instruction) const;
  std::uint32_t operand_ready(const PipelineState::Pending& pending, std::uint8_t consumer,
                              bool is_address) const;
  std::uint32_t usually_ready(const PipelineState::Pending& pending) const;
  // What it waits more if it would issue before the operand is there.
  std::uint32_t too_early(const PipelineState::Pending& pending, std::uint8_t consumer) const;
  template <class Visit>
  void for_each_operand(const PipelineState& state, const InstructionTiming& instruction,
                        Visit visit) const;
  std::uint32_t ready(const PipelineState& state, const InstructionTiming& instruction,
                      std::uint32_t from) const;
  void put_in_flight(PipelineState& state, const InstructionTiming& instruction) const;
  static void put_in_flight(PipelineState& state, const PipelineState::Pending& result,
                            bool is_off);
  bool ends_group(const InstructionTiming& instruction) const;

  std::vector<Class> classes_;  // by timing class
  Dispersal dispersal_;
  std::optional<TwoLevelPredictor::Shape> predictor_;
};

// The pipeline of such a description. Parameters and errors are those of make_in_order().
Result<std::shared_ptr<const Pipeline>, std::string> make_bundle_pipeline(
    const CpuDescription& description, std::span<const char* const> class_names,
    std::span<const char* const> absent = {});

}  // namespace hardclock
