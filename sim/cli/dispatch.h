// From the words of the command line to the command that they name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hardclock {

struct CommandEntry {
  std::string_view name;  // one of command_table()
  int (*function)(const std::vector<std::string>& args);
};

// `args` are the words after "hardclock". Runs the command, or answers --help and --version, or
// complains. The result is the exit status.
int dispatch(const std::vector<std::string>& args, std::span<const CommandEntry> commands);

}  // namespace hardclock
