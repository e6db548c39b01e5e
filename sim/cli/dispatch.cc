#include "sim/cli/dispatch.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/cli/answer.h"
#include "sim/cli/arguments.h"
#include "sim/cli/help_text.h"
#include "sim/cli/option_table.h"
#include "sim/cli/usage_error.h"
#include "sim/cli/version.h"

namespace hardclock {
namespace {

int unknown_command(const std::string& word) {
  const std::string shown = printable(word);
  if (word.starts_with('-')) {
    return complain("no command before " + shown + "; options follow it: see 'hardclock help'");
  }
  std::vector<std::string_view> names;
  for (const CommandSpec& command : command_table()) names.push_back(command.name);
  const std::string_view meant = closest_name(word, names);
  if (!meant.empty()) {
    return complain("unknown command '" + shown + "'; did you mean 'hardclock " +
                    std::string(meant) + "'?");
  }
  return complain("unknown command '" + shown + "'; to run a program: 'hardclock run " + shown +
                  "'");
}

}  // namespace

int dispatch(const std::vector<std::string>& args, std::span<const CommandEntry> commands) {
  if (args.empty() || args.front().empty())
    return complain("no command given; see 'hardclock help'");
  const std::string& word = args.front();
  if (word == "--help" || word == "-h") return answer_words(overview_text());
  if (word == "--version") return answer("hardclock " + std::string(hardclock_version) + "\n");

  const CommandSpec* command = find_command(word);
  if (command == nullptr) return unknown_command(word);
  const std::vector<std::string> rest(args.begin() + 1, args.end());
  if (asks_for_help(*command, rest)) return answer_words(command_help(*command));

  const auto entry = std::ranges::find(commands, command->name, &CommandEntry::name);
  CHECK(entry != commands.end());
  return entry->function(rest);
}

}  // namespace hardclock
