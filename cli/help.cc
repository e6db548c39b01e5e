// hardclock help: the texts that are made from the table of options.

#include "cli/answer.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help_text.h"

namespace hardclock {

int help_command(const std::vector<std::string>& args) {
  const auto arguments = parse_arguments("help", args);
  if (!arguments) return complain(arguments.error().message);
  if (arguments->has("man")) return answer(man_page());
  if (arguments->operands().empty()) return answer_words(overview_text());

  const std::string& name = arguments->operands().front();
  const CommandSpec* command = find_command(name);
  if (command != nullptr) return answer_words(command_help(*command));
  return complain("no command '" + printable(name) + "'; see 'hardclock help'");
}

}  // namespace hardclock
