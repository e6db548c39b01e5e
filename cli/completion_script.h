// Scripts that complete hardclock's command line in a shell, made from the table of options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hardclock {

// What the table of options does not know. Words of letters, digits, '-', '_' and '.'.
struct CompletionNames {
  std::vector<std::string_view> processors;  // of --cpu
  std::vector<std::string_view> machines;    // of --machine
  std::vector<std::string_view> systems;     // of --os
  std::vector<std::string_view> rules;       // of `hardclock systems`: libraries, too
};

// The scripts call no program, hardclock neither: a TAB costs what the shell does.
std::string bash_completion(const CompletionNames& names);
std::string zsh_completion(const CompletionNames& names);

}  // namespace hardclock
