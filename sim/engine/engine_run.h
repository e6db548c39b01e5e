// What an engine knows while Engine::run() runs, and no longer: each run begins with a new one.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/units.h"
#include "sim/engine/block_run.h"
#include "sim/engine/cpu.h"
#include "sim/memory/fault.h"
#include "sim/translator/translator.h"

namespace hardclock {

// What a fetch out of order has cost.
struct MadeFetch {
  std::uint32_t cycles = 0;
  WaitReasons reasons{};
  std::uint32_t memory_busy = 0;  // for which memory works for it
};

// An instruction that waited in the middle of translated code, which was left because of that.
struct PendingStall {
  enum class Kind : std::uint8_t { fetched, completed, interrupted };
  Stall stall;
  Kind kind = Kind::completed;
  bool in_slot = false;  // it is the block's last, and a transfer of control comes before it
};

template <class Isa>
struct EngineRun {
  using Block = hardclock::Block<Isa>;

  bool is_running = false;
  Cycles deadline;
  Cycles horizon;  // the deadline, or the sampler's next moment before it
  std::uint64_t instructions_at_start = 0;
  std::uint64_t fetches = 0;        // so far
  std::uint64_t data_accesses = 0;  // so far, of instructions that completed
  BlockRun<Isa> block;

  // ---- The stepped instruction.
  std::uint64_t step_charged_pc = 0;
  Cycles step_now;               // when it had issued
  std::uint32_t step_stall = 0;  // what it waited for memory since
  CyclesByReason step_reasons;   // of these, if somebody wants to know
  InstructionTimes times;
  bool has_issued = false;
  std::optional<Fault> access_fault;  // of the last access that was refused

  // ---- Out of order.
  // The block that runs through the core's window: when its predecessor had graduated, and what is
  // known of its end when it has been interrupted.
  Block* in_window = nullptr;
  Cycles window_entered;
  std::uint64_t window_passed = 0;  // cycles until the interrupted instruction began to wait
  std::uint32_t window_waited = 0;  // and until the interrupt
  CyclesByReason window_reasons;    // of these, if somebody wants to know
  // What the stepped instruction waits for its line, if its fetch has been made.
  std::optional<MadeFetch> fetch_made;

  // ---- Translated code.
  Block** came_from = nullptr;  // where the last block notes what follows it; null: not known
  Block* begins = nullptr;      // before which translated code was left
  const Translator::Exit* last_edge = nullptr;  // by which code was left just now
  Cycles native_end;                            // when the budget of the code that runs is used up
  std::optional<PendingStall> pending_stall;    // it has been left because of that
};

}  // namespace hardclock
