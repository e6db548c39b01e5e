// How Engine runs blocks as code of the host (sim/translator). A part of engine.h, which includes
// it. What the interpreter has to do, or what has to be asked of a clock, leaves the code first; so
// everything here is about how it goes on then.
#pragma once

#include "sim/engine/engine.h"

namespace hardclock {

// The functions that translated code calls while it runs.
template <class Isa>
struct Engine<Isa>::HostCalls {
  static std::uint8_t* access(HostFrame* frame, std::uint64_t address,
                              std::uint32_t size_and_kind) {
    Engine& engine = *static_cast<Engine*>(frame->engine);
    const Access access = (size_and_kind & is_write) != 0 ? Access::write : Access::read;
    return engine.host_of(GuestAddr(address), size_and_kind & (is_write - 1), access);
  }

  static HostFrame::Ran run_one(HostFrame* frame, const void* op, std::uint64_t pc,
                                std::uint32_t index) {
    Engine& engine = *static_cast<Engine*>(frame->engine);
    Interpreter& interpreter = engine.interpreter_;
    const auto* const first = static_cast<const Op*>(op);
    interpreter.run(first, first + 1, pc, pc);
    if (interpreter.gave_up()) {
      // It runs again, and then somebody asks why.
      interpreter.take_end();
      interpreter.take_slow();
      return HostFrame::not_completed;
    }
    if (interpreter.take_slow() != 0) frame->slow |= std::uint64_t{1} << index;
    return interpreter.was_told_to_stop() ? HostFrame::completed_and_left : HostFrame::completed;
  }
};

// Null: the access is one for the interpreter. A store to code among them, so that blocks are never
// retired while one of them runs here.
template <class Isa>
std::uint8_t* Engine<Isa>::host_of(GuestAddr address, unsigned size, Access access) {
  if (access == Access::write && memory_.is_watched(address)) return nullptr;
  const auto host = memory_.translate(address, size, access);
  return host ? *host : nullptr;
}

template <class Isa>
void Engine<Isa>::start_translating() {
  if constexpr (translates) {
    if (cached_ || core_) return;
    GuestMode mode = blocks_.store()->isa().guest_mode();
    mode.slow_cycles = slow_cycles_;
    mode.access_shift = interpreter_.unchecked().shift();
    mode.access_entries = interpreter_.unchecked().entries().size();
    translator_ = Translator::make(mode);
  }
}

// The code of the block at the pc, if it can run now.
template <class Isa>
const void* Engine<Isa>::code_to_run(Block& block, Cycles now, Instructions limit) {
  TimedBlock::Entry& entry = pipeline_.enter(block.whole.timed);
  if (entry.code == nullptr) {
    if (entry.is_interpreted || entry.executions() < translation_.after_executions) return nullptr;
    entry.code = translate(block, entry);
    if (entry.code == nullptr) return nullptr;
  }
  if (now + Cycles(entry.longest) > deadline_) return nullptr;
  if (limit.value() - instructions_in_this_run() < RunBudget::most_instructions) return nullptr;
  if constexpr (requires(const Isa& isa, const Registers& registers) {
                  isa.holds_words(registers);
                }) {
    if (!blocks_.store()->isa().holds_words(interpreter_.registers())) return nullptr;
  }
  return entry.code;
}

template <class Isa>
[[gnu::noinline]] const void* Engine<Isa>::translate(Block& block, TimedBlock::Entry& entry) {
  if constexpr (translates) {
    if (translator_->is_stale()) forget_translations();
    constexpr std::uint32_t most_cycles = 1 << 20;
    if (!Sequencing::ends_by_itself(block) || entry.longest > most_cycles) {
      entry.is_interpreted = true;
      return nullptr;
    }
    const Isa& isa = blocks_.store()->isa();
    recordings_.clear();
    recordings_.reserve(block.size());
    source_.instructions.clear();
    source_.pcs.clear();
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Predecoded& instruction = *block.rest->code->instructions[i];
      const std::uint64_t pc = block.pc_of(i);
      source_.last_traps = instruction.always_traps;
      recordings_.push_back(isa.recording(instruction.text, pc));
      source_.instructions.push_back(
          {&recordings_[i], &block.ops()[i], instruction.touches_memory});
      source_.pcs.push_back(pc);
    }
    source_.pc = block.pc;
    source_.continues_at = block.continues_at();
    source_.with_slot = Sequencing::has_slot(block);
    source_.state = entry.state;
    source_.longest = entry.longest;
    const bool may_be_nullified = block.whole.timed.rest->last_may_be_nullified;
    for (std::size_t way = 0; way < block_exits; ++way) {
      const auto exit = static_cast<BlockExit>(way);
      if (is_nullified(exit) && !may_be_nullified) continue;
      const TimedBlock::Edge& edge = pipeline_.edge(block.whole.timed, entry, exit);
      source_.edges[way] = {edge.cycles, edge.exit};
    }
    const std::size_t last = block.size() - 1;
    source_.skip.reset();
    if (!source_.with_slot && block.rest->code->instructions[last]->may_nullify) {
      describe_skip(block.fall_through());
    }
    source_.notes_slow = slow_cycles_ != 0 && (entry.any_continues || ledger_.collects());
    source_.counts_edges = ledger_.collects();
    const void* const code = translator_->translate(source_, &block);
    if (translator_->is_stale()) forget_translations();
    if (code == nullptr) entry.is_interpreted = true;
    return code;
  } else {
    return nullptr;
  }
}

// The last instruction of the block that is translated may nullify the one at `pc`, behind it.
template <class Isa>
void Engine<Isa>::describe_skip(std::uint64_t pc) {
  const auto edge = [this](BlockExit way) -> BlockSource::Edge& {
    return source_.edges[static_cast<std::size_t>(way)];
  };
  const BlockSource::Edge& before = edge(BlockExit::straight);
  const std::uint32_t cycles = pipeline_.nullified_cycles();
  source_.skip = BlockSource::Skip{Isa::Layout::after(pc, 1), cycles};
  edge(BlockExit::nullified) = {before.cycles + cycles, pipeline_.behind_nullified(before.exit)};
}

// No block has code any more.
template <class Isa>
void Engine<Isa>::forget_translations() {
  if (translator_ == nullptr) return;
  settle_edges();
  last_edge_ = nullptr;
  blocks_.for_each([](Block& block) {
    block.whole.timed.for_each_entry_to_change(
        [](TimedBlock::Entry& entry) { entry.code = nullptr; });
  });
  translator_->reset();
}

// The block has been left for good, and what its edges have counted is known.
template <class Isa>
void Engine<Isa>::forget_code(Block& block) {
  if (translator_ == nullptr) return;
  block.whole.timed.for_each_entry_to_change([this](TimedBlock::Entry& entry) {
    if (entry.code != nullptr) translator_->drop(entry.code);
  });
}

// The block's code is entered no more.
template <class Isa>
void Engine<Isa>::retire_code(Block& block) {
  if (translator_ == nullptr) return;
  block.whole.timed.for_each_entry_to_change([this](TimedBlock::Entry& entry) {
    if (entry.code != nullptr) translator_->retire(entry.code);
  });
}

// What edges have counted becomes the blocks' own.
template <class Isa>
void Engine<Isa>::settle_edges() const {
  if (translator_ == nullptr || !ledger_.collects()) return;
  translator_->for_each_exit([this](Translator::Exit& exit) {
    if (exit.executions == 0 || exit.block == nullptr) return;
    TimedBlock& timed = static_cast<Block*>(exit.block)->whole.timed;
    TimedBlock::Entry* const entry = PipelineClock::entry_in(timed, exit.state);
    timed.edge(*entry, exit.way).executions += std::exchange(exit.executions, 0);
  });
}

// Runs the code and whatever it leads to. Returns how to go on.
template <class Isa>
auto Engine<Isa>::run_translated(const void* code, Cycles& now) -> Way {
  if (last_edge_ != nullptr) translator_->link(*std::exchange(last_edge_, nullptr), code);
  came_from_ = nullptr;
  const std::uint64_t cycles =
      std::min<std::uint64_t>((deadline_ - now).value(), RunBudget::most_cycles);
  HostFrame frame;
  frame.registers = &interpreter_.registers();
  frame.accesses = interpreter_.unchecked().entries().data();
  frame.budget = RunBudget::cycles(cycles);
  frame.engine = this;
  frame.access = HostCalls::access;
  frame.run_one = HostCalls::run_one;
  const Translator::Exit& exit = translator_->run(frame, code);

  const RunBudget left(frame.budget);
  ledger_.count(cycles - static_cast<std::uint64_t>(left.cycles_left()), now);
  instructions_ += left.instructions();
  return go_on_from(exit, frame, now);
}

template <class Isa>
auto Engine<Isa>::go_on_from(const Translator::Exit& exit, const HostFrame& frame, Cycles& now)
    -> Way {
  using Kind = Translator::Exit::Kind;
  Registers& registers = interpreter_.registers();
  switch (exit.kind) {
    case Kind::edge:
      last_edge_ = &exit;
      [[fallthrough]];
    case Kind::indirect:
      pipeline_.stand_in(exit.after);
      registers.set_pc(exit.kind == Kind::edge ? exit.target : frame.target);
      return Way::block;
    case Kind::skips:
      pipeline_.stand_in(exit.after);
      registers.set_pc(exit.target);
      pass_nullified(now);
      return Way::block;
    case Kind::begin:
      pipeline_.stand_in(exit.state);
      registers.set_pc(exit.pc);
      return Way::block;
    case Kind::within: {
      Block& block = *static_cast<Block*>(exit.block);
      take_back(block, exit, now);
      interpreter_.note_slow(frame.slow);
      issue_prefix(block, block.whole, exit.index, exit.index, now);
      instructions_ += exit.index;
      sequencer_.stand_at(block, exit.index, interpreter_);
      return Way::step;
    }
    default:
      return leave_slow(exit, frame, now);
  }
}

// The block has run, and some of its instructions were slow.
template <class Isa>
auto Engine<Isa>::leave_slow(const Translator::Exit& exit, const HostFrame& frame, Cycles& now)
    -> Way {
  Block& block = *static_cast<Block*>(exit.block);
  take_back(block, exit, now);
  interpreter_.note_slow(frame.slow);
  pass(block, block.whole, *PipelineClock::entry_in(block.whole.timed, exit.state), exit.way, now);
  instructions_ += block.size() - (is_nullified(exit.way) ? 1 : 0);
  interpreter_.registers().set_pc(exit.kind == Translator::Exit::Kind::slow ? exit.target
                                                                            : frame.target);
  return Way::block;
}

// The block in which the code was left has been charged as a whole when it was entered.
template <class Isa>
void Engine<Isa>::take_back(Block& block, const Translator::Exit& exit, Cycles& now) {
  ledger_.take_back(PipelineClock::entry_in(block.whole.timed, exit.state)->longest, now);
  instructions_ -= block.size();
  pipeline_.stand_in(exit.state);
}

}  // namespace hardclock
