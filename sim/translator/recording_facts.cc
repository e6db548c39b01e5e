#include "sim/translator/recording_facts.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>

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
  boost::container::small_vector<Resource, 8> written;
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

bool share_registers(const Recording& one, Operation of_one, const Recording& other,
                     Operation of_other) {
  return std::any_of(one.steps.begin(), one.steps.end(), [&](const Step& a) {
    if (a.operation != of_one) return false;
    return std::any_of(other.steps.begin(), other.steps.end(), [&](const Step& b) {
      return b.operation == of_other && b.resource == a.resource;
    });
  });
}

std::vector<Resource> changed_operands(const Recording& recording) {
  std::vector<Resource> changed;
  for (const Step& write : recording.steps) {
    if (write.operation != Operation::write_register) continue;
    const bool is_read =
        std::any_of(recording.steps.begin(), recording.steps.end(), [&](const Step& step) {
          return step.operation == Operation::read_register && step.resource == write.resource;
        });
    if (is_read) changed.push_back(write.resource);
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  return changed;
}

const Step* find(const Recording& recording, Operation operation) {
  for (const Step& step : recording.steps) {
    if (step.operation == operation) return &step;
  }
  return nullptr;
}

}  // namespace hardclock
