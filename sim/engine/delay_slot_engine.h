// The engine of processors with delay slots: runs predecoded blocks (a straight line of
// instructions up to a control transfer, with its delay slot) as long as no clock event can fall
// into them, and single instructions otherwise. Stepping is the reference; blocks are an
// optimisation that must agree with it to the bit, cycles and tick positions included.
//
// The Isa supplies:
//   CpuBase      what the ABI sees: Cpu plus `Registers& registers()`; Registers has pc, next_pc,
//                in_delay_slot, link_valid, epc() and set_pc()
//   Machine      runs Machine::Op's (see isa/mips/machine.h: run, after_slot, take_trap, ...)
//   machine(memory)   -> Machine
//   InstructionTrap   what Machine::run throws, with the Trap in it
//   predecode(word, pc)   -> Predecoded {op, timing, word, is_branch, always_traps, reads_clock}
//   fetch_access, instruction_bytes
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/cpu.h"
#include "sim/engine/trap.h"
#include "sim/memory/address_space.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

enum class EngineMode : std::uint8_t {
  blocks,     // predecoded blocks with remembered timing
  reference,  // one instruction at a time
};

template <class Isa>
class DelaySlotEngine final : public Isa::CpuBase, private CodeWatcher {
  using Machine = typename Isa::Machine;
  using Op = typename Machine::Op;
  using Predecoded = typename Isa::Predecoded;
  using Registers = typename Isa::Registers;

 public:
  DelaySlotEngine(Isa isa, AddressSpace& memory, std::shared_ptr<const Pipeline> pipeline,
                  EngineMode mode)
      : isa_(std::move(isa)),
        memory_(memory),
        pipeline_(std::move(pipeline)),
        mode_(mode),
        machine_(isa_.machine(memory)) {
    memory_.add_code_watcher(*this);
  }
  ~DelaySlotEngine() override { memory_.remove_code_watcher(*this); }

  std::unique_ptr<Cpu> fork(AddressSpace& memory) const override {
    auto child = std::make_unique<DelaySlotEngine>(isa_, memory, pipeline_, mode_);
    child->machine_.registers() = machine_.registers();
    child->machine_.registers().link_valid = false;
    child->observer_ = observer_;
    return child;
  }

  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    const std::uint64_t instructions_at_start = instructions_;
    running_ = true;
    Stop stop;
    while (running_) {
      if (!retired_.empty()) drop_retired();
      const std::uint64_t left = limit.value() - (instructions_ - instructions_at_start);
      running_ = !run_one_block(now, deadline, left, stop) &&
                 !(must_step_ && step(now, deadline, left, stop));
    }
    return stop;
  }

  GuestAddr interrupted_pc() const override { return GuestAddr(machine_.registers().epc()); }
  void interrupted() override { machine_.registers().link_valid = false; }
  void drain_pipeline() override { state_ = 0; }
  void complete_system_call() override { leave(machine_.registers().next_pc + bytes, false); }
  ExecutionCounts counts() const override { return {Instructions(instructions_), Cycles(cycles_)}; }
  CycleProfile cycle_profile() const override {
    CycleProfile profile = profile_;
    for (const auto& [start, block] : blocks_) fold(*block, profile);
    for (const auto& block : retired_) fold(*block, profile);
    return profile;
  }
  void observe(Cpu::InstructionObserver observer) override { observer_ = std::move(observer); }
  Registers& registers() override { return machine_.registers(); }

 private:
  static constexpr std::uint64_t bytes = Isa::instruction_bytes;
  static constexpr std::size_t longest_block = 64;
  // A program that runs through endless straight code must not fill the host's memory.
  static constexpr std::size_t most_blocks = std::size_t{1} << 15;

  // What a block costs when it is entered in one pipeline state; filled per edge on first use.
  struct Edge {
    std::uint32_t cycles = 0;  // 0: not computed yet
    PipelineStates::Id exit = 0;
    std::uint64_t executions = 0;
  };
  struct BlockTiming {
    PipelineStates::Id entry = 0;
    Edge whole;
    Edge nullified;  // the delay slot did not run
  };
  struct Block {
    std::vector<Op> ops;
    std::vector<InstructionTiming> timing;
    std::vector<BlockTiming> timings;
    std::uint64_t start = 0;
    std::uint64_t fall_through = 0;
    bool ends_with_slot = false;
    bool step_only = false;  // a control transfer in a delay slot, or a slot that cannot be fetched

    // The pc that a tick at instruction i is charged to: the branch, for its delay slot.
    std::uint64_t charged_pc(std::size_t i) const {
      return ops[ends_with_slot && i + 1 == ops.size() ? i - 1 : i].pc;
    }
  };

  // ---- Blocks.
  // Returns true when a reason to stop came up; sets must_step_ when the next instruction has to be
  // stepped instead.
  bool run_one_block(Cycles& now, Cycles deadline, std::uint64_t left, Stop& stop) {
    must_step_ = true;
    const Registers& registers = machine_.registers();
    if (mode_ == EngineMode::reference || observer_ || registers.in_delay_slot ||
        registers.next_pc != registers.pc + bytes) {
      return false;
    }
    Block* block = find_block(registers.pc);
    if (block == nullptr || block->step_only || block->ops.size() > left) return false;
    const std::size_t timing = timing_of(*block);
    if (now + Cycles(block->timings[timing].whole.cycles) > deadline) return false;
    must_step_ = false;
    return execute(*block, timing, now, stop);
  }

  bool execute(Block& block, std::size_t timing, Cycles& now, Stop& stop) {
    const Op* const first = block.ops.data();
    const Op* const end = first + block.ops.size();
    try {
      const Op* const stopped_at = machine_.run(first, end, block.fall_through);
      if (machine_.take_trap(stop.trap)) {
        return trapped(block, static_cast<std::size_t>(stopped_at - first) - 1, now, stop);
      }
      if (stopped_at == end) [[likely]] {
        account(block.timings[timing].whole, block.ops.size(), now);
        leave_block(machine_.after_slot());
      } else if (machine_.take_nullified()) {
        Edge& edge = block.timings[timing].nullified;
        if (edge.cycles == 0) compute(block, block.timings[timing].entry, true, edge);
        account(edge, block.ops.size() - 1, now);
        leave_block(machine_.after_slot());
      } else {
        const auto done = static_cast<std::size_t>(stopped_at - first);
        issue_prefix(block, done, now);
        instructions_ += done;
        leave_block(first[done].pc);
      }
      return false;
    } catch (const typename Isa::InstructionTrap& trap) {
      stop.trap = trap.trap;
      return trapped(block, static_cast<std::size_t>(machine_.current() - first), now, stop);
    }
  }

  void account(Edge& edge, std::size_t instructions, Cycles& now) {
    ++edge.executions;
    now += Cycles(edge.cycles);
    cycles_ += edge.cycles;
    instructions_ += instructions;
    state_ = edge.exit;
  }

  void leave_block(std::uint64_t pc) { machine_.registers().set_pc(pc); }

  // Instruction `index` of the block trapped; those before it completed.
  bool trapped(const Block& block, std::size_t index, Cycles& now, Stop& stop) {
    issue_prefix(block, index + 1, now);
    instructions_ += index;
    Registers& registers = machine_.registers();
    registers.set_pc(block.ops[index].pc);
    if (block.ends_with_slot && index + 1 == block.ops.size()) {
      registers.in_delay_slot = true;
      registers.next_pc = machine_.after_slot();
    }
    note_trap(stop);
    return true;
  }

  void note_trap(Stop& stop) {
    stop.reason = StopReason::trap;
    // The kernel finishes the instruction; a faulting one may still be restarted.
    if (stop.trap.kind == TrapKind::system_call) ++instructions_;
  }

  // Replays the pipeline for the first `count` instructions of a block that did not run to its end.
  void issue_prefix(const Block& block, std::size_t count, Cycles& now) {
    PipelineState state = states_[state_];
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t cycles = pipeline_->issue(state, block.timing[i]) + 1;
      charge(block.charged_pc(i), cycles, now);
    }
    state_ = states_.intern(state);
  }

  void charge(std::uint64_t pc, std::uint64_t cycles, Cycles& now) {
    if (cycles == 0) return;
    profile_[GuestAddr(pc)] += cycles;
    cycles_ += cycles;
    now += Cycles(cycles);
  }

  std::size_t timing_of(Block& block) {
    for (std::size_t i = 0; i < block.timings.size(); ++i) {
      if (block.timings[i].entry == state_) return i;
    }
    BlockTiming timing{state_, {}, {}};
    compute(block, state_, false, timing.whole);
    block.timings.push_back(timing);
    return block.timings.size() - 1;
  }

  void compute(const Block& block, PipelineStates::Id entry, bool nullified, Edge& edge) {
    PipelineState state = states_[entry];
    edge.cycles = 0;
    for (std::size_t i = 0; i < block.ops.size() - (nullified ? 1 : 0); ++i) {
      edge.cycles += pipeline_->issue(state, block.timing[i]) + 1;
    }
    if (nullified) {
      edge.cycles += pipeline_->nullified_cycles();
      state.advance(pipeline_->nullified_cycles());
    }
    edge.exit = states_.intern(state);
  }

  // Adds what the block's executions cost to `profile`.
  void fold(const Block& block, CycleProfile& profile) const {
    for (const BlockTiming& timing : block.timings) {
      PipelineState state = states_[timing.entry];
      const std::uint64_t all = timing.whole.executions + timing.nullified.executions;
      for (std::size_t i = 0; i < block.ops.size(); ++i) {
        const bool is_slot = block.ends_with_slot && i + 1 == block.ops.size();
        const std::uint64_t times = is_slot ? timing.whole.executions : all;
        const std::uint64_t cycles = times * (pipeline_->issue(state, block.timing[i]) + 1);
        if (cycles != 0) profile[GuestAddr(block.charged_pc(i))] += cycles;
      }
      const std::uint64_t nullified = timing.nullified.executions * pipeline_->nullified_cycles();
      if (nullified != 0) profile[GuestAddr(block.fall_through)] += nullified;
    }
  }

  Block* find_block(std::uint64_t pc) {
    Block*& slot = recent_[(pc / bytes) % recent_.size()];
    if (slot != nullptr && slot->start == pc) [[likely]]
      return slot;
    const auto known = blocks_.find(pc);
    slot = known != blocks_.end() ? known->second.get() : build_block(pc);
    return slot;
  }

  Block* build_block(std::uint64_t start) {
    auto block = std::make_unique<Block>();
    block->start = start;
    bool slot_next = false;
    for (std::uint64_t pc = start; block->ops.size() < longest_block || slot_next; pc += bytes) {
      const auto word = memory_.fetch(GuestAddr(pc), Isa::fetch_access);
      // A store to a shared mapping from another address space reaches no watcher here: such code
      // is stepped. One from another processor in this address space does.
      if (!word || memory_.region_at(GuestAddr(pc))->backing.shared != nullptr) {
        block->step_only |= slot_next;
        break;
      }
      const Predecoded instruction = isa_.predecode(*word, pc);
      // In a block nobody knows the cycle in which an instruction runs.
      if (instruction.reads_clock) {
        block->step_only |= slot_next;
        break;
      }
      append(*block, instruction);
      if (slot_next) {
        block->ends_with_slot = true;
        block->step_only |= instruction.is_branch || instruction.always_traps;
        break;
      }
      slot_next = instruction.is_branch;
      if (instruction.always_traps) break;
    }
    if (block->ops.empty()) return nullptr;
    block->fall_through = start + block->ops.size() * bytes;
    return adopt(std::move(block));
  }

  static void append(Block& block, const Predecoded& instruction) {
    block.ops.push_back(instruction.op);
    block.timing.push_back(instruction.timing);
  }

  Block* adopt(std::unique_ptr<Block> block) {
    if (blocks_.size() >= most_blocks) retire_all();
    Block* const adopted = block.get();
    const std::uint64_t last_page = (adopted->fall_through - 1) >> page_shift;
    for (std::uint64_t page = adopted->start >> page_shift; page <= last_page; ++page) {
      blocks_of_page_[page].insert(adopted->start);
      memory_.watch_code(page);
    }
    blocks_[adopted->start] = std::move(block);
    return adopted;
  }

  // Whoever stored: this processor, another one that uses the same memory, or the kernel. The
  // running block may be among those that go: it is kept until it has been left, and its last
  // execution counted.
  void code_changed(std::uint64_t page) override {
    const auto starts = blocks_of_page_.find(page);
    if (starts == blocks_of_page_.end()) return;
    for (const std::uint64_t start : starts->second) {
      const auto block = blocks_.find(start);
      if (block == blocks_.end()) continue;
      recent_[(start / bytes) % recent_.size()] = nullptr;
      retired_.push_back(std::move(block->second));
      blocks_.erase(block);
    }
    blocks_of_page_.erase(starts);
    if (running_) machine_.stop_after_current();
  }

  void retire_all() {
    for (auto& [start, block] : blocks_) retired_.push_back(std::move(block));
    blocks_.clear();
    blocks_of_page_.clear();
    recent_.fill(nullptr);
  }

  void drop_retired() {
    for (const auto& block : retired_) fold(*block, profile_);
    retired_.clear();
  }

  // ---- Single instructions.
  bool step(Cycles& now, Cycles deadline, std::uint64_t left, Stop& stop) {
    if (left == 0) {
      stop.reason = StopReason::limit;
      return true;
    }
    const std::uint64_t pc = machine_.registers().pc;
    const auto word = memory_.fetch(GuestAddr(pc), Isa::fetch_access);
    if (!word) {
      if (now >= deadline) {
        stop.reason = StopReason::deadline;
        return true;
      }
      stop = Stop{StopReason::trap, Trap{TrapKind::memory, 0, word.error()}};
      charge(machine_.registers().epc(), 1, now);
      return true;
    }
    const Predecoded& instruction = predecoded(*word, pc);
    PipelineState state = states_[state_];
    PipelineState issued = state;
    const std::uint32_t wait = pipeline_->issue(issued, instruction.timing);
    if (now + Cycles(wait) >= deadline) {
      charge(machine_.registers().epc(), wait, now);
      state.advance(wait);
      state_ = states_.intern(state);
      stop.reason = StopReason::deadline;
      return true;
    }
    if (observer_) observer_(GuestAddr(pc), *word);
    charge(machine_.registers().epc(), wait + 1, now);
    state_ = states_.intern(issued);
    return execute_one(instruction, now, stop);
  }

  bool execute_one(const Predecoded& instruction, Cycles& now, Stop& stop) {
    const std::uint64_t after_slot = machine_.registers().next_pc + bytes;
    if (instruction.reads_clock) machine_.set_clock(now);
    try {
      machine_.run(&instruction.op, &instruction.op + 1, after_slot);
    } catch (const typename Isa::InstructionTrap& trap) {
      stop = Stop{StopReason::trap, trap.trap};
      return true;
    }
    if (machine_.take_trap(stop.trap)) {
      note_trap(stop);
      return true;
    }
    ++instructions_;
    if (machine_.take_nullified()) {
      nullify_slot(now);
    } else {
      leave(machine_.after_slot(), instruction.is_branch);
    }
    return false;
  }

  void nullify_slot(Cycles& now) {
    PipelineState state = states_[state_];
    state.advance(pipeline_->nullified_cycles());
    state_ = states_.intern(state);
    machine_.registers().set_pc(machine_.registers().next_pc + bytes);
    // The slot is not there for an interrupt: one in its cycle finds what follows it.
    charge(machine_.registers().pc, pipeline_->nullified_cycles(), now);
  }

  // Moves to the next instruction; `then` is the one after it.
  void leave(std::uint64_t then, bool into_delay_slot) {
    Registers& registers = machine_.registers();
    registers.pc = registers.next_pc;
    registers.next_pc = then;
    registers.in_delay_slot = into_delay_slot;
  }

  const Predecoded& predecoded(std::uint32_t word, std::uint64_t pc) {
    Predecoded& known = stepped_[(pc / bytes) % stepped_.size()];
    if (known.op.execute == nullptr || known.word != word || known.op.pc != pc) {
      known = isa_.predecode(word, pc);
    }
    return known;
  }

  Isa isa_;
  AddressSpace& memory_;
  std::shared_ptr<const Pipeline> pipeline_;
  EngineMode mode_;
  Machine machine_;
  PipelineStates states_;
  PipelineStates::Id state_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t cycles_ = 0;
  CycleProfile profile_;  // what is not counted in blocks_
  bool must_step_ = false;
  bool running_ = false;
  Cpu::InstructionObserver observer_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;           // by start
  std::unordered_map<std::uint64_t, std::set<std::uint64_t>> blocks_of_page_;  // starts
  std::vector<std::unique_ptr<Block>> retired_;
  std::array<Block*, 4096> recent_{};
  std::array<Predecoded, 1024> stepped_;
};

}  // namespace hardclock
