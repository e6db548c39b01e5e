// Cycles that an instruction waits, taken apart by their reasons. Parts of what CycleLedger is
// told.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/cycle_reason.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

// Of a wait behind an instruction's issue, or for its fetch.
struct WaitReasons {
  CycleReason rest = CycleReason::unit;  // of all cycles but those below
  std::uint32_t tlb = 0;                 // cycles, those that come first
  std::uint32_t write_buffer = 0;        // cycles

  bool are_all(CycleReason reason) const { return rest == reason && tlb == 0 && write_buffer == 0; }
  // Those of the last `exposed` of `cycles` such cycles.
  WaitReasons at_end(std::uint32_t cycles, std::uint32_t exposed) const {
    const std::uint32_t line = cycles - tlb - write_buffer;
    const std::uint32_t before_line = exposed > line ? exposed - line : 0;
    const std::uint32_t buffered = std::min(before_line, write_buffer);
    return {rest, std::min(before_line - buffered, tlb), buffered};
  }
};

// Of a wait for a line that is not in the first level, if nothing else is the matter.
constexpr CycleReason miss_reason(bool is_fetch) {
  return is_fetch ? CycleReason::instruction_miss : CycleReason::data_miss;
}

// Each calls visit(reason, cycles) for the parts of so many cycles, some of which may be 0.
template <class Visit>
void for_each_reason(std::uint64_t cycles, CycleReason reason, Visit visit) {
  visit(reason, cycles);
}
template <class Visit>
void for_each_reason(std::uint64_t cycles, const WaitReasons& reasons, Visit visit) {
  visit(CycleReason::tlb, reasons.tlb);
  visit(CycleReason::write_buffer, reasons.write_buffer);
  visit(reasons.rest, cycles - reasons.tlb - reasons.write_buffer);
}
template <class Visit>
void for_each_reason(std::uint64_t cycles, const IssueWaits& waits, Visit visit) {
  visit(CycleReason::branch, waits.branch);
  visit(CycleReason::operand, waits.operand);
  visit(CycleReason::unit, waits.unit);
  visit(CycleReason::issue, cycles - waits.total());
}
template <class Visit>
void for_each_reason(std::uint64_t, const CyclesByReason& reasons, Visit visit) {
  for (std::size_t i = 0; i < cycle_reasons; ++i) {
    const auto reason = static_cast<CycleReason>(i);
    visit(reason, reasons[reason]);
  }
}

}  // namespace hardclock
