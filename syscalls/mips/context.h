// The registers of a MIPS thread in a structure of guest memory: sigcontext and ucontext_t differ
// in the order of the members and in their widths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/mips/abi.h"
#include "sim/process/process.h"
#include "sim/process/signals.h"
#include "syscalls/mips/abi.h"

namespace hardclock::mips_ports {

// The members, whatever their order. The place of register 0 has none of the registers.
struct Context {
  std::array<std::uint64_t, 32> gpr = {}, fpr = {};
  std::uint64_t hi = 0, lo = 0, pc = 0;
  std::uint32_t fcsr = 0;
  SignalSet mask;

  // In a GuestStruct or a GuestReader, each register in so many bytes.
  void lay_out_gprs(auto& members, std::size_t bytes) {
    for (std::uint64_t& value : gpr) members.member(bytes, value);
  }
  void lay_out_fprs(auto& members, std::size_t bytes) {
    for (std::uint64_t& value : fpr) members.member(bytes, value);
  }
};

// How a structure holds o32's doubles, which are in pairs of registers: a register in each place,
// or the whole pair in the first one's.
enum class FprPairs : std::uint8_t { apart, in_first };

// The thread's registers, with the address at which it goes on, and a mask.
Context context_of(const Thread& thread, const SignalSet& mask, FprPairs pairs = FprPairs::apart);
// Gives the thread the registers except the pc. The bits of the fcsr that a program cannot write
// stay 0. Registers of 4 bytes are sign-extended, as are those of o32 programs, which see 32 bits
// of each.
void take_up_registers(const Context& context, Thread& thread, std::size_t register_bytes,
                       FprPairs pairs = FprPairs::apart);

}  // namespace hardclock::mips_ports
