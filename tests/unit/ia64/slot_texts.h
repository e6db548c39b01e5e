// Random instances of the IA-64 patterns, as the processor meets them.
#pragma once

#include <cstdint>

#include "isa/ia64/isa.h"
#include "tests/unit/ia64/instances.h"

namespace hardclock::ia64 {

// Of place()'s bundle, but for branches: those of loops are legal in the last slot only.
inline SlotText legal_text(Word word, std::uint64_t l = 0) {
  const Placed placed = place(word, l);
  SlotText text = slot_text(placed.bundle, static_cast<unsigned>(placed.slot));
  if (static_cast<Unit>(word >> slot_bits) == Unit::b) text.slot = 2;
  return text;
}

}  // namespace hardclock::ia64
