// A command's words, split into options and operands by the table of options.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"
#include "cli/usage_error.h"
#include "sim/base/result.h"

namespace hardclock {

class Arguments {
 public:
  // Whether the user gave the option, or it has a default.
  bool has(std::string_view option) const { return options_.contains(option); }
  // The value; empty for a switch or an omitted optional value; nullopt without has().
  std::optional<std::string> value(std::string_view option) const;
  // The values of a repeatable option in the order given.
  std::vector<std::string> values(std::string_view option) const;
  const std::vector<std::string>& operands() const { return operands_; }
  // An option, with its dashes, right before the first operand that may have a value but has none:
  // the operand may have been meant as its value. Otherwise empty.
  const std::string& option_before_operands() const { return option_before_operands_; }

 private:
  friend Result<Arguments, UsageError> parse_arguments(const CommandSpec& command,
                                                       const std::vector<std::string>& args);

  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> operands_;
  std::string option_before_operands_;
};

// Whether `args` (without the command's name) ask for help: then the rest of them is ignored.
bool asks_for_help(const CommandSpec& command, const std::vector<std::string>& args);

// Names are matched whole (no abbreviations). Values are only counted: the caller interprets them.
// The number of operands is within the command's bounds.
Result<Arguments, UsageError> parse_arguments(const CommandSpec& command,
                                              const std::vector<std::string>& args);
// The same of the command of that name, which exists.
Result<Arguments, UsageError> parse_arguments(std::string_view command,
                                              const std::vector<std::string>& args);

}  // namespace hardclock
