// Which system calls a file's code makes, as far as its instructions tell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/load/image.h"

namespace hardclock::mips {

// The constants that instructions near a SYSCALL load into v0, which has the number there: each
// once, in order. A number that comes from elsewhere is not seen; a call that no path reaches is.
std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file);

}  // namespace hardclock::mips
