// How Engine steps an instruction through an out-of-order core. A part of
// engine.h, which includes it.
#pragma once

#include "sim/engine/engine.h"

namespace hardclock {

template <class Isa>
bool Engine<Isa>::step_out_of_order(const Predecoded& instruction, Cycles& now, Stop& stop) {
  const std::uint64_t pc = interpreter_.registers().pc;
  std::uint32_t fetch_cycles = 0;
  if (cached_) {
    ++fetches_;
    fetch_cycles = fetch_stall(pc, now);
  }
  core_->begin(instruction.timing,
               {pc, fetch_cycles, instruction.touches_memory, instruction.stores});
  step_now_ = now;
  step_stall_ = 0;
  if (!instruction.touches_memory && !retire()) {
    end_stall(now);
    stop.reason = StopReason::deadline;
    return true;
  }
  if (observer_) {
    observer_(Isa::instruction_text(memory_, instruction.text, GuestAddr(pc)), step_now_);
  }
  const bool stops = execute_one(instruction, now, stop);
  core_->end();
  if (stops) core_->drain();
  return stops;
}

// Notes what the instruction costs. False: a clock event comes before it graduates.
template <class Isa>
bool Engine<Isa>::retire() {
  const OutOfOrderClock::Retirement retirement = core_->retire(step_now_, deadline_, times_);
  has_issued_ = true;
  step_stall_ = retirement.cycles;
  return retirement.in_time;
}

// An instruction that has been nullified goes through the window as any other. False: a clock
// event comes before it graduates.
template <class Isa>
bool Engine<Isa>::retire_nullified(Cycles& now) {
  const std::uint64_t pc = interpreter_.registers().pc;
  const auto text = Isa::fetch(memory_, GuestAddr(pc));
  if (!text) return true;  // not that it would fault
  core_->begin(predecoded(*text, pc).timing, {.pc = pc, .is_nullified = true});
  step_now_ = now;
  const bool in_time = retire();
  end_stall(now);
  return in_time;
}

template <class Isa>
std::uint8_t* Engine<Isa>::access_out_of_order(GuestAddr address, unsigned size, Access access) {
  std::uint8_t* const host = host_or_fault(memory_.translate(address, size, access));
  if (host == nullptr || !core_->has_begun()) return host;
  std::uint64_t line = address.value() / page_size;
  std::uint32_t stall = 0;
  if (cached_ && take_access_made(interpreter_.pc())) {
    cached_->completed();
  } else if (cached_) {
    const auto data = cached_->access(address, size, access, moment_of_access());
    stall = data->cycles;
    line = data->line;
  }
  core_->note_access(address.value(), line, stall);
  if (retire()) return host;
  return cached_ ? interrupted_access() : refuse(std::nullopt);
}

template <class Isa>
void Engine<Isa>::resolve(const Predecoded& instruction, bool nullified) {
  OutOfOrderCore::Resolution outcome;
  outcome.transfer = instruction.transfer;
  outcome.links = instruction.links;
  sequencer_.describe(interpreter_, nullified, outcome);
  core_->resolve(outcome);
}

}  // namespace hardclock
