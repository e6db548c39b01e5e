// The reasons of cycles one by one, as reports go through them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "sim/base/cycle_reason.h"

namespace hardclock::report {

inline constexpr std::array<CycleReason, cycle_reasons> all_cycle_reasons = [] {
  std::array<CycleReason, cycle_reasons> all{};
  for (std::size_t i = 0; i < cycle_reasons; ++i) all[i] = static_cast<CycleReason>(i);
  return all;
}();

constexpr std::string_view name_of(CycleReason reason) {
  return cycle_reason_names[static_cast<std::size_t>(reason)];
}

}  // namespace hardclock::report
