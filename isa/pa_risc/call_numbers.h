// Which system calls a file's code makes, as far as its instructions tell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/load/image.h"

namespace hardclock::pa_risc {

// The constants that instructions near a branch to the gateway page load into the register that has
// the number there, r20 for Linux and r22 for HP-UX: each once, in order, and never nullopt. A
// number that comes from elsewhere is not seen; a call that no path reaches is.
std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file);

}  // namespace hardclock::pa_risc
