#include "sim/timing/in_order.h"

#include <algorithm>
#include <map>
#include <set>

namespace hardclock {
namespace {

// Until when the target of a transfer of control has to wait.
constexpr Resource fetch_unit = first_unit;

}  // namespace

std::uint32_t InOrderPipeline::longest_latency(const Class& producer) const {
  std::uint32_t longest = producer.latency;
  for (const Bypass& bypass : producer.bypasses) {
    longest = std::max<std::uint32_t>(longest, bypass.latency);
  }
  return longest;
}

// A pending register with a producer was entered with the producer's longest latency.
std::uint32_t InOrderPipeline::operand_ready(const PipelineState::Pending& pending,
                                             std::uint8_t consumer) const {
  if (pending.producer == 0) return pending.cycles;
  const Class& producer = classes_[pending.producer - 1];
  std::uint32_t latency = producer.latency;
  for (const Bypass& bypass : producer.bypasses) {
    if (bypass.consumer == consumer) latency = bypass.latency;
  }
  const std::uint32_t earlier = longest_latency(producer) - latency;
  return pending.cycles > earlier ? pending.cycles - earlier : 0;
}

std::uint32_t InOrderPipeline::earliest(const PipelineState& state,
                                        const InstructionTiming& instruction,
                                        std::uint32_t from) const {
  const Class& timing = classes_[instruction.timing_class];
  std::uint32_t cycle = from;
  const auto wait_for = [&](Resource unit) {
    const PipelineState::Pending* const pending = state.find(unit);
    if (pending != nullptr) cycle = std::max<std::uint32_t>(cycle, pending->cycles);
  };
  wait_for(fetch_unit);
  if (timing.unit != 0) wait_for(timing.unit);
  for (const Resource read : instruction.reads) {
    const PipelineState::Pending* const pending = state.find(read);
    if (pending == nullptr) continue;
    cycle = std::max(cycle, operand_ready(*pending, instruction.timing_class));
  }
  for (const Resource write : instruction.writes) {
    const PipelineState::Pending* const older = state.find(write);
    if (older != nullptr && older->cycles > cycle + timing.latency) {
      cycle = older->cycles - timing.latency;
    }
  }
  const auto is_taken = [&](const StageUse& use) {
    return use.cycles.collides(state.stage(use.stage), cycle);
  };
  while (std::any_of(timing.stages.begin(), timing.stages.end(), is_taken)) ++cycle;
  return cycle;
}

bool InOrderPipeline::joins(const PipelineState& state,
                            const InstructionTiming& instruction) const {
  if (state.open_group == 0) return false;
  const std::vector<std::uint8_t>& partners = classes_[state.open_group - 1].partners;
  return std::find(partners.begin(), partners.end(), instruction.timing_class) != partners.end() &&
         earliest(state, instruction, 0) == 0;
}

std::uint32_t InOrderPipeline::issue(PipelineState& state,
                                     const InstructionTiming& instruction) const {
  const Class& timing = classes_[instruction.timing_class];
  std::uint32_t cycles = 0;
  if (joins(state, instruction)) {
    state.open_group = 0;
  } else {
    cycles = earliest(state, instruction, 1);
    state.advance(cycles);
    state.open_group =
        timing.partners.empty() ? 0 : static_cast<std::uint8_t>(instruction.timing_class + 1);
  }
  const auto until_ready = static_cast<std::uint16_t>(longest_latency(timing));
  const auto producer =
      static_cast<std::uint8_t>(timing.bypasses.empty() ? 0 : instruction.timing_class + 1);
  for (const Resource write : instruction.writes) {
    state.set({write, until_ready, producer, timing.continues});
  }
  if (timing.unit != 0) state.set({timing.unit, timing.repeat, 0, timing.continues});
  for (const StageUse& use : timing.stages) state.reserve(use.stage, use.cycles);
  // Unless another instruction can join this one, the next issues a cycle later at the earliest.
  if (state.open_group == 0) state.forget_within(1);
  return cycles;
}

void InOrderPipeline::redirect(PipelineState& state, std::uint8_t branch_class) const {
  state.open_group = 0;
  state.forget_within(1);
  const std::uint16_t lost = classes_[branch_class].redirect;
  if (lost != 0) state.set({fetch_unit, static_cast<std::uint16_t>(lost + 1), 0, false});
}

void InOrderPipeline::pass(PipelineState& state, std::uint32_t cycles) const {
  state.open_group = 0;
  state.advance(cycles);
  state.forget_within(1);
}

namespace {

constexpr std::uint64_t longest = 1000;  // cycles; far above any operation's latency

// Reads the rows of a description into classes.
class Builder {
 public:
  Builder(const CpuDescription& description, std::span<const char* const> class_names)
      : description_(description),
        names_(class_names.begin(), class_names.end()),
        classes_(class_names.size()) {}

  Result<std::shared_ptr<const Pipeline>, std::string> build() {
    for (const TimingRow& row : description_.rows) {
      RowReader reader(row);
      if (!read(row.keyword, reader)) continue;
      if (const std::string error = reader.error(); !error.empty()) {
        return Failure{description_.name + ": " + error};
      }
    }
    for (std::uint8_t index = 0; index < names_.size(); ++index) {
      if (!described_.contains(index)) {
        return Failure{description_.name + ": no row for timing class " + names_[index]};
      }
    }
    return std::shared_ptr<const Pipeline>(std::make_shared<InOrderPipeline>(std::move(classes_)));
  }

 private:
  using Class = InOrderPipeline::Class;

  // False: the row is for somebody else.
  bool read(const std::string& keyword, RowReader& row) {
    if (keyword == "class")
      read_class(row);
    else if (keyword == "pair")
      read_pair(row);
    else if (keyword == "bypass")
      read_bypass(row);
    else if (keyword == "redirect")
      read_redirect(row);
    else if (keyword == "continues")
      read_continues(row);
    else
      return false;
    return true;
  }

  std::vector<std::uint8_t> classes_of(RowReader& row, const std::string& list) {
    std::vector<std::uint8_t> indices;
    for (const std::size_t position : positions_in(row, list, names_)) {
      indices.push_back(static_cast<std::uint8_t>(position));
    }
    return indices;
  }

  void read_class(RowReader& row) {
    const std::vector<std::uint8_t> indices = classes_of(row, row.name());
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 1, longest));
    const auto repeat = static_cast<std::uint16_t>(row.number("repeat", 1, 1, longest));
    const std::string unit = row.word("unit", "");
    if (unit.empty() && row.has("repeat")) row.fail("repeat without a unit has no effect");
    const std::vector<InOrderPipeline::StageUse> stages = stages_of(row);
    for (const std::uint8_t index : indices) {
      if (!described_.insert(index).second) row.fail("a second row for class " + names_[index]);
      Class& timing = classes_[index];
      timing.latency = latency;
      timing.repeat = repeat;
      if (!unit.empty()) timing.unit = unit_number(unit);
      timing.stages = stages;
    }
  }

  Resource unit_number(const std::string& name) {
    const auto next = static_cast<Resource>(fetch_unit + 1 + units_.size());
    return units_.try_emplace(name, next).first->second;
  }

  std::vector<InOrderPipeline::StageUse> stages_of(RowReader& row) {
    const std::string text = row.word("reserve", "");
    std::map<std::size_t, BusyCycles> used;
    unsigned cycle = 0;
    if (text.empty()) return {};
    for (const std::string& element : words_of_list(text)) {
      const std::size_t star = element.find('*');
      unsigned times = 1;
      if (star != std::string::npos) times = repetitions(row, element.substr(star + 1));
      if (cycle + times > BusyCycles::most) {
        row.fail("reserve is longer than " + std::to_string(BusyCycles::most) + " cycles");
        return {};
      }
      for (const unsigned end = cycle + times; cycle < end; ++cycle) {
        for (const std::size_t stage : stages_in(element.substr(0, star))) used[stage].set(cycle);
      }
    }
    std::vector<InOrderPipeline::StageUse> uses;
    for (const auto& [stage, cycles] : used) uses.push_back({stage, cycles});
    return uses;
  }

  static unsigned repetitions(RowReader& row, const std::string& digits) {
    if (digits.empty() || digits.size() > 3 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      row.fail("'*" + digits + "' in reserve needs a number of cycles");
      return 0;
    }
    return static_cast<unsigned>(std::stoul(digits));
  }

  // "S+A": the stages that are held in one cycle.
  std::vector<std::size_t> stages_in(const std::string& element) {
    std::vector<std::size_t> numbers;
    for (std::size_t start = 0; start <= element.size();) {
      const std::size_t end = std::min(element.find('+', start), element.size());
      const std::string name = element.substr(start, end - start);
      numbers.push_back(stages_.try_emplace(name, stages_.size()).first->second);
      start = end + 1;
    }
    return numbers;
  }

  void read_pair(RowReader& row) {
    row.require("with");
    const std::vector<std::uint8_t> first = classes_of(row, row.name());
    const std::vector<std::uint8_t> second = classes_of(row, row.word("with", row.name()));
    for (const std::uint8_t a : first) {
      for (const std::uint8_t b : second) {
        classes_[a].partners.push_back(b);
        classes_[b].partners.push_back(a);
      }
    }
  }

  void read_bypass(RowReader& row) {
    row.require("to");
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 1, longest));
    const std::vector<std::uint8_t> consumers = classes_of(row, row.word("to", row.name()));
    for (const std::uint8_t producer : classes_of(row, row.name())) {
      for (const std::uint8_t consumer : consumers) {
        classes_[producer].bypasses.push_back({consumer, latency});
      }
    }
  }

  void read_redirect(RowReader& row) {
    row.require("taken");
    const auto taken = static_cast<std::uint16_t>(row.number("taken", 0, 0, longest));
    for (const std::uint8_t index : classes_of(row, row.name())) classes_[index].redirect = taken;
  }

  void read_continues(RowReader& row) {
    row.require("in");
    row.choice("in", {"stalls"});
    for (const std::uint8_t index : classes_of(row, row.name())) classes_[index].continues = true;
  }

  const CpuDescription& description_;
  std::vector<std::string> names_;
  std::vector<Class> classes_;
  std::set<std::uint8_t> described_;
  std::map<std::string, Resource> units_;
  std::map<std::string, std::size_t> stages_;
};

}  // namespace

Result<std::shared_ptr<const Pipeline>, std::string> make_in_order(
    const CpuDescription& description, std::span<const char* const> class_names) {
  return Builder(description, class_names).build();
}

}  // namespace hardclock
