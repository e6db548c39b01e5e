#include "syscalls/conform/outcome.h"

#include "syscalls/conform/compare.h"

namespace hardclock::conform {
namespace {

CaseOutcome perform_one(const Case& of, Backend& backend) {
  CaseOutcome outcome = {.of = &of, .backend = std::string(backend.name())};
  if (!of.defect.empty()) {
    outcome.status = CaseOutcome::Status::unperformed;
    outcome.reasons = {of.defect};
    return outcome;
  }
  const Observation seen = backend.run(of);
  if (!seen.skipped.empty()) {
    outcome.status = CaseOutcome::Status::skipped;
    outcome.reasons = {seen.skipped};
    return outcome;
  }
  if (!seen.error.empty()) {
    outcome.status = CaseOutcome::Status::unperformed;
    outcome.reasons = {seen.error};
    return outcome;
  }
  outcome.reasons = compare(of, seen);
  if (!outcome.reasons.empty()) outcome.status = CaseOutcome::Status::failed;
  return outcome;
}

}  // namespace

std::vector<CaseOutcome> perform(std::span<const Case* const> cases,
                                 std::span<Backend* const> backends) {
  std::vector<CaseOutcome> outcomes;
  outcomes.reserve(cases.size() * backends.size());
  for (const Case* const each : cases) {
    for (Backend* const backend : backends) outcomes.push_back(perform_one(*each, *backend));
  }
  return outcomes;
}

Totals count(std::span<const CaseOutcome> outcomes) {
  Totals totals;
  for (const CaseOutcome& outcome : outcomes) {
    switch (outcome.status) {
      case CaseOutcome::Status::passed:
        ++totals.passed;
        break;
      case CaseOutcome::Status::failed:
        ++totals.failed;
        break;
      case CaseOutcome::Status::unperformed:
        ++totals.unperformed;
        break;
      case CaseOutcome::Status::skipped:
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
