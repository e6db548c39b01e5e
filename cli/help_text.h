// hardclock's description of itself, made from the table of options.
#pragma once

#include <string>

#include "cli/option_table.h"

namespace hardclock {

std::string overview_text();                           // `hardclock --help`
std::string command_help(const CommandSpec& command);  // `hardclock COMMAND --help`
std::string man_page();                                // hardclock.1: roff, man macros

}  // namespace hardclock
