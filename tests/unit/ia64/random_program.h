// Random IA-64 programs for comparing one engine with another: any instruction in any slot, with
// enough order in it that programs run on for a while.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/registers.h"
#include "sim/base/endian.h"
#include "sim/base/units.h"
#include "tests/support/random_choices.h"

namespace hardclock::ia64 {

inline constexpr GuestAddr data_start{0x1000'0000};
inline constexpr std::uint64_t data_size = 0x4000;
inline constexpr GuestAddr backing_store{0x1400'0000};
inline constexpr std::uint64_t backing_store_size = 0x8000;

// How often, of 100 slots that could have one.
struct Mix {
  unsigned memory = 40;      // in M
  unsigned branches = 25;    // in B; what is left there does nothing
  unsigned frames = 20;      // of the branches, and in M: calls, returns, alloc, rotations
  unsigned anything = 3;     // any instruction, with any operands
  unsigned code_stores = 0;  // of the accesses: to the program's own code
  unsigned predicated = 30;  // of all
  unsigned nats = 5;         // of the registers at the beginning
  // So many bytes are left of the backing store then.
  std::uint64_t stack_room = backing_store_size;
  bool big_endian = false;  // data
};

class RandomProgram : private support::RandomChoices {
 public:
  // About as long as so many words of 32 bits.
  RandomProgram(std::uint32_t seed, const Mix& mix, GuestAddr start, std::size_t words);

  GuestAddr start() const { return start_; }
  GuestAddr end() const { return start_ + 4 * words_.size(); }
  // Four for each bundle.
  const std::vector<std::uint32_t>& words() const { return words_; }
  std::vector<std::uint8_t> bytes(Endian) const;
  // What the registers hold at the beginning; pc is not among it.
  Registers registers();

 private:
  struct Field {
    unsigned low, bits;
  };
  Opcode one_of(std::span<const Opcode> opcodes);
  std::uint64_t with(std::uint64_t word, Field field, std::uint64_t value) const;
  std::uint64_t with_predicate(std::uint64_t word);
  std::uint64_t with_targets(std::uint64_t word);
  std::uint64_t instance(Opcode opcode);
  std::uint64_t any_of(Unit unit);
  std::uint64_t computation(Unit unit);
  std::uint64_t memory_access();
  std::uint64_t frame_operation();
  std::uint64_t branch(std::size_t bundle);
  std::uint64_t slot(Unit unit, std::size_t bundle);
  Bundle bundle(std::size_t index);

  Mix mix_;
  GuestAddr start_;
  std::size_t count_;  // of bundles
  std::vector<std::uint32_t> words_;
};

}  // namespace hardclock::ia64
