#include "syscalls/conform/outcome.h"

#include <utility>

#include "syscalls/conform/compare.h"

namespace hardclock::conform {
namespace {

Outcome perform_one(const Case& of, Backend& backend) {
  Outcome outcome = {.of = &of, .backend = std::string(backend.name())};
  if (!of.defect.empty()) {
    outcome.status = Outcome::Status::unperformed;
    outcome.reasons = {of.defect};
    return outcome;
  }
  const Observation seen = backend.run(of);
  if (!seen.skipped.empty()) {
    outcome.status = Outcome::Status::skipped;
    outcome.reasons = {seen.skipped};
    return outcome;
  }
  if (!seen.error.empty()) {
    outcome.status = Outcome::Status::unperformed;
    outcome.reasons = {seen.error};
    return outcome;
  }
  outcome.reasons = compare(of, seen);
  if (!outcome.reasons.empty()) outcome.status = Outcome::Status::failed;
  return outcome;
}

}  // namespace

std::vector<Outcome> perform(std::span<const Case* const> cases,
                             std::span<Backend* const> backends) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(cases.size() * backends.size());
  for (const Case* const each : cases) {
    for (Backend* const backend : backends) outcomes.push_back(perform_one(*each, *backend));
  }
  return outcomes;
}

Totals count(std::span<const Outcome> outcomes) {
  Totals totals;
  for (const Outcome& outcome : outcomes) {
    switch (outcome.status) {
      case Outcome::Status::passed:
        ++totals.passed;
        break;
      case Outcome::Status::failed:
        ++totals.failed;
        break;
      case Outcome::Status::unperformed:
        ++totals.unperformed;
        break;
      case Outcome::Status::skipped:
        ++totals.skipped;
        break;
    }
  }
  return totals;
}

const char* certainty_name(Certainty certainty) {
  switch (certainty) {
    case Certainty::documented:
      return "doc";
    case Certainty::source:
      return "source";
    case Certainty::inferred:
      return "inferred";
    case Certainty::observed:
      return "observed";
  }
  return "";
}

}  // namespace hardclock::conform
