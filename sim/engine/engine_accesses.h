// The loads and stores of instructions that may cost something, and how these wait. A part of
// engine.h, which includes it.
#pragma once

#include "sim/engine/engine.h"

namespace hardclock {

template <class Isa>
inline std::uint8_t* Engine<Isa>::access(GuestAddr address, unsigned size, Access access) {
  if (core_) return access_out_of_order(address, size, access);
  if (take_access_made({interpreter_.pc(), address})) {
    cached_->completed();
    return host_or_fault(memory_.translate(address, size, access));
  }
  const auto data = cached_->access(address, size, access, moment_of_access());
  if (!data) return refuse(data.error());
  // A block begins when all its fetches hit.
  if (cached_->take_fetches_changed()) interpreter_.stop_after_current();
  if (data->cycles != 0 && !stall(data->cycles)) return interrupted_access(address);
  return data->host;
}

template <class Isa>
inline std::uint8_t* Engine<Isa>::implicit_access(GuestAddr address, unsigned size, Access access,
                                                  std::uint32_t cycles) {
  wait(cycles, {});
  if (!cached_) return host_or_fault(memory_.translate(address, size, access));
  const auto data = cached_->access(address, size, access, moment_of_access());
  if (!data) return refuse(data.error());
  if (cached_->take_fetches_changed()) interpreter_.stop_after_current();
  ++data_accesses_;
  wait(data->cycles, take_reasons(CacheSide::data, data->cycles));
  return data->host;
}

template <class Isa>
inline MemorySystem::Moment Engine<Isa>::moment_of_access() {
  std::uint64_t instructions =
      cached_->machine()->instructions.value() + instructions_in_this_run();
  if (!run_.is_running()) return {step_now_ + Cycles(step_stall_), Instructions(instructions)};
  note_slow(run_.part());
  const std::size_t index = run_.index_of(interpreter_.current());
  return {run_.issued(pipeline_, index), Instructions(instructions + index)};
}

template <class Isa>
inline bool Engine<Isa>::stall(std::uint32_t cycles) {
  const WaitReasons why = take_reasons(CacheSide::data, cycles);
  if (!run_.is_running()) {
    stall_step(cycles, why);
    return is_in_time(step_charged_pc_, step_now_ + Cycles(step_stall_));
  }
  const std::size_t index = run_.index_of(interpreter_.current());
  run_.add_stall({index, cycles, false, why});
  if (run_.end_at_latest() <= deadline_) return true;
  if (run_.issued(pipeline_, index) > deadline_) return false;
  interpreter_.stop_after_current();
  return true;
}

template <class Isa>
inline void Engine<Isa>::wait(std::uint32_t cycles, const WaitReasons& why) {
  if (cycles == 0) return;
  if (interpreter_.current() == &stepped_) {
    stall_step(cycles, why);
    return;
  }
  run_.add_stall({run_.index_of(interpreter_.current()), cycles, true, why});
  if (run_.end_at_latest() > deadline_) interpreter_.stop_after_current();
}

}  // namespace hardclock
