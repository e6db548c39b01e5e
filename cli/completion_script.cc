#include "cli/completion_script.h"

#include <algorithm>
#include <cstddef>

#include "cli/command_table.h"

namespace hardclock {
namespace {

// "cpu|any": the words that an argument can be. Empty: it has a placeholder.
std::vector<std::string_view> closed_list(std::string_view argument) {
  std::vector<std::string_view> words;
  const bool has_placeholder = std::ranges::any_of(argument, [](char c) {
    return c != '|' && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-';
  });
  if (has_placeholder || argument.find('|') == std::string_view::npos) return words;
  while (true) {
    const std::size_t end = argument.find('|');
    words.push_back(argument.substr(0, end));
    if (end == std::string_view::npos) return words;
    argument.remove_prefix(end + 1);
  }
}

std::string array(std::string_view name, const std::vector<std::string_view>& words) {
  std::string text = std::string(name) + "=(";
  for (const std::string_view word : words) {
    text.append(text.ends_with('(') ? "" : " ").append(word);
  }
  return text + ")";
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
    R"(# WORD...: those after 'hardclock', up to the cursor. Finds what may stand there: words, files or
# folders (hc_kind, hc_words), behind the part of the last word that stays (hc_prefix).
_hardclock_place() {
  local place=command command= option= word
  hc_prefix=
  while [[ $# -gt 1 ]]; do
    word=$1
    shift
    case "$place $word" in
      'command '*) command=$word place=options ;;
      'operands '*) ;;
      *' --') place=operands ;;
      'value '*) place=options ;;
      'options -'?*)
        option=$word
        _hardclock_table "$command" "$option"
        if [[ $hc_value = required ]]; then place=value; fi ;;
      *)
        _hardclock_table "$command"
        if [[ -n $hc_guest ]]; then place=operands; fi ;;
    esac
  done
  case "$place $1" in
    'command -'*) hc_kind=words hc_words=(--help --version) ;;
    'command '*) hc_kind=commands ;;
    'value '*) _hardclock_table "$command" "$option" ;;
    'options --'*=*)
      option=${1%%=*}
      hc_prefix=$option=
      _hardclock_table "$command" "$option" ;;
    'options -'*)
      _hardclock_table "$command"
      hc_kind=words hc_words=("${hc_options[@]}") ;;
    *)
      _hardclock_table "$command"
      # A guest's own --option=FILE.
      if [[ $place = operands ]]; then hc_prefix=${1%"${1##*=}"}; fi ;;
  esac
  hc_rest=${1#"$hc_prefix"}
  if [[ -n $hc_separator && $hc_rest = *"$hc_separator"* ]]; then
    hc_prefix=$hc_prefix${hc_rest%"$hc_separator"*}$hc_separator
    hc_rest=${hc_rest##*"$hc_separator"}
  fi
  # A name with a slash in it is a file that describes a processor or a machine.
  case $hc_kind,$hc_rest in
    processors,*/*|machines,*/*|models,*/*) hc_kind=files ;;
    words,*|files,*|folders,*) ;;
    *) _hardclock_names "$hc_kind" ;;
  esac
}

)";

constexpr std::string_view bash_function =
    R"(_hardclock() {
  local hc_options=() hc_words=() hc_kind= hc_value= hc_separator= hc_guest= hc_prefix= hc_rest=
  # bash splits words at '=', ':' and '@', too, and replaces the last piece only: `kept` is what
  # stands before it.
  local words=() piece i last=-1 glue= kept=
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]}
    if [[ $last -ge 0 && -n $piece && ( -n $glue || -z ${piece//[=:@]/} ) ]]; then
      kept=${words[last]}
      words[last]+=$piece
    else
      kept=
      words[++last]=$piece
    fi
    glue=
    if [[ -n $piece && -z ${piece//[=:@]/} ]]; then
      glue=1
      kept=${words[last]}
    fi
  done
  _hardclock_place "${words[@]}"
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} = *[\<\>]* ]]; then
    hc_kind=files hc_prefix= hc_rest=${COMP_WORDS[COMP_CWORD]} kept=
  fi
  COMPREPLY=()
  case $hc_kind in
    files) mapfile -t COMPREPLY < <(compgen -f -- "$hc_rest") ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$hc_rest") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${hc_words[*]}" -- "$hc_rest") ;;
  esac
  for i in "${!COMPREPLY[@]}"; do
    piece=$hc_prefix${COMPREPLY[i]}
    COMPREPLY[i]=${piece#"$kept"}
  done
  # compopt complains where no TAB was pressed.
  case $hc_kind in
    files|folders) compopt -o filenames 2>/dev/null ;;
  esac
  if [[ ${COMPREPLY[0]-} = *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}

complete -F _hardclock hardclock
)";

// The last lines are for a file _hardclock in $fpath, which zsh reads when it is first needed.
constexpr std::string_view zsh_function =
    R"(_hardclock() {
  local hc_kind= hc_value= hc_separator= hc_guest= hc_prefix= hc_rest=
  local -a hc_options hc_words before
  before=("${(@Q)words[2,CURRENT-1]}")
  if ((CURRENT == 2)); then before=(); fi
  _hardclock_place "${before[@]}" "$PREFIX"
  compset -p ${#hc_prefix}
  case $hc_kind in
    files) _files ;;
    folders) _files -/ ;;
    *)
      compadd -S '' -- "${(@M)hc_words:#*=}"
      compadd -- "${(@)hc_words:#*=}" ;;
  esac
  ((compstate[nmatches] > 0))
}

if [[ $funcstack[1] = _hardclock ]]; then
  _hardclock "$@"
else
  compdef _hardclock hardclock
fi
)";

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
