#include "cli/lab_profile.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "cli/system_text.h"
#include "sim/base/bits.h"

namespace hardclock {
namespace {

using lab::Verdict;
using profil::Access;
using profil::Miss;
using profil::Region;
using profil::State;
using profil::Steps;

std::string hex(const State& state, GuestAddr address) {
  constexpr unsigned digit_bits = 4;
  return fmt::format("0x{:0{}x}", address.value(), state.address_bits / digit_bits);
}

std::uint64_t low(profil::Wide number) {
  return static_cast<std::uint64_t>(number);
}

void add_formula(const State& state, GuestAddr pc, const Region& region, const Steps& steps,
                 std::vector<std::string>& lines) {
  lines.push_back(fmt::format("pc - offset = {} - {} = {:#x}", hex(state, pc),
                              hex(state, region.offset), steps.delta));
  if (steps.operand_shift == 0) {
    lines.push_back(fmt::format("* scale {:#x} = {:#x}", region.scale, low(steps.product)));
  } else {
    lines.push_back(fmt::format("both halved: {:#x} * {:#x} = {:#x}",
                                steps.delta >> steps.operand_shift,
                                region.scale >> steps.operand_shift, low(steps.product)));
  }
  lines.push_back(steps.product_shift == 0
                      ? std::string("no shift")
                      : fmt::format(">> {} = {:#x}", steps.product_shift, low(steps.quotient)));
}

void add_place(const Looked& looked, const Access& access, std::vector<std::string>& lines) {
  const Region& region = looked.state.regions[access.region];
  const std::uint64_t quotient = low(access.steps.quotient);
  if (scaled_steps(looked.lookup) != nullptr && quotient != access.byte_offset) {
    const bool is_down = access.byte_offset < quotient;
    const std::uint64_t apart =
        is_down ? quotient - access.byte_offset : access.byte_offset - quotient;
    lines.push_back(apart < access.width
                        ? fmt::format("rounded {} to {:#x}, a counter has {} bytes",
                                      is_down ? "down" : "up", access.byte_offset, access.width)
                        : fmt::format("{:#x} counters of {} bytes: {:#x}",
                                      access.byte_offset / access.width, access.width,
                                      access.byte_offset));
  }
  lines.push_back(access.byte_offset < region.size
                      ? fmt::format("{:#x} is below size {:#x}", access.byte_offset, region.size)
                      : fmt::format("{:#x} is not below size {:#x}, which nobody checks",
                                    access.byte_offset, region.size));
  lines.push_back(fmt::format("buffer {} + {:#x} = {}: counter {}", hex(looked.state, region.base),
                              access.byte_offset, hex(looked.state, access.address),
                              access.byte_offset / access.width));
}

std::vector<std::string> steps_of(const Looked& looked) {
  std::vector<std::string> lines;
  const State& state = looked.state;
  const Steps* const formula = scaled_steps(looked.lookup);
  const auto* const access = std::get_if<Access>(&looked.lookup);
  if (formula == nullptr) {
    lines.push_back(profil::explain(state, looked.pc, looked.lookup));
    if (access != nullptr)
      lines.push_back(fmt::format("counter {}", access->byte_offset / access->width));
    return lines;
  }
  const std::size_t index =
      access != nullptr ? access->region : std::get<Miss>(looked.lookup).region;
  if (state.regions.size() > 1)
    lines.push_back(fmt::format("region {} of {}", index, state.regions.size()));
  add_formula(state, looked.pc, state.regions[index], *formula, lines);
  if (access != nullptr) {
    add_place(looked, *access, lines);
  } else {
    lines.push_back(fmt::format("not below size {:#x}: not counted", state.regions[index].size));
  }
  return lines;
}

Verdict began(std::string name, const Looked& looked) {
  Verdict verdict;
  verdict.kernel = std::move(name);
  verdict.line = profil::explain(looked.state, looked.pc, looked.lookup);
  verdict.steps = steps_of(looked);
  if (const auto* const access = std::get_if<Access>(&looked.lookup))
    verdict.counter = access->byte_offset / access->width;
  return verdict;
}

void end_with(Verdict& verdict, std::string outcome) {
  verdict.steps.push_back(outcome);
  verdict.outcome = std::move(outcome);
}

// The counter's change, or that there is none.
void end_with(Verdict& verdict, const std::optional<profil::Increment>& increment, Ticks ticks) {
  if (!increment) {
    verdict.outcome = "not counted";
    return;
  }
  verdict.before = increment->before;
  verdict.after = increment->after;
  end_with(verdict, profil::explain(*increment, ticks));
}

void end_as_fault(Verdict& verdict, std::string outcome) {
  verdict.counter.reset();
  end_with(verdict, std::move(outcome));
}

Verdict of_no_profile(const profil::SystemRules& system, std::string why) {
  Verdict verdict;
  verdict.kernel = system.name;
  verdict.line = why;
  end_with(verdict, std::move(why));
  return verdict;
}

// Of other systems: the program's words may be too wide for theirs.
Verdict verdict_of_words(const profil::SystemRules& system, const Region& region, GuestAddr pc) {
  for (const std::uint64_t word :
       {region.base.value(), region.size, region.offset.value(), region.scale, pc.value()}) {
    if (word == bit_field(word, 0, system.word_bits)) continue;
    return of_no_profile(system,
                         fmt::format("{:#x} does not fit its {} bits", word, system.word_bits));
  }
  const auto state = system.profil(
      State{}, {region.base.value(), region.size, region.offset.value(), region.scale},
      system.word_bits);
  if (!state) {
    return of_no_profile(system, fmt::format("profil() fails: {}", error_name(state.error())));
  }
  return verdict_of(std::string(system.name), {*state, pc, system.lookup(*state, pc)},
                    system.updates_unaligned);
}

}  // namespace

Verdict verdict_of(std::string name, const Looked& looked, bool updates_unaligned) {
  Verdict verdict = began(std::move(name), looked);
  const auto* const access = std::get_if<Access>(&looked.lookup);
  if (access == nullptr) {
    verdict.outcome = "not counted";
  } else if (profil::is_misaligned(*access) && !updates_unaligned) {
    end_as_fault(verdict, "not aligned: a fault");
  }
  return verdict;
}

Verdict verdict_of(std::string name, const Looked& looked, const profil::Charge& charge,
                   Ticks ticks) {
  Verdict verdict = began(std::move(name), looked);
  if (charge.outcome == profil::Charge::Outcome::faulted) {
    end_as_fault(verdict, charge.misaligned
                              ? "not aligned: a fault, profiling is off"
                              : "the program cannot write there: a fault, profiling is off");
  } else {
    end_with(verdict, charge.increment, ticks);
  }
  return verdict;
}

Verdict verdict_of(const BrokenRule& rule, const BrokenKernel::Result& result, Ticks ticks) {
  Verdict verdict = began(std::string(rule.name), result.looked);
  if (result.faulted) {
    end_as_fault(verdict, "a fault");
  } else {
    end_with(verdict, result.increment, ticks);
  }
  return verdict;
}

std::string KernelProfile::summary() const {
  if (!state_.on()) {
    std::string why = profil::explain(state_, {}, profil::Miss{});
    why.erase(why.find(" -> "));
    return why;
  }
  const Region& region = state_.regions.front();
  std::string text =
      fmt::format("buffer {}, {} bytes; text from {}; scale {:#x}", hex(state_, region.base),
                  region.size, hex(state_, region.offset), region.scale);
  if (state_.kind == State::Kind::pcsample) {
    text = fmt::format("pcsample: buffer {}, {} of {} pcs stored", hex(state_, region.base),
                       state_.samples, region.size);
  } else if (state_.regions.size() > 1) {
    text += fmt::format("; and {} regions more", state_.regions.size() - 1);
  }
  return text;
}

Verdict KernelProfile::verdict(GuestAddr pc) const {
  return verdict_of(std::string(context_.system.name), look(context_, state_, pc),
                    context_.system.updates_unaligned);
}

std::vector<Verdict> KernelProfile::systems(GuestAddr pc) const {
  std::vector<Verdict> verdicts;
  if (!state_.on()) return verdicts;
  const profil::Lookup own = context_.system.lookup(state_, pc);
  const auto* const access = std::get_if<Access>(&own);
  const Region& region = state_.regions[access != nullptr ? access->region : 0];
  for (const profil::SystemRules* const system : profil::systems_and_libraries()) {
    verdicts.push_back(system == &context_.system ? verdict(pc)
                                                  : verdict_of_words(*system, region, pc));
  }
  return verdicts;
}

std::vector<Verdict> KernelProfile::broken(GuestAddr pc) const {
  std::vector<Verdict> verdicts;
  for (const BrokenRule& rule : broken_rules()) {
    verdicts.push_back(verdict_of(std::string(rule.name), look(rule, context_, state_, pc),
                                  context_.system.updates_unaligned));
  }
  return verdicts;
}

}  // namespace hardclock
