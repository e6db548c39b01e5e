#include "cli/option_table.h"

#include <algorithm>

#include "cli/command_table.h"

namespace hardclock {

const OptionSpec* CommandSpec::find(std::string_view option_name) const {
  const std::vector<const OptionSpec*> all = all_options();
  const auto found = std::ranges::find(all, option_name, &OptionSpec::name);
  return found == all.end() ? nullptr : *found;
}

const OptionSpec* CommandSpec::find(char option_letter) const {
  if (option_letter == 0) return nullptr;
  const std::vector<const OptionSpec*> all = all_options();
  const auto found = std::ranges::find(all, option_letter, &OptionSpec::letter);
  return found == all.end() ? nullptr : *found;
}

std::vector<const OptionSpec*> CommandSpec::all_options() const {
  std::vector<const OptionSpec*> all;
  for (const OptionSpec& option : options) all.push_back(&option);
  if (base.empty()) return all;
  for (const OptionSpec& option : find_command(base)->options) {
    const bool is_own = std::ranges::find(options, option.name, &OptionSpec::name) != options.end();
    const bool is_missing = std::ranges::find(without, option.name) != without.end();
    if (!is_own && !is_missing) all.push_back(&option);
  }
  return all;
}

const CommandSpec* find_command(std::string_view name) {
  const std::span<const CommandSpec> commands = command_table();
  const auto found = std::ranges::find(commands, name, &CommandSpec::name);
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace hardclock
