#include "cli/completion_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "cli/command_table.h"
#include "cli/values.h"

namespace hardclock {
namespace {

// "cpu|any": the words that an argument can be. Empty: it has a placeholder.
std::vector<std::string> closed_list(std::string_view argument) {
  const bool has_placeholder = std::ranges::any_of(argument, [](char c) {
    return c != '|' && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-';
  });
  if (has_placeholder || argument.find('|') == std::string_view::npos) return {};
  return split(argument, '|');
}

std::string array(std::string_view name, const auto& words) {
  return fmt::format("{}=({})", name, fmt::join(words, " "));
}

// What the shell finds: files or folders, or one of _hardclock_names. Empty: nothing.
std::string_view kind_of(const OptionSpec& option) {
  const std::string_view argument = option.argument;
  if (argument.starts_with("DIR")) return "folders";
  if (argument.starts_with("FILE") || argument.starts_with("HOST:")) return "files";
  if (option.name == "cpu") return "processors";
  if (option.name == "machine") return "machines";
  if (option.name == "os") return "systems";
  return "";
}

std::string_view separator_of(std::string_view argument) {
  if (argument.ends_with("[:DIR]")) return ":";
  return argument.ends_with(",...") ? "," : "";
}

// What the script notes of an option that has a value.
std::string value_of(const OptionSpec& option) {
  std::string text = option.value == ValueOf::required ? "hc_value=required" : "hc_value=optional";
  const auto words = closed_list(option.argument);
  const std::string_view kind = words.empty() ? kind_of(option) : "words";
  if (!kind.empty()) text += " hc_kind=" + std::string(kind);
  if (!words.empty()) text += " " + array("hc_words", words);
  const std::string_view separator = separator_of(option.argument);
  if (!separator.empty()) text += " hc_separator=" + std::string(separator);
  return text;
}

std::string operands_of(const CommandSpec& command) {
  const auto words = closed_list(command.operands);
  if (!words.empty()) return "hc_kind=words " + array("hc_words", words);
  if (command.max_operands == 0) return "hc_kind=";
  if (command.operands == "[COMMAND]") return "hc_kind=commands";
  if (command.operands == "[NAME]") return "hc_kind=models";
  if (command.operands == "[NAME...]") return "hc_kind=rules";
  return command.guest_arguments ? "hc_kind=files hc_guest=1" : "hc_kind=files";
}

// As the user writes them. A value that need not be there makes two of one.
std::string options_of(const CommandSpec& command) {
  std::string text = "hc_options=(";
  for (const OptionSpec* const option : command.all_options()) {
    if (!text.ends_with('(')) text += ' ';
    const std::string name = "--" + std::string(option->name);
    if (option->letter != 0) text += std::string("-") + option->letter + " ";
    if (option->value == ValueOf::optional) text += name + " ";
    text += option->value == ValueOf::none ? name : name + "=";
  }
  return text + ")";
}

std::string case_of(const CommandSpec& command) {
  std::string text = "    " + std::string(command.name) + ")\n      " + options_of(command) +
                     "\n      case $2 in\n        '') " + operands_of(command) + " ;;\n";
  for (const OptionSpec* const option : command.all_options()) {
    if (option->value == ValueOf::none) continue;
    const std::string letter = option->letter == 0 ? "" : std::string("-") + option->letter + "|";
    text +=
        "        " + letter + "--" + std::string(option->name) + ") " + value_of(*option) + " ;;\n";
  }
  return text + "      esac ;;\n";
}

std::string table() {
  std::string text =
      "# COMMAND [OPTION]: the options of the command, and what its operands are, or the value of\n"
      "# the option.\n"
      "_hardclock_table() {\n"
      "  hc_options=() hc_words=() hc_kind= hc_value= hc_separator= hc_guest=\n"
      "  case $1 in\n";
  for (const CommandSpec& command : command_table()) text += case_of(command);
  return text + "  esac\n}\n\n";
}

std::string names_function(const CompletionNames& names) {
  std::vector<std::string_view> commands;
  for (const CommandSpec& command : command_table()) commands.push_back(command.name);
  std::vector<std::string_view> models = names.processors;
  models.insert(models.end(), names.machines.begin(), names.machines.end());
  return "# KIND: the names of this kind.\n_hardclock_names() {\n  case $1 in\n    " +
         array("commands) hc_words", commands) + " ;;\n    " +
         array("processors) hc_words", names.processors) + " ;;\n    " +
         array("machines) hc_words", names.machines) + " ;;\n    " +
         array("models) hc_words", models) + " ;;\n    " +
         array("systems) hc_words", names.systems) + " ;;\n    " +
         array("rules) hc_words", names.rules) + " ;;\n  esac\n}\n\n";
}

// In what both shells understand. It splits words as the parser does (arguments.cc).
constexpr std::string_view place_function =
#include "cli/completion_place.sh.inc"
    ;

constexpr std::string_view bash_function =
#include "cli/completion.bash.inc"
    ;

// The last lines are for a file _hardclock in $fpath, which zsh reads when it is first needed.
constexpr std::string_view zsh_function =
#include "cli/completion.zsh.inc"
    ;

std::string common(const CompletionNames& names) {
  return names_function(names) + table() + std::string(place_function);
}

}  // namespace

std::string bash_completion(const CompletionNames& names) {
  return "# Completes hardclock's command line: source <(hardclock completion bash)\n\n" +
         common(names) + std::string(bash_function);
}

std::string zsh_completion(const CompletionNames& names) {
  return "#compdef hardclock\n# Completes hardclock's command line, after compinit: source "
         "<(hardclock completion zsh)\n\n" +
         common(names) + std::string(zsh_function);
}

}  // namespace hardclock
