// Reads the text of a .decode file.
#pragma once

#include <string_view>

#include "sim/base/result.h"
#include "sim/decode/description.h"

namespace hardclock::decodegen {

// The description, or everything that breaks the grammar (README.md, "Grammar"), by line. Any
// bytes are accepted as input.
Result<Description, Diagnostics> parse(std::string_view text);

}  // namespace hardclock::decodegen
