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
//   predecode(word, pc)   -> Predecoded {op, timing, word, is_branch, transfer, links,
//                            always_traps, reads_clock, touches_memory, stores}
//   fetch_access, instruction_bytes
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/block_cache.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/cpu.h"
#include "sim/engine/data_port.h"
#include "sim/engine/pipeline_clock.h"
#include "sim/engine/trap.h"
#include "sim/memory/address_space.h"
#include "sim/timing/out_of_order.h"
#include "sim/timing/pipeline.h"

namespace hardclock {

enum class EngineMode : std::uint8_t {
  blocks,     // predecoded blocks with remembered timing
  reference,  // one instruction at a time
};

// How long the processor's instructions take.
struct ProcessorTiming {
  std::shared_ptr<const Pipeline> in_order;
  std::shared_ptr<const OutOfOrderDescription> out_of_order;  // if it is one; `in_order` is unused
};

template <class Isa>
class DelaySlotEngine final : public Isa::CpuBase, private MemoryWatcher, private DataPort {
  using Machine = typename Isa::Machine;
  using Op = typename Machine::Op;
  using Predecoded = typename Isa::Predecoded;
  using Registers = typename Isa::Registers;
  using Block = hardclock::Block<Isa>;

 public:
  // Without `machine_memory` every access hits.
  DelaySlotEngine(Isa isa, AddressSpace& memory, ProcessorTiming timing,
                  std::shared_ptr<MachineMemory> machine_memory, EngineMode mode)
      : isa_(std::move(isa)),
        memory_(memory),
        timing_(std::move(timing)),
        pipeline_(timing_.in_order),
        mode_(mode),
        machine_(isa_.machine(memory)),
        blocks_(isa_, memory) {
    memory_.add_watcher(*this);
    if (machine_memory != nullptr) {
      cached_.emplace(memory, std::move(machine_memory));
      blocks_.end_blocks_at(std::max(cached_->fetch_line(), shortest_boundary));
    }
    if (timing_.out_of_order != nullptr) core_.emplace(timing_.out_of_order);
    if (core_)
      machine_.connect(none_free_, *this);
    else if (cached_)
      machine_.connect(cached_->free_data(), *this);
  }
  ~DelaySlotEngine() override { memory_.remove_watcher(*this); }

  std::unique_ptr<Cpu> fork(AddressSpace& memory) const override {
    auto child = std::make_unique<DelaySlotEngine>(isa_, memory, timing_,
                                                   cached_ ? cached_->machine() : nullptr, mode_);
    child->machine_.registers() = machine_.registers();
    child->machine_.registers().link_valid = false;
    child->observer_ = observer_;
    child->times_observer_ = times_observer_;
    return child;
  }

  Stop run(Cycles& now, Cycles deadline, Instructions limit) override {
    instructions_at_start_ = instructions_;
    fetches_ = 0;
    data_accesses_ = 0;
    deadline_ = deadline;
    if (cached_) cached_->begin();
    // An instruction that was interrupted in its access has to be the next one to run.
    if (access_made_ && *access_made_ != machine_.registers().pc) access_made_.reset();
    running_ = true;
    Stop stop;
    while (running_) {
      blocks_.drop_retired([this](const Block& block) { fold(block, profile_); });
      const std::uint64_t left = limit.value() - instructions_in_this_run();
      running_ = !run_one_block(now, deadline, left, stop) &&
                 !(must_step_ && step(now, deadline, left, stop));
    }
    if (cached_) {
      cached_->end(Instructions(instructions_in_this_run()), fetches_, data_accesses_);
    }
    return stop;
  }

  GuestAddr interrupted_pc() const override { return GuestAddr(machine_.registers().epc()); }
  void interrupted() override { machine_.registers().link_valid = false; }
  void drain_pipeline() override {
    pipeline_.drain();
    if (core_) core_->drain();
  }
  void complete_system_call() override { move_on(machine_.registers().next_pc + bytes, false); }
  ExecutionCounts counts() const override { return {Instructions(instructions_), Cycles(cycles_)}; }
  CycleProfile cycle_profile() const override {
    CycleProfile profile = profile_;
    blocks_.for_each([&](const Block& block) { fold(block, profile); });
    return profile;
  }
  void observe(Cpu::InstructionObserver observer) override { observer_ = std::move(observer); }
  void observe_timing(std::function<void(const InstructionTimes&)> observer) override {
    times_observer_ = std::move(observer);
  }
  Registers& registers() override { return machine_.registers(); }

 private:
  static constexpr std::uint64_t bytes = Isa::instruction_bytes;
  // Blocks of an instruction or two, in caches with lines of that size, would not be worth it.
  static constexpr std::uint64_t shortest_boundary = 32;

  // ---- Blocks.
  // Returns true when a reason to stop came up; sets must_step_ when the next instruction has to be
  // stepped instead.
  bool run_one_block(Cycles& now, Cycles deadline, std::uint64_t left, Stop& stop) {
    must_step_ = true;
    const Registers& registers = machine_.registers();
    if (mode_ == EngineMode::reference || core_ || observer_ || times_observer_ ||
        registers.in_delay_slot || registers.next_pc != registers.pc + bytes) {
      return false;
    }
    Block* block = blocks_.find(registers.pc);
    if (block == nullptr || block->step_only || block->ops.size() > left) return false;
    // A line that is not there is fetched by its first instruction: step through the block.
    if (registers.pc > step_from_ && registers.pc < step_until_) return false;
    if (cached_ && !fetch_block(*block, now)) {
      step_from_ = block->start;
      step_until_ = block->fall_through;
      return false;
    }
    TimedBlock::Entry& entry = pipeline_.enter(block->timed);
    if (now + Cycles(entry[Way::straight].cycles) > deadline) return false;
    must_step_ = false;
    return execute(*block, entry, now, stop);
  }

  bool execute(Block& block, TimedBlock::Entry& entry, Cycles& now, Stop& stop) {
    const Op* const first = block.ops.data();
    const Op* const end = first + block.ops.size();
    if (cached_) {
      running_block_ = {&block, &entry, now};
      stalls_.clear();
    }
    try {
      const Op* const stopped_at = machine_.run(first, end, block.fall_through);
      if (machine_.take_trap(stop.trap)) {
        return trapped(block, static_cast<std::size_t>(stopped_at - first) - 1, now, stop);
      }
      if (stopped_at == end) [[likely]] {
        leave(block, entry, machine_.taken() ? Way::taken : Way::straight, now);
        instructions_ += block.ops.size();
      } else if (machine_.take_nullified()) {
        leave(block, entry, Way::nullified, now);
        instructions_ += block.ops.size() - 1;
      } else {
        const auto done = static_cast<std::size_t>(stopped_at - first);
        issue_prefix(block, done, done, now);
        instructions_ += done;
        machine_.registers().set_pc(first[done].pc);
      }
      return false;
    } catch (const typename Isa::InstructionTrap& trap) {
      stop.trap = trap.trap;
      return trapped(block, static_cast<std::size_t>(machine_.current() - first), now, stop);
    } catch (const StallInterrupted&) {
      abandon(block, static_cast<std::size_t>(machine_.current() - first), now);
      stop.reason = StopReason::deadline;
      return true;
    }
  }

  void leave(Block& block, TimedBlock::Entry& entry, Way way, Cycles& now) {
    if (stalls_.empty()) [[likely]] {
      const std::uint32_t cycles = pipeline_.leave(block.timed, entry, way);
      now += Cycles(cycles);
      cycles_ += cycles;
      if (cached_) count_accesses(block, way);
    } else {
      leave_stalled(block, entry, way, now);
    }
    machine_.registers().set_pc(machine_.after_slot());
  }

  void leave_stalled(Block& block, TimedBlock::Entry& entry, Way way, Cycles& now) {
    if (entry.any_continues) {
      const std::size_t ran = block.ops.size() - (way == Way::nullified ? 1 : 0);
      issue_prefix(block, ran, ran, now);
      if (way == Way::taken) pipeline_.redirect(block.branch_class());
      if (way == Way::nullified) charge(block.fall_through, pipeline_.nullify(), now);
      return;
    }
    // Nothing moved while an instruction waited.
    const std::uint32_t cycles = pipeline_.leave(block.timed, entry, way);
    now += Cycles(cycles);
    cycles_ += cycles;
    count_accesses(block, way);
    block.stalled.resize(block.ops.size());
    for (const Stall& stall : stalls_) {
      block.stalled[stall.index] += stall.cycles;
      now += Cycles(stall.cycles);
      cycles_ += stall.cycles;
    }
  }

  // Instruction `index` of the block trapped; those before it completed.
  bool trapped(const Block& block, std::size_t index, Cycles& now, Stop& stop) {
    abandon(block, index, now);
    note_trap(stop);
    return true;
  }

  // Leaves the block at instruction `index`, which has issued but did not complete.
  void abandon(const Block& block, std::size_t index, Cycles& now) {
    issue_prefix(block, index + 1, index, now);
    instructions_ += index;
    Registers& registers = machine_.registers();
    registers.set_pc(block.ops[index].pc);
    if (block.timed.ends_with_slot && index + 1 == block.ops.size()) {
      registers.in_delay_slot = true;
      registers.next_pc = machine_.after_slot();
      taken_class_.reset();
      if (machine_.taken()) taken_class_ = block.branch_class();
    }
  }

  std::uint64_t instructions_in_this_run() const { return instructions_ - instructions_at_start_; }

  void note_trap(Stop& stop) {
    stop.reason = StopReason::trap;
    // The kernel finishes the instruction; a faulting one may still be restarted.
    if (stop.trap.kind == TrapKind::system_call) ++instructions_;
  }

  void count_accesses(const Block& block, Way way) {
    fetches_ += block.ops.size() - (way == Way::nullified ? 1 : 0);
    data_accesses_ += block.data_accesses;
    if (way == Way::nullified) data_accesses_ -= block.touches_memory.back();
  }

  // Accounts for the first `count` instructions of a block one by one, with their stalls. Of these
  // `completed` completed.
  void issue_prefix(const Block& block, std::size_t count, std::size_t completed, Cycles& now) {
    std::size_t next_stall = 0;
    pipeline_.issue_prefix(block.timed, count, [&](std::size_t i, std::uint32_t cycles) {
      charge(block.charged_pc(i), cycles, now);
      ++fetches_;
      if (i < completed) data_accesses_ += block.touches_memory[i];
      for (; next_stall < stalls_.size() && stalls_[next_stall].index == i; ++next_stall) {
        charge(block.charged_pc(i), stalls_[next_stall].cycles, now);
        pipeline_.freeze(stalls_[next_stall].cycles);
      }
    });
    stalls_.clear();
  }

  void charge(std::uint64_t pc, std::uint64_t cycles, Cycles& now) {
    if (cycles == 0) return;
    profile_[GuestAddr(pc)] += cycles;
    cycles_ += cycles;
    now += Cycles(cycles);
  }

  // Adds what the block's executions cost to `profile`.
  void fold(const Block& block, CycleProfile& profile) const {
    pipeline_.for_each_cost(
        block.timed, [&](std::size_t i, std::uint64_t cycles, std::uint64_t times) {
          if (cycles * times == 0) return;
          const bool is_nullified_slot = i == block.ops.size();
          const std::uint64_t pc = is_nullified_slot ? block.fall_through : block.charged_pc(i);
          profile[GuestAddr(pc)] += cycles * times;
        });
    for (std::size_t i = 0; i < block.stalled.size(); ++i) {
      if (block.stalled[i] != 0) profile[GuestAddr(block.charged_pc(i))] += block.stalled[i];
    }
  }

  // ---- Memory.
  // Loads and stores that may cost something; called in the middle of an instruction.
  Result<std::uint8_t*, Fault> access(GuestAddr address, unsigned size, Access access) override {
    if (core_) return access_out_of_order(address, size, access);
    if (take_access_made()) {
      cached_->completed();
      return memory_.translate(address, size, access);
    }
    const auto data = cached_->access(address, size, access, moment_of_access());
    if (!data) return Failure{data.error()};
    // A block begins when all its fetches are free.
    if (cached_->take_fetches_changed()) machine_.stop_after_current();
    if (data->cycles != 0) stall(data->cycles);
    return data->host;
  }

  MemorySystem::Moment moment_of_access() {
    std::uint64_t instructions =
        cached_->machine()->instructions.value() + instructions_in_this_run();
    if (running_block_.block == nullptr) {
      return {step_now_ + Cycles(step_stall_), Instructions(instructions)};
    }
    const std::size_t index = current_index();
    const std::uint64_t passed = cycles_through(index);
    return {running_block_.entered + Cycles(passed), Instructions(instructions + index)};
  }

  std::size_t current_index() const {
    return static_cast<std::size_t>(machine_.current() - running_block_.block->ops.data());
  }

  // Cycles from the running block's start until instruction `index` has issued, and its stalls.
  std::uint64_t cycles_through(std::size_t index) {
    TimedBlock::Entry& entry = *running_block_.entry;
    std::uint64_t stalled = 0;
    for (const Stall& stall : stalls_) stalled += stall.cycles;
    if (stalled == 0 || !entry.any_continues) {
      return pipeline_.issued(running_block_.block->timed, entry, index) + stalled;
    }
    return pipeline_.issued_with_stalls(running_block_.block->timed, entry, index, stalls_);
  }

  // The current instruction waits. A clock event that comes in that time finds it there.
  void stall(std::uint32_t cycles) {
    if (running_block_.block == nullptr) {
      step_stall_ += cycles;
      if (step_now_ + Cycles(step_stall_) > deadline_) interrupt_access();
      return;
    }
    const std::size_t index = current_index();
    stalls_.push_back({index, cycles});
    std::uint64_t longest = (*running_block_.entry)[Way::straight].cycles;
    for (const Stall& each : stalls_) longest += each.cycles;
    if (running_block_.entered + Cycles(longest) <= deadline_) return;
    if (running_block_.entered + Cycles(cycles_through(index)) > deadline_) interrupt_access();
    machine_.stop_after_current();
  }

  // Whether the current instruction has made its access before it was interrupted.
  bool take_access_made() {
    if (!access_made_ || *access_made_ != machine_.current()->pc) return false;
    access_made_.reset();
    return true;
  }

  [[noreturn]] void interrupt_access() {
    access_made_ = machine_.current()->pc;
    cached_->interrupted();
    throw StallInterrupted{};
  }

  void translation_changed(std::uint64_t page) override {
    if (cached_) cached_->forget_page(page);
  }
  void all_translations_changed() override {
    if (cached_) cached_->forget_space();
  }

  // Whoever stored: this processor, another one that uses the same memory, or the kernel. The
  // running block may be among those that go: it is kept until it has been left, and its last
  // execution counted.
  void code_changed(std::uint64_t page) override {
    if (blocks_.drop_page(page) && running_) machine_.stop_after_current();
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
    running_block_ = {};
    times_ = {};
    has_issued_ = false;
    const std::uint64_t completed = instructions_;
    const bool stops =
        core_ ? step_out_of_order(instruction, now, stop) : step_in_order(instruction, now, stop);
    if (times_observer_ && has_issued_) {
      times_.pc = GuestAddr(pc);
      times_.word = *word;
      times_.completed = instructions_ != completed;
      times_observer_(times_);
    }
    return stops;
  }

  bool step_in_order(const Predecoded& instruction, Cycles& now, Stop& stop) {
    const std::uint64_t pc = machine_.registers().pc;
    if (cached_) {
      ++fetches_;
      times_.fetch_stall = fetch_stall(pc, now);
      wait_for_fetch(times_.fetch_stall, now);
    }
    PipelineClock::Issue issue = pipeline_.issue(instruction.timing);
    // An instruction that joins the one before issues in a cycle that has begun already.
    const std::uint32_t wait = issue.cycles == 0 ? 0 : issue.cycles - 1;
    if (issue.cycles != 0 && now + Cycles(wait) >= deadline_) {
      charge(machine_.registers().epc(), wait, now);
      pipeline_.pass(wait);
      stop.reason = StopReason::deadline;
      return true;
    }
    if (observer_) observer_(GuestAddr(pc), instruction.word, now + Cycles(wait));
    charge(machine_.registers().epc(), issue.cycles, now);
    pipeline_.accept(std::move(issue));
    has_issued_ = true;
    times_.issue = now.value() - 1;
    times_.waited = wait;
    step_now_ = now;
    step_stall_ = 0;
    return execute_one(instruction, now, stop);
  }

  std::uint32_t fetch_stall(std::uint64_t pc, Cycles now) {
    const Instructions executed =
        cached_->machine()->instructions + Instructions(instructions_in_this_run());
    return cached_->fetch(pc, {now, executed});
  }

  void wait_for_fetch(std::uint32_t cycles, Cycles& now) {
    if (cycles == 0) return;
    charge(machine_.registers().epc(), cycles, now);
    pipeline_.freeze(cycles);
    pipeline_.pass(0);
  }

  // Fetches the block's first instruction. Whether all others are free then.
  bool fetch_block(const Block& block, Cycles& now) {
    if (cached_->are_free_fetches(block.start, block.ops.back().pc)) return true;
    wait_for_fetch(fetch_stall(block.start, now), now);
    return cached_->are_free_fetches(block.start, block.ops.back().pc);
  }

  // Charges the instruction's waits for memory.
  void end_stall(Cycles& now) {
    if (step_stall_ == 0) return;
    if (!core_) times_.memory_stall = step_stall_;
    charge(machine_.registers().epc(), step_stall_, now);
    pipeline_.freeze(std::exchange(step_stall_, 0));
  }

  bool execute_one(const Predecoded& instruction, Cycles& now, Stop& stop) {
    const bool was_in_slot = machine_.registers().in_delay_slot;
    const std::uint64_t after_slot = machine_.registers().next_pc + bytes;
    if (instruction.reads_clock) machine_.set_clock(now);
    try {
      machine_.run(&instruction.op, &instruction.op + 1, after_slot);
    } catch (const typename Isa::InstructionTrap& trap) {
      end_stall(now);
      stop = Stop{StopReason::trap, trap.trap};
      return true;
    } catch (const StallInterrupted&) {
      end_stall(now);
      stop.reason = StopReason::deadline;
      return true;
    }
    // A conditional store that failed, for one, came to no access.
    if (retiring_ != nullptr) retire();
    end_stall(now);
    if (machine_.take_trap(stop.trap)) {
      note_trap(stop);
      return true;
    }
    ++instructions_;
    data_accesses_ += instruction.touches_memory ? 1 : 0;
    const bool nullified = machine_.take_nullified();
    if (core_ && instruction.is_branch) resolve(instruction, nullified);
    if (nullified) {
      nullify_slot(now);
    } else {
      move_on(machine_.after_slot(), instruction.is_branch);
    }
    if (was_in_slot && taken_class_) pipeline_.redirect(*taken_class_);
    taken_class_.reset();
    if (machine_.taken()) taken_class_ = instruction.timing.timing_class;
    return false;
  }

  void nullify_slot(Cycles& now) {
    const std::uint32_t cycles = pipeline_.nullify();
    machine_.registers().set_pc(machine_.registers().next_pc + bytes);
    // The slot is not there for an interrupt: one in its cycle finds what follows it.
    charge(machine_.registers().pc, cycles, now);
  }

  // Moves to the next instruction; `then` is the one after it.
  void move_on(std::uint64_t then, bool into_delay_slot) {
    Registers& registers = machine_.registers();
    registers.pc = registers.next_pc;
    registers.next_pc = then;
    registers.in_delay_slot = into_delay_slot;
  }

  // ---- Out of order: an instruction costs the time between the graduation of the one before and
  // its own, which has to be known before it changes anything.
  bool step_out_of_order(const Predecoded& instruction, Cycles& now, Stop& stop) {
    const std::uint64_t pc = machine_.registers().pc;
    dynamic_ = {};
    dynamic_.pc = pc;
    if (cached_) {
      ++fetches_;
      dynamic_.fetch_stall = fetch_stall(pc, now);
    }
    dynamic_.is_memory = instruction.touches_memory;
    dynamic_.is_store = instruction.stores;
    retiring_ = &instruction.timing;
    step_now_ = now;
    step_stall_ = 0;
    if (!instruction.touches_memory && !retire()) {
      end_stall(now);
      stop.reason = StopReason::deadline;
      return true;
    }
    if (observer_) observer_(GuestAddr(pc), instruction.word, step_now_);
    const bool stops = execute_one(instruction, now, stop);
    retiring_ = nullptr;
    if (stops) core_->drain();
    return stops;
  }

  // Notes what the instruction costs. False: a clock event comes before it graduates.
  bool retire() {
    const std::uint32_t cycles = core_->retire(*std::exchange(retiring_, nullptr), dynamic_);
    note_times(step_now_.value() + cycles);
    step_stall_ = cycles;
    const bool in_time = cycles == 0 || step_now_ + Cycles(cycles) <= deadline_;
    // It begins anew after an interrupt; where those come thick and fast, the second one has to
    // wait.
    if (std::exchange(was_interrupted_, false) || in_time) return true;
    was_interrupted_ = true;
    core_->drain();
    step_stall_ =
        deadline_ > step_now_ ? static_cast<std::uint32_t>((deadline_ - step_now_).value()) : 0;
    return false;
  }

  // The instruction graduates in the cycle before `graduated`.
  void note_times(std::uint64_t graduated) {
    const OutOfOrderCore::Times& last = core_->last();
    const std::uint64_t drained = graduated - 1 - std::min(graduated - 1, last.graduate);
    has_issued_ = true;
    times_.issue = graduated - 1;
    times_.fetch_stall = dynamic_.fetch_stall;
    times_.memory_stall = dynamic_.memory_stall;
    times_.out_of_order = {drained + last.fetch, drained + last.decode, drained + last.issue,
                           drained + last.complete};
  }

  Result<std::uint8_t*, Fault> access_out_of_order(GuestAddr address, unsigned size,
                                                   Access access) {
    const auto host = memory_.translate(address, size, access);
    if (!host || retiring_ == nullptr) return host;
    dynamic_.memory_address = address.value();
    dynamic_.memory_line = address.value() / page_size;
    if (cached_ && take_access_made()) {
      cached_->completed();
    } else if (cached_) {
      const auto data = cached_->access(address, size, access, moment_of_access());
      dynamic_.memory_stall = data->cycles;
      dynamic_.memory_line = data->line;
    }
    if (!retire()) {
      if (cached_) interrupt_access();
      throw StallInterrupted{};
    }
    return host;
  }

  void resolve(const Predecoded& instruction, bool nullified) {
    OutOfOrderCore::Outcome outcome;
    outcome.transfer = instruction.transfer;
    outcome.taken = machine_.taken();
    outcome.links = instruction.links;
    outcome.target = machine_.after_slot();
    outcome.return_address = machine_.registers().pc + 2 * bytes;
    outcome.slots = nullified ? 0 : 1;
    core_->resolve(outcome);
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
  ProcessorTiming timing_;
  PipelineClock pipeline_;
  EngineMode mode_;
  Machine machine_;
  // The class of the transfer of control that was taken, when its delay slot is stepped next.
  std::optional<std::uint8_t> taken_class_;
  std::uint64_t instructions_ = 0;
  std::uint64_t cycles_ = 0;
  CycleProfile profile_;  // what is not counted in blocks_
  bool must_step_ = false;
  bool running_ = false;
  std::uint64_t instructions_at_start_ = 0;  // of run()
  std::uint64_t fetches_ = 0;                // since then
  std::uint64_t data_accesses_ = 0;          // since then, of instructions that completed
  Cycles deadline_;
  std::optional<CachedMemory> cached_;
  std::optional<OutOfOrderCore> core_;
  AccessTable none_free_{page_shift, 1};
  const InstructionTiming* retiring_ = nullptr;  // of the stepped instruction, until it retires
  OutOfOrderCore::Dynamic dynamic_;
  bool was_interrupted_ = false;  // out of order: the last instruction, before it graduated
  // The block that is running; null: an instruction is stepped.
  struct RunningBlock {
    Block* block = nullptr;
    TimedBlock::Entry* entry = nullptr;
    Cycles entered;
  };
  RunningBlock running_block_;
  std::vector<Stall> stalls_;     // of the running block, in order
  Cycles step_now_;               // when the stepped instruction had issued
  std::uint32_t step_stall_ = 0;  // what it waited for memory since
  std::uint64_t step_from_ = 0;   // instructions behind this one, up to step_until_, are stepped
  std::uint64_t step_until_ = 0;
  std::optional<std::uint64_t> access_made_;  // pc of what was interrupted while it waited
  Cpu::InstructionObserver observer_;
  std::function<void(const InstructionTimes&)> times_observer_;
  InstructionTimes times_;  // of the stepped instruction
  bool has_issued_ = false;
  BlockCache<Isa> blocks_;
  std::array<Predecoded, 1024> stepped_;
};

}  // namespace hardclock
