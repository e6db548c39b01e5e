// Bits of instruction words that a chip's decoder does not look at, as rows of its .timing file:
//   undecoded NAME pattern BITS      of a word that has the 0s and 1s of BITS, 32 characters from
//                                    bit 31 down to bit 0, the chip takes what is under a '-' for
//                                    0; '.' is any bit
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/result.h"
#include "sim/timing/cpu_description.h"

namespace hardclock {

// In words with (word & mask) == match, the decoder ignores the bits of `unseen`.
struct UndecodedBits {
  std::uint32_t mask = 0;
  std::uint32_t match = 0;
  std::uint32_t unseen = 0;

  bool operator==(const UndecodedBits&) const = default;
};

// The word that such a chip executes where `word` stands.
inline std::uint32_t without_undecoded(const std::vector<UndecodedBits>& all, std::uint32_t word) {
  for (const UndecodedBits& each : all) {
    if ((word & each.mask) == each.match) return word & ~each.unseen;
  }
  return word;
}

// The row, which is an `undecoded` one. What is wrong with it, `row` says then.
UndecodedBits read_undecoded(RowReader& row);

// All of a description. Error: "line N: what is wrong".
Result<std::vector<UndecodedBits>, std::string> read_undecoded(const CpuDescription& description);

}  // namespace hardclock
