// What of an IA-64 processor its .timing file says beside its pipeline:
//   alat N    entries of the advanced load address table, 0 to 32; 0: every check of an advanced
//             load misses, which the architecture allows; no row: 32
//   register_stack N    words that the register stack engine moves to or from memory in a cycle, 1
//             to 4, while the instruction that needs it waits; no row: that takes no time
#pragma once

#include <string>

#include "isa/ia64/alat.h"
#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock::ia64 {

struct Chip {
  std::size_t alat_entries = Alat::most_entries;
  unsigned stack_words = 0;  // a cycle; 0: the register stack takes no time
};

// Error: "line N: what is wrong".
Result<Chip, std::string> read_chip(const CpuDescription& description);

}  // namespace hardclock::ia64
