// An out-of-order core while a program runs. An instruction that is stepped costs the time between
// its predecessor's graduation and its own, which must be known before it changes anything. Blocks
// go through the remembered window.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/state/archive.h"
#include "sim/timing/memory_system.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/remembered_window.h"
#include "sim/timing/wait_reasons.h"

namespace hardclock {

// Why instructions of one passage, by their index, waited for their lines and for their data.
class MissReasons {
 public:
  void clear() { fetched_ = accessed_ = 0; }
  void note(CacheSide side, std::size_t index, std::uint32_t cycles, const WaitReasons& reasons) {
    (side == CacheSide::fetch ? fetched_ : accessed_) |= std::uint64_t{1} << index;
    (side == CacheSide::fetch ? fetches_ : accesses_)[index] = {cycles, reasons};
  }
  // Of so many cycles that the instruction was seen to wait for that reason, where those of a miss
  // are the last ones of its wait.
  WaitReasons of(std::size_t index, CycleReason reason, std::uint32_t cycles) const {
    const bool is_fetch = reason == CycleReason::instruction_miss;
    const bool is_data = reason == CycleReason::data_miss;
    const std::uint64_t known = is_fetch ? fetched_ : is_data ? accessed_ : 0;
    if ((known >> index & 1) == 0) return {reason};
    const Noted& noted = (is_fetch ? fetches_ : accesses_)[index];
    return noted.reasons.at_end(noted.cycles, cycles);
  }

 private:
  struct Noted {
    std::uint32_t cycles = 0;
    WaitReasons reasons;
  };
  std::uint64_t fetched_ = 0;   // bit i: fetches_[i] is known
  std::uint64_t accessed_ = 0;  // bit i: accesses_[i] is
  std::array<Noted, StraightLine::most> fetches_;
  std::array<Noted, StraightLine::most> accesses_;
};

class OutOfOrderClock {
 public:
  explicit OutOfOrderClock(std::shared_ptr<const OutOfOrderDescription> description)
      : window_(std::move(description)) {}

  // ---- Reasons, if somebody wants to know.
  void tell_reasons() { tells_reasons_ = true; }
  MissReasons& misses() { return misses_; }
  // Of the cycles of the last instruction that retired, as far as they had passed.
  const CyclesByReason& reasons() const { return reasons_; }

  // ---- Single instructions.
  // The instruction that runs next, which has index 0 in misses(); its line comes `fetch_stall`
  // cycles late, and takes memory's time.
  struct Next {
    std::uint64_t pc = 0;
    std::uint32_t fetch_stall = 0;
    std::uint32_t fetch_busy = 0;
    bool is_memory = false;
    bool is_store = false;
    bool is_nullified = false;
  };
  void begin(const InstructionTiming& timing, const Next& next) {
    retiring_ = &timing;
    dynamic_ = {};
    dynamic_.pc = next.pc;
    dynamic_.fetch_stall = next.fetch_stall;
    dynamic_.fetch_busy = next.fetch_busy;
    dynamic_.is_memory = next.is_memory;
    dynamic_.is_store = next.is_store;
    dynamic_.is_nullified = next.is_nullified;
  }
  // Notes the instruction's load or store, before it retires.
  void note_access(std::uint64_t address, const OutOfOrderCore::MemoryCost& cost) {
    dynamic_.memory_address = address;
    dynamic_.memory = cost;
  }
  bool has_begun() const { return retiring_ != nullptr; }
  void end() { retiring_ = nullptr; }

  struct Retirement {
    std::uint32_t cycles = 0;  // until it graduates, or until the deadline
    bool in_time = true;       // false: a clock event comes before it graduates
  };
  // The cost of the instruction from `now` on; its pipeline stages go to `times`.
  Retirement retire(Cycles now, Cycles deadline, InstructionTimes& times) {
    const std::uint32_t cycles = window_.retire(*std::exchange(retiring_, nullptr), dynamic_);
    note_times(now.value() + cycles, times);
    const bool in_time = now + Cycles(cycles) <= deadline;
    // After an interrupt the instruction begins anew. It cannot be interrupted twice in a row, so
    // the program always makes progress.
    if (std::exchange(was_interrupted_, false) || in_time) {
      note_reasons(0, cycles, cycles);
      return {cycles, true};
    }
    was_interrupted_ = true;
    const std::uint64_t left = deadline > now ? (deadline - now).value() : 0;
    note_reasons(0, cycles, left);
    window_.drain();
    return {static_cast<std::uint32_t>(left), false};
  }

  void resolve(const OutOfOrderCore::Resolution& outcome) { window_.resolve_last(outcome); }
  void drain() { window_.drain(); }

  // ---- Blocks.
  RememberedWindow& window() { return window_; }
  const RememberedWindow& window() const { return window_; }
  // Instructions have graduated.
  void note_progress() { was_interrupted_ = false; }
  // Lets instruction `index` of the passage, which began at `now`, retire; those before it have.
  // The cycles are its own.
  Retirement retire_in_passage(std::size_t index, Cycles now, Cycles deadline) {
    const std::uint64_t before = window_.catch_up(index);
    const std::uint64_t after = window_.catch_up(index + 1);
    const bool in_time = now + Cycles(after) <= deadline;
    const bool is_second_time = std::exchange(was_interrupted_, false) && index == 0;
    if (is_second_time || in_time) return {static_cast<std::uint32_t>(after - before), true};
    was_interrupted_ = true;
    const Cycles begins = now + Cycles(before);
    const std::uint64_t left = deadline > begins ? (deadline - begins).value() : 0;
    note_reasons(index, after - before, left);
    window_.interrupt();
    return {static_cast<std::uint32_t>(left), false};
  }

  void archive(Archive& to, std::uint64_t next_pc) {
    auto& [window, retiring, dynamic, tells_reasons, misses, reasons, was_interrupted] = *this;
    window.archive(to, next_pc);
    to.state(was_interrupted);
    to.derived(retiring, dynamic, misses, reasons);
    to.wiring(tells_reasons);
  }

 private:
  // The last instruction, of that index in misses(), takes so many cycles; of these the first
  // `passed` have passed.
  void note_reasons(std::size_t index, std::uint64_t cycles, std::uint64_t passed) {
    if (!tells_reasons_) return;
    reasons_ = {};
    window_.last_cycles().visit(
        cycles - passed, passed, [&](CycleReason reason, std::uint32_t part) {
          for_each_reason(part, misses_.of(index, reason, part),
                          [&](CycleReason one, std::uint64_t count) { reasons_[one] += count; });
        });
  }
  // The instruction graduates in the cycle before `graduated`.
  void note_times(std::uint64_t graduated, InstructionTimes& times) const {
    const OutOfOrderCore::Times& last = window_.last();
    const std::uint64_t drained = graduated - 1 - std::min(graduated - 1, last.graduate);
    times.issue = graduated - 1;
    times.fetch_stall = dynamic_.fetch_stall;
    times.memory_stall = dynamic_.memory.stall;
    times.out_of_order = {drained + last.fetch, drained + last.decode, drained + last.issue,
                          drained + last.complete};
  }

  RememberedWindow window_;
  const InstructionTiming* retiring_ = nullptr;  // of the stepped instruction, until it retires
  OutOfOrderCore::Dynamic dynamic_;
  bool tells_reasons_ = false;
  MissReasons misses_;
  CyclesByReason reasons_;
  bool was_interrupted_ = false;  // the last instruction, before it graduated
};

}  // namespace hardclock
