// What single instructions took: ticks and exact cycles by address, for annotated listings.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/load/image.h"
#include "sim/report/flat.h"
#include "sim/report/identity.h"
#include "sim/report/profile.h"

namespace hardclock::report {

struct CodeCost {
  Cycles cycles;  // 0 without exact cycles
  std::uint64_t ticks = 0;
  // No counter begins here: the one that covers the address has its ticks further up.
  bool shares_counter = false;
  CyclesByReason reasons = {};  // zeros without reasons

  friend bool operator==(const CodeCost&, const CodeCost&) = default;
};

// The costs of the instructions at `addresses`, ascending, up to `end`, as their file has them: the
// shared object of the path `object` or, if that is empty, the program. Samples and cycles belong
// to the pc that they name; a counter's ticks to the instruction in which it begins, which may be
// before all of these. The other arguments are flat()'s. Processes that ran other programs, which
// are not among the objects, are left out.
std::vector<CodeCost> costs_of(std::span<const GuestAddr> addresses, GuestAddr end,
                               std::string_view object, const Profile& sampled,
                               const SymbolTable& symbols, const Profile* exact,
                               const Identity& program, const Objects& objects);

}  // namespace hardclock::report
