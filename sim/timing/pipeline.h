// Pipelines: how many cycles instructions take. Cycles only, never values. A pipeline sees an
// instruction as a timing class plus the registers it reads and writes. What is still in flight
// between two instructions is a PipelineState, a small value that can be compared and interned, so
// the engine may remember (block, entry state) -> (cycles, exit state).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/state/archive.h"
#include "sim/timing/two_level_predictor.h"

namespace hardclock {

// A register or a flag, by a number that the ISA chooses (below first_derived); a number that a
// pipeline derives from one; or a functional unit (from first_unit on).
using Resource = std::uint16_t;
// ISA's numbers from here on only keep instructions apart that would issue in one cycle. Example: a
// whole register, for instructions that use its halves.
inline constexpr Resource first_in_one_cycle = 0x1000;
inline constexpr Resource first_derived = 0x2000;
inline constexpr Resource first_unit = 0x8000;

// The units of a bundle's three slots, as IA-64's templates have them. none: no bundle.
enum class BundleShape : std::uint8_t { none, mii, mlx, mmi, mfi, mmf, mib, mbb, bbb, mmb, mfb };

// Where an instruction stands, if it stands in a bundle. The last slot of mlx is a part of the
// instruction in the slot before it.
struct BundleSlot {
  BundleShape shape = BundleShape::none;
  std::uint8_t slot = 0;    // 0 to 2
  bool stop_after = false;  // no later instruction may join it in its cycle

  bool operator==(const BundleSlot&) const = default;
};

// What a transfer of control does to the names of registers: results in flight go with them.
struct Renaming {
  struct Range {
    Resource first;
    Resource count;
  };
  enum class To : std::uint8_t {
    next,     // each register gets the next one's name
    nowhere,  // nobody knows: what is in flight is forgotten
  };

  std::span<const Range> ranges;
  To to;
  bool when_taken;  // else when it is not taken

  // For a digest.
  void tell(Archive& to) const {
    for (const Range& range : ranges) {
      (void)to.value(range.first);
      (void)to.value(range.count);
    }
    (void)to.value(ranges.size());
    (void)to.value(this->to);
    (void)to.value(when_taken);
  }
};

// What a pipeline needs to know about one instruction, from the decode table and the Recorder.
struct InstructionTiming {
  std::uint8_t timing_class = 0;
  std::vector<Resource> reads;
  std::vector<Resource> writes;
  // Among `writes`: a load's base register, whose new value is ready in the next cycle; or another
  // result that is ready at another time than the rest, where a pipeline says when.
  std::optional<Resource> modified_base{};
  // Among `reads`: of which the address of a load or store is made, where a pipeline may care.
  std::vector<Resource> addresses{};
  // Among `reads`: what a store needs for its data alone, not for its address.
  std::vector<Resource> stored{};
  std::uint8_t bytes_accessed = 0;  // by a load or store; 0: not said
  bool odd_word = false;            // its address is no multiple of two instructions
  // The word that a load or store accesses, by base register and displacement; the other word of
  // its aligned doubleword differs only in bit 0. 0: not a word at a displacement.
  std::uint32_t word_accessed = 0;
  // For pipelines of bundles.
  BundleSlot place{};
  std::optional<Resource> predicate{};  // among `reads`: if it is 0, the instruction does nothing
  bool is_off = false;                  // it is 0
  bool predicted_taken = false;         // by what a branch says of itself
  bool may_be_overruled = false;        // it leaves that to the predictor, if there is one
  const Renaming* renames = nullptr;    // lives as long as the program

  bool operator==(const InstructionTiming&) const = default;
};

// An instruction with a predicate, when that is 0: it needs no other operand.
InstructionTiming off(const InstructionTiming& instruction);

// The instructions that a pipeline of bundles issues in the present cycle, as far as the next one
// cares.
struct IssueGroup {
  std::uint8_t bundles = 0;  // that have instructions in it; 0: there is no group to join
  BundleShape shape = BundleShape::none;  // of the last one
  std::uint16_t memory_ports = 0;         // bit s: those in use may be the set s of ports M
  std::uint8_t integer_ports = 0;         // bit p: port I p is in use
  std::uint8_t float_ports = 0;           // the same of F

  auto operator<=>(const IssueGroup&) const = default;
  static constexpr std::size_t state_members = 5;
};

// The cycles, counted from some moment, in which something is busy.
class BusyCycles {
 public:
  static constexpr unsigned most = 128;

  void set(unsigned cycle) { words_[cycle / 64] |= std::uint64_t{1} << (cycle % 64); }
  bool none() const { return words_[0] == 0 && words_[1] == 0; }
  BusyCycles without_first() const {
    BusyCycles others = *this;
    others.words_[0] &= ~std::uint64_t{1};
    return others;
  }
  // Whether this, started `later` cycles after `that`, would be busy in a cycle in which `that` is.
  bool collides(const BusyCycles& that, unsigned later) const;
  // Adds the busy cycles of `that`, which begins at the same moment.
  void add(const BusyCycles& that);
  // Advances the moment; past cycles are forgotten.
  void advance(unsigned cycles);

  auto operator<=>(const BusyCycles&) const = default;
  void archive(Archive& to);

 private:
  std::array<std::uint64_t, 2> words_{};
};

// What is in flight, relative to the issue cycle of the last instruction: two moments with equal
// states have equal futures.
class PipelineState {
 public:
  // A register or a unit that is not ready for some cycles (at least 1).
  struct Pending {
    Resource resource;
    std::uint16_t cycles;
    std::uint8_t producer;    // its timing class, plus 1; 0 unless some consumer cares
    bool continues;           // proceeds while the pipeline is frozen
    bool of_group = false;    // an instruction of `group` makes it: when that waits, it comes later
    bool may_be_off = false;  // of_group, and that instruction has a predicate
    auto operator<=>(const Pending&) const = default;
    static constexpr std::size_t state_members = 6;
  };

  // Returns nullptr if the resource is ready.
  const Pending* find(Resource resource) const;
  void set(const Pending& pending);
  // As set(), unless the resource is already pending for longer.
  void set_longer(const Pending& pending);
  // Drops results due within `cycles`: they can no longer delay anything.
  void forget_within(unsigned cycles);
  // The busy cycles of a pipeline stage.
  BusyCycles stage(std::size_t index) const;
  void reserve(std::size_t index, const BusyCycles& cycles);
  // No further instruction may join the last one in its issue cycle.
  void close_group();
  // Its issue cycle, and with it that of all of `group`, comes so many cycles later.
  void delay_group(std::uint32_t cycles);
  // Registers in flight get other names.
  void rename(const Renaming& renaming);
  void advance(std::uint32_t cycles);
  // Advances time only for what continues.
  void freeze(std::uint32_t cycles);
  bool any_continues() const;

  // Whether the next instruction is the target of a transfer of control, where that matters.
  bool at_target = false;
  // The class, plus 1, of an instruction that another may still join in its issue cycle; 0: none.
  std::uint8_t open_group = 0;
  std::uint32_t open_word = 0;  // its word_accessed, where that matters
  // Of pipelines of bundles: the cycle's instructions, and what the last one, a transfer of
  // control, said of itself.
  IssueGroup group;
  std::uint8_t not_fetched = 0;  // bundles for which there is room between fetch and issue
  bool predicted_taken = false;
  const Renaming* renames = nullptr;

  auto operator<=>(const PipelineState&) const = default;
  void archive(Archive& to);

 private:
  std::vector<Pending> pending_;    // ascending by resource
  std::vector<BusyCycles> stages_;  // without free ones at the end
};

// Why an instruction does not issue in the cycle after its predecessor, in cycles. Where several
// things hold it, those cycles count for the branch in which that one holds it, then for operands
// those that are left, then for units.
struct IssueWaits {
  std::uint32_t branch = 0;
  std::uint32_t operand = 0;
  std::uint32_t unit = 0;
  std::optional<Resource> awaited{};  // the register that holds it longest, if it waits for one

  std::uint32_t total() const { return branch + operand + unit; }
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;

  // Issues the next instruction and moves `state` to its issue cycle. Returns the cycles since the
  // issue of the previous instruction: the waits, plus one; 0 if both issue together.
  virtual std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const = 0;

  // What the cycles that issue() would return, but for the one of the issue itself, are spent with.
  virtual IssueWaits waits(const PipelineState& state,
                           const InstructionTiming& instruction) const = 0;

  // A transfer of control of this class was taken or not, and its delay slot has issued. The next
  // instruction may have to wait.
  virtual void redirect(PipelineState& state, std::uint8_t branch_class, bool taken) const = 0;

  // Passes time in which nothing issues.
  virtual void pass(PipelineState& state, std::uint32_t cycles) const = 0;

  // If nothing else issues from `late` on than from `early` on, but so many cycles later: these.
  virtual std::optional<std::uint32_t> delay(const PipelineState& /*early*/,
                                             const PipelineState& /*late*/) const {
    return std::nullopt;
  }

  // Whether two instructions may issue in one cycle.
  virtual bool issues_together() const = 0;

  // Cycles that a nullified delay slot takes.
  virtual std::uint32_t nullified_cycles() const = 0;

  // After the last instruction's issue, nothing moves for `cycles` except what continues.
  virtual void freeze(PipelineState& state, std::uint32_t cycles) const = 0;

  // A new one, which may overrule what branches say of themselves; nullptr: nothing does.
  virtual std::unique_ptr<TwoLevelPredictor> make_predictor() const { return nullptr; }
};

// One instruction a cycle, whatever it does.
class FunctionalPipeline final : public Pipeline {
 public:
  std::uint32_t issue(PipelineState&, const InstructionTiming&) const override { return 1; }
  IssueWaits waits(const PipelineState&, const InstructionTiming&) const override { return {}; }
  void redirect(PipelineState&, std::uint8_t, bool) const override {}
  void pass(PipelineState&, std::uint32_t) const override {}
  bool issues_together() const override { return false; }
  std::uint32_t nullified_cycles() const override { return 0; }
  void freeze(PipelineState&, std::uint32_t) const override {}
};

// Numbers pipeline states: equal states have equal numbers. Number 0 is the empty pipeline.
class PipelineStates {
 public:
  using Id = std::uint32_t;

  PipelineStates() { intern(PipelineState{}); }
  Id intern(const PipelineState& state);
  const PipelineState& operator[](Id id) const { return *states_[id]; }
  // The host memory that the states take, approximately.
  std::uint64_t bytes() const { return states_.size() * state_bytes; }

 private:
  // Includes the node, and the heap memory of a state with a few registers in flight.
  static constexpr std::uint64_t state_bytes = sizeof(PipelineState) + 192;

  std::map<PipelineState, Id> ids_;
  std::vector<const PipelineState*> states_;  // into ids_' keys, which do not move
};

}  // namespace hardclock
