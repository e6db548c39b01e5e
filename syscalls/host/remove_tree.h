// Removes what a guest left behind, whatever it is.
#pragma once

#include <cstdint>
#include <limits>

#include "syscalls/host/error.h"

namespace hardclock::host {

// Removes the contents of `directory`, which is open for reading, of any depth and number, with one
// more descriptor. Links are removed, never followed; directories without read or write permission
// get it first. Returns true if the directory is empty, false if names remain after `most_steps` of
// them, which is not an error. The error is the first one; whatever else can be removed still is.
// Uses no heap: a signal handler may call it.
HostResult<bool> empty_directory(
    int directory, std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max());

}  // namespace hardclock::host
