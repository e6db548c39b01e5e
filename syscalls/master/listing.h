// A table of calls for the user: the answer of `hardclock syscalls`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "syscalls/master/call_info.h"

namespace hardclock {

// One line a call: number, state, prototype; its note follows. The last line counts the states; a
// multiplexed call counts as its requests. Ends with a newline.
std::string to_text(std::span<const CallInfo> calls, std::string_view system);

}  // namespace hardclock
