// Writes the C++ of the commands: CommandSpecs (cli/option_table.h) that the compiler lays out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/commandgen/reader.h"

namespace hardclock::commandgen {

// `source_name` is the table's file, for the comment at the top.
std::string emit_header(std::string_view source_name);

// It includes the header as "header_path".
std::string emit_source(const std::vector<Command>& commands, std::string_view source_name,
                        std::string_view header_path);

}  // namespace hardclock::commandgen
