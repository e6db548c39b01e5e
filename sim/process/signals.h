// A process's signals, as every Unix has them. Numbers are the personality's: signal n is bit n
// - 1.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "sim/base/units.h"

namespace hardclock {

inline constexpr unsigned max_signals = 128;
using SignalSet = std::bitset<max_signals>;

struct SignalAction {
  enum class Kind : std::uint8_t { default_action, ignore, handler };
  Kind kind = Kind::default_action;
  GuestAddr handler;
  GuestAddr trampoline;     // where the kernel starts a handler, when the C library supplies that
  SignalSet mask;           // blocked, besides the signal itself, while the handler runs
  std::uint32_t flags = 0;  // the personality's own bits
};

struct Signals {
  SignalSet pending;
  std::array<SignalAction, max_signals> actions;

  SignalAction& action(unsigned signal) { return actions[signal - 1]; }
};

}  // namespace hardclock
