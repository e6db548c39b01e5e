#include "syscalls/profil/profil.h"

#include <fmt/format.h>

#include "sim/base/check.h"

namespace hardclock::profil {
namespace {

std::string hex(GuestAddr address) {
  return fmt::format("{:#010x}", address.value());
}

std::string why_off(State::Stop stop) {
  switch (stop) {
    case State::Stop::never_started:
      return "profiling is off: never started";
    case State::Stop::by_call:
      return "profiling is off: the program stopped it";
    case State::Stop::by_fault:
      return "profiling is off: a counter update faulted";
    case State::Stop::by_exec:
      return "profiling is off: exec stopped it";
    case State::Stop::by_full_counter:
      return "profiling is off: a counter was full";
  }
  CHECK(false);
  return {};
}

std::string heading(const State& state, std::size_t index) {
  CHECK(index < state.regions.size());
  const Region& region = state.regions[index];
  return fmt::format("region {} base {} size {}: ", index, hex(region.base), region.size);
}

std::string arithmetic(const Region& region, GuestAddr pc, const Steps& steps) {
  if (steps.rule == Steps::Rule::first_counter) {
    return fmt::format("scale {} puts every pc from {} up into the first counter", region.scale,
                       hex(region.offset));
  }
  const std::string delta = fmt::format("({}-{})", hex(pc), hex(region.offset));
  if (steps.operand_shift == 0) {
    return fmt::format("{}*{:#x}>>{} = {:#x}", delta, region.scale, steps.product_shift,
                       steps.quotient);
  }
  return fmt::format("({}>>{})*({:#x}>>{})>>{} = {:#x}", delta, steps.operand_shift, region.scale,
                     steps.operand_shift, steps.product_shift, steps.quotient);
}

std::string rounding(const Access& access) {
  if (access.steps.quotient == access.byte_offset) return {};
  const char* direction = access.byte_offset < access.steps.quotient ? "down" : "up";
  return fmt::format(", {} to {:#x}", direction, access.byte_offset);
}

std::string why_missed(const State& state, GuestAddr pc, const Miss& miss) {
  if (miss.reason == Miss::Reason::off) return why_off(state.stop);
  if (miss.reason == Miss::Reason::no_region) {
    return fmt::format("pc {} is in none of {} regions", hex(pc), state.regions.size());
  }
  const std::string where = heading(state, miss.region);
  const Region& region = state.regions[miss.region];
  switch (miss.reason) {
    case Miss::Reason::scale_off:
      return fmt::format("{}scale {} switches it off", where, region.scale);
    case Miss::Reason::empty_buffer:
      return where + "the buffer is empty";
    case Miss::Reason::below_offset:
      return fmt::format("{}pc {} is below offset {}", where, hex(pc), hex(region.offset));
    case Miss::Reason::beyond_buffer:
      return fmt::format("{}{}, not below size {:#x}", where, arithmetic(region, pc, miss.steps),
                         region.size);
    case Miss::Reason::off:
    case Miss::Reason::no_region:
      break;
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
  return heading(state, access.region) +
         arithmetic(state.regions[access.region], pc, access.steps) + rounding(access) +
         " -> counter at " + hex(access.address);
}

std::string explain(const Increment& increment) {
  switch (increment.effect) {
    case Increment::Effect::counted:
      return fmt::format("{} -> {}", increment.before, increment.after);
    case Increment::Effect::wrapped:
      return fmt::format("{} -> {}, wrapped", increment.before, increment.after);
    case Increment::Effect::saturated:
      return fmt::format("{} -> {}, saturated", increment.before, increment.after);
    case Increment::Effect::stopped:
      return fmt::format("{} is full, profiling stopped", increment.before);
  }
  CHECK(false);
  return {};
}

}  // namespace hardclock::profil
