// Writes the C++ of a checked ISA. README.md, "What is generated", says what it contains.
#pragma once

#include <string>
#include <string_view>

#include "sim/decode/checker.h"

namespace hardclock::decodegen {

// NAME_decode.h. `source_name` is the .decode file, for the comment at the top.
std::string emit_header(const Isa& isa, std::string_view source_name);

// NAME_decode.cc; it includes the header as "header_path".
std::string emit_source(const Isa& isa, std::string_view source_name, std::string_view header_path);

}  // namespace hardclock::decodegen
