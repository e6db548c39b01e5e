// The lab on a terminal, by ncurses.
#pragma once

#include <functional>
#include <string>

#include "sim/base/result.h"
#include "sim/lab/ui.h"

namespace hardclock::lab {

// Shows the user interface and gives it the keys that are pressed, until its user leaves or
// `is_to_end` says so, which is asked often. Standard input and output are a terminal; afterwards
// it is as it was. Colours unless NO_COLOR is set and not empty (no-color.org). The error is one
// line for the user.
Result<Ok, std::string> work_at_terminal(Ui& ui, const std::function<bool()>& is_to_end);

}  // namespace hardclock::lab
