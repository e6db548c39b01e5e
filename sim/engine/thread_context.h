// The state of a thread in its processor: what the thread's later instructions and cycles depend
// on, between two calls of Engine::run(). A snapshot holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/units.h"
#include "sim/engine/block_run.h"
#include "sim/engine/cached_memory.h"
#include "sim/engine/out_of_order_clock.h"
#include "sim/engine/processor_timing.h"
#include "sim/state/archive.h"
#include "sim/timing/pipeline_clock.h"

namespace hardclock {

// An access to data by an instruction. The kernel may have put another instruction in its place
// since.
struct AccessMade {
  std::uint64_t pc = 0;
  GuestAddr address;
  friend bool operator==(const AccessMade&, const AccessMade&) = default;
};

template <class Isa>
struct ThreadContext {
  ThreadContext(typename Isa::Interpreter its_interpreter, const ProcessorTiming& timing)
      : interpreter(std::move(its_interpreter)), pipeline(timing.in_order) {
    if (timing.out_of_order != nullptr)
      core = std::make_unique<OutOfOrderClock>(timing.out_of_order);
  }

  typename Isa::Interpreter interpreter;  // with the registers
  typename Isa::Sequencing::Sequencer sequencer;
  PipelineClock pipeline;
  std::uint64_t instructions = 0;
  CycleLedger ledger;  // its profile has what is not counted in blocks
  // Null: there is none. Apart, since each takes tens of kilobytes and most processes have neither.
  std::unique_ptr<CachedMemory> cached;
  std::unique_ptr<OutOfOrderClock> core;
  std::optional<AccessMade> access_made;  // by what was interrupted while it waited

  void archive(Archive& to) {
    auto& [machine, slots, clock, executed, cycles, accesses, window, made] = *this;
    auto& registers = machine.registers();
    to.state(registers, clock, executed, cycles);
    slots.archive(to, registers);
    if (window) window->archive(to, registers.pc);
    if (accesses) to.state(*accesses);
    const bool has_made_access = to.value(made && made->pc == registers.pc);
    if (to.loads() && has_made_access) made = {registers.pc, {}};
    if (has_made_access) to.state(made->address);
  }
};

}  // namespace hardclock
