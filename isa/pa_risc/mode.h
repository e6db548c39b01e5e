// How a process uses the processor: the value of PSW.W, and where the kernel's gateway lies.
// Source: Kane, "PA-RISC 2.0 Architecture" (1996), chapter 2, "Processor Status Word"; chapter 3,
// "Page types" for the gateway.
#pragma once

#include "sim/base/units.h"

namespace hardclock::pa_risc {

struct Mode {
  // PSW.W = 1: addresses and branch links have 64 bits, and long displacements 16. PSW.W = 0: an
  // address is the low word of a register.
  bool wide = false;
  // The page on which GATE promotes, which is how a program enters the kernel; here GATE is the
  // trap to the system. There is one flat space: addresses with other space identifiers do not
  // exist.
  GuestAddr gateway_page{0xc0000000};

  bool operator==(const Mode&) const = default;
};

}  // namespace hardclock::pa_risc
