// Random PA-RISC programs for comparing one engine with another: any instruction anywhere, with
// enough order in it that programs run on for a while.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/pa_risc/machine.h"
#include "isa/pa_risc/mode.h"
#include "isa/pa_risc/pa_risc_decode.h"
#include "isa/pa_risc/registers.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "tests/support/random_choices.h"

namespace hardclock::pa_risc {

// Registers that a program rarely overwrites, and what they hold.
inline constexpr unsigned return_register = 2;
inline constexpr unsigned index_register = 22;    // a small multiple of 8
inline constexpr unsigned pointer_register = 23;  // into the data; modified by accesses
inline constexpr unsigned pointer_register_2 = 24;
inline constexpr unsigned wild_register = 25;     // any number
inline constexpr unsigned code_register = 26;     // the middle of the code
inline constexpr unsigned data_register = 27;     // the middle of the data
inline constexpr unsigned gateway_register = 28;  // the gateway page

inline constexpr GuestAddr data_start{0x1000'0000};
inline constexpr std::uint64_t data_size = 0x4000;
inline constexpr GuestAddr gateway_page{0x1200'0000};

// How much of what a program contains; of 100, the rest is arithmetic on registers.
struct Mix {
  unsigned memory = 20;
  unsigned branches = 15;
  unsigned floating_point = 10;
  unsigned control = 4;              // space and control registers, access rights, caches
  unsigned traps = 0;                // TSV, TC, BREAK, privileged instructions, any word
  unsigned code_stores = 0;          // stores to the program's own code
  unsigned register_jumps = 0;       // calls, returns, the gateway page
  unsigned halfwords = 0;            // more of their arithmetic than there is of any other
  unsigned nullifying_percent = 40;  // how much of the arithmetic has a condition
  bool branch_in_slots = false;
  Level level = Level::pa1_1;  // which instructions there are
  Mode mode{.gateway_page = gateway_page};
  // Only what another simulator must do the same, that is what the manual defines: control goes
  // forward, and the registers above keep what they hold or, pointers, stay near it.
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
  Opcode opcode_of(const std::vector<std::string_view>& kinds);
  Opcode one_of(std::span<const Opcode> opcodes);
  std::uint32_t instance(Opcode opcode);
  bool writes(std::uint32_t word, unsigned gpr) const;
  bool keeps_registers(std::uint32_t word, unsigned but_for);
  std::uint32_t without_condition(std::uint32_t word) const;
  std::uint32_t with_offset(std::uint32_t word, bool modifies);
  std::uint32_t set_pointer();
  std::uint32_t memory_access();
  std::uint32_t code_store();
  std::uint32_t conditional_branch(std::size_t index);
  std::uint32_t branch(std::size_t index);
  std::uint32_t register_jump();
  std::uint32_t trap();
  std::uint32_t of_kinds(const std::vector<std::string_view>& kinds);
  std::uint32_t arithmetic();
  std::uint32_t instruction(std::size_t index, bool in_slot);

  Mix mix_;
  Settings settings_;
  GuestAddr start_;
  std::size_t count_;
  std::vector<std::uint32_t> words_;
};

}  // namespace hardclock::pa_risc
