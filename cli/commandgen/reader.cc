#include "cli/commandgen/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "sim/codegen/text.h"

namespace hardclock::commandgen {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view option_form =
    "write -X, --NAME=VALUE, where -X, and =VALUE need not be there and [=VALUE] may be left out";

Words words_of(std::string_view line) {
  Words words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(codegen::blanks), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(codegen::blanks)));
    line.remove_prefix(words.back().size());
  }
}

std::string joined(const Words& words, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < words.size(); ++i) {
    text.append(i == first ? "" : " ").append(words[i]);
  }
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return codegen::is_lower(c) || codegen::is_digit(c) || c == '-';
  });
}

template <class Entries>
auto find(Entries& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == entries.end() ? nullptr : &*found;
}

class Reader {
 public:
  Result<std::vector<Command>, Diagnostics> read(std::string_view text) {
    for (const std::string_view line : codegen::split_lines(text)) {
      ++line_;
      read_line(line);
    }
    finish_command();
    for (const Option& option : shared_.options) {
      const auto has_it = [&](const Command& c) { return find(c.options, option.name) != nullptr; };
      if (std::ranges::any_of(commands_, has_it)) continue;
      fail(option.line, fmt::format("no command shares --{}; take it out", option.name));
    }
    codegen::sort_by_line(errors_);
    if (!errors_.empty()) return Failure{std::move(errors_)};
    return std::move(commands_);
  }

 private:
  // Above the first command stand the options for `shared`.
  Command& command() { return commands_.empty() ? shared_ : commands_.back(); }

  void read_line(std::string_view line) {
    const Words words = words_of(line);
    if (line.starts_with('#') || words.empty()) return;
    if (!std::ranges::all_of(joined(words, 0), codegen::is_printable)) {
      fail("not only printable ASCII; write it with other characters");
    } else if (codegen::blanks.find(line.front()) != std::string_view::npos) {
      read_text(words);
    } else if (words[0] == "command") {
      read_command(words);
    } else if (words[0].starts_with('-')) {
      read_option(words);
    } else {
      read_setting(words);
    }
  }

  void read_text(const Words& words) {
    if (entry_ == nullptr) return fail("text of nothing; put a command or an option above it");
    if (entry_->help.empty()) {
      entry_->help = joined(words, 0);
    } else {
      entry_->manual += (entry_->manual.empty() ? "" : " ") + joined(words, 0);
    }
  }

  void read_command(const Words& words) {
    finish_command();
    const std::string_view name = words.size() > 1 ? words[1] : "";
    if (!is_name(name)) fail("a command without a name; write: command NAME [--] OPERANDS");
    if (find(commands_, name) != nullptr) {
      fail(fmt::format("a second command {}; give it another name", name));
    }
    taken_.clear();
    Command& command = commands_.emplace_back();
    command.name = name;
    command.guest_arguments = words.size() > 2 && words[2] == "[--]";
    const std::size_t first = command.guest_arguments ? 3 : 2;
    command.operands = joined(words, first);
    for (std::size_t i = first; i < words.size(); ++i) count_operand(command, words[i]);
    command.line = line_;
    entry_ = &command;
  }

  static void count_operand(Command& command, std::string_view word) {
    constexpr unsigned any_number = std::numeric_limits<unsigned>::max();
    if (!word.starts_with('[')) ++command.min_operands;
    const bool is_last =
        command.max_operands == any_number || word.find("...") != std::string_view::npos;
    command.max_operands = is_last ? any_number : command.max_operands + 1;
  }

  void read_setting(const Words& words) {
    if (commands_.empty()) {
      fail(fmt::format("'{}' above the first command; only options and their text stand there",
                       codegen::shown(words[0])));
    } else if (words[0] == "base") {
      read_base(words);
    } else if (words[0] == "least") {
      const auto least = words.size() == 2 ? codegen::parse_unsigned(words[1]) : std::nullopt;
      if (!least) fail("least takes a number; write: least N");
      command().min_operands = least.value_or(0);
    } else if (words[0] == "without") {
      for (std::size_t i = 1; i < words.size(); ++i) leave_out(words[i]);
    } else if (words[0] == "shared") {
      for (std::size_t i = 1; i < words.size(); ++i) share(words[i]);
    } else {
      fail(fmt::format("'{}' begins no line; see the head of the table, and indent text",
                       codegen::shown(words[0])));
    }
  }

  void read_base(const Words& words) {
    const std::string name = joined(words, 1);
    const Command* const base = find(commands_, name);
    if (base == nullptr || base == &command() || !base->base.empty()) {
      return fail(fmt::format("'{}' is no base; name a command above that has none itself",
                              codegen::shown(name)));
    }
    command().base = name;
  }

  void leave_out(std::string_view word) {
    const Command* const base = find(commands_, command().base);
    const std::string_view name = name_of(word);
    if (base == nullptr || find(base->options, name) == nullptr) {
      return fail(fmt::format("the base has no '{}'; leave it out here", codegen::shown(word)));
    }
    if (take(word)) command().without.emplace_back(name);
  }

  void share(std::string_view word) {
    finish_entry();
    const Option* const option = find(shared_.options, name_of(word));
    if (option == nullptr) {
      return fail(fmt::format("no option '{}' above the first command; put it there",
                              codegen::shown(word)));
    }
    add(*option);
  }

  void read_option(Words words) {
    finish_entry();
    Option option;
    if (words[0].size() == 3 && words[0].ends_with(',') && words.size() > 1) {
      option.letter = words[0][1];
      words.erase(words.begin());
    }
    const std::string_view name = name_of(words[0].substr(0, words[0].find_first_of("=[")));
    std::string_view value = words[0].substr(words[0].find(name) + name.size());
    option.value = value.empty() ? "none" : value.starts_with("[=") ? "optional" : "required";
    if (option.value == "optional" && value.ends_with(']'))
      value = value.substr(1, value.size() - 2);
    option.name = name;
    option.argument = value.substr(std::min<std::size_t>(1, value.size()));
    const bool has_good_letter =
        option.letter == 0 || codegen::is_lower(option.letter) || codegen::is_upper(option.letter);
    const bool has_good_value = value.empty() || (value.size() > 1 && value.front() == '=');
    if (!is_name(name) || !has_good_letter || !has_good_value) {
      fail(fmt::format("'{}' is no option; {}", codegen::shown(words[0]), option_form));
    }
    read_traits(words, option);
    option.line = line_;
    add(option);
    entry_ = &command().options.back();
  }

  void read_traits(const Words& words, Option& option) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "repeatable") {
        option.repeatable = true;
      } else if (words[i] == "default" && i + 1 < words.size()) {
        option.default_value = words[++i];
      } else {
        fail(fmt::format("'{}' after an option; write repeatable, default WORD, or nothing",
                         codegen::shown(words[i])));
      }
    }
    if (option.value == "none" && words.size() > 1) {
      fail(fmt::format("--{} is a switch; give it a VALUE, or nothing after it", option.name));
    }
  }

  void add(const Option& option) {
    const bool is_new = take("--" + option.name);
    if (is_new && option.letter != 0) take(std::string("-") + option.letter);
    command().options.push_back(option);
  }

  // False if the command has the option already, or has said that it is without it.
  bool take(std::string_view option) {
    const bool is_new = taken_.emplace(option).second;
    if (!is_new) fail(fmt::format("{} a second time in one command; keep one of them", option));
    return is_new;
  }

  // Before its vector grows.
  void finish_entry() {
    const Entry* const entry = std::exchange(entry_, nullptr);
    if (entry == nullptr || entry->manual.ends_with('.')) return;
    fail(entry->line, fmt::format("the text of {} is a line for --help and then sentences; write "
                                  "both",
                                  entry->name));
  }

  void finish_command() {
    finish_entry();
    if (commands_.empty() || find(command().options, "help") != nullptr) return;
    fail(command().line, fmt::format("{} has no --help; add: shared --help", command().name));
  }

  static std::string_view name_of(std::string_view option) {
    return option.starts_with("--") ? option.substr(2) : "";
  }

  void fail(std::string message) { fail(line_, std::move(message)); }
  void fail(int line, std::string message) { errors_.push_back({line, std::move(message)}); }

  int line_ = 0;
  Command shared_;
  std::vector<Command> commands_;
  Entry* entry_ = nullptr;                    // what indented lines belong to
  std::set<std::string, std::less<>> taken_;  // options of the command, "--root" and "-L"
  Diagnostics errors_;
};

}  // namespace

Result<std::vector<Command>, Diagnostics> read(std::string_view text) {
  return Reader().read(text);
}

}  // namespace hardclock::commandgen
