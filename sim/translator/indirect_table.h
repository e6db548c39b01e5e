// Where an indirect jump finds the code of a block: by pc and pipeline state.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/timing/pipeline.h"

namespace hardclock {

class IndirectTable {
 public:
  struct Entry {
    // The pc and, in bits that are 0 in it, the state. The bits above those are IA-64's regions.
    std::uint64_t key = 0;
    const void* code = nullptr;
  };
  static constexpr unsigned key_bits = 48;
  static constexpr unsigned state_bits = 12;
  static constexpr std::uint64_t most_states = std::uint64_t{1} << state_bits;
  // Of the number of its entries.
  static constexpr unsigned bits = 16;

  // Whether there is a key for it.
  static constexpr bool can_hold(std::uint64_t pc, std::uint64_t state) {
    return (pc >> key_bits & (most_states - 1)) == 0 && state < most_states;
  }
  static constexpr std::uint64_t key_of(std::uint64_t pc, PipelineStates::Id state) {
    return pc | std::uint64_t{state} << key_bits;
  }
  // Entries of one piece of code lie in one page of the host's, whatever the state.
  static constexpr std::uint32_t salt(PipelineStates::Id state) {
    return state * 0x9e3779b1u >> 24;
  }
  // What control is transferred to is a multiple of 2^shift.
  static constexpr std::size_t place_of(std::uint64_t pc, PipelineStates::Id state,
                                        unsigned shift) {
    return (static_cast<std::uint32_t>(pc >> shift) ^ salt(state)) & ((1u << bits) - 1);
  }

  // 1 MiB of the host's addresses; memory comes only to what is used. Throws std::bad_alloc.
  IndirectTable();
  ~IndirectTable();
  IndirectTable(const IndirectTable&) = delete;
  IndirectTable& operator=(const IndirectTable&) = delete;

  const Entry* entries() const { return entries_; }
  // The block's code, instead of another one's that lies in the same place. Without a key nothing
  // is done.
  void enter(std::uint64_t pc, PipelineStates::Id state, unsigned shift, const void* code);
  // Of host memory, at most, if the code of so many blocks was entered.
  static std::size_t bytes(std::size_t blocks);

 private:
  Entry* entries_;
};

}  // namespace hardclock
