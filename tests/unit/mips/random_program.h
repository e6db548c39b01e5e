// Random MIPS programs for comparing one engine with another: any instruction anywhere, with enough
// order in it that programs run on for a while.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/mips/mips_decode.h"
#include "isa/mips/mode.h"
#include "isa/mips/registers.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "tests/support/random_choices.h"

namespace hardclock::mips {

// Registers that a program rarely overwrites, and what they hold.
inline constexpr unsigned link_register = 31;
inline constexpr unsigned wild_register = 30;  // any number
inline constexpr unsigned code_register = 29;  // the middle of the code
inline constexpr unsigned data_register = 28;  // the middle of the data

inline constexpr GuestAddr data_start{0x1000'0000};
inline constexpr std::uint64_t data_size = 0x2000;

// How much of what a program contains; of 100, the rest is arithmetic on registers.
struct Mix {
  unsigned memory = 20;
  unsigned branches = 15;
  unsigned floating_point = 15;
  unsigned multiply = 8;
  unsigned traps = 0;        // conditional traps, SYSCALL, BREAK, overflowing ADDs, any word
  unsigned code_stores = 0;  // stores to the program's own code
  unsigned register_jumps = 0;
  unsigned sums = 0;  // ADDU, SUBU and ADDIU that change one of a few registers in place
  bool branch_in_slots = false;
  Level level = Level::mips2;  // which instructions there are
  Mode mode{};                 // how the program uses them
  // Only what another simulator must do the same: branches go forward, the registers above keep
  // what they hold, nothing divides, and no LL or SC.
  bool tame = false;
};

class RandomProgram : private support::RandomChoices {
 public:
  RandomProgram(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words);

  GuestAddr start() const { return start_; }
  GuestAddr end() const { return start_ + 4 * words_.size(); }
  const std::vector<std::uint32_t>& words() const { return words_; }
  std::vector<std::uint8_t> bytes(Endian endian) const;
  // What the registers hold at the beginning; pc is not among it.
  Registers registers();

 private:
  unsigned result_register();
  std::uint32_t sum_in_place();
  bool has(Opcode opcode) const;
  std::uint32_t instance(const char* name);
  std::uint32_t one_of(const std::vector<const char*>& names);
  std::uint32_t memory_access();
  std::uint32_t code_store();
  std::uint32_t branch(std::size_t index);
  std::uint32_t register_jump();
  std::uint32_t trap();
  std::uint32_t arithmetic();
  std::uint32_t instruction(std::size_t index, bool in_slot);

  Mix mix_;
  GuestAddr start_;
  std::size_t count_;
  std::vector<std::uint32_t> words_;
};

}  // namespace hardclock::mips
