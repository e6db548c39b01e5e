#include "tests/cli/tap.h"

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {

Tap parse_tap(const std::string& output) {
  Tap tap;
  for (const std::string& line : lines_of(output)) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("1..")) {
      tap.plan = std::stoi(line.substr(3));
      continue;
    }
    if (line.starts_with("ok 1 ")) tap.checks = 0;
    ++tap.checks;
    const bool good = tap.plan < 0 && line.starts_with("ok " + std::to_string(tap.checks) + " - ");
    if (!good && tap.wrong.empty()) tap.wrong = line;
  }
  return tap;
}

}  // namespace hardclock::cli_test
