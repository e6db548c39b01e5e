// Writes the C++ of a checked table. README.md, "What is generated", says what it contains.
#pragma once

#include <string>
#include <string_view>

#include "syscalls/master/table.h"

namespace hardclock::mastergen {

// NAME_calls.h. `source_name` is the table's file, for the comment at the top.
std::string emit_header(const Table& table, std::string_view source_name);

// NAME_calls.cc; it includes the header as "header_path".
std::string emit_source(const Table& table, std::string_view source_name,
                        std::string_view header_path);

}  // namespace hardclock::mastergen
