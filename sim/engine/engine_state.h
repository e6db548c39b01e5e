// What of a processor is state. A part of Engine.
#pragma once

#include <memory>

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
void Engine<Isa>::archive(Archive& to) {
  const Archive::Part part(to, StatePart::processors);
  to.state(thread_);
  to.derived(code_, run_);
  to.wiring(memory_, timing_, mode_, translation_, watch_, slow_cycles_, sampler_, moments_,
            may_wait_, moments_matter_, observer_, times_observer_);
  to.counted(calls_);
}

template <EngineIsa Isa>
Cpu::Maker Engine<Isa>::maker() const {
  return [store = code_.blocks.store(), timing = timing_,
          machine = thread_.cached ? thread_.cached->machine() : nullptr, mode = mode_,
          translation = translation_](AddressSpace& memory) {
    return std::unique_ptr<Cpu>(new Engine(store, memory, timing, machine, mode, translation));
  };
}

}  // namespace hardclock
