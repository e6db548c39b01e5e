// hardclock systems: the systems, their profiling rules, and how those differ.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/answer_form.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/system_comparison.h"
#include "cli/system_text.h"
#include "cli/usage_error.h"
#include "cli/values.h"
#include "sim/base/lower_case.h"
#include "sim/base/result.h"
#include "sim/report/viewers/data_table.h"
#include "syscalls/profil/system.h"

namespace hardclock {
namespace {

using Systems = std::vector<const profil::SystemRules*>;
using Numbers = std::vector<std::uint64_t>;

UsageError unknown_system(const std::string& name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const profil::SystemRules* const system : profil::systems_and_libraries()) {
    names.push_back(system->name);
    all += (all.empty() ? "" : ", ") + std::string(system->name);
  }
  const std::string_view meant = closest_name(name, names);
  const std::string next =
      meant.empty() ? "there are: " + all : "did you mean " + std::string(meant) + "?";
  return {"unknown system '" + printable(name) + "'; " + next};
}

// Without a name: all.
Result<Systems, UsageError> choose_systems(const std::vector<std::string>& names) {
  const auto all = profil::systems_and_libraries();
  if (names.empty()) return Systems(all.begin(), all.end());
  Systems chosen;
  for (const std::string& name : names) {
    const profil::SystemRules* const system = profil::find_system(lower_case(name));
    if (system == nullptr) return Failure{unknown_system(name)};
    if (std::ranges::find(chosen, system) != chosen.end()) {
      return Failure{UsageError{"system " + name + " is named twice; name it once"}};
    }
    chosen.push_back(system);
  }
  return chosen;
}

// "0x4000,64,0,0177777"
Result<Numbers, UsageError> numbers_of(const Arguments& arguments, std::string_view option) {
  Numbers numbers;
  for (const std::string& word : split(arguments.value(option).value_or(""), ',')) {
    const auto number = parse_c_number(word, largest_program_number);
    if (!number) {
      return Failure{UsageError{"--" + std::string(option) +
                                " needs numbers as in C, up to 0xffffffff, not '" +
                                printable(word) + "'"}};
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<UsageError> check_options(const Arguments& arguments) {
  if (arguments.has("compare") && arguments.has("profil")) {
    return UsageError{"--compare and --profil exclude each other; give one"};
  }
  if (arguments.has("profil") && !arguments.has("pc")) {
    return UsageError{"--profil needs a pc to count; add --pc=PC[,PC...]"};
  }
  if (arguments.has("pc") && !arguments.has("profil")) {
    return UsageError{"--pc needs a call to count it; add --profil=BUFF,BUFSIZ,OFFSET,SCALE"};
  }
  return std::nullopt;
}

int work_out(const Arguments& arguments, const Systems& systems) {
  const auto call = numbers_of(arguments, "profil");
  if (!call) return complain(call.error().message);
  if (call->size() != 4) {
    return complain("--profil needs four numbers, BUFF,BUFSIZ,OFFSET,SCALE, not " +
                    std::to_string(call->size()));
  }
  const auto pcs = numbers_of(arguments, "pc");
  if (!pcs) return complain(pcs.error().message);
  const Numbers& words = *call;
  std::string text;
  for (const profil::SystemRules* const system : systems) {
    text += worked_arithmetic(*system, {words[0], words[1], words[2], words[3]}, *pcs);
  }
  return deliver_words(arguments, text);
}

// Of a list the systems; with names, their rules and contradictions.
report::DataTable summary_table(const Systems& systems) {
  report::DataTable table{.name = "systems",
                          .columns = {"name", "tick_hz", "calls", "title", "description"},
                          .rows = {}};
  for (const profil::SystemRules* const system : systems) {
    table.rows.push_back({std::string(system->name), system->tick_rate.value(), calls_of(*system),
                          std::string(system->title), std::string(system->description)});
  }
  return table;
}

report::DataTable rules_table(const Systems& systems) {
  report::DataTable table{
      .name = "rules", .columns = {"system", "kind", "topic", "text", "source"}, .rows = {}};
  for (const profil::SystemRules* const system : systems) {
    const std::string name(system->name);
    for (const profil::Rule& rule : system->rules) {
      table.rows.push_back({name, "rule", std::string(rule.topic), std::string(rule.rule),
                            std::string(rule.source)});
    }
    for (const profil::Contradiction& each : system->contradictions) {
      table.rows.push_back({name, "contradiction", std::string(each.id), std::string(each.conflict),
                            std::string(each.resolution)});
    }
  }
  return table;
}

std::string rules_text(const Systems& systems, bool are_named) {
  std::string text;
  for (const profil::SystemRules* const system : systems) {
    if (are_named) {
      text += (text.empty() ? "" : "\n") + system_rules(*system);
    } else {
      text += system_summary(*system);
    }
  }
  return text;
}

}  // namespace

int systems_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("systems", args);
  if (!arguments) return complain(arguments.error().message);
  if (const auto error = check_options(*arguments)) return complain(error->message);
  const auto systems = choose_systems(arguments->operands());
  if (!systems) return complain(systems.error().message);

  const bool is_prose = arguments->has("profil") || arguments->has("compare");
  const auto format = read_answer_format(
      *arguments, is_prose ? AnswerFormats(text_format) : AnswerFormats(table_formats));
  if (!format) return complain(format.error().message);

  if (arguments->has("profil")) return work_out(*arguments, *systems);
  if (arguments->has("compare")) return deliver_words(*arguments, compare_systems(*systems));
  const bool are_named = !arguments->operands().empty();
  if (*format == "text") return deliver_words(*arguments, rules_text(*systems, are_named));
  return deliver(
      *arguments,
      report::data_text(are_named ? rules_table(*systems) : summary_table(*systems), *format));
}

}  // namespace hardclock
