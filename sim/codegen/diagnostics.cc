#include "sim/codegen/diagnostics.h"

#include <algorithm>

namespace hardclock::codegen {

void sort_by_line(Diagnostics& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
}

}  // namespace hardclock::codegen
