#include "syscalls/conform/emit_c/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/base/check.h"
#include "syscalls/profil/system.h"

namespace hardclock::conform {
namespace {

constexpr Target all_targets[] = {
#include "syscalls/conform/emit_c/targets.def"
};

using Targets = std::span<const Target>;
using IsOf = std::function<bool(const Target&)>;

const profil::SystemRules& rules_of(const Target& target) {
  const profil::SystemRules* const system = profil::find_system(target.system);
  CHECK(system != nullptr);
  return *system;
}

// "CONFORM_SYSTEM == IRIX || CONFORM_SYSTEM == HP_UX". Of targets like others nothing is said.
std::string comparisons(std::string_view comparison, std::string_view conjunction, Targets targets,
                        const IsOf& is_of) {
  std::string out;
  for (const Target& target : targets) {
    if (!target.like.empty() || !is_of(target)) continue;
    if (!out.empty()) out += fmt::format(" {} ", conjunction);
    out += fmt::format("CONFORM_SYSTEM {} {}", comparison, target.constant);
  }
  return out;
}

std::string for_all_but(std::string_view feature, Targets targets, const IsOf& lacks) {
  const std::string others = comparisons("!=", "&&", targets, lacks);
  return fmt::format("#define {} ({})\n", feature, others.empty() ? "1" : others);
}

std::string for_those(std::string_view feature, Targets targets, const IsOf& has) {
  const std::string those = comparisons("==", "||", targets, has);
  return fmt::format("#define {} ({})\n", feature, those.empty() ? "0" : those);
}

std::string constants(Targets targets) {
  std::string out;
  int number = 0;
  for (const Target& target : targets) {
    out += fmt::format("#define {} {}\n", target.constant, ++number);
  }
  return out;
}

std::string choice_by_compiler(Targets targets) {
  std::string out = "#ifndef CONFORM_SYSTEM\n";
  std::string_view directive = "#if";
  for (const Target& target : targets) {
    out += fmt::format("{} {}\n#define CONFORM_SYSTEM {}\n", directive, target.condition,
                       target.constant);
    directive = "#elif";
  }
  out += "#endif\n#endif\n#ifndef CONFORM_SYSTEM\n";
  out += "#error \"name the system: -DCONFORM_SYSTEM= and one of the names above\"\n#endif\n";
  return out;
}

const Target& find(Targets targets, std::string_view system) {
  const auto found = std::ranges::find(targets, system, &Target::system);
  CHECK(found != targets.end());
  return *found;
}

std::string choice_of_cases(Targets targets) {
  std::string out;
  std::string_view directive = "#if";
  for (const Target& target : targets) {
    if (target.like.empty()) continue;
    out += fmt::format(
        "{} CONFORM_SYSTEM == {}\n#define CASES_OF {}\n#undef CONFORM_SYSTEM\n"
        "#define CONFORM_SYSTEM {}\n",
        directive, target.constant, target.constant, find(targets, target.like).constant);
    directive = "#elif";
  }
  return out.empty() ? "#define CASES_OF CONFORM_SYSTEM\n"
                     : out + "#else\n#define CASES_OF CONFORM_SYSTEM\n#endif\n";
}

}  // namespace

std::span<const Target> targets() {
  return all_targets;
}

const Target& target_of(std::string_view system) {
  return find(all_targets, system);
}

const Target& base_target_of(std::string_view system) {
  const Target& target = target_of(system);
  return target.like.empty() ? target : target_of(target.like);
}

std::string choice_of_target(std::span<const Target> targets) {
  std::string out = constants(targets) + "\n";
  out += choice_by_compiler(targets) + choice_of_cases(targets) + "\n";
  out += for_all_but("HAS_CLOCK", targets, [](const Target& target) { return !target.has_clock; });
  out += for_all_but("HAS_MMAP", targets, [](const Target& target) { return !target.has_mmap; });
  out += for_those("HAS_VFORK", targets, [](const Target& target) {
    const profil::Vfork vfork = rules_of(target).vfork;
    return vfork == profil::Vfork::shares || vfork == profil::Vfork::copies;
  });
  out += for_those("HAS_SPROFIL", targets,
                   [](const Target& target) { return rules_of(target).sprofil != nullptr; });
  out += for_those("HAS_SPROC", targets, [](const Target& target) { return target.has_sproc; });
  out += for_those("HAS_PCSAMPLE", targets,
                   [](const Target& target) { return rules_of(target).pcsample != nullptr; });
  return out;
}

}  // namespace hardclock::conform
