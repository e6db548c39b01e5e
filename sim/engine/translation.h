// Whether and when a processor runs blocks as code of the host.
#pragma once

#include <cstdint>

namespace hardclock {

// The same results come out, whatever is chosen.
struct Translation {
  bool is_on = true;  // where the host and the instruction set can
  // How often a block runs on the interpreter before it is translated. Measured with compilers,
  // which run most of their code rarely.
  std::uint32_t after_executions = 32;
  std::uint32_t random_pins = 0;  // for tests: see PinChoice
};

}  // namespace hardclock
