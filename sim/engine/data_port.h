// The way of a load or store that has to be looked at: to the caches, or to a fault.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/memory/address_space.h"

namespace hardclock {

class DataPort {
 public:
  virtual ~DataPort() = default;
  // Where the access may be made, at once. Null: not now, see why_not(). Size 1, 2, 4 or 8 bytes.
  virtual std::uint8_t* access(GuestAddr address, unsigned size, Access access) = 0;
  // Why the last access was refused. Nothing: a clock event comes while the instruction waits for
  // its data. Nothing of the instruction has happened; it runs after the event.
  virtual std::optional<Fault> why_not() const = 0;

  // One that the processor makes beside those of the program, as to spill a register: the
  // instruction waits so many cycles for it, and for what the caches take. No clock event
  // interrupts that: it finds the next instruction. Null: not at all, see why_not().
  virtual std::uint8_t* implicit_access(GuestAddr address, unsigned size, Access access,
                                        std::uint32_t cycles) = 0;
};

}  // namespace hardclock
