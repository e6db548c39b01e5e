// Bundles by what the pipelines of the Itaniums look at, and in how many cycles they issue.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/ia64/cpu.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/resources.h"
#include "sim/timing/bundle_pipeline.h"
#include "sim/timing/description_library.h"

namespace hardclock::ia64 {
using enum TimingClass;

struct Slot {
  TimingClass timing;
  std::vector<Resource> writes{};
  std::vector<Resource> reads{};
  std::vector<Resource> addresses{};
  std::optional<Resource> second{};
  std::optional<Resource> predicate{};
  bool is_off = false;
};

struct BundleText {
  std::string_view units;  // with ';' behind a slot for a stop: "mi;i;"
  struct {
    Slot first, second, third;
  } slots;
};

constexpr Resource r(unsigned n) {
  return gr_resource(n);
}
constexpr Resource f(unsigned n) {
  return fr_resource(n);
}
constexpr Resource p(unsigned n) {
  return predicate_resource(n);
}

inline Slot nop(char unit) {
  return {unit == 'm'   ? nop_m
          : unit == 'i' ? nop_i
          : unit == 'f' ? nop_f
          : unit == 'b' ? nop_b
                        : nop_x};
}
inline const Slot add = {ialu};
inline const Slot load = {ld};
inline const Slot store = {st};
inline const Slot extract = {ishf};

inline BundleShape shape_of(const std::string& units) {
  using enum BundleShape;
  constexpr std::pair<std::string_view, BundleShape> shapes[] = {
      {"mii", mii}, {"mlx", mlx}, {"mmi", mmi}, {"mfi", mfi}, {"mmf", mmf},
      {"mib", mib}, {"mbb", mbb}, {"bbb", bbb}, {"mmb", mmb}, {"mfb", mfb}};
  for (const auto& [name, shape] : shapes) {
    if (name == units) return shape;
  }
  ADD_FAILURE() << units;
  return none;
}

inline std::vector<InstructionTiming> timings_of(const BundleText& bundle) {
  std::string units;
  std::array<bool, 3> stops{};
  for (const char c : bundle.units) {
    if (c == ';')
      stops[units.size() - 1] = true;
    else
      units += c;
  }
  std::vector<InstructionTiming> timings;
  const auto& [first, second, third] = bundle.slots;
  for (std::uint8_t i = 0; i < 3; ++i) {
    const Slot& slot = i == 0 ? first : i == 1 ? second : third;
    InstructionTiming timing;
    timing.timing_class = static_cast<std::uint8_t>(slot.timing);
    timing.writes = slot.writes;
    timing.reads = slot.reads;
    timing.addresses = slot.addresses;
    timing.modified_base = slot.second;
    timing.predicate = slot.predicate;
    if (slot.predicate) timing.reads.push_back(*slot.predicate);
    timing.place = {shape_of(units), i, stops[i]};
    timings.push_back(slot.is_off ? off(timing) : timing);
  }
  return timings;
}

inline std::vector<const char*> class_names() {
  std::vector<const char*> names;
  for (std::size_t i = 0; i < timing_class_count; ++i) {
    names.push_back(timing_class_name(static_cast<TimingClass>(i)));
  }
  return names;
}

inline std::shared_ptr<const Pipeline> pipeline_of(std::string_view cpu) {
  auto pipeline = make_bundle_pipeline(*find_cpu(cpu), class_names());
  EXPECT_TRUE(pipeline.ok()) << pipeline.error();
  return *pipeline;
}

class Groups {
 public:
  explicit Groups(std::string_view cpu = "mckinley") : pipeline_(pipeline_of(cpu)) {}

  // Cycles until the last slot has issued, since the last one before.
  std::uint32_t operator()(const std::vector<BundleText>& bundles) {
    std::uint32_t cycles = 0;
    for (const BundleText& bundle : bundles) {
      for (const InstructionTiming& timing : timings_of(bundle)) cycles += issue(timing);
    }
    return cycles;
  }
  std::uint32_t issue(const InstructionTiming& timing) { return pipeline_->issue(state_, timing); }
  void redirect(TimingClass branch, bool taken) {
    pipeline_->redirect(state_, static_cast<std::uint8_t>(branch), taken);
  }
  std::optional<std::uint32_t> delay_of(const Groups& late) const {
    return pipeline_->delay(state_, late.state_);
  }

 private:
  std::shared_ptr<const Pipeline> pipeline_;
  PipelineState state_;
};

inline std::uint32_t cycles(const std::vector<BundleText>& bundles) {
  return Groups()(bundles);
}

inline InstructionTiming branch(TimingClass timing, bool predicted_taken,
                                const Renaming* renames = nullptr) {
  InstructionTiming branch = timings_of({"mib;", {nop('m'), nop('i'), {timing}}}).back();
  branch.predicted_taken = predicted_taken;
  branch.renames = renames;
  return branch;
}

// Cycles from a producer to what needs its result, each in a group of its own.
inline std::uint32_t latency(TimingClass producer, TimingClass consumer, bool as_address = false,
                             std::string_view cpu = "mckinley") {
  Groups run(cpu);
  InstructionTiming first, second;
  first.timing_class = static_cast<std::uint8_t>(producer);
  first.writes = {r(1)};
  first.place = {BundleShape::mii, 0, true};
  second.timing_class = static_cast<std::uint8_t>(consumer);
  second.reads = {r(1)};
  if (as_address) second.addresses = {r(1)};
  second.place = {BundleShape::mii, 0, true};
  run.issue(first);
  return run.issue(second);
}

}  // namespace hardclock::ia64
