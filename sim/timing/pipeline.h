// Pipelines: how many cycles instructions take. Cycles only, never values. A pipeline sees an
// instruction as a timing class plus the registers it reads and writes; what is still in flight
// between two instructions is a PipelineState, a small value that can be compared and interned, so
// that the engine may remember (block, entry state) -> (cycles, exit state).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace hardclock {

// A register or a flag, by a number that the ISA chooses (below first_unit), or a functional unit.
using Resource = std::uint16_t;
inline constexpr Resource first_unit = 0x8000;

// What a pipeline needs to know of one instruction. From the decode table and the Recorder.
struct InstructionTiming {
  std::uint8_t timing_class = 0;
  std::vector<Resource> reads;
  std::vector<Resource> writes;
};

// The resources that are not ready yet, each with the cycles until it is (at least 1), ascending by
// resource. Relative to now: two moments with equal states have equal futures.
class PipelineState {
 public:
  // Cycles until the resource is ready; 0 when it is.
  std::uint32_t remaining(Resource resource) const;
  void set(Resource resource, std::uint32_t cycles);
  void advance(std::uint32_t cycles);

  auto operator<=>(const PipelineState&) const = default;

 private:
  struct Pending {
    Resource resource;
    std::uint32_t cycles;
    auto operator<=>(const Pending&) const = default;
  };
  std::vector<Pending> pending_;
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;

  // Issues the next instruction: returns the cycles it waits first, and moves `state` to the moment
  // after its issue cycle. The instruction costs that wait plus one cycle.
  virtual std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const = 0;

  // Cycles that a nullified delay slot takes.
  virtual std::uint32_t nullified_cycles() const = 0;
};

// One instruction a cycle, whatever it does.
class FunctionalPipeline final : public Pipeline {
 public:
  std::uint32_t issue(PipelineState&, const InstructionTiming&) const override { return 0; }
  std::uint32_t nullified_cycles() const override { return 0; }
};

// Single issue, in order: an instruction waits for its operands, for its unit, and until its result
// cannot overtake an older one to the same register.
class InOrderPipeline final : public Pipeline {
 public:
  struct Class {
    std::uint32_t latency = 1;  // a dependent instruction may issue so many cycles later
    std::uint32_t repeat = 1;   // the unit accepts the next instruction so many cycles later
    Resource unit = 0;          // first_unit or above; 0: no unit of its own
  };

  // `classes` is indexed by timing class.
  explicit InOrderPipeline(std::vector<Class> classes) : classes_(std::move(classes)) {}

  std::uint32_t issue(PipelineState& state, const InstructionTiming& instruction) const override;
  std::uint32_t nullified_cycles() const override { return 1; }

 private:
  std::vector<Class> classes_;
};

// Numbers for pipeline states: equal states have equal numbers. Number 0 is the empty pipeline.
class PipelineStates {
 public:
  using Id = std::uint32_t;

  PipelineStates() { intern(PipelineState{}); }
  Id intern(const PipelineState& state);
  const PipelineState& operator[](Id id) const { return *states_[id]; }

 private:
  std::map<PipelineState, Id> ids_;
  std::vector<const PipelineState*> states_;  // into ids_' keys, which do not move
};

}  // namespace hardclock
