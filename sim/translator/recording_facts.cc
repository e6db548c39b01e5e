#include "sim/translator/recording_facts.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/translator/floating_match.h"

namespace hardclock {
namespace {

bool is_simple(const Step& step, const GuestMode& mode) {
  switch (step.operation) {
    case Operation::call:
      return is_of_integers(function_of(step, mode));
    case Operation::is_accessible:
    case Operation::transform:
    case Operation::clock:
    case Operation::trap:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool is_emittable(const Recording& recording, const GuestMode& mode) {
  std::vector<Resource> written;
  for (const Step& step : recording.steps) {
    if (!is_simple(step, mode)) return false;
    switch (step.operation) {
      case Operation::write_register:
        written.push_back(step.resource);
        break;
      case Operation::read_register:
        if (std::count(written.begin(), written.end(), step.resource) != 0) return false;
        break;
      case Operation::load:
        if (step.operands[1] != unconditional || !written.empty()) return false;
        break;
      case Operation::store:
        if (step.operands[2] != unconditional || !written.empty()) return false;
        break;
      case Operation::replaced:
      case Operation::trap_if:
      case Operation::rare_if:
      case Operation::end_unless:
        if (!written.empty()) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

bool may_transfer(const Recording& recording) {
  return recording.has(Operation::branch) || recording.has(Operation::nullify);
}

std::set<Resource> registers_of(const Recording& recording, Operation operation) {
  std::set<Resource> found;
  for (const Step& step : recording.steps) {
    if (step.operation == operation) found.insert(step.resource);
  }
  return found;
}

std::set<Resource> common(const std::set<Resource>& a, const std::set<Resource>& b) {
  std::set<Resource> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.begin()));
  return both;
}

std::set<Resource> changed_operands(const Recording& recording) {
  return common(registers_of(recording, Operation::read_register),
                registers_of(recording, Operation::write_register));
}

const Step* find(const Recording& recording, Operation operation) {
  for (const Step& step : recording.steps) {
    if (step.operation == operation) return &step;
  }
  return nullptr;
}

}  // namespace hardclock
