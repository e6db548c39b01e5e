#include "cli/lab_rules.h"

#include <limits>
#include <variant>

#include "sim/base/bits.h"

namespace hardclock {
namespace {

using profil::Access;
using profil::Increment;
using profil::Lookup;
using profil::Miss;
using profil::Region;
using profil::State;
using profil::Steps;

std::size_t region_of(const Lookup& lookup) {
  if (const auto* const access = std::get_if<Access>(&lookup)) return access->region;
  return std::get<Miss>(lookup).region;
}

// The counter so many bytes behind the buffer's start, if the buffer has it.
Lookup counter_at(const State& state, std::size_t index, std::uint64_t byte_offset,
                  const Steps& steps) {
  const Region& region = state.regions[index];
  if (byte_offset >= region.size) {
    return Miss{.reason = Miss::Reason::beyond_buffer,
                .region = index,
                .steps = steps,
                .byte_offset = byte_offset};
  }
  return Access{.region = index,
                .address = profil::counter_address(state, region, byte_offset),
                .width = state.counter_bytes,
                .byte_offset = byte_offset,
                .steps = steps};
}

Looked round_the_other_way(const RuleContext& context, const State& state, GuestAddr pc) {
  Looked looked = look(context, state, pc);
  const Steps* const steps = scaled_steps(looked.lookup);
  if (steps == nullptr) return looked;
  const std::uint64_t width = state.counter_bytes;
  const auto quotient = static_cast<std::uint64_t>(steps->quotient);
  const std::uint64_t down = quotient - quotient % width;
  if (down == quotient) return looked;
  const auto* const access = std::get_if<Access>(&looked.lookup);
  const bool rounds_down = access != nullptr && access->byte_offset == down;
  looked.lookup =
      counter_at(state, region_of(looked.lookup), rounds_down ? down + width : down, Steps(*steps));
  return looked;
}

Looked leave_out_the_shift(const RuleContext& context, const State& state, GuestAddr pc) {
  Looked looked = look(context, state, pc);
  const Steps* const true_steps = scaled_steps(looked.lookup);
  if (true_steps == nullptr) return looked;
  Steps steps = *true_steps;
  steps.product_shift = 0;
  steps.quotient = steps.product;
  const auto product = static_cast<std::uint64_t>(steps.product);
  looked.lookup =
      counter_at(state, region_of(looked.lookup), product - product % state.counter_bytes, steps);
  return looked;
}

Looked leave_out_the_offset(const RuleContext& context, const State& state, GuestAddr pc) {
  State shifted = state;
  for (Region& region : shifted.regions) region.offset = GuestAddr(0);
  return look(context, shifted, pc);
}

Looked take_bytes_for_elements(const RuleContext& context, const State& state, GuestAddr pc) {
  Looked looked = look(context, state, pc);
  const auto* const access = std::get_if<Access>(&looked.lookup);
  if (access == nullptr || scaled_steps(looked.lookup) == nullptr) return looked;
  const Steps steps = access->steps;
  looked.lookup = counter_at(state, access->region, access->byte_offset * access->width, steps);
  return looked;
}

Looked leave_out_the_bound(const RuleContext& context, const State& state, GuestAddr pc) {
  Looked looked = look(context, state, pc);
  const auto* const miss = std::get_if<Miss>(&looked.lookup);
  if (miss == nullptr || scaled_steps(looked.lookup) == nullptr) return looked;
  const Steps steps = miss->steps;
  const auto quotient = static_cast<std::uint64_t>(steps.quotient);
  const std::uint64_t byte_offset = quotient - quotient % state.counter_bytes;
  looked.lookup =
      Access{.region = miss->region,
             .address = profil::counter_address(state, state.regions[miss->region], byte_offset),
             .width = state.counter_bytes,
             .byte_offset = byte_offset,
             .steps = steps};
  return looked;
}

Looked take_the_next_instruction(const RuleContext& context, const State& state, GuestAddr pc) {
  return look(context, state, pc + context.instruction_bytes);
}

constexpr std::uint64_t values_of_a_byte = 256;

Increment count_in_a_byte(const RuleContext&, std::uint64_t before, unsigned, Ticks ticks) {
  const std::uint64_t sum = before + ticks.value();
  return {before, sum % values_of_a_byte,
          sum < values_of_a_byte ? Increment::Effect::counted : Increment::Effect::wrapped};
}

std::uint64_t largest(unsigned width) {
  constexpr unsigned byte_bits = 8;
  return bit_field(std::numeric_limits<std::uint64_t>::max(), 0, byte_bits * width);
}

// Wraps where the system does anything else, and stays full where it wraps.
Increment do_the_other_when_full(const RuleContext& context, std::uint64_t before, unsigned width,
                                 Ticks ticks) {
  const std::uint64_t full = largest(width);
  const Increment own = context.system.increment(before, width, ticks);
  if (own.effect == Increment::Effect::wrapped) return {before, full, Increment::Effect::saturated};
  if (own.effect == Increment::Effect::counted) return own;
  return {before, (before + ticks.value()) & full, Increment::Effect::wrapped};
}

State go_on_after_fault(const State& state) {
  return state;
}

constexpr BrokenRule rules[] = {
    {"rounding", "rounds to the other counter: up where the system rounds down",
     round_the_other_way},
    {"shift", "forgets >> 16: the scale is a whole number", leave_out_the_shift},
    {"offset", "does not subtract offset from the pc", leave_out_the_offset},
    {"element", "takes the byte offset for a number of counters", take_bytes_for_elements},
    {"bound", "does not look where the buffer ends", leave_out_the_bound},
    {"late", "counts the instruction behind the interrupted one", take_the_next_instruction},
    {"byte", "counts in 8 bits: 255 is followed by 0", nullptr, count_in_a_byte},
    {"full", "wraps where a full counter stays or stops, and stays where it wraps", nullptr,
     do_the_other_when_full},
    {"fault", "does not turn profiling off after a fault", nullptr, nullptr, go_on_after_fault},
};

}  // namespace

const Steps* scaled_steps(const Lookup& lookup) {
  const Steps* steps = nullptr;
  if (const auto* const access = std::get_if<Access>(&lookup)) steps = &access->steps;
  const auto* const miss = std::get_if<Miss>(&lookup);
  if (miss != nullptr && miss->reason == Miss::Reason::beyond_buffer) steps = &miss->steps;
  return steps != nullptr && steps->rule == Steps::Rule::scaled ? steps : nullptr;
}

std::span<const BrokenRule> broken_rules() {
  return rules;
}

Looked look(const RuleContext& context, const State& state, GuestAddr pc) {
  return {state, pc, context.system.lookup(state, pc)};
}

Looked look(const BrokenRule& rule, const RuleContext& context, const State& state, GuestAddr pc) {
  return rule.look != nullptr ? rule.look(context, state, pc) : look(context, state, pc);
}

void BrokenKernel::begin(const State& state) {
  state_ = state;
  counters_.clear();
}

BrokenKernel::Result BrokenKernel::charge(GuestAddr pc, Ticks ticks, const CanUpdate& can_update) {
  Result result{.looked = look(rule_, context_, state_, pc), .increment = {}};
  const auto* const access = std::get_if<Access>(&result.looked.lookup);
  if (access == nullptr) return result;
  const bool is_aligned = context_.system.updates_unaligned || !profil::is_misaligned(*access);
  if (!is_aligned || !can_update(access->address, access->width)) {
    result.faulted = true;
    state_ = rule_.after_fault != nullptr ? rule_.after_fault(state_)
                                          : context_.system.after_fault(state_, access->region);
    return result;
  }
  std::uint64_t& counter = counters_[access->address];
  result.increment = rule_.increment != nullptr
                         ? rule_.increment(context_, counter, access->width, ticks)
                         : context_.system.increment(counter, access->width, ticks);
  if (result.increment->effect == Increment::Effect::stopped) {
    state_ = profil::stopped(State::Stop::by_full_counter);
  } else {
    counter = result.increment->after;
  }
  return result;
}

}  // namespace hardclock
