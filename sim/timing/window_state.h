// What the window of an out-of-order core holds between two instructions, relative to the cycle in
// which the next one can be decoded, and without what can delay nothing any more. Windows with
// equal words have equal futures.
#pragma once

#include <cstdint>
#include <vector>

namespace hardclock {

struct WindowState {
  // The word that says how many cycles before the decode of the next instruction its fetch is.
  static constexpr std::size_t fetch_before_base = 0;

  std::vector<std::uint16_t> words;
  // Cycles from then on in which everything in it is over; at least those until the last
  // instruction has graduated.
  std::uint64_t latest = 0;
};

}  // namespace hardclock
