// How a program and the kernel meet at a system call, on one architecture with one data model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/floating_point/exception.h"
#include "sim/load/image.h"
#include "sim/memory/address_space.h"

namespace hardclock {
class Thread;
}

namespace hardclock::posix {

// What a breakpoint instruction with a code stands for: compilers check arithmetic with it.
enum class BreakMeaning : std::uint8_t { breakpoint, divide_by_zero, integer_overflow };

// Where exec left what main() gets. The words on the stack are the number of arguments, their
// addresses and a null, the environment's and a null, and what the system puts behind those.
struct StartArguments {
  std::uint64_t count = 0;
  GuestAddr arguments, environment;
  GuestAddr behind;
};

// Nothing in it is null unless it says so.
struct SyscallAbi {
  // Whether a file holds programs that make calls so.
  bool (*suits)(const Image& image) = nullptr;
  unsigned address_bits = 32;   // of pointers and longs: 32 or 64
  unsigned register_bits = 32;  // of an argument: in 32 bits an int64 takes two of them
  bool int64_in_one = false;    // but where this is set, an int64 takes one all the same
  // The first register of a pair holds the low half; otherwise the halves are in memory order.
  bool low_half_first = false;
  // A pair may start in any register, so padding slots in a call table consume none.
  bool packs_pairs = false;
  bool stack_grows_up = false;
  // The address that a pointer stands for, as an argument or a field of memory holds it,
  // zero-extended.
  GuestAddr (*pointer)(std::uint64_t value) = nullptr;
  unsigned (*call_number)(Cpu& cpu) = nullptr;
  // Argument 0, 1, ... as wide as a register; a word of 32 bits is zero-extended. Fault: it is in
  // memory that is not there.
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
  // Where the compiler's code finds thread-local data.
  void (*set_thread_pointer)(Cpu& cpu, std::uint64_t to) = nullptr;
  // What a new program finds in registers besides; null: nothing, all is on the stack.
  void (*pass_arguments)(Cpu& cpu, const StartArguments& arguments) = nullptr;
  BreakMeaning (*break_meaning)(std::uint32_t code) = nullptr;
  ieee754::Exception (*floating_exception)(Cpu& cpu) = nullptr;  // of the trap that just came
  std::string (*break_text)(std::uint32_t code) =
      nullptr;  // as the assembler writes the instruction
  // Conditional traps come of arithmetic, as an overflow does; else their code says like a
  // breakpoint's what they are for.
  bool conditions_are_arithmetic = false;
  std::int32_t (*trap_number)(const Trap& trap) = nullptr;  // the processor's; null: it has none

  unsigned long_bytes() const { return address_bits / 8; }
};

// What enters the kernel's gateway page elsewhere than ordinary calls do has this number and its
// offset in the page.
inline constexpr unsigned lightweight_call = 0x10000;

// The pointers of most architectures are addresses.
inline GuestAddr narrow_pointer(std::uint64_t value) {
  return GuestAddr(value & 0xffffffff);
}
inline GuestAddr wide_pointer(std::uint64_t value) {
  return GuestAddr(value);
}

}  // namespace hardclock::posix
