// How an Engine comes to be, of a program and of a process that forks. A part of engine.h, which
// includes it.
#pragma once

#include "sim/engine/engine.h"

namespace hardclock {

template <class Isa>
Engine<Isa>::Engine(std::shared_ptr<CodeStore<Isa>> store, AddressSpace& memory,
                    ProcessorTiming timing, std::shared_ptr<MachineMemory> machine_memory,
                    EngineMode mode, const Translation& translation)
    : Keeper(memory.budget()->caches()),
      memory_(memory),
      timing_(std::move(timing)),
      pipeline_(timing_.in_order),
      mode_(mode),
      translation_(translation),
      interpreter_(store->isa().interpreter(memory)),
      blocks_(memory, std::move(store)) {
  memory_.add_watcher(*this);
  if (machine_memory != nullptr) {
    cached_ = std::make_unique<CachedMemory>(memory, std::move(machine_memory));
    may_wait_ = true;
    blocks_.end_blocks_at(std::max(cached_->fetch_line(), longest_cached_block));
  }
  if (timing_.out_of_order != nullptr)
    core_ = std::make_unique<OutOfOrderClock>(timing_.out_of_order);
  moments_matter_ = cached_ && cached_->machine()->system.depends_on_moments();
  if constexpr (requires { blocks_.store()->isa().slow_instruction_cycles(); }) {
    slow_cycles_ = blocks_.store()->isa().slow_instruction_cycles();
    pipeline_.allow_slow(slow_cycles_);
  }
  if constexpr (requires { sequencer_.predict_with(pipeline_.pipeline()->make_predictor()); }) {
    sequencer_.predict_with(pipeline_.pipeline()->make_predictor());
  }
  if constexpr (requires { interpreter_.connect_stack(*this); }) {
    if (blocks_.store()->isa().implicit_accesses()) {
      interpreter_.connect_stack(*this);
      may_wait_ = true;
    }
  }
  choose_blocks();
  count_side_tables();
  if (core_)
    connect_window();
  else if (cached_)
    interpreter_.connect(cached_->data_hits(), *this);
  if (runs_blocks_ && !core_ && translation_.is_on) start_translating();
}

template <class Isa>
void Engine<Isa>::collect_cycle_profile() {
  ledger_.collect(memory_.budget());
  count_side_tables();
  if (translator_ != nullptr && cached_) translator_->note_waits();
  if (core_) core_->window().keep_charges();
}

template <class Isa>
void Engine<Isa>::collect_reasons() {
  ledger_.tell_apart();
  count_side_tables();
  tell_waits();
  if (core_) core_->window().keep_reasons();
}

template <class Isa>
std::unique_ptr<Cpu> Engine<Isa>::fork(AddressSpace& memory) const {
  std::unique_ptr<Engine> child(new Engine(blocks_.store(), memory, timing_,
                                           cached_ ? cached_->machine() : nullptr, mode_,
                                           translation_));
  if (ledger_.collects()) child->collect_cycle_profile();
  if (ledger_.tells_apart()) child->collect_reasons();
  if (calls_) child->follow_calls_of(*calls_);
  if (watch_) child->watch(watch_->place, watch_->reached);
  child->interpreter_.registers() = interpreter_.registers();
  child->interpreter_.registers().interrupted();
  child->observe(observer_);
  child->observe_timing(times_observer_);
  return child;
}

}  // namespace hardclock
