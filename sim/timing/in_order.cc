#include "sim/timing/in_order.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/timing/pipeline_rows.h"

namespace hardclock {
namespace {

// Until when any next instruction must wait: the target of a transfer of control; the successor of
// an instruction that locks the processor.
constexpr Resource fetch_unit = first_unit;
constexpr Resource locked_unit = first_unit + 3;

// Until when some awaited result is out; those that continue in stalls are apart.
constexpr Resource awaited(bool continues) {
  return static_cast<Resource>(fetch_unit + (continues ? 2 : 1));
}
constexpr Resource first_named_unit = fetch_unit + 4;

// When a register may be written that an instruction in flight has as an operand, or as its target.
constexpr Resource operand_of(Resource reg) {
  return reg | first_derived;
}
constexpr Resource target_of(Resource reg) {
  return reg | first_derived << 1;
}

std::uint32_t longest_latency(const InOrderPipeline::Class& producer) {
  std::uint32_t longest = producer.latency;
  for (const InOrderPipeline::Bypass& bypass : producer.bypasses) {
    longest = std::max<std::uint32_t>(longest, bypass.latency);
  }
  return longest;
}

std::uint16_t longest_distance(const InOrderPipeline::Class& earlier,
                               std::uint16_t InOrderPipeline::Overwrite::*distance) {
  std::uint16_t longest = 0;
  for (const InOrderPipeline::Overwrite& overwrite : earlier.overwrites) {
    longest = std::max(longest, overwrite.*distance);
  }
  return longest;
}

std::uint32_t less(std::uint32_t cycles, std::uint32_t earlier) {
  return cycles > earlier ? cycles - earlier : 0;
}

// Until the resource is there, 0 if it is.
std::uint32_t cycles_until(const PipelineState& state, Resource resource) {
  const PipelineState::Pending* const pending = state.find(resource);
  return pending == nullptr ? 0 : pending->cycles;
}

// The first cycle, from the next one on, in which an instruction may issue after a transfer of
// control; and from that one on, after an instruction that locks the processor.
std::uint32_t fetched(const PipelineState& state) {
  return std::max(1u, cycles_until(state, fetch_unit));
}
std::uint32_t unlocked(const PipelineState& state, std::uint32_t from) {
  return std::max(from, cycles_until(state, locked_unit));
}

bool is_empty(const PipelineState& state) {
  static const PipelineState empty;
  return state == empty;
}

}  // namespace

InOrderPipeline::InOrderPipeline(std::vector<Class> classes, Alone alone)
    : classes_(std::move(classes)), alone_(alone) {
  for (const Class& timing : classes_) left_.push_back(left_by(timing));
}

// Of one that no other can join, nobody sees the stages of its issue cycle.
auto InOrderPipeline::left_by(const Class& timing) -> Left {
  const bool may_be_joined = timing.pairs_words || !timing.partners.empty();
  Left left;
  for (const StageUse& use : timing.stages) {
    const BusyCycles cycles = may_be_joined ? use.cycles : use.cycles.without_first();
    if (!cycles.none()) left.stages.push_back({use.stage, cycles});
  }
  left.anything = may_be_joined || timing.latency != 1 || timing.unit != 0 || timing.locks != 0 ||
                  timing.is_awaited || !left.stages.empty() || !timing.bypasses.empty() ||
                  !timing.overwrites.empty();
  return left;
}

// A pending register with a producer was entered with the producer's longest latency.
std::uint32_t InOrderPipeline::operand_ready(const PipelineState::Pending& pending,
                                             std::uint8_t consumer, bool is_address) const {
  if (pending.producer == 0) return pending.cycles;
  const Class& producer = classes_[pending.producer - 1];
  const Use other_use = is_address ? Use::data : Use::address;
  std::uint32_t latency = producer.latency;
  for (const Bypass& bypass : producer.bypasses) {
    if (bypass.consumer == consumer && bypass.use != other_use) latency = bypass.latency;
  }
  return less(pending.cycles, longest_latency(producer) - latency);
}

std::uint32_t InOrderPipeline::overwrite_ready(const PipelineState::Pending& pending,
                                               std::uint8_t later, Distance distance) const {
  if (pending.producer == 0) return pending.cycles;
  const Class& earlier = classes_[pending.producer - 1];
  std::uint32_t cycles = 0;
  for (const Overwrite& overwrite : earlier.overwrites) {
    if (overwrite.later == later) cycles = std::max<std::uint32_t>(cycles, overwrite.*distance);
  }
  return less(pending.cycles, longest_distance(earlier, distance) - cycles);
}

// For the registers that the instruction writes.
std::uint32_t InOrderPipeline::ready_to_write(const PipelineState& state,
                                              const InstructionTiming& instruction,
                                              std::uint32_t from) const {
  const std::uint32_t latency = classes_[instruction.timing_class].latency;
  std::uint32_t cycle = from;
  const auto overwrite = [&](Resource what, Distance distance) {
    const PipelineState::Pending* const pending = state.find(what);
    if (pending == nullptr) return;
    cycle = std::max(cycle, overwrite_ready(*pending, instruction.timing_class, distance));
  };
  for (const Resource write : instruction.writes) {
    const PipelineState::Pending* const older = state.find(write);
    if (older != nullptr && older->cycles > cycle + latency) cycle = older->cycles - latency;
    overwrite(operand_of(write), &Overwrite::operand);
    const auto& reads = instruction.reads;
    if (std::find(reads.begin(), reads.end(), write) == reads.end()) {
      overwrite(target_of(write), &Overwrite::target);
    }
  }
  return cycle;
}

auto InOrderPipeline::operands(const PipelineState& state, const InstructionTiming& instruction,
                               std::uint32_t from) const -> Operands {
  Operands operands{.cycle = from};
  if (classes_[instruction.timing_class].waits) {
    for (const bool continues : {false, true}) {
      operands.cycle = std::max(operands.cycle, cycles_until(state, awaited(continues)));
    }
  }
  const auto& addresses = instruction.addresses;
  for (const Resource read : instruction.reads) {
    const PipelineState::Pending* const pending = state.find(read);
    if (pending == nullptr) continue;
    const bool is_address = std::find(addresses.begin(), addresses.end(), read) != addresses.end();
    const std::uint32_t there = operand_ready(*pending, instruction.timing_class, is_address);
    if (there <= operands.cycle) continue;
    operands = {there, read};
  }
  operands.cycle = ready_to_write(state, instruction, operands.cycle);
  return operands;
}

std::uint32_t InOrderPipeline::unit_free(const PipelineState& state,
                                         const InstructionTiming& instruction,
                                         std::uint32_t from) const {
  const Resource unit = classes_[instruction.timing_class].unit;
  return unit == 0 ? from : std::max(from, cycles_until(state, unit));
}

std::uint32_t InOrderPipeline::ready(const PipelineState& state,
                                     const InstructionTiming& instruction,
                                     std::uint32_t from) const {
  return unit_free(state, instruction, operands(state, instruction, from).cycle);
}

std::uint32_t InOrderPipeline::stages_free(const PipelineState& state,
                                           const InstructionTiming& instruction,
                                           std::uint32_t from) const {
  const Class& timing = classes_[instruction.timing_class];
  std::uint32_t cycle = from;
  const auto is_taken = [&](const StageUse& use) {
    return use.cycles.collides(state.stage(use.stage), cycle);
  };
  while (std::any_of(timing.stages.begin(), timing.stages.end(), is_taken)) ++cycle;
  return cycle;
}

std::uint32_t InOrderPipeline::earliest(const PipelineState& state,
                                        const InstructionTiming& instruction,
                                        std::uint32_t from) const {
  return stages_free(state, instruction, ready(state, instruction, from));
}

bool InOrderPipeline::is_other_word(const PipelineState& state,
                                    const InstructionTiming& instruction) const {
  return state.open_word != 0 && (state.open_word ^ 1) == instruction.word_accessed &&
         state.open_group == instruction.timing_class + 1;
}

bool InOrderPipeline::joins(const PipelineState& state,
                            const InstructionTiming& instruction) const {
  if (state.open_group == 0) return false;
  if (is_other_word(state, instruction)) return ready(state, instruction, 0) == 0;
  const std::vector<std::uint8_t>& partners = classes_[state.open_group - 1].partners;
  return std::find(partners.begin(), partners.end(), instruction.timing_class) != partners.end() &&
         earliest(state, instruction, 0) == 0;
}

void InOrderPipeline::open_group(PipelineState& state, const InstructionTiming& instruction,
                                 bool is_target) const {
  const Class& timing = classes_[instruction.timing_class];
  state.open_group = 0;
  state.open_word = 0;
  if (is_target && instruction.odd_word) return;
  if (timing.pairs_words) state.open_word = instruction.word_accessed;
  if (timing.partners.empty() && state.open_word == 0) return;
  state.open_group = static_cast<std::uint8_t>(instruction.timing_class + 1);
}

void InOrderPipeline::put_in_flight(PipelineState& state,
                                    const InstructionTiming& instruction) const {
  const Class& timing = classes_[instruction.timing_class];
  const auto as_producer = static_cast<std::uint8_t>(instruction.timing_class + 1);
  const auto until_ready = static_cast<std::uint16_t>(longest_latency(timing));
  const std::uint8_t producer = timing.bypasses.empty() ? 0 : as_producer;
  for (const Resource write : instruction.writes) {
    if (write < first_in_one_cycle && write != instruction.modified_base)
      state.set({write, until_ready, producer, timing.continues});
    else
      state.set({write, 1, 0, false});
  }
  const auto keep = [&](const std::vector<Resource>& registers, auto number, Distance distance) {
    const std::uint16_t cycles = longest_distance(timing, distance);
    if (cycles == 0) return;
    for (const Resource reg : registers) {
      if (reg < first_in_one_cycle)
        state.set_longer({number(reg), cycles, as_producer, false});
      else
        state.set_longer({number(reg), 1, 0, false});
    }
  };
  keep(instruction.reads, operand_of, &Overwrite::operand);
  keep(instruction.writes, target_of, &Overwrite::target);
  if (timing.unit != 0) state.set({timing.unit, timing.repeat, 0, timing.continues});
  if (timing.is_awaited) {
    state.set_longer({awaited(timing.continues), timing.latency, 0, timing.continues});
  }
  if (timing.locks != 0) {
    state.set_longer({locked_unit, static_cast<std::uint16_t>(timing.locks + 1), 0, false});
  }
  for (const StageUse& use : left_[instruction.timing_class].stages)
    state.reserve(use.stage, use.cycles);
}

std::uint32_t InOrderPipeline::issue(PipelineState& state,
                                     const InstructionTiming& instruction) const {
  const bool leaves_anything = left_[instruction.timing_class].anything;
  if (!leaves_anything && is_empty(state)) return 1;  // as is most frequent
  std::uint32_t cycles = 0;
  if (joins(state, instruction)) {
    state.open_group = 0;
    state.open_word = 0;
  } else {
    cycles = earliest(state, instruction, unlocked(state, fetched(state)));
    state.advance(cycles);
    open_group(state, instruction, state.at_target);
    state.at_target = false;
  }
  // Else all that it leaves would be forgotten below: no older result is out for what it writes.
  if (leaves_anything) put_in_flight(state, instruction);
  // Unless another instruction can join this one, the next issues a cycle later at the earliest.
  if (state.open_group == 0) state.forget_within(1);
  return cycles;
}

IssueWaits InOrderPipeline::waits(const PipelineState& state,
                                  const InstructionTiming& instruction) const {
  if (is_empty(state) || joins(state, instruction)) return {};
  const std::uint32_t after_branch = fetched(state);
  const Operands after_operands = operands(state, instruction, after_branch);
  const std::uint32_t from = unlocked(state, after_operands.cycle);
  const std::uint32_t after_unit =
      stages_free(state, instruction, unit_free(state, instruction, from));
  return {.branch = after_branch - 1,
          .operand = after_operands.cycle - after_branch,
          .unit = after_unit - after_operands.cycle,
          .awaited = after_operands.awaited};
}

void InOrderPipeline::redirect(PipelineState& state, std::uint8_t branch_class, bool taken) const {
  const Class& branch = classes_[branch_class];
  const std::uint16_t lost = taken ? branch.taken : branch.not_taken;
  if (taken || lost != 0 || (branch.transfers_control && alone_.delay_slots)) state.close_group();
  if (taken && alone_.odd_targets) state.at_target = true;
  if (lost != 0) {
    state.set_longer({fetch_unit, static_cast<std::uint16_t>(lost + 1), 0, false});
  }
}

bool InOrderPipeline::issues_together() const {
  return std::ranges::any_of(
      classes_, [](const Class& timing) { return !timing.partners.empty() || timing.pairs_words; });
}

void InOrderPipeline::pass(PipelineState& state, std::uint32_t cycles) const {
  state.advance(cycles);
  state.close_group();
}

namespace {

// Reads the rows of a description into classes.
class Builder : PipelineRows {
 public:
  Builder(const CpuDescription& description, std::span<const char* const> class_names,
          std::span<const char* const> absent)
      : PipelineRows(description, class_names, absent), classes_(class_names.size()) {}

  Result<std::shared_ptr<const Pipeline>, std::string> build() {
    std::string mistake = read_rows(*this, {{"class", &Builder::read_class},
                                            {"issue", &Builder::read_issue},
                                            {"pair", &Builder::read_pair},
                                            {"bypass", &Builder::read_bypass},
                                            {"waits", &Builder::read_waits},
                                            {"overwrite", &Builder::read_overwrite},
                                            {"pair_words", &Builder::read_pair_words},
                                            {"alone", &Builder::read_alone},
                                            {"redirect", &Builder::read_redirect},
                                            {"continues", &Builder::read_continues}});
    if (mistake.empty()) mistake = class_without_row();
    if (!mistake.empty()) return failure(mistake);
    if (width_ && (*width_ == 2) != has_pairs_) {
      return failure("issue " + std::to_string(*width_) +
                     (has_pairs_ ? " has no use for pair rows" : " needs a pair row"));
    }
    return std::shared_ptr<const Pipeline>(
        std::make_shared<InOrderPipeline>(std::move(classes_), alone_));
  }

 private:
  using Class = InOrderPipeline::Class;

  void read_class(RowReader& row) {
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 1, longest));
    const auto repeat = static_cast<std::uint16_t>(row.number("repeat", 1, 1, longest));
    const auto locks = static_cast<std::uint16_t>(row.number("locks", 0, 1, longest));
    const std::string unit = row.word("unit", "");
    if (unit.empty() && row.has("repeat")) row.fail("repeat without a unit has no effect");
    const std::vector<InOrderPipeline::StageUse> stages = stages_of(row);
    for (const std::uint8_t index : described_by(row)) {
      Class& timing = classes_[index];
      timing.latency = latency;
      timing.repeat = repeat;
      timing.locks = locks;
      if (!unit.empty()) timing.unit = unit_number(unit);
      timing.stages = stages;
    }
  }

  Resource unit_number(const std::string& name) {
    const auto next = static_cast<Resource>(first_named_unit + units_.size());
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

  void read_issue(RowReader& row) {
    if (row.name() != "1" && row.name() != "2") {
      row.fail("issue needs 1 or 2 instructions a cycle, not '" + row.name() + "'");
    }
    width_ = row.name() == "2" ? 2 : 1;
  }

  void read_pair(RowReader& row) {
    has_pairs_ = true;
    const bool in_order = row.has("then");
    const char* const key = in_order ? "then" : "with";
    row.require(key);
    const std::vector<std::uint8_t> first = classes_of(row, row.name());
    const std::vector<std::uint8_t> second = classes_of(row, row.word(key, row.name()));
    for (const std::uint8_t a : first) {
      for (const std::uint8_t b : second) {
        classes_[a].partners.push_back(b);
        if (!in_order) classes_[b].partners.push_back(a);
      }
    }
  }

  void read_pair_words(RowReader& row) {
    row.require("in");
    row.choice("in", {"doubleword"});
    for (const std::uint8_t index : classes_of(row, row.name())) classes_[index].pairs_words = true;
  }

  void read_alone(RowReader& row) {
    row.require("in");
    row.choice("in", {"cycle"});
    for (const std::size_t what : positions_in(row, row.name(), {"delay_slots", "odd_targets"})) {
      (what == 0 ? alone_.delay_slots : alone_.odd_targets) = true;
    }
  }

  void read_bypass(RowReader& row) {
    row.require("to");
    row.require("latency");
    const auto latency = static_cast<std::uint16_t>(row.number("latency", 1, 0, longest));
    const InOrderPipeline::Use use = use_of(row);
    const std::vector<std::uint8_t> consumers = classes_of(row, row.word("to", row.name()));
    for (const std::uint8_t producer : classes_of(row, row.name())) {
      for (const std::uint8_t consumer : consumers) {
        classes_[producer].bypasses.push_back({consumer, latency, use});
      }
    }
  }

  static InOrderPipeline::Use use_of(RowReader& row) {
    if (!row.has("as")) return InOrderPipeline::Use::any;
    const bool is_address = row.choice("as", {"address", "data"}) == 0;
    return is_address ? InOrderPipeline::Use::address : InOrderPipeline::Use::data;
  }

  void read_waits(RowReader& row) {
    row.require("for");
    for (const std::uint8_t index : classes_of(row, row.name())) classes_[index].waits = true;
    const std::vector<std::uint8_t> producers = classes_of(row, row.word("for", row.name()));
    for (const std::uint8_t index : producers) classes_[index].is_awaited = true;
  }

  void read_overwrite(RowReader& row) {
    row.require("by");
    if (!row.has("target")) row.require("operand");
    const auto operand = static_cast<std::uint16_t>(row.number("operand", 0, 1, longest));
    const auto target = static_cast<std::uint16_t>(row.number("target", 0, 1, longest));
    const std::vector<std::uint8_t> later = classes_of(row, row.word("by", row.name()));
    for (const std::uint8_t earlier : classes_of(row, row.name())) {
      for (const std::uint8_t index : later) {
        classes_[earlier].overwrites.push_back({index, operand, target});
      }
    }
  }

  void read_redirect(RowReader& row) {
    if (!row.has("not_taken")) row.require("taken");
    const auto taken = static_cast<std::uint16_t>(row.number("taken", 0, 0, longest));
    const auto not_taken = static_cast<std::uint16_t>(row.number("not_taken", 0, 0, longest));
    for (const std::uint8_t index : classes_of(row, row.name())) {
      classes_[index].transfers_control = true;
      classes_[index].taken = taken;
      classes_[index].not_taken = not_taken;
    }
  }

  void read_continues(RowReader& row) {
    row.require("in");
    row.choice("in", {"stalls"});
    for (const std::uint8_t index : classes_of(row, row.name())) classes_[index].continues = true;
  }

  std::vector<Class> classes_;
  std::optional<unsigned> width_;
  bool has_pairs_ = false;
  InOrderPipeline::Alone alone_;
  std::map<std::string, Resource> units_;
  std::map<std::string, std::size_t> stages_;
};

}  // namespace

Result<std::shared_ptr<const Pipeline>, std::string> make_in_order(
    const CpuDescription& description, std::span<const char* const> class_names,
    std::span<const char* const> absent) {
  return Builder(description, class_names, absent).build();
}

}  // namespace hardclock
