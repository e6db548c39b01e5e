// Why cycles pass between two graduations of an out-of-order core: by the rule of docs/timing.md,
// "Cycles by reason".
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sim/base/cycle_reason.h"

namespace hardclock {

// When an instruction went through the machine, in cycles since some moment.
struct PassageTimes {
  std::uint64_t fetch = 0;
  std::uint64_t decode = 0;
  std::uint64_t issue = 0;  // or when it began, if it needs no unit
  std::uint64_t complete = 0;
  std::uint64_t graduate = 0;
  // What reasons are made of besides.
  std::uint64_t ready = 0;        // had what it issues with
  std::uint64_t executed = 0;     // would have been complete, had no data come late
  bool data_missed = false;       // the data was a miss's, else an older instruction's
  std::uint32_t fetch_stall = 0;  // cycles
};

// What an instruction did before it graduated, backwards from that cycle.
class LastCycles {
 public:
  struct Part {
    CycleReason reason = CycleReason::issue;
    std::uint32_t cycles = 0;
  };
  static constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();

  LastCycles() = default;
  // The instruction graduates `after` cycles after its completion at the earliest.
  LastCycles(const PassageTimes& times, std::uint32_t after) {
    add(CycleReason::issue, 1);
    // Others graduated before it in the cycle in which it could have.
    add(CycleReason::issue, less(times.graduate, times.complete + after));
    add(times.data_missed ? CycleReason::data_miss : CycleReason::operand,
        less(times.complete, times.executed));
    add(CycleReason::unit, less(times.executed, times.issue + 1));
    add(CycleReason::unit, less(times.issue, times.ready));
    add(CycleReason::operand, less(times.ready, times.decode + 1));
    const bool was_fetched_in_time = times.decode > times.fetch + 1;
    if (!was_fetched_in_time) add(CycleReason::instruction_miss, times.fetch_stall);
    add(was_fetched_in_time ? CycleReason::unit : CycleReason::branch, endless);
  }

  void add(CycleReason reason, std::uint64_t cycles) {
    if (cycles == 0) return;
    parts_[count_++] = {reason,
                        static_cast<std::uint32_t>(std::min<std::uint64_t>(cycles, endless))};
  }
  // Calls visit(reason, cycles) for `count` of the last cycles, behind the last `skipped` ones.
  template <class Visit>
  void visit(std::uint64_t skipped, std::uint64_t count, Visit visit) const {
    for (std::size_t i = 0; i < count_ && count != 0; ++i) {
      const std::uint64_t passed = std::min<std::uint64_t>(parts_[i].cycles, skipped);
      const std::uint64_t cycles = std::min(parts_[i].cycles - passed, count);
      skipped -= passed;
      count -= cycles;
      if (cycles != 0) visit(parts_[i].reason, static_cast<std::uint32_t>(cycles));
    }
  }
  const Part* begin() const { return parts_.data(); }
  const Part* end() const { return parts_.data() + count_; }

 private:
  static std::uint64_t less(std::uint64_t later, std::uint64_t earlier) {
    return later > earlier ? later - earlier : 0;
  }

  std::array<Part, 8> parts_{};
  std::size_t count_ = 0;
};

}  // namespace hardclock
