// The procedures that IRIX's compilers note in .mdebug, MIPS's older symbol table. Static ones are
// nowhere else, for SGI's link editor leaves local functions out of .symtab. Internal to the
// loader.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/load/file_window.h"
#include "sim/load/function_candidates.h"
#include "sim/load/image.h"

namespace hardclock {

// Adds the procedures of the table at `offset` of `file` (find_mdebug()), as functions whose names
// yield to others. Corrupt entries are left out.
void add_mdebug_procedures(FileWindow& file, std::uint64_t offset,
                           const std::vector<Segment>& segments, CandidateList& candidates);

}  // namespace hardclock
