// Cycles by pc, as CycleProfile has them, and by reason.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/base/cycle_reason.h"
#include "sim/base/units.h"
#include "sim/engine/cycle_profile.h"

namespace hardclock {

// A page of code takes memory for those reasons only that it has.
class ReasonProfile {
 public:
  ReasonProfile() = default;
  // `budget` is charged for all of it.
  explicit ReasonProfile(const std::shared_ptr<MemoryBudget>& budget) {
    for (CycleProfile& profile : profiles_) profile = CycleProfile(budget);
  }

  void add(GuestAddr pc, CycleReason reason, std::uint64_t cycles) {
    profiles_[static_cast<std::size_t>(reason)].add(pc, cycles);
  }
  void add(const ReasonProfile& other) {
    for (std::size_t i = 0; i < cycle_reasons; ++i) profiles_[i].add(other.profiles_[i]);
  }
  void add(ReasonProfile&& other) {
    for (std::size_t i = 0; i < cycle_reasons; ++i) {
      profiles_[i].add(std::move(other.profiles_[i]));
    }
  }

  const CycleProfile& of(CycleReason reason) const {
    return profiles_[static_cast<std::size_t>(reason)];
  }
  // Of all reasons but the kernel.
  CycleProfile own() const {
    CycleProfile sum;
    for (std::size_t i = 0; i < cycle_reasons; ++i) {
      if (static_cast<CycleReason>(i) != CycleReason::kernel) sum.add(profiles_[i]);
    }
    return sum;
  }
  // Of these, those of pcs for which there was no room.
  std::uint64_t own_elsewhere() const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < cycle_reasons; ++i) {
      if (static_cast<CycleReason>(i) != CycleReason::kernel) sum += profiles_[i].elsewhere();
    }
    return sum;
  }
  // The host memory of all of it.
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const CycleProfile& profile : profiles_) sum += profile.bytes();
    return sum;
  }

  friend bool operator==(const ReasonProfile&, const ReasonProfile&) = default;

 private:
  std::array<CycleProfile, cycle_reasons> profiles_;  // by reason
};

}  // namespace hardclock
