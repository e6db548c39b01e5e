// The output of guests that check themselves: the Test Anything Protocol (testanything.org), "ok N
// - what", numbers from 1 up, and a plan "1..N".
#pragma once

#include <string>

namespace hardclock::cli_test {

// TAP of one or more programs, one behind the other in the same output.
struct Tap {
  int checks = 0;  // since the last one that had the number 1
  int plan = -1;
  std::string wrong;  // the first line that should not be there
};

Tap parse_tap(const std::string& output);

}  // namespace hardclock::cli_test
