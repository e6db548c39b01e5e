// Whether and when a processor runs blocks as code of the host.
#pragma once

#include <cstdint>

namespace hardclock {

// The same results come out, whatever is chosen.
struct Translation {
  bool is_on = true;  // where the host and the instruction set can
  // How often a block runs on the interpreter before it is translated.
  std::uint32_t after_executions = 8;
};

}  // namespace hardclock
