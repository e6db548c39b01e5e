#include "sim/decode/decision_tree.h"

#include <map>
#include <numeric>
#include <set>

#include "sim/base/bits.h"

namespace hardclock::decodegen {
namespace {

using Indices = std::vector<std::size_t>;

struct Run {
  unsigned low = 0;
  unsigned length = 0;
  std::size_t values = 0;  // how many different ones the patterns have there
};

std::size_t count_values(std::span<const CheckedPattern> all, const Indices& some, unsigned low,
                         unsigned length) {
  std::set<std::uint64_t> values;
  for (const std::size_t i : some) values.insert(bit_field(all[i].match, low, length));
  return values.size();
}

// The run of adjacent bits in `common` that splits the patterns into the most groups.
Run best_run(std::span<const CheckedPattern> all, const Indices& some, std::uint64_t common) {
  Run best;
  for (unsigned low = 0; low < 64;) {
    unsigned length = 0;
    while (low + length < 64 && bit_field(common, low + length, 1) != 0) ++length;
    if (length > 0) {
      const std::size_t values = count_values(all, some, low, length);
      if (values > best.values) best = {low, length, values};
    }
    low += length + 1;
  }
  return best;
}

DecisionNode build(std::span<const CheckedPattern> all, const Indices& some, std::uint64_t tested) {
  DecisionNode node;
  node.tested = tested;
  std::uint64_t common = ~tested;
  for (const std::size_t i : some) common &= all[i].mask;
  const Run run = best_run(all, some, common);
  if (run.values < 2) {
    node.patterns = some;
    return node;
  }
  node.low = run.low;
  node.length = run.length;
  std::map<std::uint64_t, Indices> groups;
  for (const std::size_t i : some) {
    groups[bit_field(all[i].match, run.low, run.length)].push_back(i);
  }
  const std::uint64_t now_tested =
      tested | (bit_field(~std::uint64_t{0}, 0, run.length) << run.low);
  for (const auto& [value, group] : groups) {
    node.cases.push_back(build(all, group, now_tested));
    node.cases.back().value = value;
  }
  return node;
}

}  // namespace

DecisionNode build_decision_tree(std::span<const CheckedPattern> patterns) {
  Indices all(patterns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return build(patterns, all, 0);
}

}  // namespace hardclock::decodegen
