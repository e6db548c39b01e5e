// What of an IA-64 processor its .timing file says beside its pipeline:
//   alat N    entries of the advanced load address table, 0 to 32; 0: every check of an advanced
//             load misses, which the architecture allows; no row: 32
#pragma once

#include <string>

#include "isa/ia64/alat.h"
#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::ia64 {

struct Chip {
  std::size_t alat_entries = Alat::most_entries;
};

// Error: "line N: what is wrong".
Result<Chip, std::string> read_chip(const CpuDescription& description);

}  // namespace hardclock::ia64
