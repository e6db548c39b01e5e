// Pipelines: how many cycles instructions take. Cycles only, never values. A pipeline sees an
// instruction as a timing class plus the registers it reads and writes; what is still in flight
// between two instructions is a PipelineState, a small value that can be compared and interned, so
// that the engine may remember (block, entry state) -> (cycles, exit state).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hardclock {

// A register or a flag, by a number that the ISA chooses (below first_derived), what a pipeline
// derives from one, or a functional unit (from first_unit on).
using Resource = std::uint16_t;
// ISA's numbers from here on keep instructions apart that issue in one cycle, and no others: a
// register as a whole, for those that use its halves.
inline constexpr Resource first_in_one_cycle = 0x1000;
inline constexpr Resource first_derived = 0x2000;
inline constexpr Resource first_unit = 0x8000;

// What a pipeline needs to know of one instruction. From the decode table and the Recorder.
struct InstructionTiming {
  std::uint8_t timing_class = 0;
  std::vector<Resource> reads;
  std::vector<Resource> writes;
  // Among `writes`: a load's base register, whose new value is ready in the next cycle.
  std::optional<Resource> modified_base{};
  bool odd_word = false;  // its address is no multiple of two instructions
  // Of a load or store of a word at a displacement: which one, by base and displacement; the other
  // word of its aligned doubleword differs in bit 0 alone. 0: none.
  std::uint32_t word_accessed = 0;
};

// The cycles, counted from some moment on, in which something is busy.
class BusyCycles {
 public:
  static constexpr unsigned most = 128;

  void set(unsigned cycle) { words_[cycle / 64] |= std::uint64_t{1} << (cycle % 64); }
  bool none() const { return words_[0] == 0 && words_[1] == 0; }
  // Whether this, begun `later` cycles after that, would be busy together with it.
  bool collides(const BusyCycles& that, unsigned later) const;
  // That begins with this one's moment.
  void add(const BusyCycles& that);
  // The moment moves on; what has passed is forgotten.
  void advance(unsigned cycles);

  auto operator<=>(const BusyCycles&) const = default;

 private:
  std::array<std::uint64_t, 2> words_{};
};

// What is in flight, seen from the cycle in which the last instruction issued. Relative: two
// moments with equal states have equal futures.
class PipelineState {
 public:
  // A register or a unit that is not ready until so many cycles later (at least 1).
  struct Pending {
    Resource resource;
    std::uint16_t cycles;
    std::uint8_t producer;  // its timing class, plus 1; 0 unless some consumer cares
    bool continues;         // counts on while the pipeline is frozen
    auto operator<=>(const Pending&) const = default;
  };

  // Null when it is ready.
  const Pending* find(Resource resource) const;
  void set(const Pending& pending);
  // As set(), unless the resource is not ready even longer.
  void set_longer(const Pending& pending);
  // What is ready within so many cycles makes no difference to what can come.
  void forget_within(unsigned cycles);
  // The busy cycles of a pipeline stage.
  BusyCycles stage(std::size_t index) const;
  void reserve(std::size_t index, const BusyCycles& cycles);
  // Nothing joins the last instruction any more.
  void close_group();
  void advance(std::uint32_t cycles);
  // Time passes for what continues only.
  void freeze(std::uint32_t cycles);
  bool any_continues() const;

  // Whether the next instruction is the target of a transfer of control, where that matters.
  bool at_target = false;
  // The class, plus 1, of an instruction that another may still join in its issue cycle; 0: none.
  std::uint8_t open_group = 0;
  std::uint32_t open_word = 0;  // its word_accessed, where that matters

  auto operator<=>(const PipelineState&) const = default;

 private:
  std::vector<Pending> pending_;    // ascending by resource
  std::vector<BusyCycles> stages_;  // without free ones at the end
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;

  // Issues the next instruction and moves `state` to its issue cycle. Returns the cycles from the
  // issue of the instruction before: the waits, plus one; 0 when both issue together.
  virtual std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const = 0;

  // A transfer of control of this class was taken or not, and its delay slot has issued: the next
  // instruction may have to wait.
  virtual void redirect(PipelineState& state, std::uint8_t branch_class, bool taken) const = 0;

  // Time passes in which nothing issues.
  virtual void pass(PipelineState& state, std::uint32_t cycles) const = 0;

  // Cycles that a nullified delay slot takes.
  virtual std::uint32_t nullified_cycles() const = 0;

  // Nothing moves for so many cycles after the last instruction's issue but what continues.
  virtual void freeze(PipelineState& state, std::uint32_t cycles) const = 0;
};

// One instruction a cycle, whatever it does.
class FunctionalPipeline final : public Pipeline {
 public:
  std::uint32_t issue(PipelineState&, const InstructionTiming&) const override { return 1; }
  void redirect(PipelineState&, std::uint8_t, bool) const override {}
  void pass(PipelineState&, std::uint32_t) const override {}
  std::uint32_t nullified_cycles() const override { return 0; }
  void freeze(PipelineState&, std::uint32_t) const override {}
};

// Numbers for pipeline states: equal states have equal numbers. Number 0 is the empty pipeline.
class PipelineStates {
 public:
  using Id = std::uint32_t;

  PipelineStates() { intern(PipelineState{}); }
  Id intern(const PipelineState& state);
  const PipelineState& operator[](Id id) const { return *states_[id]; }
  // Of host memory, about.
  std::uint64_t bytes() const { return states_.size() * state_bytes; }

 private:
  // With its node and what a state of a few registers in flight has on the heap.
  static constexpr std::uint64_t state_bytes = sizeof(PipelineState) + 192;

  std::map<PipelineState, Id> ids_;
  std::vector<const PipelineState*> states_;  // into ids_' keys, which do not move
};

}  // namespace hardclock
