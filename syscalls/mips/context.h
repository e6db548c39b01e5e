// The registers of a MIPS thread in a structure of guest memory: sigcontext and ucontext_t differ
// in where each lies and how wide it is.
#pragma once

#include <cstddef>

#include "isa/mips/abi.h"
#include "syscalls/mips/abi.h"
#include "syscalls/posix/fields.h"

namespace hardclock::mips_ports {

// Offsets and sizes in bytes.
struct ContextLayout {
  std::size_t gpr, fpr, hi, lo, fcsr;
  std::size_t register_bytes;  // of each but fcsr, which has 4
  // o32's doubles are in pairs of registers, of which the first one's place has both.
  bool has_fpr_pairs = false;
};

// All but the pc, and register 0, in whose place nothing is written.
void save_registers(posix::Fields& context, const ContextLayout& layout,
                    const mips::Registers& registers);
// The bits of the fcsr that a program cannot write stay 0. o32 programs see 32 bits of a register,
// sign-extended.
void restore_registers(const posix::Fields& context, const ContextLayout& layout, DataModel model,
                       mips::Registers& registers);

}  // namespace hardclock::mips_ports
