// How a program and the kernel meet at a system call, on one processor with one data model: the
// only thing that the systems know of a processor.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"

namespace hardclock::posix {

// What a breakpoint instruction with a code stands for: compilers check arithmetic with it.
enum class BreakMeaning : std::uint8_t { breakpoint, divide_by_zero, integer_overflow };

struct Convention {
  unsigned address_bits = 32;  // of pointers, longs and argument slots
  unsigned (*call_number)(Cpu& cpu);
  // Argument 0, 1, ... as wide as a slot, zero-extended. Fault: it is in memory that is not there.
  Result<std::uint64_t, Fault> (*argument)(Cpu& cpu, AddressSpace& memory, unsigned index);
  // Neither moves the pc past the call.
  void (*set_result)(Cpu& cpu, std::uint64_t first, std::uint64_t second);
  void (*set_error)(Cpu& cpu, unsigned number);
  // Continues at `pc`; the stack pointer is set when it is not 0.
  void (*start_at)(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer);
  BreakMeaning (*break_meaning)(std::uint32_t code);
  std::string (*break_text)(std::uint32_t code);  // as the assembler writes the instruction
};

// MIPS. The number is in v0, and so is the result, with a second one in v1; a3 says whether it is
// an error's number. IRIX, Ultrix and 4.4BSD on the DECstation all do it so. Arguments are o32's
// (a0 to a3, then the stack from 16(sp) on) or n64's (a0 to a7, 64 bits each).
const Convention& mips_o32();
const Convention& mips_n64();

// The convention of the programs in this image.
const Convention& convention_of(const Image& image);

}  // namespace hardclock::posix
