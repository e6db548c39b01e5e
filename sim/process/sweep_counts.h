// Ticks of many clocks in one program, by the pc that they are charged to.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/page.h"

namespace hardclock {

// Of one clock at one pc.
struct SweepTicks {
  GuestAddr pc;
  std::uint32_t clock = 0;
  std::uint64_t ticks = 0;

  friend bool operator==(const SweepTicks&, const SweepTicks&) = default;
};

// Most pcs are found a few times only. Those that are found more often have a counter for each
// clock.
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

  // From now on `budget` is charged for the pcs, and no other one is. False: there is no room, and
  // none is charged.
  bool charge_to(std::shared_ptr<MemoryBudget> budget);

  void add_user(GuestAddr pc, std::uint32_t clock, std::uint64_t ticks);
  void add_kernel(std::size_t clock, std::uint64_t ticks) { kernel_[clock] += ticks; }
  // Of the same clocks. What has none takes their number from `other`.
  void add(const SweepCounts& other);
  std::size_t clocks() const { return kernel_.size(); }
  // Of host memory, that the pcs take.
  std::uint64_t bytes() const;

  // User ticks by pc, and then by clock, ascending; none twice.
  std::vector<SweepTicks> user() const;
  // Those of pcs and clocks for which there was no room.
  ByClock elsewhere() const { return elsewhere_; }
  // Those that found the kernel at work for the program.
  ByClock kernel() const { return kernel_; }

 private:
  // So often, a pc is found before it has counters.
  static constexpr std::uint32_t few = 8;

  struct OfPc {
    static constexpr std::size_t none = ~std::size_t{0};
    std::uint32_t found = 0;  // times in few_
    std::size_t row = none;   // where its counters begin in counters_
  };
  // The pcs of a loop differ in a few low bits.
  struct Scattered {
    std::size_t operator()(std::uint64_t pc) const { return pc * 0x9e3779b97f4a7c15 >> 32; }
  };

  bool take(std::uint64_t bytes);
  OfPc* find_or_add(std::uint64_t pc);
  bool add_counters(OfPc& of);
  std::uint64_t bytes_of_counters() const;
  void give_back();
  void swap(SweepCounts& other) noexcept;

  std::shared_ptr<MemoryBudget> budget_;  // null: charged to none
  tsl::robin_map<std::uint64_t, OfPc, Scattered> pcs_;
  std::vector<SweepTicks> few_;  // in the order in which they were found
  std::vector<std::uint64_t> counters_;
  std::vector<std::uint64_t> elsewhere_, kernel_;
};

}  // namespace hardclock
