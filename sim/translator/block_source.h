// What the translator is told of a block: its instructions as recordings, how it ends, and what it
// costs. Host addresses in it must stay valid as long as the translation may run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/endian.h"
#include "sim/recording/recording.h"
#include "sim/timing/memory_description.h"
#include "sim/timing/pipeline_clock.h"

namespace hardclock {

// host_functions.h
struct FloatingMode;
struct KnownFunction;

// Where one of the guest's registers lies, from the start of the ISA's Registers, in the host's
// byte order.
struct RegisterPlace {
  std::uint16_t offset = 0;
  std::uint8_t bytes = 0;    // 1 (written as a flag), 4 or 8; 0: a translation cannot name it
  bool is_in_frame = false;  // from GuestMode::frame

  bool is_known() const { return bytes != 0; }
};

// What the translations of one processor have in common.
struct GuestMode {
  RegisterPlace (*place)(Resource) = nullptr;
  // Registers that stay in the host's registers, the most used ones first. Four or
  // eight bytes each.
  std::span<const Resource> pinned;
  // Which others may take their places, see PinChoice. Each write of one is of all its bits.
  bool (*may_pin)(Resource) = nullptr;  // null: none
  // Whether those registers, and all others of eight bytes for which is_word says so, always hold
  // the sign extension of their low words.
  bool (*is_word)(Resource) = nullptr;  // null: none does
  unsigned address_bits = 32;           // or 64
  unsigned code_shift = 2;  // what control is transferred to is a multiple of two to this power
  Resource stack_pointer = 0;
  Endian data_order = Endian::big;
  // Registers that move, all by the same distance: they lie `start` bytes, and eight times the
  // number of 4 bytes at `skip`, from the start of Registers. Where that is may change whenever the
  // interpreter runs an instruction. The last of the host's registers that can be pinned has it.
  struct Frame {
    std::uint16_t skip = 0;
    std::uint16_t start = 0;
  };
  std::optional<Frame> frame{};
  std::uint32_t slow_cycles = 0;  // see BlockInterpreter::mark_slow_if()
  // Of the table of accesses that need no check: a FlatTable, or an AccessTable with these.
  bool has_flat_table = false;
  unsigned access_shift = 0;
  std::size_t access_entries = 0;  // a power of 2
  unsigned indirect_bits = 0;      // of the table of indirect jumps: the translator's own
  // A machine with caches: accesses that are not in the table may wait, and fetches that are not in
  // theirs (CachedMemory::fetched_lines()).
  bool has_caches = false;
  const MemoryDescription* memory = nullptr;  // of that machine
  unsigned fetch_shift = 0;                   // of a line's bytes
  std::size_t fetch_entries = 0;              // a power of 2
  bool notes_waits = false;                   // of plain accesses: HostFrame::waits
  // What translations compute themselves. Null: floating point is the interpreter's.
  std::span<const KnownFunction> functions{};
  const FloatingMode* floating = nullptr;
};

// The value of BlockExit that an edge stands for is its index.
inline constexpr std::size_t block_exits = 6;

struct BlockSource {
  struct Instruction {
    const Recording* recording = nullptr;
    const void* op = nullptr;  // as the interpreter takes it
    bool touches_memory = false;
    std::uint32_t issued = 0;  // cycles from the block's start, without waits
    // Whether its line, if that comes late, and its access, if that waits, hold all that is in the
    // pipeline.
    bool fetch_only_delays = false;
    bool wait_only_delays = false;
    // If it is slow: it is noted; else it takes GuestMode::slow_cycles, and that is all.
    bool notes_slow = false;
    bool was_slow = false;  // it has been
  };
  struct Edge {
    std::uint32_t cycles = 0;
    PipelineStates::Id exit = 0;
  };

  std::uint64_t pc = 0;
  std::vector<std::uint64_t> pcs;  // of the instructions
  std::vector<Instruction> instructions;
  std::uint64_t continues_at = 0;  // when no control is transferred
  bool with_slot = false;          // the last instruction is the slot of the one before it
  bool last_traps = false;         // always: it is left to the interpreter

  PipelineStates::Id state = 0;  // in which the block is entered
  std::uint32_t longest = 0;     // cycles
  std::array<Edge, block_exits> edges{};
  // If the block's last instruction may nullify the one behind the block. BlockExit::nullified then
  // is the way past that one.
  struct Skip {
    std::uint64_t target = 0;
    std::uint32_t cycles = 0;  // of that way's, those that the nullified instruction takes
  };
  std::optional<Skip> skip;
  // A predictor may overrule what the transfer of control that the block ends with says of itself.
  // That is TwoLevelPredictor::predict().
  struct Prediction {
    std::uint64_t pc = 0;
    bool hint = false;
    std::uint32_t branch = 0;    // of the first one of its set: from branches(), in bytes
    std::uint32_t counters = 0;  // of its set: from counters()
    std::uint8_t outcomes = 0;   // the bits of TwoLevelPredictor::Branch::outcomes that are used
    // If a wrong prediction does nothing but delay what follows: by so many cycles, when the branch
    // is not taken and when it is. 0: it does more.
    std::array<std::uint32_t, 2> lost{};
  };
  std::optional<Prediction> prediction;
  bool notes_slow = false;  // any of the instructions
  bool counts_edges = false;
  bool notes_moments = false;    // HostFrame::moments, where that can be
  bool counts_arrivals = false;  // HostFrame::arrivals
  // Which ways out of the block are noted (HostFrame::noted_next), for those who follow calls: the
  // transfer of control, if so, when it is made; and each way out of [low, high). Such blocks count
  // edges, too.
  struct Noted {
    bool transfer = false;
    std::uint64_t low = 0, high = 0;
  };
  std::optional<Noted> noted;
};

}  // namespace hardclock
