// Translates blocks of one processor to code of the host, and runs it. The interpreter is the
// reference: translated code gives the same registers, memory and cycles, or is left before it
// would not. Hosts: x86-64 with BMI2 and MOVBE (Intel's from 2013, AMD's from 2015 on).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/translator/block_source.h"
#include "sim/translator/code_memory.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/pin_choice.h"

namespace hardclock {

class Translator {
 public:
  // Why and where translated code was left.
  struct Exit {
    enum class Kind : std::uint8_t {
      edge,      // to `target`, whose code was not known
      indirect,  // to HostFrame::target
      begin,     // before the block: its time may not suffice, or it is retired
      skips,     // behind the block: the instruction at `target` is nullified
      within,    // before instruction `index`, which is to be interpreted
      slow,      // as edge, but HostFrame::slow names instructions that were slow
      slow_indirect,
      delayed,  // none: it counts how often instruction `index` was slow, which only delayed others
    };
    Kind kind = Kind::edge;
    BlockExit way = BlockExit::straight;
    bool in_slot = false;  // within: in the slot of instruction `index`, which can be run again
    std::uint8_t index = 0;
    // In CodeMemory: of an edge, its jump's displacement; of a slow exit, the sets of slow
    // instructions that have edges, each with what it adds to the budget. 0: none.
    std::uint32_t jump = 0;
    std::uint64_t target = 0;      // of an edge, or skips; begin: the block's own pc
    void* block = nullptr;         // the caller's; null: dropped
    PipelineStates::Id state = 0;  // in which the block was entered
    PipelineStates::Id after = 0;  // of an edge: the state behind it
  };

  // So many sets of slow instructions have edges at a slow exit.
  static constexpr std::size_t slow_edges = 2;

  // Null: the host cannot do it. `random_pins`: see PinChoice.
  static std::unique_ptr<Translator> make(CacheBudget& caches, const GuestMode& mode,
                                          std::uint32_t random_pins = 0);
  ~Translator();

  // Whether all code is gone, since somebody needed the room or it has to be made anew: the caller
  // has to forget what translate() returned, and then to call reset().
  bool is_stale() const { return epoch_ != memory_.epoch() || outgrows_table(); }
  void reset();

  // From now on the waits of plain accesses are noted. Before any code is made.
  void note_waits() { mode_.notes_waits = true; }
  // One that was not plain, but is as good as one. Only with note_waits().
  void note_wait(const AccessSite& site, bool is_fetch, std::uint64_t cycles) {
    waits_[wait_place(site.exit, is_fetch, site.in_slot)] += cycles;
  }

  // Which registers are pinned. When choose() says that it has changed, the caller has to forget
  // what translate() returned, and then to call reset().
  PinChoice& pins() { return pins_; }
  // How many blocks have code.
  std::size_t translated() const { return known_.size(); }

  // The code of a block; null: it is for the interpreter, or is_stale() now.
  const void* translate(const BlockSource& source, void* block);
  // Runs code from its entry until it is left; returns how.
  const Exit& run(HostFrame& frame, const void* code);
  const Exit& exit(std::uint32_t number) const { return exits_[number]; }
  // Indirect jumps to `pc` in this state find the code, unless another takes its place.
  void enter_indirect(std::uint64_t pc, PipelineStates::Id state, const void* code);
  // From now on the edge goes to the code of its target in the state behind it.
  void link(const Exit& edge, const void* code);
  // From now on the code does not leave by this exit, of kind slow, when just these instructions
  // were slow: `cycles` of what was charged are given back, and `after` is the state behind. If
  // there is room for one more set.
  void know_slow(std::uint32_t number, std::uint64_t slow, std::uint64_t cycles,
                 PipelineStates::Id after);
  // Of host memory, about, without the code.
  std::uint64_t bytes() const {
    return exits_.size() * sizeof(Exit) + counted_.capacity() * sizeof counted_[0] +
           waits_.capacity() * sizeof waits_[0] + indirect_.capacity() * sizeof(IndirectEntry) +
           known_.capacity() * sizeof known_[0];
  }
  // The code is not to be entered any more: whoever jumps there leaves.
  void retire(const void* code);
  // Nothing but suspend() or reset() comes next.
  void pack() { indirect_ = decltype(indirect_)(); }
  // No code is to be entered until it is resumed.
  void suspend();
  void resume(const void* code);
  // The block is gone; its executions have been taken over.
  void drop(const void* code);
  // Visits each exit that has been counted, with the number of times; from then on it counts anew.
  template <class Visit>
  void take_executions(const Visit& visit) {
    for (const Counted& each : counted_) {
      if (*each.times != 0) visit(exits_[each.exit], std::exchange(*each.times, 0));
    }
  }
  // The same for the cycles that accesses and fetches have waited: visit(exit, is_fetch, in_slot,
  // cycles).
  template <class Visit>
  void take_waits(const Visit& visit) {
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      if (waits_[i] == 0) continue;
      const std::size_t part = i % wait_places_per_exit;
      visit(exits_[i / wait_places_per_exit], part >= 2, part % 2 != 0,
            std::exchange(waits_[i], 0));
    }
  }
  template <class Visit>
  void for_each_exit_of(const void* code, const Visit& visit) {
    const auto known = find(code);
    for (std::size_t i = 0; known != nullptr && i < known->exits; ++i) {
      visit(exits_[known->first_exit + i]);
    }
  }

 private:
  struct Emitter;
  struct Common;
  struct Known {
    std::uint32_t first_exit = 0;
    std::uint32_t exits = 0;
    std::uint8_t* writable = nullptr;
    std::uint8_t* gone = nullptr;  // where it can be written
    bool is_retired = false;       // or suspended: it begins with a jump, in place of these bytes
    std::array<std::uint8_t, 5> first{};
  };

  struct Counted {
    std::uint32_t exit = 0;
    std::uint64_t* times = nullptr;
  };

  // Blocks have fewer exits that are counted.
  static constexpr std::size_t most_counters_of_block = 1024;
  // From so many blocks on, a larger table of indirect jumps pays.
  static constexpr std::size_t many_blocks = 64;

  Translator(std::shared_ptr<CodeMemory> memory, std::shared_ptr<Emitter> emitter,
             const GuestMode& mode, std::uint32_t random_pins);
  bool outgrows_table() const {
    return known_.size() >= many_blocks && mode_.indirect_bits != many_indirect_bits;
  }
  bool emit_common_code();
  Known* find(const void* code);
  static void leave_at_once(Known& known);

  bool computes_with_numbers_ = false;  // EmittedBlock's, of any block so far
  std::shared_ptr<CodeMemory> held_memory_;
  CodeMemory& memory_;
  std::shared_ptr<Emitter> emitter_;
  PinChoice pins_;
  GuestMode mode_;
  std::uint64_t epoch_ = 0;
  std::unique_ptr<Common> common_;
  std::deque<Exit> exits_;  // by number
  std::vector<Counted> counted_;
  std::vector<std::uint64_t> waits_;  // by wait_place(); empty: nobody wants to know
  std::vector<IndirectEntry> indirect_;
  std::vector<std::pair<const void*, Known>> known_;  // by code, ascending
  void (*enter_)(HostFrame*, const void*) = nullptr;
};

}  // namespace hardclock
