// Instructions as the translator makes code of them, for the usual case: no general register has a
// NaT bit, data are little-endian, no advanced load is watched. What is 0 then is a constant, and a
// condition (Operation::rare_if) stands for the case that it is not.
#pragma once

#include <optional>

#include "sim/recording/recording.h"

namespace hardclock::ia64 {

// Nothing: the instruction has a step that only the interpreter knows.
std::optional<Recording> in_usual_case(const Recording& recording);

}  // namespace hardclock::ia64
