// The conformance files lie in a folder beside the source tree and are not part of it; tests that
// read them are skipped without them.
#pragma once

#include <string>
#include <string_view>

namespace hardclock::conform {

// The text of ../shared/conformance/NAME; empty when it is not there.
std::string case_file(std::string_view name);

}  // namespace hardclock::conform
