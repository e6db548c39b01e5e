// How a call's result reaches the program (o32): v0 and v1 with a3 = 0, or errno in v0 with a3 = 1.
#pragma once

#include "sim/engine/cpu.h"
#include "syscalls/irix/call.h"

namespace hardclock::irix {

// `result` is a value or an error. The pc stays at the call.
void set_result(Cpu& cpu, const CallResult& result);

}  // namespace hardclock::irix
