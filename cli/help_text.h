// hardclock's description of itself, made from the table of options.
#pragma once

#include <string>

#include "cli/option_table.h"

namespace hardclock {

std::string overview_text();                           // `hardclock --help`
std::string command_help(const CommandSpec& command);  // `hardclock COMMAND --help`
std::string man_page();                                // hardclock.1: roff, man macros

// Parts of these, for docs/options.md.
// "--root=DIR[:DIR]", "--stats[=FILE.json]", "--man"
std::string notation(const OptionSpec& option);
// "hardclock report [OPTION...] PROFILE PROGRAM"
std::string synopsis(const CommandSpec& command);
// "All other options of 'hardclock run' are options of this one, but for --stats and --trace."
std::string options_of_base(const CommandSpec& command);

}  // namespace hardclock
