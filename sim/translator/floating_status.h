// Exceptions of floating-point operations in translated code. The host collects in MXCSR which ones
// there were; which ones the last operation had, the code does not ask: it notes the operation, and
// whoever needs the guest's status register has it done once more.
#pragma once

#include <cstdint>

#include "sim/translator/host_functions.h"

namespace hardclock {

// A part of the code's stack frame.
struct FloatingRecord {
  // Operands of the last operation, single or double as it takes them; an integer sign-extended.
  std::uint64_t a, b, c;
  std::uint32_t last;  // its HostFunction, and a variant from bit 8 on; none: the status register
                       // knows its exceptions
  std::uint32_t host_status;  // MXCSR
  // For ldmxcsr.
  std::uint32_t plain_host_status;
  std::uint32_t kept_host_status;
};

inline constexpr unsigned variant_shift = 8;

// All exceptions masked, none collected, to nearest.
inline constexpr std::uint32_t plain_mxcsr = 0x1f80;
// Of the exceptions that the host collects, those that count: after an invalid operation the code
// has left it to the interpreter.
inline constexpr std::uint32_t mxcsr_exceptions = 0x3c;

// Brings the guest's status register up to date; nothing is collected then.
void settle_floating_status(FloatingRecord* record, std::uint32_t* status,
                            const FloatingMode* mode);

}  // namespace hardclock
