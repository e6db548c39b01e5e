// How an Engine comes to be, of a program and of a process that forks. A part of
// Engine.
#pragma once

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
