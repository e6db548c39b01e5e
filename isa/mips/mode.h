// How a process uses the processor, as Status.UX, PX and FR say.
// Source: "MIPS64 Architecture For Programmers", volume III, revision 2.50, section 4.2 "64-bit
// Address and Operation Enable"; Heinrich, "MIPS R4000 User's Manual", 2nd edition, chapter 4.
#pragma once

namespace hardclock::mips {

struct Mode {
  // 32 (o32) or 64 (n32, n64). With 32, the 64-bit operations are reserved instructions.
  unsigned operation_bits = 32;
  // 32 (o32, n32) or 64 (n64). With 32, an address is the low word of a register, and an address
  // in a register is that word sign-extended.
  unsigned address_bits = 32;
  // 32 floating-point registers of 64 bits (n32, n64) instead of 16 pairs of 32 bits (o32).
  bool fr = false;

  bool operator==(const Mode&) const = default;
};

}  // namespace hardclock::mips
