// Removing what a guest left behind, whatever that is.
#pragma once

#include <cstdint>
#include <limits>

#include "syscalls/host/error.h"

namespace hardclock::host {

// Removes what is in the directory, which is open for reading, of any depth and number, with one
// descriptor more; links are removed, never followed, and directories that may not be read or
// written are made so first. True: it is empty now. False: `most_steps` names were not all, which
// is no error. On an error, the first one, what else could be removed is. Takes nothing from the
// heap: may be called in a signal handler.
HostResult<bool> empty_directory(
    int directory, std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max());

}  // namespace hardclock::host
