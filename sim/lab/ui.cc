#include "sim/lab/ui.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/lab/panes.h"

namespace hardclock::lab {
namespace {

constexpr std::uint64_t most_times = 1'000'000;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const Key* find_key(int key) {
  const auto found = std::ranges::find_if(key_table(), [&](const Key& k) { return k.key == key; });
  return found == key_table().end() ? nullptr : &*found;
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t\n\r";
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

std::string shown(std::string_view word) {
  constexpr std::size_t longest = 40;
  return "'" + ascii(word.substr(0, longest)) + "'";
}

Failure<std::string> unknown(std::string_view word) {
  std::string keys;
  for (const Key& key : key_table()) keys += std::string(keys.empty() ? "" : " ") + key.key;
  return Failure{fmt::format("{} is no key of the lab; there are: {}", shown(word), keys)};
}

}  // namespace

const std::vector<Key>& key_table() {
  static const std::vector<Key> keys = {
      {'s', "step", "", "run one instruction", true},
      {'b', "back", "", "one instruction back", true},
      {'t', "tick", "", "run to the next tick's charge", true},
      {'r', "run to", "run to (hot, hot+0x10, 0x400120; hot@3: the 3rd time):",
       "run to a call of a function, or to an instruction", false},
      {'g', "guess", "which counter will the next tick count (number, or none)?",
       "guess, then run to the tick", false},
      {'x', "break", "rule to break (6 lists them; none):", "break a rule of the kernel", false},
      {'1', "all", "", "everything at once", false},
      {'2', "sums", "", "the arithmetic, a step a line", false},
      {'3', "registers", "", "all registers", false},
      {'4', "counters", "", "the counters, true and broken", false},
      {'5', "systems", "", "what other systems would count", false},
      {'6', "rules", "", "rules to break, and what follows", false},
      {'?', "help", "", "this list", false},
      {'q', "quit", "", "leave the lab", false},
  };
  return keys;
}

std::string text_of(const Command& command) {
  std::string text(1, command.key);
  if (command.times != 1) text += std::to_string(command.times);
  if (!command.argument.empty()) text += " " + command.argument;
  return text;
}

Result<std::vector<Command>, std::string> parse_script(std::string_view text) {
  std::vector<Command> commands;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const Key* const key = find_key(word.front());
    if (key == nullptr) return unknown(word);
    Command command{key->key, 1, {}};
    if (word.size() > 1) {
      const auto times = number_of(word.substr(1));
      if (!key->repeats || !times || *times < 1 || *times > most_times) return unknown(word);
      command.times = *times;
    }
    if (!key->asks.empty()) {
      command.argument = next_word(text);
      if (command.argument.empty()) {
        return Failure{
            fmt::format("{} at the end needs a word behind it; {}", shown(word), key->asks)};
      }
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

Result<Ok, std::string> Ui::run_to(const std::string& where) {
  const std::size_t at = where.find('@');
  const auto place = session_.place_of(where.substr(0, at));
  if (!place) {
    return Failure{
        fmt::format("the program has no function {}; name one, or an address like "
                    "0x400100",
                    shown(where.substr(0, at)))};
  }
  if (at == std::string::npos) {
    message_ = session_.run_to(*place);
    return Ok{};
  }
  const auto times = number_of(std::string_view(where).substr(at + 1));
  if (!times || *times == 0) return Failure{shown(where) + ": behind @ stands a number from 1 on"};
  message_ = session_.run_to(*place, *times);
  return Ok{};
}

Result<Ok, std::string> Ui::guess(const std::string& text) {
  Guess guess;
  if (text != "none") {
    guess.counter = number_of(text);
    if (!guess.counter) return Failure{shown(text) + ": a guess is a number, or none"};
  }
  message_ = session_.guess(guess);
  return Ok{};
}

Result<Ok, std::string> Ui::break_rule(const std::string& name) {
  if (name == "none") {
    rule_.reset();
    message_ = "all rules hold";
    return Ok{};
  }
  std::string names;
  for (std::size_t i = 0; i < session_.rules().size(); ++i) {
    const Rule& rule = session_.rules()[i];
    if (rule.name == name) {
      rule_ = i;
      message_ = fmt::format("broken: {}", rule.sentence);
      return Ok{};
    }
    names += (names.empty() ? "" : ", ") + std::string(rule.name);
  }
  return Failure{
      fmt::format("{} is no rule that can be broken; there are: {}, none", shown(name), names)};
}

Result<Ok, std::string> Ui::perform(const Command& command) {
  message_.clear();
  switch (command.key) {
    case 's':
      message_ = session_.step(command.times);
      break;
    case 'b':
      message_ = session_.step_back(command.times);
      break;
    case 't':
      message_ = session_.next_tick(command.times);
      break;
    case 'r':
      return run_to(command.argument);
    case 'g':
      return guess(command.argument);
    case 'x':
      return break_rule(command.argument);
    case '?':
      view_ = View::help;
      break;
    case 'q':
      is_over_ = true;
      break;
    default:
      view_ = static_cast<View>(command.key - '1');
  }
  return Ok{};
}

std::string Ui::prompt() const {
  return asking_ == nullptr ? std::string() : fmt::format("{} {}", asking_->asks, typed_);
}

void Ui::type(int key) {
  constexpr std::size_t longest = 100;
  if (key == escape) {
    asking_ = nullptr;
  } else if (key == backspace) {
    if (!typed_.empty()) typed_.pop_back();
  } else if (key == enter) {
    const Key* const asked = std::exchange(asking_, nullptr);
    if (typed_.empty()) return;
    const auto done = perform({asked->key, 1, typed_});
    if (!done) message_ = done.error();
  } else if (key > ' ' && key <= '~' && typed_.size() < longest) {
    typed_ += static_cast<char>(key);
  }
}

void Ui::press(int key) {
  if (asking_ != nullptr) {
    type(key);
    return;
  }
  const Key* const pressed = find_key(key == ' ' || key == enter ? 's' : key);
  if (pressed == nullptr) {
    message_ =
        key == no_key || key == escape || key == backspace ? "" : "no such key; ? lists them";
  } else if (!pressed->asks.empty()) {
    asking_ = pressed;
    typed_.clear();
    message_.clear();
  } else {
    (void)perform({pressed->key, 1, {}});
  }
}

}  // namespace hardclock::lab
