// A block while it runs, for an engine whose loads and stores can wait for memory; and what blocks
// cost. Parts of engine.h.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/block.h"
#include "sim/engine/reason_profile.h"
#include "sim/timing/pipeline_clock.h"
#include "sim/timing/wait_reasons.h"

namespace hardclock {

// Cycles of code that runs instruction by instruction and of blocks, and by pc, and by reason, when
// somebody wants to know.
class CycleLedger {
 public:
  // From now on cycles are kept by pc, too.
  void collect(const std::shared_ptr<MemoryBudget>& budget) { profile_.emplace(budget); }
  bool collects() const { return profile_.has_value(); }
  // And by reason. Before any are kept.
  void tell_apart() { reasons_ = cycle_reasons; }
  bool tells_apart() const { return reasons_ != 1; }
  // Of host memory for each instruction of a block.
  std::uint64_t side_table_bytes() const {
    return collects() ? reasons_ * sizeof(std::uint64_t) : 0;
  }

  // `why`: as for_each_reason() takes it.
  template <class Why>
  void charge(std::uint64_t pc, std::uint64_t cycles, const Why& why, Cycles& now) {
    if (cycles == 0) return;
    if (profile_) add(*profile_, pc, cycles, 1, why);
    count(cycles, now);
  }
  // Not the program's own: only the profile has them.
  void count_kernel(std::uint64_t pc, std::uint64_t cycles) {
    if (profile_ && tells_apart()) profile_->add(GuestAddr(pc), CycleReason::kernel, cycles);
  }
  // Of a block, which keeps its own profile.
  void count(std::uint64_t cycles, Cycles& now) {
    total_ += cycles;
    now += Cycles(cycles);
  }
  // Of what was counted, so many were too many.
  void take_back(std::uint64_t cycles, Cycles& now) {
    total_ -= cycles;
    now = now - Cycles(cycles);
  }
  // The block's instruction has waited for so many of the cycles that were counted.
  template <class Isa, class Why>
  void note(const Block<Isa>& block, std::size_t index, std::uint64_t cycles,
            const Why& why) const {
    std::vector<std::uint64_t>& stalled = block.rest->stalled;
    stalled.resize(block.size() * reasons_);
    for_each_reason(cycles, why, [&](CycleReason reason, std::uint64_t part) {
      stalled[index * reasons_ + (tells_apart() ? static_cast<std::size_t>(reason) : 0)] += part;
    });
  }
  // What a block, which is not run again, has kept.
  template <class Isa>
  void take_over(const Block<Isa>& block, const PipelineClock& pipeline) {
    if (profile_) add_costs(block, pipeline, *profile_);
  }
  // Adds what the block's executions have cost to `profile`.
  template <class Isa>
  void add_costs(const Block<Isa>& block, const PipelineClock& pipeline,
                 ReasonProfile& profile) const;
  std::uint64_t total() const { return total_; }
  void archive(Archive& to) {
    to.state(total_);
    to.counted(profile_);
    to.wiring(reasons_);
  }
  // Empty: nobody wants to know. Unless they are told apart, all have one reason.
  ReasonProfile profile() const { return profile_.value_or(ReasonProfile()); }

 private:
  template <class Why>
  void add(ReasonProfile& profile, std::uint64_t pc, std::uint64_t cycles, std::uint64_t times,
           const Why& why) const {
    if (!tells_apart()) return profile.add(GuestAddr(pc), CycleReason::issue, cycles * times);
    for_each_reason(cycles, why, [&](CycleReason reason, std::uint64_t part) {
      if (part != 0) profile.add(GuestAddr(pc), reason, part * times);
    });
  }

  std::uint64_t total_ = 0;
  std::optional<ReasonProfile> profile_;
  std::size_t reasons_ = 1;  // that are told apart
};

template <class Isa>
void CycleLedger::add_costs(const Block<Isa>& block, const PipelineClock& pipeline,
                            ReasonProfile& profile) const {
  const auto add_part = [&](const BlockPart& part) {
    pipeline.for_each_cost(part.timed, [&](std::size_t i, std::uint64_t cycles,
                                           const IssueWaits& waits, std::uint64_t times) {
      if (cycles * times == 0) return;
      const bool is_nullified_slot = i == part.size;
      const std::uint64_t pc =
          is_nullified_slot ? block.nullified_pc() : block.charged_pc(part.first + i);
      add(profile, pc, cycles, times, waits);
    });
  };
  add_part(block.whole);
  for (const BlockPart& part : block.rest->parts) add_part(part);
  const std::vector<std::uint64_t>& stalled = block.rest->stalled;
  for (std::size_t i = 0; i < stalled.size(); ++i) {
    if (stalled[i] == 0) continue;
    add(profile, block.charged_pc(i / reasons_), stalled[i], 1,
        static_cast<CycleReason>(i % reasons_));
  }
}

// The part of a block that is running, if one is, and the waits of its instructions.
template <class Isa>
class BlockRun {
 public:
  using Op = typename Isa::Interpreter::Op;

  void begin(Block<Isa>& block, const BlockPart& part, TimedBlock::Entry& entry, Cycles now) {
    first_ = &block.ops()[part.first];
    part_ = &part;
    known_ = &entry == &block.whole.timed.entry ? block.issued() : nullptr;
    entry_ = &entry;
    entered_ = now;
    forget_stalls();
  }
  // Instructions are stepped.
  void end() {
    part_ = nullptr;
    off_ = 0;
  }
  bool is_running() const { return part_ != nullptr; }
  // In the part.
  std::size_t index_of(const Op* current) const {
    return static_cast<std::size_t>(current - first_);
  }

  // In program order.
  std::span<const Stall> stalls() const { return stalls_; }
  void add_stall(Stall stall) { stalls_.push_back(stall); }
  void forget_stalls() {
    stalls_.clear();
    off_ = 0;
  }
  // Bit i: the part's instruction i has marked itself: it was off.
  void add_off(std::uint64_t off) { off_ |= off; }
  std::uint64_t off() const { return off_; }
  std::uint64_t take_off() { return std::exchange(off_, 0); }
  // Of instructions that were slow (see take_slow()) and came after those that have waited so far,
  // in a part that begins with the block's instruction `first`.
  void add_slow(std::uint64_t slow, std::size_t first, std::uint32_t cycles) {
    for (; slow != 0; slow &= slow - 1) {
      add_stall({static_cast<std::size_t>(std::countr_zero(slow)) - first, cycles, true});
    }
  }
  const BlockPart& part() const { return *part_; }

  // When instruction `index` has issued and waited.
  Cycles issued(const PipelineClock& pipeline, std::size_t index) const {
    const std::uint64_t stalled = stalled_cycles();
    const bool differs =
        (entry_->any_continues && stalled != 0) || (entry_->may_spare_waits && off_ != 0);
    if (!differs) return entered_ + Cycles(issued(index) + stalled);
    return entered_ +
           Cycles(pipeline.issued_with_stalls(part_->timed, *entry_, index, stalls_, off_));
  }
  // When the part has been left, at the latest, if nothing else waits.
  Cycles end_at_latest() const { return entered_ + Cycles(entry_->longest + stalled_cycles()); }

 private:
  std::uint64_t stalled_cycles() const {
    std::uint64_t stalled = 0;
    for (const Stall& stall : stalls_) stalled += stall.cycles;
    return stalled;
  }

  // Without waits.
  std::uint32_t issued(std::size_t index) const {
    if (known_ != nullptr && known_[index] != 0) [[likely]]
      return known_[index];
    const std::uint32_t cycles = part_->timed.details(*entry_).issued[index];
    if (known_ != nullptr && cycles <= std::numeric_limits<std::uint8_t>::max()) {
      known_[index] = static_cast<std::uint8_t>(cycles);
    }
    return cycles;
  }

  const Op* first_ = nullptr;
  std::uint8_t* known_ = nullptr;  // see Block::issued(); null: not of this entry
  const BlockPart* part_ = nullptr;
  TimedBlock::Entry* entry_ = nullptr;
  Cycles entered_;
  std::vector<Stall> stalls_;
  std::uint64_t off_ = 0;
};

}  // namespace hardclock
