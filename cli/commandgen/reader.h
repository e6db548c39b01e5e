// Reads commands.table, which begins with a description of its own format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.h"
#include "sim/codegen/diagnostics.h"

namespace hardclock::commandgen {

using codegen::Diagnostics;

// What commands and options have in common.
struct Entry {
  std::string name;    // without dashes
  std::string help;    // the first line of its text
  std::string manual;  // the others, joined
  int line = 0;
};

struct Option : Entry {
  char letter = 0;         // 0: none
  std::string_view value;  // the enumerator of ValueOf
  std::string argument;
  std::string default_value;
  bool repeatable = false;
};

struct Command : Entry {
  std::string operands;
  unsigned min_operands = 0;
  unsigned max_operands = 0;
  bool guest_arguments = false;
  std::vector<Option> options;
  std::string base;
  std::vector<std::string> without;
};

// The commands, or everything that is wrong with the table, by line. `text` may be any bytes.
Result<std::vector<Command>, Diagnostics> read(std::string_view text);

}  // namespace hardclock::commandgen
