// How an Engine comes to be, of a program and of a process that forks. A part of
// Engine.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
Engine<Isa>::Engine(std::shared_ptr<CodeStore<Isa>> store, AddressSpace& memory,
                    ProcessorTiming timing, std::shared_ptr<MachineMemory> machine_memory,
                    EngineMode mode, const Translation& translation)
    : Keeper(memory.budget()->caches()),
      memory_(memory),
      timing_(std::move(timing)),
      mode_(mode),
      translation_(translation),
      thread_(store->isa().interpreter(memory), timing_),
      code_(memory, std::move(store)) {
  memory_.add_watcher(*this);
  if (machine_memory != nullptr) {
    thread_.cached = std::make_unique<CachedMemory>(memory, std::move(machine_memory));
    may_wait_ = true;
    code_.blocks.end_blocks_at(std::max(thread_.cached->fetch_line(), longest_cached_block));
  }
  moments_matter_ = thread_.cached && thread_.cached->machine()->system.depends_on_moments();
  if constexpr (HasSlowInstructions<Isa>) {
    slow_cycles_ = code_.blocks.store()->isa().slow_instruction_cycles();
    thread_.pipeline.allow_slow(slow_cycles_);
  }
  if constexpr (PredictedSequencing<Sequencing>) {
    thread_.sequencer.predict_with(thread_.pipeline.pipeline()->make_predictor());
  }
  if constexpr (MakesImplicitAccesses<Isa>) {
    if (code_.blocks.store()->isa().implicit_accesses()) {
      thread_.interpreter.connect_stack(*this);
      may_wait_ = true;
    }
  }
  choose_blocks();
  count_side_tables();
  if (thread_.core)
    connect_window();
  else if (thread_.cached)
    thread_.interpreter.connect(thread_.cached->data_hits(), *this);
  if (code_.runs_blocks && !thread_.core && translation_.is_on) start_translating();
}

template <EngineIsa Isa>
void Engine<Isa>::collect_cycle_profile() {
  thread_.ledger.collect(memory_.budget());
  count_side_tables();
  if (code_.translator != nullptr && thread_.cached) code_.translator->note_waits();
  if (thread_.core) thread_.core->window().keep_charges();
}

template <EngineIsa Isa>
void Engine<Isa>::collect_reasons() {
  thread_.ledger.tell_apart();
  count_side_tables();
  tell_waits();
  if (thread_.core) thread_.core->window().keep_reasons();
}

// Whether another engine, which nobody looks at either, would make the same.
template <EngineIsa Isa>
bool Engine<Isa>::makes_usual_code() const {
  return code_.translator != nullptr && code_.runs_blocks && !thread_.ledger.collects() &&
         !calls_ && !watch_ && sampler_ == nullptr && !observer_ && !times_observer_.see;
}

// Before the first run.
template <EngineIsa Isa>
void Engine<Isa>::begin_code() {
  const FileRange file = memory_.code_files().first();
  code_.program = {file.file, file.start, thread_.pipeline.pipeline().get(),
                   thread_.cached ? thread_.cached->machine().get() : nullptr,
                   code_.flat != nullptr};
  if (!makes_usual_code()) return;
  std::optional<PooledCode<Isa>> known = code_.pool->take(*code_.program);
  if (!known) return;
  const auto pool = std::exchange(code_.pool, nullptr);  // if memory ends before all is done
  code_.blocks = std::move(known->blocks);
  code_.blocks.settle_in(memory_);
  code_.translator = std::move(known->translator);
  if (!code_.translator->is_stale()) code_.translator->suspend();
  thread_.pipeline.take(std::move(known->timings));
  code_.has_changed = true;  // see forget_charged_edges()
  code_.pool = pool;
}

template <EngineIsa Isa>
void Engine<Isa>::hand_code_on() noexcept {
  if (!code_.program || code_.program->file.empty() || code_.pool == nullptr || !makes_usual_code())
    return;
  try {
    drop_retired();
    CodeSpace<Isa> mine(memory_, code_.blocks.store());
    std::swap(mine.blocks, code_.blocks);
    std::swap(mine.translator, code_.translator);
    keep(0);
    mine.blocks.pack();
    mine.translator->pack();
    mine.pool->add({*code_.program, std::move(mine.blocks), std::move(mine.translator),
                    thread_.pipeline.give()});
  } catch (const std::bad_alloc&) {
    // Whoever runs the program next makes it anew.
  }
}

template <EngineIsa Isa>
std::unique_ptr<Cpu> Engine<Isa>::fork(AddressSpace& memory) const {
  std::unique_ptr<Engine> child(new Engine(code_.blocks.store(), memory, timing_,
                                           thread_.cached ? thread_.cached->machine() : nullptr,
                                           mode_, translation_));
  if (thread_.ledger.collects()) child->collect_cycle_profile();
  if (thread_.ledger.tells_apart()) child->collect_reasons();
  if (calls_) child->follow_calls_of(*calls_);
  if (watch_) child->watch(watch_->place, watch_->awaited);
  child->thread_.interpreter.registers() = thread_.interpreter.registers();
  child->thread_.interpreter.registers().interrupted();
  child->observe(observer_);
  child->observe_timing(times_observer_);
  return child;
}

}  // namespace hardclock
