#include "cli/arguments.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

#include "sim/base/check.h"

namespace hardclock {
namespace {

namespace po = boost::program_options;

struct Words {
  std::vector<std::string> options;  // with their separate values
  std::vector<std::string> operands;
};

// The option that `word` names, or nullptr; `value_follows` when its value must be the next word.
const OptionSpec* option_of(const CommandSpec& command, const std::string& word,
                            bool& value_follows) {
  const bool is_long = word.starts_with("--");
  const std::size_t equals = is_long ? word.find('=') : std::string::npos;
  const OptionSpec* option =
      is_long ? command.find(std::string_view(word).substr(2, equals - 2)) : command.find(word[1]);
  const bool adjacent = is_long ? equals != std::string::npos : word.size() > 2;
  value_follows = option != nullptr && option->value == ValueOf::required && !adjacent;
  return option;
}

// Program_options does not stop at the first operand, so `run ls -l` would take the guest's -l for
// its own. It therefore only ever sees the words that are hardclock's options.
Words split(const CommandSpec& command, const std::vector<std::string>& args) {
  Words words;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    const bool is_option = word.size() > 1 && word[0] == '-';
    if (word == "--" || (!is_option && command.guest_arguments)) {
      const std::size_t first = word == "--" ? i + 1 : i;
      words.operands.insert(words.operands.end(), args.begin() + static_cast<std::ptrdiff_t>(first),
                            args.end());
      break;
    }
    if (!is_option) {
      words.operands.push_back(word);
      continue;
    }
    words.options.push_back(word);
    bool value_follows = false;
    option_of(command, word, value_follows);
    const bool has_next = i + 1 < args.size() && args[i + 1] != "--";
    if (value_follows && has_next) words.options.push_back(args[++i]);
  }
  return words;
}

// The last word, if it is an option whose value was left out.
std::string option_left_open(const CommandSpec& command, const std::vector<std::string>& options) {
  if (options.empty() || !options.back().starts_with("--")) return {};
  bool value_follows = false;
  const OptionSpec* const option = option_of(command, options.back(), value_follows);
  const bool has_none = options.back().find('=') == std::string::npos;
  return option != nullptr && option->value == ValueOf::optional && has_none ? options.back() : "";
}

po::options_description describe(const CommandSpec& command) {
  po::options_description description;
  for (const OptionSpec* const option : command.all_options()) {
    const std::string name(option->name);
    const std::string names = option->letter == 0 ? name : name + "," + option->letter;
    const po::value_semantic* semantic = nullptr;
    if (option->repeatable) {
      semantic = po::value<std::vector<std::string>>();
    } else if (option->value == ValueOf::none) {
      semantic = new po::untyped_value(true);
    } else {
      auto* value = po::value<std::string>();
      if (option->value == ValueOf::optional) value->implicit_value("");
      if (!option->default_value.empty()) value->default_value(std::string(option->default_value));
      semantic = value;
    }
    description.add_options()(names.c_str(), semantic);  // takes ownership
  }
  return description;
}

std::string see_help(const CommandSpec& command) {
  return "see 'hardclock " + std::string(command.name) + " --help'";
}

UsageError unknown_option(const CommandSpec& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string_view> names;
  for (const OptionSpec* const option : command.all_options()) names.push_back(option->name);
  const bool is_long = name.starts_with("--");
  const std::string_view meant = is_long ? closest_name(name.substr(2), names) : "";
  const std::string shown = "unknown option " + printable(is_long ? name : name.substr(0, 2));
  if (!meant.empty()) return {shown + "; did you mean --" + std::string(meant) + "?"};
  return {shown + "; " + see_help(command)};
}

UsageError needs_value(const OptionSpec& option) {
  const std::string shown = "--" + std::string(option.name);
  return {shown + " needs a value; use " + shown + "=" + std::string(option.argument)};
}

// `name` is with its dashes, as Program_options reports it.
UsageError syntax_error(const CommandSpec& command, const std::string& name,
                        po::invalid_command_line_syntax::kind_t kind) {
  bool value_follows = false;
  const OptionSpec* option = name.size() > 1 ? option_of(command, name, value_follows) : nullptr;
  if (option == nullptr) return unknown_option(command, name.empty() ? "--=" : name);
  const std::string shown = "--" + std::string(option->name);
  const std::string argument(option->argument);
  switch (option->value) {
    case ValueOf::none:
      return {shown + " takes no value; give it alone"};
    case ValueOf::optional:
      return {"nothing follows the = of " + shown + "; use " + shown + " or " + shown + "=" +
              argument};
    case ValueOf::required:
      break;
  }
  const bool missing = kind == po::invalid_command_line_syntax::missing_parameter ||
                       kind == po::invalid_command_line_syntax::empty_adjacent_parameter;
  if (missing) return needs_value(*option);
  return {shown + " is not used like that; use " + shown + "=" + argument};
}

// Rejects what Program_options accepts: "--=x", which has no name, and an option with an optional
// value given twice.
std::optional<UsageError> check_names(const CommandSpec& command,
                                      const po::parsed_options& parsed) {
  std::set<std::string> seen;
  for (const po::option& given : parsed.options) {
    const OptionSpec* option = command.find(given.string_key);
    if (option == nullptr) return unknown_option(command, given.original_tokens.front());
    const bool is_new = seen.insert(given.string_key).second;
    if (is_new || option->repeatable) continue;
    return UsageError{"--" + given.string_key + " is given twice; give it once"};
  }
  return std::nullopt;
}

Result<po::variables_map, UsageError> parse_options(const CommandSpec& command,
                                                    const std::vector<std::string>& words) {
  using namespace po::command_line_style;
  constexpr int parser_style = allow_long | long_allow_adjacent | long_allow_next | allow_short |
                               allow_dash_for_short | short_allow_adjacent | short_allow_next;
  po::variables_map found;
  try {
    const po::options_description description = describe(command);
    const po::parsed_options parsed =
        po::command_line_parser(words).options(description).style(parser_style).run();
    if (auto error = check_names(command, parsed)) return Failure{*error};
    po::store(parsed, found);
  } catch (const po::unknown_option& e) {
    return Failure{unknown_option(command, e.get_option_name())};
  } catch (const po::invalid_command_line_syntax& e) {
    return Failure{syntax_error(command, e.get_option_name(), e.kind())};
  } catch (const po::error& e) {
    return Failure{UsageError{printable(e.what()) + "; " + see_help(command)}};
  }
  return found;
}

std::vector<std::string> strings_of(const po::variable_value& value) {
  if (const auto* many = boost::any_cast<std::vector<std::string>>(&value.value())) return *many;
  if (const auto* one = boost::any_cast<std::string>(&value.value())) return {*one};
  return {""};  // a switch
}

std::optional<UsageError> check_values(
    const CommandSpec& command,
    const std::map<std::string, std::vector<std::string>, std::less<>>& given) {
  for (const OptionSpec* const option : command.all_options()) {
    const auto values = given.find(option->name);
    if (option->value != ValueOf::required || values == given.end()) continue;
    if (std::ranges::find(values->second, "") == values->second.end()) continue;
    return needs_value(*option);
  }
  return std::nullopt;
}

std::optional<UsageError> check_operands(const CommandSpec& command,
                                         const std::vector<std::string>& operands) {
  const std::string name(command.name);
  if (operands.size() < command.min_operands) {
    return UsageError{"'hardclock " + name + "' needs " + std::string(command.operands) + "; " +
                      see_help(command)};
  }
  if (operands.size() > command.max_operands) {
    return UsageError{"'hardclock " + name + "' has no use for '" +
                      printable(operands[command.max_operands]) + "'; " + see_help(command)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = options_.find(option);
  if (found == options_.end()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
  const auto found = options_.find(option);
  return found == options_.end() ? std::vector<std::string>{} : found->second;
}

bool asks_for_help(const CommandSpec& command, const std::vector<std::string>& args) {
  const Words words = split(command, args);
  for (std::size_t i = 0; i < words.options.size(); ++i) {
    bool value_follows = false;
    const OptionSpec* option = option_of(command, words.options[i], value_follows);
    if (option != nullptr && option->name == "help") return true;
    if (value_follows) ++i;
  }
  return false;
}

Result<Arguments, UsageError> parse_arguments(const CommandSpec& command,
                                              const std::vector<std::string>& args) {
  Words words = split(command, args);
  const Result<po::variables_map, UsageError> found = parse_options(command, words.options);
  if (!found) return Failure{found.error()};
  if (auto error = check_operands(command, words.operands)) return Failure{*error};

  Arguments arguments;
  for (const auto& [name, value] : *found) arguments.options_[name] = strings_of(value);
  if (auto error = check_values(command, arguments.options_)) return Failure{*error};
  arguments.operands_ = std::move(words.operands);
  arguments.option_before_operands_ = option_left_open(command, words.options);
  return arguments;
}

Result<Arguments, UsageError> parse_arguments(std::string_view command,
                                              const std::vector<std::string>& args) {
  const CommandSpec* const spec = find_command(command);
  CHECK(spec != nullptr);
  return parse_arguments(*spec, args);
}

}  // namespace hardclock
