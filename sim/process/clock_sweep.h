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
  // The process's program has ended.
  void forget(int pid);
  // Ticks that found nobody running, by clock.
  SweepCounts::ByClock idle() const { return idle_; }

 private:
  struct Moment {
    Cycles due;
    std::uint32_t clock;
    friend auto operator<=>(const Moment&, const Moment&) = default;
  };

  SweepCounts& of(int pid);
  void rearm(Cycles due);
  template <class Found>
  void pass(Cycles end, Found found);

  std::shared_ptr<MemoryBudget> budget_;
  std::vector<SilentClock> clocks_;
  std::vector<Moment> pending_;        // a heap: of each clock the next tick, the first one on top
  std::map<int, SweepCounts> counts_;  // by pid, of programs that run
  int entered_ = 0;
  SweepCounts* current_ = nullptr;  // of entered_; null: none
  std::vector<std::uint64_t> idle_;
};

}  // namespace hardclock
