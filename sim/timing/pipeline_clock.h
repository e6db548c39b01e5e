// One processor's pipeline while a program runs: its state, and how long blocks of instructions
// take, remembered by the state in which they are entered.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/state/archive.h"
#include "sim/timing/pipeline.h"
#include "sim/timing/wait_reasons.h"

namespace hardclock {

// How a block was left: past its end, by a transfer of control that was taken, or without running
// the slot that it ends with; or both of these. Or in one of the first two ways, where a predictor
// had overruled what the branch says of itself. With a transfer that was taken they are odd.
enum class BlockExit : std::uint8_t {
  straight,
  taken,
  nullified,
  taken_nullified,
  overruled,
  taken_overruled
};
constexpr bool is_taken(BlockExit exit) {
  return (static_cast<unsigned>(exit) & 1) != 0;
}
constexpr bool is_overruled(BlockExit exit) {
  return exit >= BlockExit::overruled;
}
// Of a transfer of control without a slot.
constexpr BlockExit predicted_exit(bool taken, bool overruled) {
  if (overruled) return taken ? BlockExit::taken_overruled : BlockExit::overruled;
  return taken ? BlockExit::taken : BlockExit::straight;
}
constexpr bool is_nullified(BlockExit exit) {
  return exit == BlockExit::nullified || exit == BlockExit::taken_nullified;
}

// Instruction `index` of a block waits for memory so many cycles after its issue.
struct Stall {
  std::size_t index = 0;
  std::uint32_t cycles = 0;
  // What comes in that time does not find the instruction waiting, but the next one.
  bool is_execution = false;
  WaitReasons reasons{};  // if somebody wants to know
};

// A straight line of instructions, as a pipeline sees it.
struct TimedBlock {
  struct Edge {
    static constexpr PipelineStates::Id unknown = ~PipelineStates::Id{0};

    std::uint32_t cycles = 0;
    PipelineStates::Id exit = unknown;
    std::uint64_t executions = 0;

    bool is_known() const { return exit != unknown; }
  };
  // What the block costs when it is entered in one pipeline state.
  struct Entry {
    static constexpr PipelineStates::Id no_state = ~PipelineStates::Id{0};

    PipelineStates::Id state = no_state;
    // Cycles, whatever the BlockExit and the operands, but for waits for memory.
    std::uint32_t longest : 28 = 0;
    bool any_continues : 1 = false;    // something may be in flight that a stall does not hold
    bool may_spare_waits : 1 = false;  // some of Details::spares; the edges are without
    bool is_interpreted : 1 = false;   // whatever may translate it has to leave it alone
    bool has_rare : 1 = false;         // Details has rare edges
    std::array<Edge, 2> edges{};       // straight, which is always known, and taken
    const void* code = nullptr;        // translated; null: not, so far
  };
  // What it costs when some of its instructions are slow, or off.
  struct Delayed {
    std::uint64_t slow = 0;  // bit i: instruction i is
    BlockExit way = BlockExit::straight;
    std::uint32_t cycles = 0;
    PipelineStates::Id exit = Edge::unknown;
  };
  // The edges that most blocks do not have, each straight and taken.
  struct RareEdges {
    std::array<Edge, 2> nullified;
    std::array<Edge, 2> overruled;
  };
  // What few executions of an entry look at.
  struct Details {
    std::unique_ptr<RareEdges> rare;                   // null: none of them is known
    std::vector<std::uint32_t> issued;                 // cycles until each instruction has issued
    std::unique_ptr<std::array<Delayed, 32>> delayed;  // the last few, by place_of()
    std::uint64_t slow_so_far = 0;                     // bit i: instruction i has been found slow
    std::uint64_t spares = 0;    // bit i: it makes a difference whether instruction i is off
    std::uint64_t with_off = 0;  // executions in which one of these was, which no edge counts

    Delayed& place_of(std::uint64_t slow, BlockExit way) {
      if (delayed == nullptr) delayed = std::make_unique<std::array<Delayed, 32>>();
      return (*delayed)[(slow * 4 + static_cast<unsigned>(way)) * 0x9e3779b97f4a7c15 >> 59];
    }
  };
  // Entries behind the first one.
  struct More {
    std::vector<Entry> entries;
    std::vector<Details> details;
  };
  // What few executions of the block look at.
  struct Rest {
    std::span<const InstructionTiming* const> instructions;
    // The timing class of the instruction that the pipeline follows when the block has been left: a
    // transfer of control, or what may nullify the last instruction. None: control goes straight
    // on.
    std::optional<std::uint8_t> followed;
    // Whether the last instruction may be nullified by the one before it.
    bool last_may_be_nullified = false;
    bool may_be_overruled = false;  // see BlockExit
    Details details;                // of the first entry
    std::unique_ptr<More> more;     // null: there is but one
  };

  // By the state in which the block was entered. Most blocks know but one, which is therefore here.
  Entry entry;
  std::unique_ptr<Rest> rest = std::make_unique<Rest>();

  std::span<Entry> more_entries() const {
    return rest->more != nullptr ? std::span<Entry>(rest->more->entries) : std::span<Entry>();
  }
  // `entry` is one of the block's.
  Details& details(const Entry& of) const {
    return &of == &entry
               ? rest->details
               : rest->more->details[static_cast<std::size_t>(&of - rest->more->entries.data())];
  }
  Edge& edge(Entry& of, BlockExit exit) const {
    if (exit <= BlockExit::taken) [[likely]]
      return of.edges[is_taken(exit) ? 1 : 0];
    std::unique_ptr<RareEdges>& rare = details(of).rare;
    if (rare == nullptr) rare = std::make_unique<RareEdges>();
    of.has_rare = true;
    return (is_overruled(exit) ? rare->overruled : rare->nullified)[is_taken(exit) ? 1 : 0];
  }
  std::uint64_t executions(const Entry& of) const {
    std::uint64_t sum = of.edges[0].executions + of.edges[1].executions;
    if (of.may_spare_waits) sum += details(of).with_off;
    if (!of.has_rare) return sum;  // most often, and without a look at what lies elsewhere
    const RareEdges& rare = *details(of).rare;
    for (const Edge& each : rare.nullified) sum += each.executions;
    for (const Edge& each : rare.overruled) sum += each.executions;
    return sum;
  }
  // Calls visit(entry, details) for each.
  template <class Visit>
  void for_each_entry(Visit visit) const {
    if (entry.state != Entry::no_state) visit(entry, rest->details);
    for (const Entry& each : more_entries()) visit(each, details(each));
  }

  template <class Visit>
  void for_each_entry_to_change(Visit visit) {
    visit(entry);
    for (Entry& each : more_entries()) visit(each);
  }

  // Whether it has been translated.
  bool has_code() const {
    const auto is_translated = [](const Entry& each) { return each.code != nullptr; };
    return is_translated(entry) || std::ranges::any_of(more_entries(), is_translated);
  }

  // Of host memory that the entries take beside the first one's own place, about.
  std::uint64_t entry_bytes() const {
    const std::size_t more = more_entries().size();
    const std::size_t entries = more + (entry.state != Entry::no_state ? 1 : 0);
    const bool has_rare = rest->last_may_be_nullified || rest->may_be_overruled;
    return (more != 0 ? sizeof(More) : 0) + more * (sizeof(Entry) + sizeof(Details)) +
           entries * (rest->instructions.size() * sizeof(std::uint32_t) +
                      (has_rare ? sizeof(RareEdges) : 0));
  }
};

class PipelineClock {
 public:
  explicit PipelineClock(std::shared_ptr<const Pipeline> pipeline)
      : pipeline_(std::move(pipeline)), issues_together_(pipeline_->issues_together()) {}

  const std::shared_ptr<const Pipeline>& pipeline() const { return pipeline_; }

  // From now on it tells what instructions wait for; else nothing.
  void tell_waits() { tells_waits_ = true; }

  // From now on an instruction may take so many cycles longer by its operands.
  void allow_slow(std::uint32_t cycles) { slow_cycles_ = cycles; }

  // Nothing is in flight any more.
  void drain() { be_at(0); }

  // ---- Blocks.
  // The block's costs from here; valid until the next call.
  TimedBlock::Entry& enter(TimedBlock& block) {
    if (!is_interned_) be_at(states_.intern(state_));
    if (block.entry.state == id_) [[likely]]
      return block.entry;
    return enter_otherwise(block);
  }
  // Goes back, or on, to a state that enter() or edge() has named.
  void stand_in(PipelineStates::Id state) { be_at(state); }
  // Where a block has just been left, by that name.
  PipelineStates::Id standing_in() const { return id_; }
  // The block's entry in that state; null: there is none.
  static TimedBlock::Entry* entry_in(TimedBlock& block, PipelineStates::Id state);
  // See Pipeline::delay().
  std::optional<std::uint32_t> delay(PipelineStates::Id early, PipelineStates::Id late) const {
    return pipeline_->delay(states_[early], states_[late]);
  }
  // Where a nullified instruction leads to.
  PipelineStates::Id behind_nullified(PipelineStates::Id before) {
    PipelineState state = states_[before];
    pipeline_->pass(state, pipeline_->nullified_cycles());
    return states_.intern(state);
  }
  std::uint32_t nullified_cycles() const { return pipeline_->nullified_cycles(); }
  // What leaving the block in this way costs.
  const TimedBlock::Edge& edge(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit) {
    TimedBlock::Edge& edge = block.edge(entry, exit);
    if (!edge.is_known()) compute(block, entry, exit);
    return edge;
  }
  // Moves past the block. Returns the cycles that it took.
  std::uint32_t leave(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit) {
    TimedBlock::Edge& edge = block.edge(entry, exit);
    if (!edge.is_known()) [[unlikely]]
      compute(block, entry, exit);
    ++edge.executions;
    be_at(edge.exit);
    return edge.cycles;
  }
  // The same, where something continues and some instructions are slow, or where some are off: bit
  // i of `slow` stands for instruction i. for_each_cost() does not see this execution.
  std::uint32_t leave_delayed(const TimedBlock& block, const TimedBlock::Entry& entry,
                              BlockExit exit, std::uint64_t slow);
  // Calls visit(index, cycles, waits) for each of the block's instructions but those after `count`,
  // and moves past them. Bit i of `are_off`: instruction i is.
  template <class Visit>
  void issue_prefix(const TimedBlock& block, std::size_t count, std::uint64_t are_off,
                    Visit visit) {
    PipelineState& state = change();
    for (std::size_t i = 0; i < count; ++i) {
      const InstructionTiming& usual = *block.rest->instructions[i];
      const auto issue = [&](const InstructionTiming& instruction) {
        const IssueWaits waits = waits_of(state, instruction);
        visit(i, pipeline_->issue(state, instruction), waits);
      };
      is_off(usual, are_off, i) ? issue(off(usual)) : issue(usual);
    }
  }
  // Whether instructions that are fetched late cost that time and no more.
  bool fetches_only_delay(const TimedBlock::Entry& entry) const {
    return !issues_together_ && !entry.any_continues;
  }
  // Whether a wait, before the block and behind each of its instructions, is a mere delay of all
  // that is in flight and of what comes later, whatever has waited in the block before.
  std::vector<bool> mere_delays(const TimedBlock& block, const TimedBlock::Entry& entry) const;
  bool issues_together() const { return issues_together_; }
  // Cycles from the block's start until instruction `index` has issued, with the waits of the
  // instructions up to it.
  std::uint64_t issued_with_stalls(const TimedBlock& block, const TimedBlock::Entry& entry,
                                   std::size_t index, std::span<const Stall> stalls,
                                   std::uint64_t are_off = 0) const;
  // Calls visit(index, cycles, waits, times) with what the executions that were counted cost so
  // far; index instructions.size() stands for what nullified delay slots took.
  template <class Visit>
  void for_each_cost(const TimedBlock& block, Visit visit) const;

  // Of host memory that the blocks' entries and the states take, about.
  std::uint64_t bytes_kept() const { return entry_bytes_ + states_.bytes(); }
  // The block is gone.
  void forget(const TimedBlock& block) { entry_bytes_ -= block.entry_bytes(); }
  // No block that was entered is left: forgets all states but the present one.
  void forget_states() { give(); }
  // What the entries of blocks refer to, for another clock of this pipeline.
  struct Known {
    PipelineStates states;
    std::vector<std::optional<PipelineStates::Id>> after_wait;
    std::uint64_t entry_bytes = 0;  // of the blocks' entries

    // Of host memory, about.
    std::uint64_t bytes() const { return states.bytes() + entry_bytes; }
  };
  // The blocks that were entered go elsewhere, with what they refer to.
  Known give() {
    change();
    return {std::exchange(states_, {}), std::exchange(after_wait_, {}),
            std::exchange(entry_bytes_, 0)};
  }
  // They come here; none has been entered so far.
  void take(Known known) {
    change();
    states_ = std::move(known.states);
    after_wait_ = std::move(known.after_wait);
    entry_bytes_ = known.entry_bytes;
  }

  // ---- Single instructions.
  // The cycles from the last issue to this instruction's, and what comes then.
  struct Issue {
    std::uint32_t cycles = 0;
    IssueWaits waits;
    PipelineState after;
  };
  Issue issue(const InstructionTiming& instruction) const {
    Issue issue{0, waits_of(state(), instruction), state()};
    issue.cycles = pipeline_->issue(issue.after, instruction);
    return issue;
  }
  void accept(Issue issue) { change() = std::move(issue.after); }
  void freeze(std::uint32_t cycles) { pipeline_->freeze(change(), cycles); }
  void pass(std::uint32_t cycles) { pipeline_->pass(change(), cycles); }
  // The next instruction comes so many cycles late: nothing moves but what continues, and it joins
  // no other in its cycle.
  void wait_for_fetch(std::uint32_t cycles);
  // The predictor says the opposite of what the branch, the last instruction, says of itself.
  void overrule_hint() {
    PipelineState& state = change();
    state.predicted_taken = !state.predicted_taken;
  }
  void redirect(std::uint8_t branch_class, bool taken) {
    pipeline_->redirect(change(), branch_class, taken);
  }
  // Returns the cycles that the nullified delay slot takes.
  std::uint32_t nullify() {
    pass(pipeline_->nullified_cycles());
    return pipeline_->nullified_cycles();
  }

  void archive(Archive& to);

 private:
  const PipelineState& state() const { return is_interned_ ? states_[id_] : state_; }
  IssueWaits waits_of(const PipelineState& state, const InstructionTiming& instruction) const {
    return tells_waits_ ? pipeline_->waits(state, instruction) : IssueWaits();
  }
  PipelineState& change() {
    if (is_interned_) state_ = states_[id_];
    is_interned_ = false;
    return state_;
  }
  void be_at(PipelineStates::Id id) {
    id_ = id;
    is_interned_ = true;
  }
  template <class Visit>
  void for_each_issue(const TimedBlock& block, const TimedBlock::Entry& entry,
                      const TimedBlock::Details& details, Visit visit) const;
  TimedBlock::Entry& enter_otherwise(TimedBlock& block);
  TimedBlock::Entry& enter_first(TimedBlock& block);
  TimedBlock::Entry& add_entry(TimedBlock& block);
  void stand_still(std::uint32_t cycles) {
    freeze(cycles);
    pass(0);
  }
  bool starts_what_continues(const InstructionTiming& instruction) const;
  static bool is_off(const InstructionTiming& instruction, std::uint64_t are_off, std::size_t i) {
    return instruction.predicate && (are_off >> i & 1) != 0;
  }
  std::uint32_t issue_one(PipelineState& state, const InstructionTiming& instruction,
                          bool is_off) const {
    return is_off ? pipeline_->issue(state, off(instruction))
                  : pipeline_->issue(state, instruction);
  }
  // A state, and the cycles to it.
  using Way = std::pair<PipelineState, std::uint32_t>;
  void find_spared_waits(const TimedBlock& block, TimedBlock::Entry& entry) const;
  Way behind(const Way& way, const InstructionTiming& instruction) const;
  static void add_way(std::vector<Way>& ways, const Way& way);
  TimedBlock::Delayed compute_delayed(const TimedBlock& block, const TimedBlock::Entry& entry,
                                      BlockExit exit, std::uint64_t slow);
  // The pipeline leaves the block. Returns the cycles that a nullified instruction takes.
  std::uint32_t end_block(const TimedBlock::Rest& block, BlockExit exit,
                          PipelineState& state) const;
  void compute(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit);
  // The block is left in `state`, after so many cycles.
  void end_edge(const TimedBlock& block, TimedBlock::Entry& entry, BlockExit exit,
                std::uint32_t cycles, PipelineState state);

  std::shared_ptr<const Pipeline> pipeline_;
  bool issues_together_;
  bool tells_waits_ = false;
  std::uint32_t slow_cycles_ = 0;
  PipelineStates states_;
  std::uint64_t entry_bytes_ = 0;
  // The state is states_[id_], or state_ while nobody has asked for its number.
  bool is_interned_ = true;
  PipelineStates::Id id_ = 0;
  PipelineState state_;
  // By state, if nothing continues in it: the one after a wait for a fetch, however long.
  std::vector<std::optional<PipelineStates::Id>> after_wait_;
};

template <class Visit>
void PipelineClock::for_each_cost(const TimedBlock& block, Visit visit) const {
  const std::size_t size = block.rest->instructions.size();
  const auto executions = [](const std::array<TimedBlock::Edge, 2>& edges) {
    return edges[0].executions + edges[1].executions;
  };
  block.for_each_entry([&](const TimedBlock::Entry& entry, const TimedBlock::Details& details) {
    const bool has_rare = details.rare != nullptr;
    const std::uint64_t completed =
        executions(entry.edges) + (has_rare ? executions(details.rare->overruled) : 0);
    const std::uint64_t nullified = has_rare ? executions(details.rare->nullified) : 0;
    for_each_issue(
        block, entry, details, [&](std::size_t i, std::uint32_t cycles, const IssueWaits& waits) {
          const bool is_sometimes_nullified = block.rest->last_may_be_nullified && i + 1 == size;
          visit(i, cycles, waits, is_sometimes_nullified ? completed : completed + nullified);
        });
    visit(size, pipeline_->nullified_cycles(), IssueWaits(), nullified);
  });
}

// Calls visit(index, cycles, waits) for each of the block's instructions, when it is entered so.
template <class Visit>
void PipelineClock::for_each_issue(const TimedBlock& block, const TimedBlock::Entry& entry,
                                   const TimedBlock::Details& details, Visit visit) const {
  if (!tells_waits_) {
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < details.issued.size(); ++i) {
      visit(i, details.issued[i] - before, IssueWaits());
      before = details.issued[i];
    }
    return;
  }
  PipelineState state = states_[entry.state];
  for (std::size_t i = 0; i < block.rest->instructions.size(); ++i) {
    const InstructionTiming& instruction = *block.rest->instructions[i];
    const IssueWaits waits = waits_of(state, instruction);
    visit(i, pipeline_->issue(state, instruction), waits);
  }
}

}  // namespace hardclock
