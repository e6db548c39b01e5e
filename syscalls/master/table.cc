#include "syscalls/master/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace hardclock::mastergen {

std::optional<unsigned> subcode_slot(const Call& call) {
  unsigned slot = 0;
  for (const Parameter& parameter : call.parameters) {
    if (parameter.kind == ValueKind::subcode) return slot;
    slot += slots_of(parameter.kind);
  }
  return std::nullopt;
}

bool has_parameter(const Call& call, ValueKind kind) {
  return std::any_of(call.parameters.begin(), call.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.kind == kind; });
}

std::string call_id(const Call& call) {
  return call.subcode ? fmt::format("{}.{}", call.number, *call.subcode)
                      : fmt::format("{}", call.number);
}

}  // namespace hardclock::mastergen
