// The conformance files of tests/conformance.
#pragma once

#include <string>
#include <string_view>

namespace hardclock::conform {

// The text of tests/conformance/NAME.
std::string case_file(std::string_view name);

}  // namespace hardclock::conform
