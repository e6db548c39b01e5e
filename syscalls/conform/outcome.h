// Cases performed by backends, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "syscalls/conform/backend.h"
#include "syscalls/conform/case.h"

namespace hardclock::conform {

struct CaseOutcome {
  enum class Status : std::uint8_t {
    passed,
    failed,       // the backend observed something else than the case expects
    unperformed,  // the case has a defect, or the backend could not perform it: not passed either
    skipped,      // the backend cannot run the case's system: not a failure
  };

  const Case* of = nullptr;
  std::string backend;
  Status status = Status::passed;
  std::vector<std::string> reasons = {};  // lines, at least one; none if it passed
};

// Performs every case in every backend; a case's outcomes stand together. The cases must outlive
// them.
std::vector<CaseOutcome> perform(std::span<const Case* const> cases,
                                 std::span<Backend* const> backends);

struct Totals {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t unperformed = 0;
  std::size_t skipped = 0;

  std::size_t all() const { return passed + failed + unperformed + skipped; }
  bool is_good() const { return failed == 0 && unperformed == 0; }
};

Totals count(std::span<const CaseOutcome> outcomes);

// "doc", "source", "inferred" as case files spell it; "observed".
const char* certainty_name(Certainty certainty);

}  // namespace hardclock::conform
