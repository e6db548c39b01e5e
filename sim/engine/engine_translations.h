// How Engine tells the translator of its blocks, and forgets translations. A part of
// Engine.
#pragma once

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
[[gnu::noinline]] const void* Engine<Isa>::translate(Block& block, TimedBlock::Entry& entry) {
  if constexpr (TranslatedIsa<Isa>) {
    constexpr std::uint32_t most_cycles = 1 << 20;
    if (!Sequencing::ends_by_itself(block) || entry.longest > most_cycles) {
      entry.is_interpreted = true;
      return nullptr;
    }
    const Isa& isa = code_.blocks.store()->isa();
    code_.recordings.clear();
    code_.recordings.reserve(block.size());
    code_.source.instructions.clear();
    const std::vector<std::uint32_t>& issued = block.whole.timed.details(entry).issued;
    code_.source.pcs.clear();
    const BlockCode<Isa>& of = *block.rest->code;
    // They lie where they were first met, far from one another.
    for (const Instruction* const each : of.instructions) __builtin_prefetch(&each->touches_memory);
    const std::vector<bool> delays = thread_.pipeline.mere_delays(block.whole.timed, entry);
    const TimedBlock::Details& details = block.whole.timed.details(entry);
    const std::uint64_t slow_so_far = details.slow_so_far;
    code_.source.notes_slow = false;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Instruction& instruction = *of.instructions[i];
      const std::uint64_t pc = block.pc_of(i);
      code_.source.last_traps = instruction.always_traps;
      const bool may_spare_wait =
          i < Isa::Interpreter::most_marked && (details.spares >> i & 1) != 0;
      code_.recordings.push_back(may_spare_wait ? marked_recording(of.texts[i], pc)
                                                : isa.recording(of.texts[i], pc));
      code_.source.instructions.push_back(
          {.recording = &code_.recordings[i],
           .op = &block.ops()[i],
           .touches_memory = instruction.touches_memory,
           .issued = issued[i],
           .fetch_only_delays = !thread_.pipeline.issues_together() && delays[i],
           .wait_only_delays = delays[i + 1],
           .notes_slow = may_spare_wait || (slow_cycles_ != 0 && !delays[i + 1]),
           .was_slow = i < Isa::Interpreter::most_marked && (slow_so_far >> i & 1) != 0});
      code_.source.notes_slow |= code_.source.instructions.back().notes_slow;
      code_.source.pcs.push_back(pc);
    }
    code_.source.pc = block.pc;
    code_.source.continues_at = block.continues_at();
    code_.source.with_slot = Sequencing::has_slot(block);
    code_.source.state = entry.state;
    code_.source.longest = entry.longest;
    code_.source.prediction = prediction_of(block);
    const bool may_be_nullified = block.whole.timed.rest->last_may_be_nullified;
    for (std::size_t way = 0; way < block_exits; ++way) {
      const auto exit = static_cast<BlockExit>(way);
      if (is_nullified(exit) && !may_be_nullified) continue;
      if (is_overruled(exit) && !code_.source.prediction) continue;
      const TimedBlock::Edge& edge = thread_.pipeline.edge(block.whole.timed, entry, exit);
      code_.source.edges[way] = {edge.cycles, edge.exit};
    }
    if (code_.source.prediction) note_lost();
    const std::size_t last = block.size() - 1;
    code_.source.skip.reset();
    if (!code_.source.with_slot && of.instructions[last]->may_nullify) {
      describe_skip(block.fall_through());
    }
    code_.source.counts_edges = thread_.ledger.collects();
    code_.source.notes_moments = notes_moments();
    code_.source.noted = noted_of(block);
    code_.source.counts_arrivals = watch_ && watch_->is_counted_in_code(block);
    const void* code = code_.translator->translate(code_.source, &block);
    if (code_.translator->is_stale()) {
      forget_translations();
      code = code_.translator->translate(code_.source, &block);
    }
    if (code == nullptr) entry.is_interpreted = true;
    return code;
  } else {
    return nullptr;
  }
}

// With the mark that says whether it is off.
template <EngineIsa Isa>
Recording Engine<Isa>::marked_recording(const Text& text, std::uint64_t pc) const {
  const Isa& isa = code_.blocks.store()->isa();
  if constexpr (HasPredicates<Isa>)
    return isa.marked_recording(text, pc);
  else
    return isa.recording(text, pc);
}

// Null: there is none.
template <EngineIsa Isa>
TwoLevelPredictor* Engine<Isa>::predictor() const {
  if constexpr (PredictedSequencing<Sequencing>)
    return thread_.sequencer.predictor();
  else
    return nullptr;
}

// Of the block's last instruction.
template <EngineIsa Isa>
std::optional<BlockSource::Prediction> Engine<Isa>::prediction_of(const Block& block) const {
  if constexpr (PredictedSequencing<Sequencing>) {
    const TwoLevelPredictor* const of = predictor();
    if (of == nullptr || !block.end.may_be_overruled) return std::nullopt;
    const TwoLevelPredictor::Shape& shape = of->shape();
    const std::uint64_t pc = block.pc_of(block.size() - 1);
    const auto set = static_cast<std::uint32_t>(of->set_of(pc));
    return BlockSource::Prediction{
        .pc = pc,
        .hint = block.end.predicted_taken,
        .branch = set * shape.ways * static_cast<std::uint32_t>(sizeof(TwoLevelPredictor::Branch)),
        .counters = set << shape.history,
        .outcomes = static_cast<std::uint8_t>((1u << shape.history) - 1)};
  }
  return std::nullopt;
}

// What the branch loses when it has been predicted wrongly. With caches, it matters when the next
// line is fetched.
template <EngineIsa Isa>
void Engine<Isa>::note_lost() {
  if (thread_.cached) return;
  for (const bool taken : {false, true}) {
    const auto edge = [&](bool right) -> const BlockSource::Edge& {
      const bool is_overruled = (taken == code_.source.prediction->hint) != right;
      return code_.source.edges[static_cast<std::size_t>(predicted_exit(taken, is_overruled))];
    };
    if (edge(true).cycles != edge(false).cycles) continue;
    code_.source.prediction->lost[taken ? 1 : 0] =
        thread_.pipeline.delay(edge(true).exit, edge(false).exit).value_or(0);
  }
}

// Whether what the interpreter has run leaves registers as translations expect them.
template <EngineIsa Isa>
bool Engine<Isa>::still_holds_words() const {
  if constexpr (MayLoseWords<Isa>) {
    return code_.blocks.store()->isa().still_holds_words(thread_.interpreter.registers());
  } else {
    return true;
  }
}

// The last instruction of the block that is translated may nullify the one at `pc`, behind it.
template <EngineIsa Isa>
void Engine<Isa>::describe_skip(std::uint64_t pc) {
  const auto edge = [this](BlockExit way) -> BlockSource::Edge& {
    return code_.source.edges[static_cast<std::size_t>(way)];
  };
  const BlockSource::Edge& before = edge(BlockExit::straight);
  const std::uint32_t cycles = thread_.pipeline.nullified_cycles();
  code_.source.skip = BlockSource::Skip{Isa::Layout::after(pc, 1), cycles};
  edge(BlockExit::nullified) = {before.cycles + cycles,
                                thread_.pipeline.behind_nullified(before.exit)};
}

// No block has code any more.
template <EngineIsa Isa>
void Engine<Isa>::forget_translations() {
  if (code_.translator == nullptr) return;
  tell_of_moments();
  settle_counts();
  run_.last_edge = nullptr;
  code_.blocks.for_each([](Block& block) {
    block.whole.timed.for_each_entry_to_change(
        [](TimedBlock::Entry& entry) { entry.code = nullptr; });
  });
  code_.translator->reset();
  if (calls_) calls_->exits.clear();
}

// The block has been left for good, and what its edges have counted is known.
template <EngineIsa Isa>
void Engine<Isa>::forget_code(Block& block) {
  if (code_.translator == nullptr) return;
  block.whole.timed.for_each_entry_to_change([this](TimedBlock::Entry& entry) {
    if (entry.code != nullptr) code_.translator->drop(entry.code);
  });
}

// The block's code is entered no more.
template <EngineIsa Isa>
void Engine<Isa>::retire_code(Block& block) {
  if (code_.translator == nullptr) return;
  block.whole.timed.for_each_entry_to_change([this](TimedBlock::Entry& entry) {
    if (entry.code != nullptr) code_.translator->retire(entry.code);
  });
}

template <EngineIsa Isa>
void Engine<Isa>::resume_code(const Block& block) {
  block.whole.timed.for_each_entry([this](const TimedBlock::Entry& entry, const auto&) {
    if (entry.code != nullptr) code_.translator->resume(entry.code);
  });
}

// Somebody has changed code since the last run, and the kernel may take it away without a further
// word. Then nothing may lead there that has charged cycles for a wrong prediction
// (BlockSource::Prediction::lost): of code that is not there, nobody waits for them.
template <EngineIsa Isa>
void Engine<Isa>::forget_charged_edges() {
  if (predictor() != nullptr && !thread_.cached) forget_translations();
}

// What code has counted becomes the blocks' own.
template <EngineIsa Isa>
void Engine<Isa>::settle_counts() const {
  if (code_.translator == nullptr || !thread_.ledger.collects()) return;
  code_.translator->take_executions([this](const Translator::Exit& exit, std::uint64_t executions) {
    if (exit.block == nullptr) return;
    TimedBlock& timed = static_cast<Block*>(exit.block)->whole.timed;
    TimedBlock::Entry* const entry = PipelineClock::entry_in(timed, exit.state);
    if (exit.kind == Translator::Exit::Kind::delayed) {
      const std::uint64_t slow = std::uint64_t{1} << exit.index;
      timed.details(*entry).slow_so_far |= slow;
      return note_slow_stalls(*static_cast<Block*>(exit.block), slow, executions);
    }
    timed.edge(*entry, exit.way).executions += executions;
  });
  code_.translator->take_waits(
      [this](const Translator::Exit& exit, bool is_fetch, bool in_slot, std::uint64_t cycles) {
        if (exit.block == nullptr) return;
        thread_.ledger.note(*static_cast<const Block*>(exit.block),
                            exit.index + (in_slot ? 1u : 0u), cycles, miss_reason(is_fetch));
      });
}

}  // namespace hardclock
