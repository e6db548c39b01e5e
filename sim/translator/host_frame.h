// What translated code and the engine share while the code runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/memory/access_table.h"

namespace hardclock {

// What is left of a run, and what it has done, in one number: so that a block settles both by one
// addition. Cycles are signed; below zero, a block's time would not have been enough.
class RunBudget {
 public:
  // So many cycles at most are run in one go, so that no part overflows: a cycle has fewer than 16
  // instructions.
  static constexpr std::uint64_t most_cycles = std::uint64_t{1} << 16;
  static constexpr std::uint64_t most_instructions = std::uint64_t{1} << 20;

  static constexpr std::uint64_t cycles(std::uint64_t n) { return n << cycles_shift; }
  static constexpr std::uint64_t instructions(std::uint64_t n) { return n << instructions_shift; }
  static constexpr std::uint64_t accesses(std::uint64_t n) { return n; }

  explicit RunBudget(std::uint64_t packed) : packed_(packed) {}
  std::int64_t cycles_left() const { return static_cast<std::int64_t>(packed_) >> cycles_shift; }
  std::uint64_t instructions() const { return packed_ >> instructions_shift & part; }
  std::uint64_t accesses() const { return packed_ & part; }

 private:
  static constexpr unsigned instructions_shift = 20;
  static constexpr unsigned cycles_shift = 40;
  static constexpr std::uint64_t part = (std::uint64_t{1} << 20) - 1;

  std::uint64_t packed_;
};

// Where an indirect jump finds the code of a block: by pc and pipeline state.
struct IndirectEntry {
  std::uint64_t key = ~std::uint64_t{0};
  const void* code = nullptr;
};
inline constexpr unsigned indirect_bits = 14;
// A key is the pc, below 2^indirect_key_bits, and the state in the bits above.
inline constexpr unsigned indirect_key_bits = 48;
inline constexpr unsigned indirect_pc_shift = 2;
constexpr std::uint32_t indirect_salt(std::uint32_t state) {
  return state * 0x9e3779b1u;
}
constexpr std::size_t indirect_place(std::uint64_t pc, std::uint32_t state) {
  return (static_cast<std::uint32_t>(pc >> indirect_pc_shift) ^ indirect_salt(state)) &
         ((1u << indirect_bits) - 1);
}

struct HostFrame {
  // For the code.
  void* registers = nullptr;
  const AccessTable::Entry* accesses = nullptr;
  const IndirectEntry* indirect = nullptr;
  std::uint64_t budget = 0;  // a RunBudget; whenever the engine's functions run, too
  // From the code.
  std::uint64_t target = 0;  // of an indirect jump that found no code
  std::uint64_t slow = 0;    // see BlockSource::notes_slow
  std::uint32_t exit = 0;    // by which the code was left: its number

  // The engine's functions; guest registers lie in `registers` while they run.
  void* engine = nullptr;
  // Where the access may be made; null: the instruction has to be left to the interpreter.
  std::uint8_t* (*access)(HostFrame*, std::uint64_t address, std::uint32_t size_and_kind) = nullptr;
  // Runs one instruction on the interpreter.
  enum Ran : std::uint32_t { completed, not_completed, completed_and_left };
  Ran (*run_one)(HostFrame*, const void* op, std::uint64_t pc, std::uint32_t index) = nullptr;
};

// As HostFrame::access() takes it.
inline constexpr std::uint32_t is_write = 0x100;

}  // namespace hardclock
