// The way of a load or store that has to be looked at: to the caches, or to a fault.
#pragma once

#include <cstdint>

#include "sim/base/result.h"
#include "sim/memory/address_space.h"

namespace hardclock {

// Leaves an instruction that a clock event finds waiting for memory. Thrown by a DataPort, through
// the instruction, to the engine.
struct StallInterrupted {};

class DataPort {
 public:
  virtual ~DataPort() = default;
  // Where in the host the access may be made, at once. Size 1, 2, 4 or 8 bytes.
  virtual Result<std::uint8_t*, Fault> access(GuestAddr address, unsigned size, Access access) = 0;
};

}  // namespace hardclock
