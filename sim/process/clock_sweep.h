// What clocks of any rate and phase would have seen of one run. They interrupt nobody: the run is
// that of the machine's own clock alone.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/clock/silent_clock.h"
#include "sim/clock/virtual_clock.h"
#include "sim/engine/pc_sampler.h"
#include "sim/memory/page.h"

namespace hardclock {

// Clock r * phases + p has rate number r and the phase p of `phases` (silent_clock.h).
struct SweepOptions {
  std::vector<Hertz> rates;  // each at least 1
  std::uint32_t phases = 1;  // of each rate, at least 1

  std::size_t clocks() const { return rates.size() * phases; }
};

// Ticks of all clocks in one program.
class SweepCounts {
 public:
  using ByClock = std::span<const std::uint64_t>;

  SweepCounts() = default;
  // `budget` is charged for the pcs.
  SweepCounts(std::size_t clocks, std::shared_ptr<MemoryBudget> budget);
  ~SweepCounts() { give_back(); }
  // A copy is charged to no budget.
  SweepCounts(const SweepCounts& other);
  SweepCounts& operator=(const SweepCounts& other);
  SweepCounts(SweepCounts&& other) noexcept { swap(other); }
  SweepCounts& operator=(SweepCounts&& other) noexcept {
    swap(other);
    return *this;
  }

  void add_user(GuestAddr pc, std::size_t clock, std::uint64_t ticks) {
    ticks_at(pc)[clock] += ticks;
  }
  void add_kernel(std::size_t clock, std::uint64_t ticks) { kernel_[clock] += ticks; }
  // Of the same clocks. What has none takes their number from `other`.
  void add(const SweepCounts& other);
  std::size_t clocks() const { return clocks_; }
  // Of host memory, that the pcs take.
  std::uint64_t bytes() const { return rows_.size() * bytes_of_pc(); }

  // User ticks by pc, sorted.
  std::vector<std::pair<GuestAddr, ByClock>> by_pc() const;
  // Those of pcs for which there was no room.
  ByClock elsewhere() const { return elsewhere_; }
  // Those that found the kernel at work for the program.
  ByClock kernel() const { return kernel_; }

 private:
  std::uint64_t* ticks_at(GuestAddr pc);
  std::uint64_t bytes_of_pc() const;
  void give_back();
  void swap(SweepCounts& other) noexcept;

  std::size_t clocks_ = 0;
  std::shared_ptr<MemoryBudget> budget_;  // null: charged to none
  std::uint64_t charged_ = 0;             // bytes
  // The pcs of a loop differ in a few low bits.
  struct Scattered {
    std::size_t operator()(std::uint64_t pc) const { return pc * 0x9e3779b97f4a7c15 >> 32; }
  };
  tsl::robin_map<std::uint64_t, std::size_t, Scattered> rows_;  // by pc: where its ticks begin
  std::vector<std::uint64_t> ticks_;
  std::vector<std::uint64_t> elsewhere_, kernel_;
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
