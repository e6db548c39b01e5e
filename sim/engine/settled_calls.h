// Which jumps in code without symbols led to other functions: only all calls of a program tell.
#pragma once

#include "sim/engine/call_record.h"

namespace hardclock {

// The record with the other functions alone: what runs behind the other jumps is a part of the
// function that made them. A jump leads to another function if one begins, as calls or other such
// jumps say, between where it leads and the function that made it, or if it leads before all of
// them.
CallRecord settled(const CallRecord& record);

}  // namespace hardclock
