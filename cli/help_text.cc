#include "cli/help_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cli/command_table.h"
#include "cli/version.h"

namespace hardclock {

std::string notation(const OptionSpec& option) {
  std::string text = "--" + std::string(option.name);
  const std::string value = "=" + std::string(option.argument);
  switch (option.value) {
    case ValueOf::none:
      return text;
    case ValueOf::required:
      return text + value;
    case ValueOf::optional:
      return text + "[" + value + "]";
  }
  return text;
}

std::string synopsis(const CommandSpec& command) {
  std::string text = "hardclock " + std::string(command.name) + " [OPTION...]";
  if (command.guest_arguments) text += " [--]";
  if (!command.operands.empty()) text += " " + std::string(command.operands);
  return text;
}

std::string options_of_base(const CommandSpec& command) {
  std::string text =
      "All other options of 'hardclock " + std::string(command.base) + "' are options of this one";
  for (std::size_t i = 0; i < command.without.size(); ++i) {
    const bool is_last = i + 1 == command.without.size();
    text += i == 0 ? ", but for " : is_last ? " and " : ", ";
    text += "--" + std::string(command.without[i]);
  }
  return text + ".";
}

namespace {

std::string left_column(const OptionSpec& option) {
  const std::string letter = option.letter == 0 ? "    " : std::string("-") + option.letter + ", ";
  return "  " + letter + notation(option);
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

// Text as roff, escaped so that nothing in it is a request, an escape or a typographic hyphen.
std::string roff(std::string_view text) {
  const bool like_request = text.starts_with('.') || text.starts_with('\'');
  std::string escaped = like_request ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

// Starts a new line for each sentence and none above 80 bytes, as man page conventions require.
std::string roff_sentences(std::string_view text) {
  constexpr std::size_t page_width = 80;
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::string escaped = roff(word);
    const bool fits = column + 1 + escaped.size() <= page_width;
    if (column != 0) lines += fits ? ' ' : '\n';
    column = fits && column != 0 ? column + 1 + escaped.size() : escaped.size();
    lines += escaped;
    if (!word.ends_with('.')) continue;
    lines += '\n';
    column = 0;
  }
  return column == 0 ? lines : lines + "\n";
}

std::string sentence(std::string_view phrase) {
  std::string text(phrase);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] += 'A' - 'a';
  return text + ".";
}

// In lines of a terminal.
std::string wrapped_help(std::string_view text) {
  constexpr std::size_t width = 78;
  std::string lines;
  while (text.size() > width) {
    const std::size_t cut = text.rfind(' ', width);
    lines += std::string(text.substr(0, cut)) + "\n";
    text.remove_prefix(cut + 1);
  }
  return lines + std::string(text) + "\n";
}

std::string man_option(const OptionSpec& option) {
  std::string text = ".TP\n.B ";
  if (option.letter != 0) text += std::string("\\-") + option.letter + ", ";
  text += roff(notation(option)) + "\n" + roff_sentences(option.manual);
  if (!option.default_value.empty()) {
    text += "The default is " + roff(option.default_value) + ".\n";
  }
  return text;
}

std::string man_command(const CommandSpec& command) {
  std::string text = ".SS " + roff(synopsis(command)) + "\n" + roff_sentences(command.manual);
  for (const OptionSpec& option : command.options) text += man_option(option);
  if (!command.base.empty()) {
    text += ".PP\n" + roff_sentences(options_of_base(command));
  }
  return text;
}

constexpr std::string_view man_introduction =
#include "cli/man_introduction.roff.inc"
    ;

constexpr std::string_view man_conclusion =
#include "cli/man_conclusion.roff.inc"
    ;

}  // namespace

std::string overview_text() {
  std::size_t width = 0;
  for (const CommandSpec& command : command_table()) {
    width = std::max(width, command.name.size() + 1 + command.operands.size());
  }
  std::string text =
      "usage: hardclock COMMAND [OPTION...] ...\n"
      "Run IRIX, HP-UX and Linux programs cycle by cycle, with profil(2) as it was.\n\n";
  for (const CommandSpec& command : command_table()) {
    const std::string words = std::string(command.name) + " " + std::string(command.operands);
    text += "  " + padded(words, width + 2) + std::string(command.help) + "\n";
  }
  text +=
      "\n'hardclock COMMAND --help' lists a command's options, 'hardclock --version'\n"
      "prints the version, 'hardclock help --man' the manual page.\n"
      "Exit status: the guest's; 128+N for its signal N; 125 for errors of hardclock.\n";
  return text;
}

std::string command_help(const CommandSpec& command) {
  std::size_t width = 0;
  for (const OptionSpec& option : command.options) {
    width = std::max(width, left_column(option).size());
  }
  std::string text = "usage: " + synopsis(command) + "\n" + sentence(command.help) + "\n\n";
  for (const OptionSpec& option : command.options) {
    text += padded(left_column(option), width + 2) + std::string(option.help);
    if (!option.default_value.empty()) {
      text += " (default " + std::string(option.default_value) + ")";
    }
    text += "\n";
  }
  if (!command.base.empty()) {
    text += "\n" + wrapped_help(options_of_base(command));
  }
  return text;
}

std::string man_page() {
  std::string text =
      ".TH HARDCLOCK 1 " + std::string(version_date) + " \"hardclock " +
      std::string(hardclock_version) + "\" \"User Commands\"\n" +
      ".SH NAME\n"
      "hardclock \\- run old UNIX programs cycle by cycle, with their own profil(2)\n"
      ".SH SYNOPSIS\n";
  for (const CommandSpec& command : command_table()) {
    text += ".B " + roff(synopsis(command)) + "\n.br\n";
  }
  text += ".B hardclock \\-\\-version\n";
  text += man_introduction;
  text += ".SH COMMANDS\n";
  for (const CommandSpec& command : command_table()) text += man_command(command);
  text += man_conclusion;
  return text;
}

}  // namespace hardclock
