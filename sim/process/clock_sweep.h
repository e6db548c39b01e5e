// What clocks of any rate and phase would have seen of one run. They interrupt nobody: the run is
// that of the machine's own clock alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/clock/silent_clock.h"
#include "sim/clock/virtual_clock.h"
#include "sim/engine/pc_sampler.h"
#include "sim/memory/page.h"
#include "sim/process/sweep_counts.h"

namespace hardclock {

// Clock r * phases + p has rate number r and the phase p of `phases` (silent_clock.h).
struct SweepOptions {
  std::vector<Hertz> rates;  // each at least 1
  std::uint32_t phases = 1;  // of each rate, at least 1

  std::size_t clocks() const { return rates.size() * phases; }
};

class ClockSweep final : public PcSampler {
 public:
  // `counter` is the machine's, if it has one: the ticks of phase 0 are those that its clock would
  // have at that rate.
  ClockSweep(const SweepOptions& options, Hertz cpu, const std::optional<TickCounter>& counter,
             std::shared_ptr<MemoryBudget> budget);

  // The next user ticks are of this process.
  void enter(int pid);
  void take(GuestAddr pc, Cycles end) override;
  // Ticks that are due before `end` find the kernel, which works for the process, or nobody.
  void pass_kernel(int pid, Cycles end);
  void pass_idle(Cycles end);

  SweepCounts counts_of(int pid) const;
  // The process's program has ended. They are charged to no budget.
  SweepCounts take_counts_of(int pid);
  // Ticks that found nobody running, by clock.
  SweepCounts::ByClock idle() const { return idle_; }

 private:
  SweepCounts& of(int pid);
  void start_tournament();
  std::uint32_t earlier(std::uint32_t a, std::uint32_t b) const;
  void rearm(std::uint32_t clock);
  // When the next tick is due that is not in ticks_.
  Cycles due_behind() const { return next_[first_[1]]; }
  void look_ahead();
  template <class Found>
  void pass(Cycles end, Found found);

  std::shared_ptr<MemoryBudget> budget_;
  std::vector<SilentClock> clocks_;
  // By clock, when it ticks next. What there is beyond the clocks, up to a power of two, never
  // does.
  std::vector<Cycles> next_;
  // A tournament: node i has the clock, of those below its children 2 i and 2 i + 1, that ticks
  // first. The clocks are the last half of the nodes.
  std::vector<std::uint32_t> first_;
  // The next ticks, in their order, and the clock of each; the first `passed_` of them are over.
  std::vector<Cycles> ticks_;
  std::vector<std::uint32_t> clock_of_;
  std::size_t passed_ = 0;
  std::map<int, SweepCounts> counts_;  // by pid, of programs that run
  int entered_ = 0;
  SweepCounts* current_ = nullptr;  // of entered_; null: none
  std::vector<std::uint64_t> idle_;
};

}  // namespace hardclock
