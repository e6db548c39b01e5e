// The way of a load or store that has to be looked at: to the caches, or to a fault.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/memory/address_space.h"

namespace hardclock {

class DataPort {
 public:
  // What an access has come to. Neither `host` nor `fault`: a clock event comes while the
  // instruction waits for its data. Nothing of the instruction has happened; it runs after the
  // event.
  struct Answer {
    std::uint8_t* host = nullptr;  // where the access may be made, at once
    std::optional<Fault> fault;
  };

  virtual ~DataPort() = default;
  // Size 1, 2, 4 or 8 bytes.
  virtual Answer access(GuestAddr address, unsigned size, Access access) = 0;
};

}  // namespace hardclock
