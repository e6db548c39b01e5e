// The lines of procedures in .mdebug, as IRIX's o32 compilers write them. Internal to
// source_lines.h.
#pragma once

#include <cstdint>

#include "sim/base/endian.h"
#include "sim/load/file_window.h"
#include "sim/load/line_table.h"

namespace hardclock {

// Adds the lines of the table at `offset` of a `file` of this byte order. Corrupt entries are left
// out, and what GNU tools wrote there as stabs.
void add_mdebug_lines(FileWindow& file, std::uint64_t offset, Endian order,
                      LineTableBuilder& lines);

}  // namespace hardclock
