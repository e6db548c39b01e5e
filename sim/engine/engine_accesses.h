// The loads and stores of instructions that may cost something, and how these wait. A part
// of Engine.
#pragma once

#include "sim/engine/engine_class.h"

namespace hardclock {

template <EngineIsa Isa>
inline std::uint8_t* Engine<Isa>::access(GuestAddr address, unsigned size, Access access) {
  if (thread_.core) return access_out_of_order(address, size, access);
  if (take_access_made({thread_.interpreter.pc(), address})) {
    thread_.cached->completed();
    return host_or_fault(memory_.translate(address, size, access));
  }
  const auto data = thread_.cached->access(address, size, access, moment_of_access());
  if (!data) return refuse(data.error());
  // A block begins when all its fetches hit.
  if (thread_.cached->take_fetches_changed()) thread_.interpreter.stop_after_current();
  if (data->cycles != 0 && !stall(data->cycles)) return interrupted_access(address);
  return data->host;
}

template <EngineIsa Isa>
inline std::uint8_t* Engine<Isa>::implicit_access(GuestAddr address, unsigned size, Access access,
                                                  std::uint32_t cycles) {
  wait(cycles, {});
  if (!thread_.cached) return host_or_fault(memory_.translate(address, size, access));
  const auto data = thread_.cached->access(address, size, access, moment_of_access());
  if (!data) return refuse(data.error());
  if (thread_.cached->take_fetches_changed()) thread_.interpreter.stop_after_current();
  ++run_.data_accesses;
  wait(data->cycles, take_reasons(CacheSide::data, data->cycles));
  return data->host;
}

template <EngineIsa Isa>
inline MemorySystem::Moment Engine<Isa>::moment_of_access() {
  std::uint64_t instructions =
      thread_.cached->machine()->instructions.value() + instructions_in_this_run();
  if (!run_.block.is_running())
    return {run_.step_now + Cycles(run_.step_stall), Instructions(instructions)};
  note_slow(run_.block.part());
  const std::size_t index = run_.block.index_of(thread_.interpreter.current());
  return {run_.block.issued(thread_.pipeline, index), Instructions(instructions + index)};
}

template <EngineIsa Isa>
inline bool Engine<Isa>::stall(std::uint32_t cycles) {
  const WaitReasons why = take_reasons(CacheSide::data, cycles);
  if (!run_.block.is_running()) {
    stall_step(cycles, why);
    return is_in_time(run_.step_charged_pc, run_.step_now + Cycles(run_.step_stall));
  }
  const std::size_t index = run_.block.index_of(thread_.interpreter.current());
  if constexpr (HasPredicates<Isa>) note_slow(run_.block.part());
  run_.block.add_stall({index, cycles, false, why});
  if (run_.block.end_at_latest() <= run_.deadline) return true;
  if (run_.block.issued(thread_.pipeline, index) > run_.deadline) return false;
  thread_.interpreter.stop_after_current();
  return true;
}

template <EngineIsa Isa>
inline void Engine<Isa>::wait(std::uint32_t cycles, const WaitReasons& why) {
  if (cycles == 0) return;
  if (thread_.interpreter.current() == &code_.stepped) {
    stall_step(cycles, why);
    return;
  }
  run_.block.add_stall({run_.block.index_of(thread_.interpreter.current()), cycles, true, why});
  if (run_.block.end_at_latest() > run_.deadline) thread_.interpreter.stop_after_current();
}

}  // namespace hardclock
