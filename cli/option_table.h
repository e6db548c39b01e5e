// The rows of the one table of hardclock's commands and options, commands.table. The parser,
// `--help`, the manual page and docs/options.md come from it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hardclock {

enum class ValueOf : std::uint8_t {
  none,      // a switch
  required,  // --name=VALUE, --name VALUE, and for a letter -x VALUE, -xVALUE
  optional,  // --name or --name=VALUE: a following word is never the value
};

struct OptionSpec {
  std::string_view name;  // without the dashes
  char letter = 0;        // 0: none
  ValueOf value = ValueOf::none;
  std::string_view argument = "";       // the value's placeholder in the help: "DIR[:DIR]"
  std::string_view default_value = "";  // parsed like a user's; empty: none
  bool repeatable = false;
  std::string_view help;    // a few words; --help adds the default
  std::string_view manual;  // sentences for the manual page
};

struct CommandSpec {
  std::string_view name;
  std::string_view operands;  // the synopsis: "PROGRAM [ARG...]"
  unsigned min_operands = 0;
  unsigned max_operands = 0;
  bool guest_arguments = false;  // the words after the first operand are the guest's
  std::string_view help;
  std::string_view manual;
  std::span<const OptionSpec> options;
  // Another command whose options this one has as well, but for those of which it has its own;
  // empty: none. The help and the manual describe them there.
  std::string_view base = "";
  // Options of the base that this one does not have.
  std::span<const std::string_view> without = {};

  // Returns nullptr if the command has no such option.
  const OptionSpec* find(std::string_view option_name) const;
  const OptionSpec* find(char letter) const;
  // Its own options and those of its base.
  std::vector<const OptionSpec*> all_options() const;
};

const CommandSpec* find_command(std::string_view name);  // nullptr if there is none

}  // namespace hardclock
