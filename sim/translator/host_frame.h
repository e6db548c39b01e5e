// What translated code and the engine share while the code runs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "sim/base/units.h"
#include "sim/memory/access_table.h"
#include "sim/translator/plain_memory.h"

namespace hardclock {

// What is left of a run, and what it has done, in one number: so that a block settles both by one
// addition. Cycles are signed; below zero, a block's time would not have been enough.
class RunBudget {
 public:
  // So many cycles at most are run in one go, so that no part overflows: a cycle has fewer than 16
  // instructions.
  static constexpr std::uint64_t most_cycles = std::uint64_t{1} << 16;

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
// Its size, as a power of two: of a program with few blocks, and of others.
inline constexpr unsigned few_indirect_bits = 9;
inline constexpr unsigned many_indirect_bits = 16;
// A key is the pc and, in bits that are 0 in it, the state. The bits above those are IA-64's
// regions.
inline constexpr unsigned indirect_key_bits = 48;
inline constexpr unsigned indirect_state_bits = 12;
inline constexpr std::uint64_t most_indirect_states = std::uint64_t{1} << indirect_state_bits;
constexpr bool is_indirect(std::uint64_t pc, std::uint64_t state) {
  return (pc >> indirect_key_bits & (most_indirect_states - 1)) == 0 &&
         state < most_indirect_states;
}
constexpr std::uint32_t indirect_salt(std::uint32_t state) {
  return state * 0x9e3779b1u;
}
// What control is transferred to is a multiple of 2^shift.
constexpr std::size_t indirect_place(std::uint64_t pc, std::uint32_t state, unsigned bits,
                                     unsigned shift) {
  return (static_cast<std::uint32_t>(pc >> shift) ^ indirect_salt(state)) & ((1u << bits) - 1);
}

// Of HostFrame::plain_access and plain_fetch. Two numbers, which come back in registers.
struct PlainAccess {
  std::uint8_t* host = nullptr;  // of a fetch, anything; null: has not been made
  std::uint64_t waits = 0;       // as a part of the budget
};

// A transfer of control that translated code has made.
struct NotedTransfer {
  std::uint64_t exit = 0;           // the number of the edge
  std::uint64_t budget = 0;         // a RunBudget, when the block was over
  std::uint64_t stack_pointer = 0;  // the guest's, then
  std::uint64_t target = 0;         // if the edge does not say it
};

// A block of which somebody wants to know at which of its instructions the program was at some
// moments. They issue as they always do: nothing in the block waits.
struct NotedMoment {
  std::uint64_t exit = 0;           // the number of the one by which it would have been left
  std::uint64_t issued = 0;         // the cycle in which its last instruction has issued
  std::uint64_t ends_at = 0;        // that in which it is over, as far as it has been charged
  const Cycles* moments = nullptr;  // the first one that is not over then, or was over before
};

struct HostFrame {
  // For the code.
  void* registers = nullptr;
  const void* accesses = nullptr;  // see GuestMode::has_flat_table
  const IndirectEntry* indirect = nullptr;
  const std::uint64_t* fetched_lines = nullptr;  // of a machine with caches
  void* predicted_branches = nullptr;            // TwoLevelPredictor::branches(), counters()
  void* prediction_counters = nullptr;
  // Whether any code reads pinned floating-point registers; else they need not be there.
  std::uint32_t computes_with_numbers = 0;
  std::uint64_t budget = 0;  // a RunBudget; whenever the engine's functions run, too
  // Where the next transfer is noted, if any are. The code is left by the edge after which there is
  // no room.
  NotedTransfer* noted_next = nullptr;
  NotedTransfer* noted_end = nullptr;
  // From the code.
  std::uint64_t target = 0;  // of an indirect jump that found no code
  std::uint32_t taken = 0;   // whether what run_one ran transferred control, to `target`
  std::uint64_t slow = 0;    // see BlockSource::notes_slow
  // How often a block that counts arrivals was entered, even if it was left before anything.
  std::uint64_t arrivals = 0;
  std::uint32_t exit = 0;  // by which the code was left: its number

  // The engine's functions; guest registers lie in `registers` while they run. None may throw: code
  // of the host that is made here has no tables for unwinding. What one would throw waits in
  // `thrown`, and its answer makes the code be left.
  void* engine = nullptr;
  // Where the access may be made; null: the code has to be left. `site` is an AccessSite.
  std::uint8_t* (*access)(HostFrame*, std::uint64_t address, std::uint64_t site) = nullptr;
  // Fetches the line at the address. False: the code has to be left. `site` is an AccessSite.
  bool (*fetch)(HostFrame*, std::uint64_t line, std::uint64_t site) = nullptr;
  // Both in the shortest way, without the engine, for sites with only_delays that are not replaced:
  // without a host address, nothing has been done, and the others have to be asked. They get the
  // budget, and use `plain`, null if none may be made so, and the cycle at which it is used up.
  PlainAccess (*plain_access)(HostFrame*, std::uint64_t address, std::uint64_t site,
                              std::uint64_t budget) = nullptr;
  PlainAccess (*plain_fetch)(HostFrame*, std::uint64_t line, std::uint64_t site,
                             std::uint64_t budget) = nullptr;
  void* plain = nullptr;             // a CachedMemory
  PlainSide* plain_sides = nullptr;  // for plain_code.h, by CacheSide; null as `plain`
  // The cycles that they have waited, by wait_place(); null: nobody wants to know. Not null if and
  // only if GuestMode::notes_waits.
  std::uint64_t* waits = nullptr;
  std::uint64_t ends_at = 0;  // the cycle at which `budget` is used up
  // Of the moments at which somebody wants to know where the program is, the first one that is in
  // no block of those that are noted. They are ascending; the last one is not before `runs_until`.
  const Cycles* moments = nullptr;
  // Where the code can note a block in which such a moment lies, it need not be left before this
  // cycle; 0: it cannot.
  std::uint64_t runs_until = 0;
  NotedMoment* moments_next = nullptr;  // behind the last block that is noted, if there is one
  NotedMoment* moments_end = nullptr;   // there is no more room
  // Whether the predictor overrules what the branch at `pc` says of itself; a PredictedBranch.
  bool (*predict)(HostFrame*, std::uint64_t pc, std::uint32_t branch) = nullptr;
  // Runs one instruction on the interpreter; `index` is its place in the block, or not_marked, if
  // it does not matter whether it marks itself as slow.
  static constexpr std::uint32_t not_marked = ~std::uint32_t{0};
  enum Ran : std::uint32_t { completed, not_completed, completed_and_left };
  Ran (*run_one)(HostFrame*, const void* op, std::uint64_t pc, std::uint32_t index) = nullptr;
  // Makes accesses of Rare::implicit_accesses, and changes no pinned register. Gets the budget;
  // returns the part of it that they take, or `refused`: nothing has been done. `site` is a
  // ImplicitAccessSite.
  static constexpr std::uint64_t refused = ~std::uint64_t{0};
  std::uint64_t (*implicit_access)(HostFrame*, std::uint64_t site, std::uint64_t budget) = nullptr;
  std::exception_ptr* thrown = nullptr;  // it holds null: nothing did
};

// Where such accesses are made, in one number.
struct ImplicitAccessSite {
  std::uint32_t exit = 0;   // the number of the one by which the instruction is left
  std::uint32_t which = 0;  // the ISA's word

  std::uint64_t pack() const { return std::uint64_t{exit} << 32 | which; }
  static ImplicitAccessSite unpack(std::uint64_t packed) {
    return {.exit = static_cast<std::uint32_t>(packed >> 32),
            .which = static_cast<std::uint32_t>(packed)};
  }
};

// What a predictor is asked of a branch, in one number.
struct PredictedBranch {
  bool hint = false;  // what the branch says of itself
  bool taken = false;

  std::uint32_t pack() const { return std::uint32_t{hint} << 1 | std::uint32_t{taken}; }
  static PredictedBranch unpack(std::uint32_t packed) {
    return {.hint = (packed >> 1 & 1) != 0, .taken = (packed & 1) != 0};
  }
};

// An access of translated code, or a fetch in front of an instruction, in one number.
struct AccessSite {
  // The number of the one by which its instruction is left: `within`, or `begin`.
  std::uint32_t exit = 0;
  bool in_slot = false;  // that exit is at the transfer of control before the instruction
  bool is_write = false;
  bool is_replaced = false;  // a part of what a store makes, and no access of its own
  bool only_delays = false;  // a wait here holds all that is in the pipeline
  std::uint32_t size = 1;    // in bytes: 1, 2, 4 or 8
  // In cycles, without waits: from when the access is made, or the line is asked for, to when the
  // block has been left at the latest.
  std::uint32_t until_end = 0;
  // So many of the block's cycles are not charged yet where the site's function is called: it takes
  // them off the budget for as long as it runs.
  std::uint32_t spare = 0;

  static constexpr std::uint32_t most_exits = 1u << 25;
  // The packed number's low half has from here on the wait_place() of a fetch, if only_delays; that
  // of an access is so many places before it.
  static constexpr unsigned place_shift = 5;
  static constexpr std::int32_t data_places = 2;
  // Where the packed number has log2(size), spare, and until_end less spare, which is signed.
  static constexpr std::uint32_t size_mask = 7;
  static constexpr unsigned spare_shift = 32;
  static constexpr std::uint32_t most_spare = 127;
  static constexpr unsigned until_end_shift = 39;

  std::uint64_t pack() const {
    return (std::uint64_t{until_end} - spare) << until_end_shift |
           std::uint64_t{spare} << spare_shift | exit << 7 | std::uint32_t{only_delays} << 6 |
           std::uint32_t{in_slot} << 5 | std::uint32_t{is_write} << 4 |
           std::uint32_t{is_replaced} << 3 | static_cast<std::uint32_t>(std::countr_zero(size));
  }
  static AccessSite unpack(std::uint64_t packed) {
    const auto low = static_cast<std::uint32_t>(packed);
    const auto spare = static_cast<std::uint32_t>(packed >> spare_shift & most_spare);
    const auto from_charged = static_cast<std::int64_t>(packed) >> until_end_shift;
    return {.exit = low >> 7,
            .in_slot = (low >> 5 & 1) != 0,
            .is_write = (low >> 4 & 1) != 0,
            .is_replaced = (low >> 3 & 1) != 0,
            .only_delays = (low >> 6 & 1) != 0,
            .size = 1u << (low & size_mask),
            .until_end = static_cast<std::uint32_t>(from_charged + spare),
            .spare = spare};
  }
};

// Where HostFrame::waits counts what an access at the site waits, or a fetch in front of it.
inline constexpr std::size_t wait_places_per_exit = 4;
constexpr std::size_t wait_place(std::uint32_t exit, bool is_fetch, bool in_slot) {
  return std::size_t{exit} * wait_places_per_exit + (is_fetch ? 2 : 0) + (in_slot ? 1 : 0);
}

}  // namespace hardclock
