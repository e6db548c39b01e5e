// One charge of ticks, from the pc to the counter: the lookup, the access to memory, the increment,
// and the change of the profiling state. The simulator applies it to a guest's memory, the
// conformance harness also to a model of one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {

// The memory that counters live in. It handles paging, copying on write and zero-filling; it
// refuses an access only if the user program itself could not make it.
class CounterMemory {
 public:
  virtual ~CounterMemory() = default;
  virtual Endian endian() const = 0;
  // Whether all bytes of the range can be both read and written. No range wraps around the end of
  // the address space.
  virtual bool is_accessible(GuestAddr address, unsigned bytes) = 0;
  // Only for accessible ranges. Any alignment.
  virtual void read(GuestAddr address, std::span<std::uint8_t> bytes) = 0;
  virtual void write(GuestAddr address, std::span<const std::uint8_t> bytes) = 0;
};

struct Charge {
  enum class Outcome : std::uint8_t {
    missed,   // no counter for this pc
    counted,  // even if the counter wrapped or stayed at its maximum
    stopped,  // the counter was full; profiling is off (Solaris)
    faulted,  // the counter could not be updated; profiling is off
  };

  Outcome outcome = Outcome::missed;
  Lookup lookup;
  std::optional<Increment> increment;  // counted and stopped; pcsample: of the number of samples
  bool misaligned = false;             // faulted: the address is the cause, not the mapping
};

// Charges `ticks` to `pc` in one step and changes `state` as the system does. A charge of 0 ticks
// probes the counter and changes no memory: the outcome is missed, counted or faulted. A fault
// changes no memory either, except that a pcsample of several ticks keeps the samples before it.
Charge charge(const SystemRules& system, State& state, GuestAddr pc, Ticks ticks,
              CounterMemory& memory);

}  // namespace hardclock::profil
