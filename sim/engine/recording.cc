#include "sim/engine/recording.h"

#include <algorithm>
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
  std::vector<std::pair<Resource, std::uint64_t>> registers_;
};

}  // namespace

std::size_t operands_of(const Step& step) {
  switch (step.operation) {
    case Operation::constant:
    case Operation::read_register:
    case Operation::program_counter:
    case Operation::after_slot:
    case Operation::clock:
    case Operation::trap:
      return 0;
    case Operation::load:
    case Operation::replaced:
    case Operation::is_accessible:
    case Operation::result:
    case Operation::sext8:
    case Operation::sext16:
    case Operation::sext32:
    case Operation::zext32:
    case Operation::nullify:
    case Operation::trap_if:
      return 1;
    case Operation::select:
    case Operation::store:
      return 3;
    case Operation::call:
      return step.signature->arguments;
    default:
      return 2;
  }
}

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
