#include "sim/recording/recording.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <iterator>
#include <utility>

namespace hardclock {
namespace {

// Bits of registers.
class BitSet {
 public:
  std::uint64_t of(Resource resource) const {
    for (const auto& [known, bits] : registers_) {
      if (known == resource) return bits;
    }
    return 0;
  }
  void add(Resource resource, std::uint64_t bits) {
    for (auto& [known, those] : registers_) {
      if (known == resource) {
        those |= bits;
        return;
      }
    }
    registers_.emplace_back(resource, bits);
  }
  std::vector<Resource> names(PipelineNames names_of) const {
    std::vector<Resource> names;
    for (const auto& [resource, bits] : registers_) {
      if (names_of != nullptr)
        names_of(resource, bits, names);
      else
        names.push_back(resource);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  boost::container::small_vector<std::pair<Resource, std::uint64_t>, 8> registers_;
};

constexpr std::size_t stored_value = 1;  // the operand of a store

bool has_effect(const Step& step) {
  return step.operation >= Operation::write_register || step.operation == Operation::transform;
}

}  // namespace

std::vector<Resource> Recording::reads() const {
  BitSet found, written;
  for (const Step& step : steps) {
    if (step.operation == Operation::write_register && step.operands[1] == unconditional) {
      written.add(step.resource, step.immediate);
    }
    if (step.operation != Operation::read_register) continue;
    const std::uint64_t bits = step.immediate & ~written.of(step.resource);
    if (bits != 0) found.add(step.resource, bits);
  }
  return found.names(pipeline_names);
}

std::vector<Resource> Recording::writes() const {
  BitSet found;
  for (const Step& step : steps) {
    if (step.operation == Operation::write_register) found.add(step.resource, step.immediate);
  }
  return found.names(pipeline_names);
}

std::vector<Resource> Recording::reads_for(std::vector<bool> is_needed) const {
  BitSet found;
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!is_needed[i]) continue;
    const Step& step = steps[i];
    if (step.operation == Operation::read_register) found.add(step.resource, step.immediate);
    for (std::size_t k = 0; k < operands_of(step); ++k) {
      if (step.operands[k] != unconditional) is_needed[step.operands[k]] = true;
    }
  }
  return found.names(pipeline_names);
}

std::vector<Resource> Recording::addresses() const {
  if (!touches_memory()) return {};
  std::vector<bool> is_address(steps.size());
  for (const Step& step : steps) {
    const bool accesses = step.operation == Operation::load || step.operation == Operation::store;
    if (accesses) is_address[step.operands[0]] = true;
  }
  return reads_for(std::move(is_address));
}

std::vector<Resource> Recording::stored() const {
  if (!has(Operation::store)) return {};
  std::vector<bool> is_needed(steps.size());
  for (const Step& step : steps) {
    const std::size_t operands = has_effect(step) ? operands_of(step) : 0;
    for (std::size_t k = 0; k < operands; ++k) {
      const bool is_value = step.operation == Operation::store && k == stored_value;
      if (!is_value && step.operands[k] != unconditional) is_needed[step.operands[k]] = true;
    }
  }
  const std::vector<Resource> for_the_rest = reads_for(std::move(is_needed));
  std::vector<Resource> found;
  std::ranges::set_difference(reads(), for_the_rest, std::back_inserter(found));
  return found;
}

std::uint8_t Recording::bytes_accessed() const {
  std::uint8_t most = 0;
  for (const Step& step : steps) {
    const bool accesses = step.operation == Operation::load || step.operation == Operation::store ||
                          step.operation == Operation::replaced;
    if (accesses) most = std::max(most, step.detail);
  }
  return most;
}

bool Recording::has(Operation operation) const {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return step.operation == operation; });
}

bool Recording::always(Operation operation) const {
  return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
    if (step.operation != operation) return false;
    const Step& condition = steps[step.operands[0]];
    return condition.operation == Operation::constant && condition.immediate != 0;
  });
}

bool Recording::touches_memory() const {
  return has(Operation::store) || has(Operation::load) || has(Operation::replaced);
}

}  // namespace hardclock
