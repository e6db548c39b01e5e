// An out-of-order core while a program is stepped. An instruction costs the time between its
// predecessor's graduation and its own, which must be known before it changes anything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

class OutOfOrderClock {
 public:
  explicit OutOfOrderClock(std::shared_ptr<const OutOfOrderDescription> description)
      : core_(std::move(description)) {}

  // The instruction that runs next; its line comes `fetch_stall` cycles late.
  struct Next {
    std::uint64_t pc = 0;
    std::uint32_t fetch_stall = 0;
    bool is_memory = false;
    bool is_store = false;
    bool is_nullified = false;
  };
  void begin(const InstructionTiming& timing, const Next& next) {
    retiring_ = &timing;
    dynamic_ = {};
    dynamic_.pc = next.pc;
    dynamic_.fetch_stall = next.fetch_stall;
    dynamic_.is_memory = next.is_memory;
    dynamic_.is_store = next.is_store;
    dynamic_.is_nullified = next.is_nullified;
  }
  // Notes the instruction's load or store, before it retires.
  void note_access(std::uint64_t address, std::uint64_t line, std::uint32_t stall) {
    dynamic_.memory_address = address;
    dynamic_.memory_line = line;
    dynamic_.memory_stall = stall;
  }
  bool has_begun() const { return retiring_ != nullptr; }
  void end() { retiring_ = nullptr; }

  struct Retirement {
    std::uint32_t cycles = 0;  // until it graduates, or until the deadline
    bool in_time = true;       // false: a clock event comes before it graduates
  };
  // The cost of the instruction from `now` on; its pipeline stages go to `times`.
  Retirement retire(Cycles now, Cycles deadline, InstructionTimes& times) {
    const std::uint32_t cycles = core_.retire(*std::exchange(retiring_, nullptr), dynamic_);
    note_times(now.value() + cycles, times);
    const bool in_time = cycles == 0 || now + Cycles(cycles) <= deadline;
    // After an interrupt the instruction begins anew. It cannot be interrupted twice in a row, so
    // the program always makes progress.
    if (std::exchange(was_interrupted_, false) || in_time) return {cycles, true};
    was_interrupted_ = true;
    core_.drain();
    const std::uint64_t left = deadline > now ? (deadline - now).value() : 0;
    return {static_cast<std::uint32_t>(left), false};
  }

  void resolve(const OutOfOrderCore::Resolution& outcome) { core_.resolve(outcome); }
  void drain() { core_.drain(); }

 private:
  // The instruction graduates in the cycle before `graduated`.
  void note_times(std::uint64_t graduated, InstructionTimes& times) const {
    const OutOfOrderCore::Times& last = core_.last();
    const std::uint64_t drained = graduated - 1 - std::min(graduated - 1, last.graduate);
    times.issue = graduated - 1;
    times.fetch_stall = dynamic_.fetch_stall;
    times.memory_stall = dynamic_.memory_stall;
    times.out_of_order = {drained + last.fetch, drained + last.decode, drained + last.issue,
                          drained + last.complete};
  }

  OutOfOrderCore core_;
  const InstructionTiming* retiring_ = nullptr;  // of the stepped instruction, until it retires
  OutOfOrderCore::Dynamic dynamic_;
  bool was_interrupted_ = false;  // the last instruction, before it graduated
};

}  // namespace hardclock
