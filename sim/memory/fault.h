// Why a guest memory access could not be done.
#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace hardclock {

enum class Access : std::uint8_t { read, write, execute };

struct Fault {
  enum class Kind : std::uint8_t {
    unmapped,       // no region contains the address
    protection,     // the region that contains it forbids this access
    misaligned,     // the address is not a multiple of the access size
    out_of_memory,  // the page may be touched, but the memory limit is reached
    no_object,      // the page lies beyond the end of the file that is mapped there
  };
  Kind kind = Kind::unmapped;
  Access access = Access::read;
  GuestAddr address;
};

}  // namespace hardclock
