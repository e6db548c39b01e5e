// Text of a case file for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hardclock::conform {

// One line of at most `most` bytes and "...", for any bytes: those that are not printable ASCII
// become '?'.
std::string shown(std::string_view text, std::size_t most = 60);

// UTF-8 text on one line, fit for XML and YAML: control characters, line ends and U+FFFE become
// \uNNNN, the rest stays.
std::string one_line(std::string_view text);

}  // namespace hardclock::conform
