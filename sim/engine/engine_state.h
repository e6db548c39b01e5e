// What of a processor is state. A part of engine.h.
#pragma once

namespace hardclock {

template <class Isa>
void Engine<Isa>::archive(Archive& to) {
  const Archive::Part part(to, StatePart::processors);
  Registers& registers = interpreter_.registers();
  to.state(registers, pipeline_, instructions_, ledger_);
  sequencer_.archive(to, registers);
  if (core_) core_->archive(to, registers.pc);
  if (cached_) to.state(*cached_);
  const bool has_made_access = to.value(access_made_ && access_made_->pc == registers.pc);
  if (to.loads() && has_made_access) access_made_ = {registers.pc, {}};
  if (has_made_access) to.state(access_made_->address);
  to.derived(runs_blocks_, run_, blocks_, stepped_, translator_, flat_, source_, recordings_,
             no_hits_, code_has_changed_);
  // Of this run(), or of its last instruction.
  to.derived(running_, instructions_at_start_, fetches_, data_accesses_, deadline_, horizon_,
             in_window_, window_entered_, window_passed_, window_waited_, window_reasons_,
             fetch_made_, step_charged_pc_, step_now_, step_stall_, step_reasons_, access_fault_,
             times_, has_issued_, came_from_, begins_, last_edge_, native_end_, pending_stall_);
  to.wiring(memory_, timing_, mode_, translation_, watch_, slow_cycles_, sampler_, moments_,
            may_wait_, moments_matter_, observer_, times_observer_);
  to.counted(calls_);
}

template <class Isa>
Cpu::Maker Engine<Isa>::maker() const {
  return
      [store = blocks_.store(), timing = timing_, machine = cached_ ? cached_->machine() : nullptr,
       mode = mode_, translation = translation_](AddressSpace& memory) {
        return std::unique_ptr<Cpu>(new Engine(store, memory, timing, machine, mode, translation));
      };
}

}  // namespace hardclock
