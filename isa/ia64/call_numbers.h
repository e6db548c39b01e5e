// Which system calls a file's code makes, as far as its instructions tell.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/load/image.h"

namespace hardclock::ia64 {

// The constants that instructions before a break 0x100000 load into r15, which has Linux's number
// there: each once, in order. A number that comes from elsewhere is not seen; a call that no path
// reaches is. Nullopt for a file of HP-UX, whose code calls through a table.
std::optional<std::vector<std::uint32_t>> call_numbers(const Image& file);

}  // namespace hardclock::ia64
