// gzip. A part of the viewers' formats.
#pragma once

#include <string>
#include <string_view>

namespace hardclock::report {

// As `gzip -n` does: without a name and a time, so that equal bytes give equal files.
std::string gzipped(std::string_view bytes);

}  // namespace hardclock::report
