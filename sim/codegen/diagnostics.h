// What a generator says about a file that breaks its rules.
#pragma once

#include <string>
#include <vector>

namespace hardclock::codegen {

// Something wrong with a file. Lines count from 1.
struct Diagnostic {
  int line = 0;
  std::string message;
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};
using Diagnostics = std::vector<Diagnostic>;

// Diagnostics of one line keep their order.
void sort_by_line(Diagnostics& diagnostics);

}  // namespace hardclock::codegen
