// Outcomes as text, for people and for machines.
#pragma once

#include <span>
#include <string>

#include "sim/base/terminal.h"
#include "syscalls/conform/outcome.h"

namespace hardclock::conform {

// One line a case: id, system, what it rests on, title.
std::string to_list(std::span<const Case* const> cases);

// One line for each outcome, followed by what was wrong, the case's place and what it rests on; at
// the end the totals. Verdicts have colours where the terminal has.
std::string to_text(std::span<const CaseOutcome> outcomes, const Terminal& terminal = {});

// TAP version 13 (testanything.org); the test's YAML block says what was wrong.
std::string to_tap(std::span<const CaseOutcome> outcomes);

// JUnit XML as Jenkins reads it: one suite for each backend, the system as the class, failures as
// <failure>, unperformed cases as <error>, skipped ones as <skipped>. It has no times.
std::string to_junit(std::span<const CaseOutcome> outcomes);

// {"format", "summary": {backend: {cases, passed, failed, unperformed, skipped}}, "outcomes":
// [...]}
std::string to_json(std::span<const CaseOutcome> outcomes);

}  // namespace hardclock::conform
