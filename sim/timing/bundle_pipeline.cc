#include "sim/timing/bundle_pipeline.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace hardclock {
namespace {

using Order = BundlePipeline::Dispersal::Order;

// Until when the next instruction waits for the end of a transfer of control.
constexpr Resource fetch_unit = first_unit;

// The first cycle, from the next one on, in which an instruction may issue after a transfer of
// control.
std::uint32_t after_transfer(const PipelineState& state) {
  const PipelineState::Pending* const fetch = state.find(fetch_unit);
  return fetch == nullptr ? 1u : std::uint32_t{fetch->cycles};
}

constexpr std::uint16_t no_ports_in_use = 1;  // the empty set alone

constexpr std::size_t index_of(BundleShape shape) {
  return static_cast<std::size_t>(shape);
}

enum class SlotUnit : std::uint8_t { memory, integer, floating, branch, long_immediate };

SlotUnit unit_of(const BundleSlot& place) {
  using enum SlotUnit;
  constexpr std::array<std::array<SlotUnit, 3>, BundlePipeline::shapes> units = {
      {{branch, branch, branch},
       {memory, integer, integer},
       {memory, long_immediate, long_immediate},
       {memory, memory, integer},
       {memory, floating, integer},
       {memory, memory, floating},
       {memory, integer, branch},
       {memory, branch, branch},
       {branch, branch, branch},
       {memory, memory, branch},
       {memory, floating, branch}}};
  return units[index_of(place.shape)][place.slot];
}

bool is_second_half(const BundleSlot& place) {
  return place.shape == BundleShape::mlx && place.slot == 2;
}

bool is_among(Resource resource, const std::vector<Resource>& resources) {
  return std::find(resources.begin(), resources.end(), resource) != resources.end();
}

}  // namespace

// ---- Dispersal.
std::optional<IssueGroup> BundlePipeline::joined(const IssueGroup& group,
                                                 const InstructionTiming& instruction) const {
  IssueGroup with = group;
  if (!take_bundle(with, instruction.place) || !take_port(with, instruction)) return std::nullopt;
  return with;
}

bool BundlePipeline::take_bundle(IssueGroup& group, const BundleSlot& place) const {
  if (group.bundles == 0) {
    group = {.bundles = 1, .shape = place.shape, .memory_ports = no_ports_in_use};
    return true;
  }
  if (place.slot != 0) return true;
  const bool is_split = dispersal_.splits_between[index_of(group.shape)][index_of(place.shape)];
  if (is_split || group.bundles >= dispersal_.bundles) return false;
  ++group.bundles;
  group.shape = place.shape;
  return true;
}

bool BundlePipeline::take_port(IssueGroup& group, const InstructionTiming& instruction) const {
  const Class& timing = classes_[instruction.timing_class];
  switch (unit_of(instruction.place)) {
    case SlotUnit::memory:
      return timing.memory_ports == 0 || take_memory_port(group, timing.memory_ports);
    case SlotUnit::integer:
    case SlotUnit::long_immediate:
      return timing.integer_ports == 0 || take_integer_port(group, timing, instruction.place.slot);
    case SlotUnit::floating:
      return timing.float_ports == 0 || take_float_port(group, timing);
    case SlotUnit::branch:
      break;
  }
  return true;
}

bool BundlePipeline::take_memory_port(IssueGroup& group, std::uint8_t ports) const {
  std::uint16_t sets = 0;
  for (unsigned used = 0; used < 1u << dispersal_.memory.ports; ++used) {
    if ((group.memory_ports >> used & 1) == 0) continue;
    for (unsigned port = 0; port < dispersal_.memory.ports; ++port) {
      if ((used >> port & 1) != 0) continue;
      if ((ports >> port & 1) != 0) sets |= static_cast<std::uint16_t>(1u << (used | 1u << port));
      if (dispersal_.memory.order == Order::lowest) break;
    }
  }
  group.memory_ports = sets;
  return sets != 0;
}

bool BundlePipeline::take_integer_port(IssueGroup& group, const Class& timing,
                                       std::uint8_t slot) const {
  auto port = static_cast<unsigned>(std::countr_one(group.integer_ports));
  if (dispersal_.last_slot_is_highest && group.bundles == 2 && slot == 2) {
    port = std::max(port, dispersal_.integer.ports - 1);
  }
  if (port < dispersal_.integer.ports) {
    group.integer_ports |= static_cast<std::uint8_t>(1u << port);
    return (timing.integer_ports >> port & 1) != 0;
  }
  return dispersal_.integer_overflows && timing.memory_ports != 0 &&
         take_memory_port(group, timing.memory_ports);
}

bool BundlePipeline::take_float_port(IssueGroup& group, const Class& timing) const {
  const unsigned port = group.bundles - 1u;
  const unsigned all = (1u << dispersal_.floating.ports) - 1;
  const unsigned taken = timing.takes_all_float_ports ? all : 1u << port;
  if ((group.float_ports & taken) != 0 || (timing.float_ports >> port & 1) == 0) return false;
  group.float_ports |= static_cast<std::uint8_t>(taken);
  return true;
}

bool BundlePipeline::ends_group(const InstructionTiming& instruction) const {
  const BundleSlot& place = instruction.place;
  if (place.stop_after || classes_[instruction.timing_class].splits_after) return true;
  const std::size_t shape = index_of(place.shape);
  return place.slot == 2 && dispersal_.splits_at_end[shape] &&
         !dispersal_.unless[shape][instruction.timing_class];
}

// ---- Operands.
// A pending register was entered with its producer's longest latency.
std::uint32_t BundlePipeline::operand_ready(const PipelineState::Pending& pending,
                                            std::uint8_t consumer, bool is_address) const {
  if (pending.producer == 0) return pending.cycles;
  const Class& producer = classes_[pending.producer - 1];
  const Latency& latency = producer.to[consumer];
  const std::uint32_t less =
      producer.longest - unsigned{is_address ? latency.address : latency.data};
  return pending.cycles > less ? pending.cycles - less : 0;
}

// When most consumers find it ready.
std::uint32_t BundlePipeline::usually_ready(const PipelineState::Pending& pending) const {
  if (pending.producer == 0) return pending.cycles;
  const Class& producer = classes_[pending.producer - 1];
  const std::uint32_t less = std::max(producer.longest, producer.usual) - unsigned{producer.usual};
  return pending.cycles > less ? pending.cycles - less : 0;
}

std::uint32_t BundlePipeline::too_early(const PipelineState::Pending& pending,
                                        std::uint8_t consumer) const {
  return pending.producer == 0 ? 0 : classes_[pending.producer - 1].to[consumer].early;
}

// Calls visit(pending, cycles until the operand is there).
template <class Visit>
void BundlePipeline::for_each_operand(const PipelineState& state,
                                      const InstructionTiming& instruction, Visit visit) const {
  for (const Resource read : instruction.reads) {
    const PipelineState::Pending* const pending = state.find(read);
    if (pending == nullptr) continue;
    visit(*pending,
          operand_ready(*pending, instruction.timing_class, is_among(read, instruction.addresses)));
  }
}

// An operand from its own group that is not there in the same cycle: the instruction begins a new
// group, as if the stop were there that is missing. Where one of the two has a predicate, none is:
// without a stop the architecture then wants one of them to be off (SDM 1, 3.4.1).
bool BundlePipeline::needs_own_group(const PipelineState& state,
                                     const InstructionTiming& instruction) const {
  bool needs = false;
  for_each_operand(state, instruction, [&](const PipelineState::Pending& pending, auto cycles) {
    const bool may_be_off =
        pending.may_be_off || (instruction.predicate && pending.resource != instruction.predicate);
    needs |= pending.of_group && cycles != 0 && !may_be_off;
  });
  return needs;
}

// Cycles, at least `from`, until the instruction may issue for what older groups have in flight.
std::uint32_t BundlePipeline::ready(const PipelineState& state,
                                    const InstructionTiming& instruction,
                                    std::uint32_t from) const {
  const std::uint8_t consumer = instruction.timing_class;
  std::uint32_t cycle = from;
  for_each_operand(state, instruction, [&](const PipelineState::Pending& pending, auto cycles) {
    if (!pending.of_group && too_early(pending, consumer) == 0) cycle = std::max(cycle, cycles);
  });
  const std::uint32_t in_time = cycle;
  for_each_operand(state, instruction, [&](const PipelineState::Pending& pending, auto cycles) {
    if (pending.of_group || cycles <= in_time) return;
    cycle = std::max(cycle, cycles + too_early(pending, consumer));
  });
  if (instruction.is_off) return cycle;
  const std::uint32_t latency = classes_[instruction.timing_class].usual;
  for (const Resource write : instruction.writes) {
    const PipelineState::Pending* const older = state.find(write);
    if (older == nullptr || older->of_group) continue;
    cycle = std::max(cycle + latency, usually_ready(*older)) - latency;
  }
  return cycle;
}

void BundlePipeline::put_in_flight(PipelineState& state,
                                   const InstructionTiming& instruction) const {
  const Class& timing = classes_[instruction.timing_class];
  const bool is_in_slot_i = timing.in_slots_i && unit_of(instruction.place) == SlotUnit::integer;
  const bool may_be_off = instruction.predicate.has_value(), is_off = instruction.is_off;
  for (const Resource write : instruction.writes) {
    const bool is_second = write == instruction.modified_base;
    if (is_second && !timing.second) {
      put_in_flight(state, {write, 1, 0, false, true, may_be_off}, is_off);
      continue;
    }
    const std::uint8_t producer = is_second      ? *timing.second
                                  : is_in_slot_i ? *timing.in_slots_i
                                                 : instruction.timing_class;
    const std::uint16_t cycles = classes_[producer].longest;
    if (cycles == 0) continue;
    put_in_flight(state,
                  {write, cycles, static_cast<std::uint8_t>(producer + 1), false, true, may_be_off},
                  is_off);
  }
}

// Two of a group write one register if they are never both on: it is there when both are over. So
// it is where one is off that comes after an older result.
void BundlePipeline::put_in_flight(PipelineState& state, const PipelineState::Pending& result,
                                   bool is_off) {
  const PipelineState::Pending* const older = state.find(result.resource);
  if (is_off || (older != nullptr && older->of_group)) return state.set_longer(result);
  state.set(result);
}

// ---- Fetch.
// Cycles until the bundle is there that the instruction begins.
std::uint32_t BundlePipeline::until_fetched(const PipelineState& state,
                                            const BundleSlot& place) const {
  if (place.slot != 0 || state.not_fetched < dispersal_.buffer || dispersal_.fetched == 0) return 0;
  const unsigned missing = state.not_fetched - dispersal_.buffer + 1;
  return (missing + dispersal_.fetched - 1) / dispersal_.fetched;
}

// From the next one on, in which the instruction may begin a group.
std::uint32_t BundlePipeline::first_cycle(const PipelineState& state,
                                          const InstructionTiming& instruction) const {
  return std::max(after_transfer(state), until_fetched(state, instruction.place));
}

// Where there is room, as many as a cycle fetches.
void BundlePipeline::fetch(PipelineState& state, std::uint32_t cycles) const {
  if (dispersal_.fetched == 0) return;
  const std::uint32_t fetches = std::min(cycles, state.not_fetched / dispersal_.fetched);
  state.not_fetched -= static_cast<std::uint8_t>(fetches * dispersal_.fetched);
}

// What has been fetched with a transfer of control and comes behind it.
void BundlePipeline::lose_rest_of_fetch(PipelineState& state) const {
  if (dispersal_.fetched == 0) return;
  const unsigned used = state.not_fetched % dispersal_.fetched;
  if (used != 0) state.not_fetched += static_cast<std::uint8_t>(dispersal_.fetched - used);
}

// Cycles in which nothing is fetched.
void BundlePipeline::lose_fetches(PipelineState& state, unsigned cycles) const {
  constexpr unsigned most = std::numeric_limits<std::uint8_t>::max();
  state.not_fetched =
      static_cast<std::uint8_t>(std::min(most, state.not_fetched + dispersal_.fetched * cycles));
}

void BundlePipeline::advance(PipelineState& state, std::uint32_t cycles) const {
  state.advance(cycles);
  fetch(state, cycles);
}

// ---- Time.
// The state's group with the instruction in it; nullopt: it begins a new one.
std::optional<IssueGroup> BundlePipeline::continued(const PipelineState& state,
                                                    const InstructionTiming& instruction) const {
  if (state.group.bundles == 0 || needs_own_group(state, instruction)) return std::nullopt;
  if (until_fetched(state, instruction.place) != 0) return std::nullopt;
  return joined(state.group, instruction);
}

std::uint32_t BundlePipeline::issue(PipelineState& state,
                                    const InstructionTiming& instruction) const {
  if (is_second_half(instruction.place)) {
    if (instruction.place.stop_after) state.close_group();
    return 0;
  }
  std::uint32_t cycles = 0;
  std::optional<IssueGroup> group = continued(state, instruction);
  if (group) {
    cycles = ready(state, instruction, 0);
    state.delay_group(cycles);
    fetch(state, cycles);
  } else {
    state.close_group();
    cycles = ready(state, instruction, first_cycle(state, instruction));
    advance(state, cycles);
    group = joined({}, instruction);
  }
  state.group = *group;
  if (dispersal_.fetched != 0 && instruction.place.slot == 0) ++state.not_fetched;
  state.predicted_taken = instruction.predicted_taken;
  state.renames = instruction.renames;
  put_in_flight(state, instruction);
  if (ends_group(instruction)) state.close_group();
  return cycles;
}

IssueWaits BundlePipeline::waits(const PipelineState& state,
                                 const InstructionTiming& instruction) const {
  if (is_second_half(instruction.place)) return {};
  if (continued(state, instruction)) {
    return {.operand = ready(state, instruction, 0), .awaited = awaited(state, instruction)};
  }
  PipelineState behind = state;
  behind.close_group();
  const std::uint32_t after_branch = first_cycle(behind, instruction);
  const std::uint32_t after_operands = ready(behind, instruction, after_branch);
  return {.branch = after_branch - 1,
          .operand = after_operands - after_branch,
          .awaited = awaited(behind, instruction)};
}

// The register that is there last; nullopt: all are.
std::optional<Resource> BundlePipeline::awaited(const PipelineState& state,
                                                const InstructionTiming& instruction) const {
  std::optional<Resource> last;
  std::uint32_t longest = 0;
  for_each_operand(state, instruction, [&](const PipelineState::Pending& pending, auto cycles) {
    if (cycles <= longest) return;
    longest = cycles;
    last = pending.resource;
  });
  return last;
}

void BundlePipeline::redirect(PipelineState& state, std::uint8_t branch_class, bool taken) const {
  const Class& branch = classes_[branch_class];
  const bool was_right = taken == state.predicted_taken;
  const std::uint16_t bubble = taken ? branch.taken : 0;
  const bool may_hide = dispersal_.fetched != 0;
  const std::uint16_t lost = !was_right ? branch.mispredicted : may_hide ? 0 : bubble;
  // A wrong prediction delays all: what is fetched ahead is taken to be what a right one leaves.
  if (taken) lose_rest_of_fetch(state);
  lose_fetches(state, bubble + lost);
  if (taken || lost != 0) state.close_group();
  if (state.renames != nullptr && state.renames->when_taken == taken) state.rename(*state.renames);
  if (lost != 0) {
    state.set_longer({fetch_unit, static_cast<std::uint16_t>(lost + 1), 0, false});
  }
  state.predicted_taken = false;
  state.renames = nullptr;
}

// Behind a branch that loses cycles, a group begins when they are over, or later.
std::optional<std::uint32_t> BundlePipeline::delay(const PipelineState& early,
                                                   const PipelineState& late) const {
  if (late.group.bundles != 0 || after_transfer(late) <= after_transfer(early)) return std::nullopt;
  const std::uint32_t lost = after_transfer(late) - after_transfer(early);
  PipelineState later = late;
  pass(later, lost);
  return later == early ? std::optional(lost) : std::nullopt;
}

void BundlePipeline::pass(PipelineState& state, std::uint32_t cycles) const {
  advance(state, cycles);
  state.close_group();
}

}  // namespace hardclock
