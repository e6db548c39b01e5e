// Outcomes as text, for people and for machines.
#pragma once

#include <span>
#include <string>

#include "syscalls/conform/outcome.h"

namespace hardclock::conform {

// A line a case: id, system, what it rests on, title.
std::string to_list(std::span<const Case* const> cases);

// A line for each outcome, below it what was wrong, where the case stands and what it rests on; at
// the end the numbers.
std::string to_text(std::span<const Outcome> outcomes);

// TAP version 13 (testanything.org); what was wrong is the test's YAML block.
std::string to_tap(std::span<const Outcome> outcomes);

// JUnit XML as Jenkins reads it: a suite for each backend, the system as the class, failures as
// <failure>, unperformed cases as <error>, skipped ones as <skipped>. No times: nothing here takes
// any of the guest's.
std::string to_junit(std::span<const Outcome> outcomes);

// {"format", "summary": {backend: {cases, passed, failed, unperformed, skipped}}, "outcomes":
// [...]}
std::string to_json(std::span<const Outcome> outcomes);

}  // namespace hardclock::conform
