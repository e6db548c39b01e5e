#include "cli/system_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "cli/wrapped_text.h"
#include "sim/base/bits.h"
#include "sim/base/check.h"

namespace hardclock {
namespace {

using profil::SystemRules;

constexpr std::size_t summary_indent = 12;
constexpr std::size_t rule_indent = 16;

bool fits(const SystemRules& system, std::uint64_t number) {
  return number == bit_field(number, 0, system.word_bits);
}

std::string misfit(const SystemRules& system, std::string_view name, std::uint64_t number) {
  return fmt::format("{}: {} {:#x} does not fit its {}-bit words\n", system.name, name, number,
                     system.word_bits);
}

std::string worked_line(const SystemRules& system, const profil::State& state, GuestAddr given) {
  const GuestAddr pc = counted_pc(system, given);
  const std::string end =
      pc == given ? "\n" : fmt::format("; pc {:#x} counts as {:#x}\n", given.value(), pc.value());
  const profil::Lookup lookup = system.lookup(state, pc);
  std::string line = fmt::format("{}: {}", system.name, explain(state, pc, lookup));
  const profil::Access* const access = std::get_if<profil::Access>(&lookup);
  if (access == nullptr) return line + end;
  line += fmt::format(", element {}", access->byte_offset / access->width);
  if (!fits(system, access->address.value())) {
    line += ": the kernel's memory, a fault";
  } else if (is_misaligned(*access) && !system.updates_unaligned) {
    line += ": not aligned, a fault";
  }
  return line + end;
}

}  // namespace

GuestAddr counted_pc(const SystemRules& system, GuestAddr pc) {
  return GuestAddr(pc.value() & system.pc_mask);
}

std::string_view error_name(profil::CallError error) {
  return error == profil::CallError::too_big ? "E2BIG" : "EINVAL";
}

Grade grade_of(const profil::Rule& rule) {
  const auto has = [&](std::string_view word) {
    return rule.source.find(word) != std::string_view::npos;
  };
  if (rule.source.starts_with("inferred")) return Grade::inferred;
  if (rule.source.starts_with("observed") || has("(observed") ||
      rule.rule.ends_with("(observed)")) {
    return Grade::observed;
  }
  return has(".c") || has(".s ") || has(".h ") ? Grade::source : Grade::page;
}

Grade grade_of(const SystemRules& system, std::string_view topic) {
  for (const profil::Rule& rule : system.rules) {
    if (rule.topic == topic) return grade_of(rule);
  }
  CHECK(false);  // every system has a rule about every topic
  return Grade::inferred;
}

std::string calls_of(const SystemRules& system) {
  std::string calls = "profil";
  if (system.sprofil != nullptr) calls += ", sprofil";
  if (system.pcsample != nullptr) calls += ", pcsample";
  return calls;
}

std::string system_summary(const SystemRules& system) {
  return fmt::format("{:11} {:3} Hz  {:17} {}\n", system.name, system.tick_rate.value(),
                     calls_of(system), system.title) +
         wrapped("", system.description, summary_indent);
}

std::string system_rules(const SystemRules& system) {
  std::string text = fmt::format("{}: {}\n", system.name, system.title);
  text += wrapped("", system.description, 2);
  text += "\nRules in force\n";
  for (const profil::Rule& rule : system.rules) {
    text += wrapped(fmt::format("  {}", rule.topic), rule.rule, rule_indent);
    text += wrapped("", fmt::format("[{}]", rule.source), rule_indent);
  }
  text += "\nContradictions\n";
  for (const profil::Contradiction& each : system.contradictions) {
    text += wrapped(fmt::format("  {}", each.id), each.conflict, rule_indent);
    text += wrapped("", fmt::format("-> {}", each.resolution), rule_indent);
  }
  return text;
}

std::string worked_arithmetic(const SystemRules& system, const profil::ProfilArguments& arguments,
                              std::span<const std::uint64_t> pcs) {
  const std::array<std::pair<std::string_view, std::uint64_t>, 4> named = {{
      {"buff", arguments.buff},
      {"bufsiz", arguments.bufsiz},
      {"offset", arguments.offset},
      {"scale", arguments.scale},
  }};
  for (const auto& [name, number] : named) {
    if (!fits(system, number)) return misfit(system, name, number);
  }
  const auto state = system.profil(profil::State{}, arguments, system.word_bits);
  if (!state) {
    return fmt::format("{}: profil fails with {} and changes nothing\n", system.name,
                       error_name(state.error()));
  }
  if (!state->on()) {
    return fmt::format(
        "{}: the call turns profiling off; by which scales says: hardclock systems {}\n",
        system.name, system.name);
  }
  std::string text;
  for (const std::uint64_t pc : pcs) {
    text +=
        fits(system, pc) ? worked_line(system, *state, GuestAddr(pc)) : misfit(system, "pc", pc);
  }
  return text;
}

}  // namespace hardclock
