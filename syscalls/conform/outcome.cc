#include "syscalls/conform/outcome.h"

#include <algorithm>

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
  using Status = CaseOutcome::Status;
  const auto with = [&](Status status) {
    return static_cast<std::size_t>(std::ranges::count(outcomes, status, &CaseOutcome::status));
  };
  return {.passed = with(Status::passed),
          .failed = with(Status::failed),
          .unperformed = with(Status::unperformed),
          .skipped = with(Status::skipped)};
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
