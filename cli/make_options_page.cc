// Prints docs/options.md, which is made of the table of commands as the manual page is.
#include <algorithm>
#include <string>
#include <string_view>

#include "cli/answer.h"
#include "cli/command_table.h"
#include "cli/help_text.h"

namespace hardclock {
namespace {

constexpr std::string_view introduction =
    R"(<!-- Made of cli/commands.table. Change that; then, in the tree:
     bazel build //cli:options_page && cp -f bazel-bin/cli/options.md docs/options.md -->
# Commands and options

`hardclock COMMAND --help` has the same in a few words, and `hardclock help --man | man -l -` is the
manual page. What is not about one option is in [the manual](manual.md).

| command | |
|---|---|
)";

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

// The words of a text as Markdown, one after the other: options, and what stands in quotation marks
// of one stroke, are code, and the names of the other documents links.
class Writer {
 public:
  std::string write(std::string_view word) {
    constexpr std::string_view before = "(\"", after = ".,:;)\"";
    const std::size_t first = std::min(word.find_first_not_of(before), word.size());
    const std::size_t end = word.find_last_not_of(after) + 1;
    if (first >= end) return std::string(word);
    return std::string(word.substr(0, first)) + core(word.substr(first, end - first)) +
           std::string(word.substr(end));
  }

 private:
  std::string core(std::string_view word) {
    std::string opening, closing;
    const bool is_quoted = in_code_ || word.starts_with('\'');
    if (!in_code_ && is_quoted) {
      opening = "`";
      word.remove_prefix(1);
    }
    in_code_ = is_quoted && !word.ends_with('\'');
    if (is_quoted && !in_code_) {
      closing = "`";
      word.remove_suffix(1);
    }
    return opening + (is_quoted ? std::string(word) : plain(word)) + closing;
  }

  static std::string plain(std::string_view word) {
    constexpr std::string_view folder = "docs/";
    if (word.starts_with('-')) return code(word);
    if (word.starts_with(folder) && word.ends_with(".md")) {
      const std::string name(word.substr(folder.size()));
      return "[" + name + "](" + name + ")";
    }
    std::string escaped;
    for (const char c : word) {
      if (std::string_view("\\*#<`").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
    return escaped;
  }

  bool in_code_ = false;
};

// In lines of the documents' width, each of which starts with `margin`.
std::string paragraph(std::string_view text, std::string_view margin) {
  constexpr std::size_t page_width = 120;
  Writer writer;
  std::string lines(margin);
  std::size_t column = margin.size();
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::string written = writer.write(word);
    if (column + 1 + written.size() > page_width) {
      lines.append("\n").append(margin);
      column = margin.size();
    }
    if (column != margin.size()) lines += ' ', ++column;
    lines += written;
    column += written.size();
  }
  return lines + "\n";
}

std::string option_text(const OptionSpec& option) {
  const std::string letter =
      option.letter == 0 ? "" : code(std::string("-") + option.letter) + ", ";
  std::string manual(option.manual);
  if (!option.default_value.empty()) {
    manual += " The default is '" + std::string(option.default_value) + "'.";
  }
  return "\n* " + letter + code(notation(option)) + "\n\n" + paragraph(manual, "  ");
}

std::string command_text(const CommandSpec& command) {
  std::string text = "\n## " + std::string(command.name) + "\n\n    " + synopsis(command) + "\n\n" +
                     paragraph(command.manual, "");
  for (const OptionSpec& option : command.options) text += option_text(option);
  if (!command.base.empty()) text += "\n" + paragraph(options_of_base(command), "");
  return text;
}

std::string options_page() {
  std::string text(introduction);
  for (const CommandSpec& command : command_table()) {
    const std::string name(command.name);
    text += "| [" + name + "](#" + name + ") | " + std::string(command.help) + " |\n";
  }
  for (const CommandSpec& command : command_table()) text += command_text(command);
  return text;
}

}  // namespace
}  // namespace hardclock

int main() {
  return hardclock::answer(hardclock::options_page());
}
