// How Engine runs single instructions: the reference for all else. A part of
// Engine.
#pragma once

#include "sim/engine/engine_class.h"
#include "sim/recording/evaluate.h"

namespace hardclock {

template <EngineIsa Isa>
inline bool Engine<Isa>::step(Cycles& now, Cycles deadline, std::uint64_t left, Stop& stop) {
  if (left == 0) {
    stop.reason = StopReason::limit;
    return true;
  }
  if (thread_.sequencer.skips(thread_.interpreter.registers())) return step_over(now, stop);
  if (calls_ && thread_.sequencer.begins_line(thread_.interpreter.registers())) arrive();
  const std::uint64_t pc = thread_.interpreter.registers().pc;
  const auto text = Isa::fetch(memory_, GuestAddr(pc));
  if (!text) {
    if (now >= deadline) {
      stop.reason = StopReason::deadline;
      return true;
    }
    sample_until(thread_.interpreter.registers().interrupted_pc(), now + Cycles(1));
    stop = Stop{StopReason::trap, Trap{TrapKind::memory, 0, text.error()}};
    thread_.ledger.charge(thread_.interpreter.registers().interrupted_pc(), 1, CycleReason::issue,
                          now);
    if (thread_.core) thread_.core->drain();  // as after any other trap
    return true;
  }
  const Instruction& instruction = predecoded(*text, pc);
  code_.stepped = op_of(code_.blocks.store()->isa(), instruction, *text);
  run_.block.end();
  if (times_observer_.see) run_.times = {};
  run_.has_issued = false;
  const std::uint64_t completed = thread_.instructions;
  bool stops = thread_.core ? step_out_of_order(instruction, *text, now, stop)
                            : step_in_order(instruction, *text, now, stop);
  if (watch_ && thread_.instructions != completed && has_run(pc) && !stops) {
    stop.reason = StopReason::limit;
    stops = true;
  }
  if (times_observer_.see && run_.has_issued) {
    run_.times.text = Isa::instruction_text(memory_, *text, GuestAddr(pc));
    run_.times.completed = thread_.instructions != completed;
    times_observer_.see(run_.times);
    if (times_observer_.looks) choose_blocks();
  }
  return stops;
}

template <EngineIsa Isa>
inline bool Engine<Isa>::step_in_order(const Instruction& instruction, const Text& text,
                                       Cycles& now, Stop& stop) {
  const std::uint64_t pc = thread_.interpreter.registers().pc;
  if (thread_.cached) {
    ++run_.fetches;
    run_.times.fetch_stall = fetch_stall(pc, now);
    const WaitReasons why = take_reasons(CacheSide::fetch, run_.times.fetch_stall);
    note_reasons(run_.times.fetch_stall, why);
    wait_for_fetch(thread_.interpreter.registers().interrupted_pc(), run_.times.fetch_stall, why,
                   now);
  }
  PipelineClock::Issue issue = is_off(*instruction.timing)
                                   ? thread_.pipeline.issue(off(*instruction.timing))
                                   : thread_.pipeline.issue(*instruction.timing);
  // An instruction that joins the one before issues in a cycle that has begun already.
  const std::uint32_t wait = issue.cycles == 0 ? 0 : issue.cycles - 1;
  if (issue.cycles != 0 && now + Cycles(wait) >= run_.deadline) {
    thread_.ledger.charge(thread_.interpreter.registers().interrupted_pc(), wait, issue.waits, now);
    thread_.pipeline.pass(wait);
    stop.reason = StopReason::deadline;
    return true;
  }
  if (issue.cycles != 0) {
    sample_until(thread_.interpreter.registers().interrupted_pc(), now + Cycles(issue.cycles));
  }
  if (observer_) {
    observer_(Isa::instruction_text(memory_, text, GuestAddr(pc)),
              now + Cycles(issue.cycles) - Cycles(1));
  }
  thread_.ledger.charge(thread_.interpreter.registers().interrupted_pc(), issue.cycles, issue.waits,
                        now);
  note_reasons(issue.cycles, issue.waits);
  if (issue.waits.operand != 0) run_.times.awaited = issue.waits.awaited;
  thread_.pipeline.accept(std::move(issue));
  run_.has_issued = true;
  run_.times.issue = now.value() - 1;
  run_.times.waited = wait;
  run_.step_now = now;
  begin_stall();
  return execute_one(instruction, now, stop);
}

// Whether the next instruction is, as its predicate says.
template <EngineIsa Isa>
inline bool Engine<Isa>::is_off([[maybe_unused]] const InstructionTiming& timing) const {
  if constexpr (HasPredicates<Isa>) {
    return timing.predicate && !Isa::is_set(thread_.interpreter.registers(), *timing.predicate);
  }
  return false;
}

template <EngineIsa Isa>
inline void Engine<Isa>::wait_for_fetch(std::uint64_t charged_pc, std::uint32_t cycles,
                                        const WaitReasons& why, Cycles& now) {
  if (cycles == 0) return;
  thread_.ledger.charge(charged_pc, cycles, why, now);
  thread_.pipeline.wait_for_fetch(cycles);
}

template <EngineIsa Isa>
inline void Engine<Isa>::end_stall(std::uint64_t charged_pc, Cycles& now) {
  if (run_.step_stall == 0) return;
  if (!thread_.core) run_.times.memory_stall = run_.step_stall - run_.times.execution_stall;
  note_reasons(run_.step_stall, run_.step_reasons);
  thread_.ledger.charge(charged_pc, run_.step_stall, run_.step_reasons, now);
  thread_.pipeline.freeze(std::exchange(run_.step_stall, 0));
}

template <EngineIsa Isa>
inline bool Engine<Isa>::execute_one(const Instruction& instruction, Cycles& now, Stop& stop) {
  if (instruction.reads_clock) thread_.interpreter.set_clock(now);
  // What the instruction leaves, if it faults, may belong to another pc.
  run_.step_charged_pc = thread_.interpreter.registers().interrupted_pc();
  thread_.interpreter.run(&code_.stepped, &code_.stepped + 1, thread_.interpreter.registers().pc,
                          thread_.sequencer.continues_at(thread_.interpreter.registers()));
  if (thread_.interpreter.gave_up()) {
    end_stall(run_.step_charged_pc, now);
    end_at_incomplete(stop);
    return true;
  }
  // A conditional store that failed, for one, came to no access. It has run: no clock event comes
  // before it.
  if (thread_.core && thread_.core->has_begun()) retire(run_.step_now + Cycles(no_deadline));
  if (thread_.interpreter.take_slow() != 0 && !HasPredicates<Isa>) stall_slow();
  end_stall(run_.step_charged_pc, now);
  ++thread_.instructions;
  run_.data_accesses += instruction.touches_memory ? 1 : 0;
  const bool nullified = thread_.interpreter.take_nullified();
  if (thread_.core && instruction.is_branch) {
    thread_.core->resolve(outcome_of(instruction.transfer, instruction.links,
                                     thread_.interpreter.registers().pc, nullified));
  }
  const auto passed = thread_.sequencer.advance(thread_.interpreter, instruction);
  if (nullified) pass_nullified(now);
  follow(passed);
  return false;
}

template <EngineIsa Isa>
inline void Engine<Isa>::follow(const std::optional<typename Sequencing::Transfer>& transfer) {
  if (!transfer) return;
  if (calls_ && transfer->taken) calls_->made = transfer->made;
  if constexpr (PredictedSequencing<Sequencing>) {
    if (transfer->overruled) thread_.pipeline.overrule_hint();
  }
  thread_.pipeline.redirect(transfer->timing_class, transfer->taken);
}

template <EngineIsa Isa>
inline bool Engine<Isa>::step_over(Cycles& now, Stop& stop) {
  if (now >= run_.deadline) {
    stop.reason = StopReason::deadline;
    return true;
  }
  sample_until(thread_.interpreter.registers().interrupted_pc(), now + Cycles(1));
  if (thread_.core && !retire_nullified(now)) {
    stop.reason = StopReason::deadline;
    return true;
  }
  Registers& registers = thread_.interpreter.registers();
  thread_.ledger.charge(registers.interrupted_pc(), thread_.pipeline.nullify(), CycleReason::issue,
                        now);
  follow(thread_.sequencer.skip(registers));
  return false;
}

// Makes accesses in bytes that are not aligned.
template <class Registers>
class SplittingFile final : public RegistersByNumber<Registers> {
 public:
  using RegistersByNumber<Registers>::RegistersByNumber;
  DataAccess data_access(DataAccess usual) const override { return {usual.order, true}; }
};

template <EngineIsa Isa>
std::optional<Fault> Engine<Isa>::split_access(const Fault& refused) {
  if constexpr (SplitsAccesses<Isa>) {
    const std::uint64_t pc = thread_.interpreter.registers().pc;
    const auto text = Isa::fetch(memory_, GuestAddr(pc));
    if (!text || !Isa::may_split(*text)) return refused;
    Registers changed = thread_.interpreter.registers();
    SplittingFile<Registers> file(changed);
    const Evaluated done = evaluate(code_.blocks.store()->isa().recording(*text, pc), {.pc = pc},
                                    file, memory_, memory_.endian());
    if (done.trap) return Fault{done.trap->fault.kind, refused.access, refused.address};
    thread_.interpreter.registers() = changed;
    ++thread_.instructions;
    if (watch_) has_run(pc);
    follow(thread_.sequencer.skip(thread_.interpreter.registers()));
    return std::nullopt;
  }
  return refused;
}

template <EngineIsa Isa>
NextInstruction Engine<Isa>::next_instruction() const {
  if constexpr (SplitsAccesses<Isa>) {
    const std::uint64_t pc = thread_.interpreter.registers().pc;
    NextInstruction next{GuestAddr(pc), std::nullopt};
    const auto text = Isa::fetch(memory_, next.pc);
    const Isa& isa = code_.blocks.store()->isa();
    if (!text || thread_.sequencer.skips(thread_.interpreter.registers())) return next;
    if (!isa.predecode(*text, pc).touches_memory) return next;
    Registers seen = thread_.interpreter.registers();
    RegistersByNumber<Registers> file(seen);
    next.access = access_of(isa.recording(*text, pc), {.pc = pc}, file, memory_, memory_.endian());
    return next;
  }
  return Cpu::next_instruction();
}

// The current instruction did not complete: it trapped, or a clock event found it waiting.
template <EngineIsa Isa>
void Engine<Isa>::end_at_incomplete(Stop& stop) {
  const std::optional<Trap> trap = thread_.interpreter.take_end();
  stop.reason = trap ? StopReason::trap : StopReason::deadline;
  if (!trap) return;
  stop.trap = *trap;
  // The kernel finishes the instruction; a faulting one may still be restarted.
  if (trap->kind == TrapKind::system_call) ++thread_.instructions;
}

}  // namespace hardclock
