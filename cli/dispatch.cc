#include "cli/dispatch.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/command_table.h"
#include "cli/help_text.h"
#include "cli/option_table.h"
#include "cli/usage_error.h"
#include "cli/version.h"
#include "sim/base/check.h"

namespace hardclock {
namespace {

// What users of other tools type first, and what does it here.
struct OtherToolsCommand {
  std::string_view name;
  std::string_view instead;
};
constexpr OtherToolsCommand other_tools_commands[] = {
    {"gdb", "'hardclock lab PROGRAM' steps through a program, forward and back"},
    {"dbx", "'hardclock lab PROGRAM' steps through a program, forward and back"},
    {"debug", "'hardclock lab PROGRAM' steps through a program, forward and back"},
    {"stat", "'hardclock run --stats PROGRAM' prints what a run took"},
    {"record", "'hardclock run --profile=FILE.json PROGRAM' writes a profile"},
    {"annotate",
     "'hardclock report --annotate PROFILE PROGRAM' lists instructions with their cycles"},
    {"strace", "'hardclock run --strace PROGRAM' prints the system calls"},
    {"trace", "'hardclock run --trace PROGRAM' prints the instructions"},
    {"objdump", "'hardclock disasm PROGRAM' lists the instructions"},
    {"binfmt", "'hardclock run PROGRAM' runs a program; the host's kernel is told nothing"},
    {"man", "'hardclock help --man | man -l -' shows the manual page"},
    {"version", "'hardclock --version' prints it"},
};

int unknown_command(const std::string& word) {
  const std::string shown = printable(word);
  if (word.starts_with('-')) {
    return complain("no command before " + shown + "; options follow it: see 'hardclock help'");
  }
  const auto other = std::ranges::find(other_tools_commands, word, &OtherToolsCommand::name);
  if (other != std::end(other_tools_commands)) {
    return complain("no command '" + shown + "'; " + std::string(other->instead));
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
