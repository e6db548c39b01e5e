#include "cli/run_ending.h"

#include "cli/answer.h"
#include "cli/run_signals.h"
#include "cli/usage_error.h"

namespace hardclock {
namespace {

RunEnding exited(const SimulationEnd& outcome) {
  RunEnding ending{"exited", static_cast<int>(outcome.status.code), ""};
  if (outcome.status.by_signal) ending.status = status_of_signal(ending.status);
  if (!outcome.detail.empty()) {
    ending.line = "processes that the program left behind wait for ever: " + outcome.detail;
  }
  return ending;
}

// `place`: where the program was; empty: unknown.
RunEnding at_limit(const std::string& name, const std::string& option,
                   const std::string& place = {}) {
  const std::string where = place.empty() ? "" : " in " + printable(place, place.size());
  return {name, exit_failure,
          "stopped at --" + option + where + "; raise it to let the program go on"};
}

// The poll ended the run.
RunEnding interrupted(bool log_failed) {
  if (const int signal = ending_signal(); signal != 0) {
    return {"interrupted", status_of_signal(signal), ""};
  }
  if (is_time_up()) return at_limit("time limit", "max-seconds");
  return {log_failed ? "log failure" : "interrupted", exit_failure, ""};
}

}  // namespace

RunEnding end_without_memory() {
  return {"out of memory", exit_failure, "", true};
}

RunEnding ending_of(const SimulationEnd& outcome, bool log_failed) {
  switch (outcome.kind) {
    case SimulationEnd::Kind::exited:
      return exited(outcome);
    case SimulationEnd::Kind::instruction_limit:
      return at_limit("instruction limit", "max-instructions", outcome.detail);
    case SimulationEnd::Kind::cycle_limit:
      return at_limit("cycle limit", "max-cycles", outcome.detail);
    case SimulationEnd::Kind::deadlock:
      return {"deadlock", exit_failure,
              "every process waits and nothing can wake one: " + outcome.detail};
    case SimulationEnd::Kind::interrupted:
      return interrupted(log_failed);
  }
  return {"?", exit_failure, ""};
}

}  // namespace hardclock
