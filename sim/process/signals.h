// A process's signals, as every Unix has them. The personality defines the numbers: signal n is bit
// n - 1.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "sim/base/units.h"

namespace hardclock {

inline constexpr unsigned max_signals = 128;
using SignalSet = std::bitset<max_signals>;

struct SignalAction {
  enum class Kind : std::uint8_t { default_action, ignore, handler };
  Kind kind = Kind::default_action;
  GuestAddr handler;
  GuestAddr trampoline;         // where the kernel starts a handler, if the C library supplies that
  SignalSet mask;               // blocked, besides the signal itself, while the handler runs
  bool restarts_calls = false;  // an interrupted call is made again, not ended with EINTR
  bool resets_to_default = false;    // on delivery
  bool defers_itself = true;         // the signal is blocked while its handler runs
  bool wants_info = false;           // the handler gets more than the number
  bool on_alternate_stack = false;   // the handler runs on the thread's alternate stack
  bool discards_children = false;    // a child's end leaves no zombie
  bool ignores_child_stops = false;  // a child's stop sends no signal
  std::uint32_t flags = 0;           // the personality's own bits, as the program gave them

  static constexpr std::size_t state_members = 12;
};

struct Signals {
  SignalSet pending;
  std::array<SignalAction, max_signals> actions;

  static constexpr std::size_t state_members = 2;

  SignalAction& action(unsigned signal) { return actions[signal - 1]; }
  const SignalAction& action(unsigned signal) const { return actions[signal - 1]; }
};

}  // namespace hardclock
