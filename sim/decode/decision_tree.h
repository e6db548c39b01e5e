// How the generated decoder finds the pattern of a word: nested switches on bits that every
// remaining pattern fixes, then a list of patterns to test in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/decode/checker.h"

namespace hardclock::decodegen {

// A switch on `length` bits from bit `low`, or, when length is 0, the patterns that remain.
struct DecisionNode {
  std::uint64_t value = 0;  // of the bits that the switch around this node tests
  unsigned low = 0;
  unsigned length = 0;
  std::vector<DecisionNode> cases;    // ascending value
  std::vector<std::size_t> patterns;  // indices, in the file's order: the first that matches wins
  std::uint64_t tested = 0;           // bits that the switches above have compared
};

DecisionNode build_decision_tree(std::span<const CheckedPattern> patterns);

}  // namespace hardclock::decodegen
