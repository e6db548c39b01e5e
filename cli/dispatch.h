// Finds the command that the command line names.
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

// `args` are the words after "hardclock". Runs the command, answers --help and --version, or
// complains. The result is the exit status.
int dispatch(const std::vector<std::string>& args, std::span<const CommandEntry> commands);

}  // namespace hardclock
