// How a program and the kernel meet at a system call, on one processor with one data model: the
// only thing that the systems know of a processor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"

namespace hardclock::posix {

// What a breakpoint instruction with a code stands for: compilers check arithmetic with it.
enum class BreakMeaning : std::uint8_t { breakpoint, divide_by_zero, integer_overflow };

// The data models and argument registers of the MIPS conventions. In n32 pointers and longs have 32
// bits, but off_t, ino_t and the registers have 64.
enum class Abi : std::uint8_t { o32, n32, n64 };

// Which of IEEE 754's exceptions a trap of floating-point arithmetic is for.
enum class FloatingException : std::uint8_t {
  invalid,
  divide_by_zero,
  overflow,
  underflow,
  inexact
};

struct Convention {
  Abi abi = Abi::o32;
  unsigned address_bits = 32;  // of pointers and longs
  unsigned (*call_number)(Cpu& cpu);
  // Argument 0, 1, ... as wide as a register, or zero-extended from a word of o32's. Fault: it is
  // in memory that is not there.
  Result<std::uint64_t, Fault> (*argument)(Cpu& cpu, AddressSpace& memory, unsigned index);
  // None of these moves the pc past the call. Without a second result its register stays.
  void (*set_result)(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second);
  // One value of 64 bits: in a pair of registers, in the order of memory, where they have 32.
  void (*set_result64)(Cpu& cpu, std::uint64_t value, Endian endian);
  void (*set_error)(Cpu& cpu, unsigned number);
  GuestAddr (*stack_pointer)(Cpu& cpu);
  // Continues at `pc`; the stack pointer is set when it is not 0.
  void (*start_at)(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer);
  BreakMeaning (*break_meaning)(std::uint32_t code);
  FloatingException (*floating_exception)(Cpu& cpu);  // of the trap that just came
  std::string (*break_text)(std::uint32_t code);      // as the assembler writes the instruction
};

// MIPS. The number is in v0, and so is the result, with a second one in v1; a3 says whether it is
// an error's number. IRIX, Ultrix and 4.4BSD on the DECstation all do it so. Arguments are o32's
// (a0 to a3, then the stack from 16(sp) on) or n32's and n64's (a0 to a7, 64 bits each).
const Convention& mips_o32();
const Convention& mips_n32();
const Convention& mips_n64();

// The convention of the programs in this image.
const Convention& convention_of(const Image& image);

}  // namespace hardclock::posix
