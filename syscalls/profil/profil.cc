#include "syscalls/profil/profil.h"

#include <fmt/format.h>

#include "sim/base/check.h"

namespace hardclock::profil {
namespace {

std::string hex(const State& state, GuestAddr address) {
  return fmt::format("{:#0{}x}", bit_field(address.value(), 0, state.address_bits),
                     2 + state.address_bits / 4);
}

std::string why_off(const State& state) {
  switch (state.stop) {
    case State::Stop::never_started:
      return "profiling is off: never started";
    case State::Stop::by_call:
      return "profiling is off: the program stopped it";
    case State::Stop::by_fault:
      return "profiling is off: a counter update faulted";
    case State::Stop::by_exec:
      return "profiling is off: exec stopped it";
    case State::Stop::by_fork:
      return "profiling is off: the child of a fork has no timer";
    case State::Stop::by_full_counter:
      if (state.samples == 0) return "profiling is off: a counter was full";
      return fmt::format("profiling is off: the buffer was full after {} samples", state.samples);
  }
  CHECK(false);
  return {};
}

std::string heading(const State& state, std::size_t index) {
  CHECK(index < state.regions.size());
  const Region& region = state.regions[index];
  if (state.kind == State::Kind::pcsample) {
    return fmt::format("samples {} with {} of {} stored: ", hex(state, region.base), state.samples,
                       region.size);
  }
  return fmt::format("region {} base {} size {}: ", index, hex(state, region.base), region.size);
}

// pc - offset; with the result where it is not simply that, because the kernel's word wrapped.
std::string difference(const State& state, const Region& region, GuestAddr pc, const Steps& steps) {
  const std::string terms = hex(state, pc) + "-" + hex(state, region.offset);
  if (steps.delta == pc - region.offset) return "(" + terms + ")";
  return "(" + terms + " = " + hex(state, GuestAddr(steps.delta)) + ")";
}

std::string scaling(const Region& region, const std::string& delta, const Steps& steps) {
  if (steps.operand_shift == 0) {
    return fmt::format("{}*{:#x}>>{}", delta, region.scale, steps.product_shift);
  }
  return fmt::format("({}>>{})*({:#x}>>{})>>{}", delta, steps.operand_shift, region.scale,
                     steps.operand_shift, steps.product_shift);
}

std::string result(const Steps& steps) {
  const Wide exact = steps.product >> steps.product_shift;
  if (exact == steps.quotient) return fmt::format(" = {:#x}", exact);
  return fmt::format(" = {:#x}, {:#x} in the kernel's word", exact, steps.quotient);
}

// IRIX: a pc that is a region's offset belongs to the region before it (A-I14).
std::string why_in_bin(const State& state, GuestAddr pc, const Steps& steps) {
  if (!steps.chosen) {
    return fmt::format("the overflow bin takes pc {}, which no other region has", hex(state, pc));
  }
  const GuestAddr offset = state.regions[*steps.chosen].offset;
  const char* const why = offset < pc ? "the largest offset below it" : "the lowest offset";
  return fmt::format(
      "pc {} belongs to region {} ({}, {}), which has no counter for it: the overflow bin takes it",
      hex(state, pc), *steps.chosen, hex(state, offset), why);
}

std::string arithmetic(const State& state, const Region& region, GuestAddr pc, const Steps& steps) {
  switch (steps.rule) {
    case Steps::Rule::scaled:
      return scaling(region, difference(state, region, pc, steps), steps) + result(steps);
    case Steps::Rule::elements:
      return fmt::format("{}/{}*{:#x}>>{}{}", difference(state, region, pc, steps),
                         state.counter_bytes, region.scale, steps.product_shift, result(steps));
    case Steps::Rule::first_counter:
      return fmt::format("scale {} puts every pc from {} up into the first counter", region.scale,
                         hex(state, region.offset));
    case Steps::Rule::overflow_bin:
      return why_in_bin(state, pc, steps);
    case Steps::Rule::next_sample:
      return fmt::format("pc {} is the next", hex(state, pc));
  }
  CHECK(false);
  return {};
}

std::string rounding(const Access& access) {
  if (access.steps.rule != Steps::Rule::scaled) return {};
  if (access.steps.quotient == access.byte_offset) return {};
  const char* direction = access.byte_offset < access.steps.quotient ? "down" : "up";
  return fmt::format(", {} to {:#x}", direction, access.byte_offset);
}

// Kernels that round up compare the rounded offset with the size.
std::string rounded_up(const Miss& miss) {
  if (miss.byte_offset <= miss.steps.quotient) return {};
  return fmt::format(", up to {:#x}", miss.byte_offset);
}

// The VAX kernels take the difference as a signed word: a pc far above offset is also below it.
std::string why_below(const State& state, GuestAddr pc, GuestAddr offset) {
  if (pc < offset) {
    return fmt::format("pc {} is below offset {}", hex(state, pc), hex(state, offset));
  }
  return fmt::format("{}-{} is negative in {} bits", hex(state, pc), hex(state, offset),
                     state.address_bits);
}

std::string why_missed(const State& state, GuestAddr pc, const Miss& miss) {
  if (miss.reason == Miss::Reason::off) return why_off(state);
  if (miss.reason == Miss::Reason::no_region) {
    return fmt::format("pc {} is in none of {} regions", hex(state, pc), state.regions.size());
  }
  const std::string where = heading(state, miss.region);
  const Region& region = state.regions[miss.region];
  switch (miss.reason) {
    case Miss::Reason::scale_off:
      if (region.faulted) return where + "an update faulted, the region is off";
      return fmt::format("{}scale {} switches it off", where, region.scale);
    case Miss::Reason::empty_buffer:
      return where + "the buffer is empty";
    case Miss::Reason::below_offset:
      return where + why_below(state, pc, region.offset);
    case Miss::Reason::beyond_buffer:
      if (miss.steps.rule == Steps::Rule::next_sample) return where + "the buffer is full";
      if (miss.steps.rule == Steps::Rule::elements) {
        return fmt::format("{}{}, not below {} counters", where,
                           arithmetic(state, region, pc, miss.steps),
                           region.size / state.counter_bytes);
      }
      return fmt::format("{}{}{}, not below size {:#x}", where,
                         arithmetic(state, region, pc, miss.steps), rounded_up(miss), region.size);
    case Miss::Reason::off:
    case Miss::Reason::no_region:
      break;
  }
  CHECK(false);
  return {};
}

std::string change(const Increment& increment) {
  switch (increment.effect) {
    case Increment::Effect::counted:
      return fmt::format("{} -> {}", increment.before, increment.after);
    case Increment::Effect::wrapped:
      return fmt::format("{} -> {}, wrapped", increment.before, increment.after);
    case Increment::Effect::saturated:
      return fmt::format("{} -> {}, saturated", increment.before, increment.after);
    case Increment::Effect::stopped:
      if (increment.before == increment.after) return "full, profiling stopped";
      return fmt::format("{} may not become {}, profiling stopped", increment.before,
                         increment.after);
  }
  CHECK(false);
  return {};
}

}  // namespace

std::string explain(const State& state, GuestAddr pc, const Lookup& lookup) {
  if (const Miss* miss = std::get_if<Miss>(&lookup)) {
    return why_missed(state, pc, *miss) + " -> not counted";
  }
  const Access& access = std::get<Access>(lookup);
  const char* place =
      access.steps.rule == Steps::Rule::next_sample ? " -> stored at " : " -> counter at ";
  return heading(state, access.region) +
         arithmetic(state, state.regions[access.region], pc, access.steps) + rounding(access) +
         place + hex(state, access.address);
}

std::string explain(const Increment& increment, Ticks ticks) {
  if (ticks == Ticks(1)) return change(increment);
  return fmt::format("{} ticks: {}", ticks.value(), change(increment));
}

}  // namespace hardclock::profil
