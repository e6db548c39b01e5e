#include "tests/unit/engine/evaluation_bench.h"

namespace hardclock {

void expect_all_kinds(const Outcomes& outcomes, std::span<const TrapKind> traps, bool nullifies) {
  if (support::part_of_cases != 1) return;
  for (const TrapKind kind : traps) {
    EXPECT_TRUE(outcomes.traps.contains(kind)) << static_cast<int>(kind);
  }
  for (const Fault::Kind kind :
       {Fault::Kind::unmapped, Fault::Kind::protection, Fault::Kind::misaligned}) {
    EXPECT_TRUE(outcomes.faults.contains(kind)) << static_cast<int>(kind);
  }
  EXPECT_GT(outcomes.completed, 0u);
  EXPECT_GT(outcomes.taken, 0u);
  EXPECT_EQ(outcomes.nullified > 0, nullifies);
}

}  // namespace hardclock
