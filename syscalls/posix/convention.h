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

// The data models and argument registers of the conventions. MIPS: in n32 pointers and longs have
// 32 bits, but off_t, ino_t and the registers have 64. PA-RISC: narrow and wide programs.
enum class Abi : std::uint8_t { o32, n32, n64, hppa32, hppa64 };

// Which of IEEE 754's exceptions a trap of floating-point arithmetic is for.
enum class FloatingException : std::uint8_t {
  invalid,
  divide_by_zero,
  overflow,
  underflow,
  inexact
};

// Where exec left what main() gets. The words on the stack are the number of arguments, their
// addresses and a null, the environment's and a null, and what the system puts behind those.
struct StartArguments {
  std::uint64_t count = 0;
  GuestAddr arguments, environment;
  GuestAddr behind;
};

struct Convention {
  Abi abi = Abi::o32;
  unsigned address_bits = 32;  // of pointers and longs
  // Where the addresses end that the processor lets 32-bit user programs have.
  std::uint64_t user_end = std::uint64_t{1} << 32;
  unsigned register_bits = 32;  // of an argument: in 32 bits an int64 takes two of them
  // Of such a pair the first has the low half; else their order is memory's.
  bool low_half_first = false;
  // Such a pair may begin in any register: what only aligns it in a call table takes none.
  bool packs_pairs = false;
  bool stack_grows_up = false;
  unsigned (*call_number)(Cpu& cpu) = nullptr;
  // Argument 0, 1, ... as wide as a register, or zero-extended from a word of o32's. Fault: it is
  // in memory that is not there.
  Result<std::uint64_t, Fault> (*argument)(Cpu& cpu, AddressSpace& memory,
                                           unsigned index) = nullptr;
  // None of these moves the pc past the call. Without a second result its register stays.
  void (*set_result)(Cpu& cpu, std::uint64_t first, std::optional<std::uint64_t> second) = nullptr;
  // One value of 64 bits: in a pair of registers, in the order of memory, where they have 32.
  void (*set_result64)(Cpu& cpu, std::uint64_t value, Endian endian) = nullptr;
  void (*set_error)(Cpu& cpu, unsigned number) = nullptr;
  GuestAddr (*stack_pointer)(Cpu& cpu) = nullptr;
  // Continues at `pc`; the stack pointer is set when it is not 0.
  void (*start_at)(Cpu& cpu, GuestAddr pc, GuestAddr stack_pointer) = nullptr;
  // What a new program finds in registers besides; null: nothing, all is on the stack.
  void (*pass_arguments)(Cpu& cpu, const StartArguments& arguments) = nullptr;
  BreakMeaning (*break_meaning)(std::uint32_t code) = nullptr;
  FloatingException (*floating_exception)(Cpu& cpu) = nullptr;  // of the trap that just came
  std::string (*break_text)(std::uint32_t code) =
      nullptr;  // as the assembler writes the instruction
  // Conditional traps come of arithmetic, as an overflow does; else their code says like a
  // breakpoint's what they are for.
  bool conditions_are_arithmetic = false;
  std::int32_t (*trap_number)(const Trap& trap) = nullptr;  // the processor's; null: it has none
};

// MIPS. The number is in v0, and so is the result, with a second one in v1; a3 says whether it is
// an error's number. IRIX, Ultrix and 4.4BSD on the DECstation all do it so. Arguments are o32's
// (a0 to a3, then the stack from 16(sp) on) or n32's and n64's (a0 to a7, 64 bits each).
const Convention& mips_o32();
const Convention& mips_n32();
const Convention& mips_n64();

// PA-RISC under HP-UX, 32 and 64 bits. The number is in r22, and arguments in r26 downwards: four
// of them, then the stack from -52(sp) downwards; eight in 64 bits. A result is in r28, with a
// second one in r29; r22 says whether r28 is an error's number (Linux, arch/parisc/hpux; GDB,
// hppa-hpux-tdep.c). Calls enter the gateway page at +0 or +4.
const Convention& pa_risc_hpux_32();
const Convention& pa_risc_hpux_64();
// What HP-UX has behind the environment: the processor's description, to which r23 points at a
// program's start, and behind that, in 64 bits, the load information, to which r22 points.
inline constexpr std::uint64_t hpux_keybits_bytes = 24;
// PA-RISC under Linux. The number is in r20, arguments in r26 down to r21, and the result, or an
// error's number negated, in r28. Calls enter the gateway page at +0x100 (Linux,
// arch/parisc/kernel/syscall.S).
const Convention& pa_risc_linux();
// What enters the gateway page elsewhere is no ordinary call. Its number is this one and its offset
// in the page.
inline constexpr unsigned lightweight_call = 0x10000;

// The convention of the programs in this image.
const Convention& convention_of(const Image& image);

}  // namespace hardclock::posix
