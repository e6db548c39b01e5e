// How Engine runs single instructions: the reference for all else. A part of engine.h, which
// includes it.
#pragma once

#include "sim/engine/engine.h"
#include "sim/engine/evaluate.h"

namespace hardclock {

template <class Isa>
inline bool Engine<Isa>::step(Cycles& now, Cycles deadline, std::uint64_t left, Stop& stop) {
  if (left == 0) {
    stop.reason = StopReason::limit;
    return true;
  }
  if (sequencer_.skips(interpreter_.registers())) return step_over(now, stop);
  if (calls_ && sequencer_.begins_line(interpreter_.registers())) arrive();
  const std::uint64_t pc = interpreter_.registers().pc;
  const auto text = Isa::fetch(memory_, GuestAddr(pc));
  if (!text) {
    if (now >= deadline) {
      stop.reason = StopReason::deadline;
      return true;
    }
    sample_until(interpreter_.registers().interrupted_pc(), now + Cycles(1));
    stop = Stop{StopReason::trap, Trap{TrapKind::memory, 0, text.error()}};
    ledger_.charge(interpreter_.registers().interrupted_pc(), 1, CycleReason::issue, now);
    if (core_) core_->drain();  // as after any other trap
    return true;
  }
  const Instruction& instruction = predecoded(*text, pc);
  run_.end();
  if (times_observer_) times_ = {};
  has_issued_ = false;
  const std::uint64_t completed = instructions_;
  bool stops =
      core_ ? step_out_of_order(instruction, now, stop) : step_in_order(instruction, now, stop);
  if (watch_ && instructions_ != completed && has_run(pc) && !stops) {
    stop.reason = StopReason::limit;
    stops = true;
  }
  if (times_observer_ && has_issued_) {
    times_.text = Isa::instruction_text(memory_, *text, GuestAddr(pc));
    times_.completed = instructions_ != completed;
    times_observer_(times_);
  }
  return stops;
}

template <class Isa>
inline bool Engine<Isa>::step_in_order(const Instruction& instruction, Cycles& now, Stop& stop) {
  const std::uint64_t pc = interpreter_.registers().pc;
  if (cached_) {
    ++fetches_;
    times_.fetch_stall = fetch_stall(pc, now);
    const WaitReasons why = take_reasons(CacheSide::fetch, times_.fetch_stall);
    note_reasons(times_.fetch_stall, why);
    wait_for_fetch(interpreter_.registers().interrupted_pc(), times_.fetch_stall, why, now);
  }
  PipelineClock::Issue issue = pipeline_.issue(*instruction.timing);
  // An instruction that joins the one before issues in a cycle that has begun already.
  const std::uint32_t wait = issue.cycles == 0 ? 0 : issue.cycles - 1;
  if (issue.cycles != 0 && now + Cycles(wait) >= deadline_) {
    ledger_.charge(interpreter_.registers().interrupted_pc(), wait, issue.waits, now);
    pipeline_.pass(wait);
    stop.reason = StopReason::deadline;
    return true;
  }
  if (issue.cycles != 0) {
    sample_until(interpreter_.registers().interrupted_pc(), now + Cycles(issue.cycles));
  }
  if (observer_) {
    observer_(Isa::instruction_text(memory_, instruction.text, GuestAddr(pc)),
              now + Cycles(issue.cycles) - Cycles(1));
  }
  ledger_.charge(interpreter_.registers().interrupted_pc(), issue.cycles, issue.waits, now);
  note_reasons(issue.cycles, issue.waits);
  if (issue.waits.operand != 0) times_.awaited = issue.waits.awaited;
  pipeline_.accept(std::move(issue));
  has_issued_ = true;
  times_.issue = now.value() - 1;
  times_.waited = wait;
  step_now_ = now;
  begin_stall();
  return execute_one(instruction, now, stop);
}

template <class Isa>
inline void Engine<Isa>::wait_for_fetch(std::uint64_t charged_pc, std::uint32_t cycles,
                                        const WaitReasons& why, Cycles& now) {
  if (cycles == 0) return;
  ledger_.charge(charged_pc, cycles, why, now);
  pipeline_.wait_for_fetch(cycles);
}

template <class Isa>
inline void Engine<Isa>::end_stall(std::uint64_t charged_pc, Cycles& now) {
  if (step_stall_ == 0) return;
  if (!core_) times_.memory_stall = step_stall_ - times_.execution_stall;
  note_reasons(step_stall_, step_reasons_);
  ledger_.charge(charged_pc, step_stall_, step_reasons_, now);
  pipeline_.freeze(std::exchange(step_stall_, 0));
}

template <class Isa>
inline bool Engine<Isa>::execute_one(const Instruction& instruction, Cycles& now, Stop& stop) {
  if (instruction.reads_clock) interpreter_.set_clock(now);
  // What the instruction leaves, if it faults, may belong to another pc.
  step_charged_pc_ = interpreter_.registers().interrupted_pc();
  stepped_ = instruction.op;
  interpreter_.run(&stepped_, &stepped_ + 1, interpreter_.registers().pc,
                   sequencer_.continues_at(interpreter_.registers()));
  if (interpreter_.gave_up()) {
    end_stall(step_charged_pc_, now);
    end_at_incomplete(stop);
    return true;
  }
  // A conditional store that failed, for one, came to no access. It has run: no clock event comes
  // before it.
  if (core_ && core_->has_begun()) retire(step_now_ + Cycles(no_deadline));
  if (interpreter_.take_slow() != 0) stall_slow();
  end_stall(step_charged_pc_, now);
  ++instructions_;
  data_accesses_ += instruction.touches_memory ? 1 : 0;
  const bool nullified = interpreter_.take_nullified();
  if (core_ && instruction.is_branch) {
    core_->resolve(outcome_of(instruction.transfer, instruction.links, interpreter_.registers().pc,
                              nullified));
  }
  const auto passed = sequencer_.advance(interpreter_, instruction);
  if (nullified) pass_nullified(now);
  follow(passed);
  return false;
}

template <class Isa>
inline void Engine<Isa>::follow(const std::optional<typename Sequencing::Transfer>& transfer) {
  if (!transfer) return;
  if (calls_ && transfer->taken) calls_->made = transfer->made;
  if constexpr (requires { transfer->overruled; }) {
    if (transfer->overruled) pipeline_.overrule_hint();
  }
  pipeline_.redirect(transfer->timing_class, transfer->taken);
}

template <class Isa>
inline bool Engine<Isa>::step_over(Cycles& now, Stop& stop) {
  if (now >= deadline_) {
    stop.reason = StopReason::deadline;
    return true;
  }
  sample_until(interpreter_.registers().interrupted_pc(), now + Cycles(1));
  if (core_ && !retire_nullified(now)) {
    stop.reason = StopReason::deadline;
    return true;
  }
  Registers& registers = interpreter_.registers();
  ledger_.charge(registers.interrupted_pc(), pipeline_.nullify(), CycleReason::issue, now);
  follow(sequencer_.skip(registers));
  return false;
}

// Makes accesses in bytes that are not aligned.
template <class Registers>
class SplittingFile final : public RegistersByNumber<Registers> {
 public:
  using RegistersByNumber<Registers>::RegistersByNumber;
  DataAccess data_access(DataAccess usual) const override { return {usual.order, true}; }
};

template <class Isa>
std::optional<Fault> Engine<Isa>::split_access(const Fault& refused) {
  if constexpr (requires { Isa::may_split(typename Isa::Text{}); }) {
    const std::uint64_t pc = interpreter_.registers().pc;
    const auto text = Isa::fetch(memory_, GuestAddr(pc));
    if (!text || !Isa::may_split(*text)) return refused;
    Registers changed = interpreter_.registers();
    SplittingFile<Registers> file(changed);
    const Evaluated done = evaluate(blocks_.store()->isa().recording(*text, pc), {.pc = pc}, file,
                                    memory_, memory_.endian());
    if (done.trap) return Fault{done.trap->fault.kind, refused.access, refused.address};
    interpreter_.registers() = changed;
    ++instructions_;
    if (watch_) has_run(pc);
    follow(sequencer_.skip(interpreter_.registers()));
    return std::nullopt;
  }
  return refused;
}

template <class Isa>
NextInstruction Engine<Isa>::next_instruction() const {
  if constexpr (requires { Isa::may_split(typename Isa::Text{}); }) {
    const std::uint64_t pc = interpreter_.registers().pc;
    NextInstruction next{GuestAddr(pc), std::nullopt};
    const auto text = Isa::fetch(memory_, next.pc);
    const Isa& isa = blocks_.store()->isa();
    if (!text || sequencer_.skips(interpreter_.registers())) return next;
    if (!isa.predecode(*text, pc).touches_memory) return next;
    Registers seen = interpreter_.registers();
    RegistersByNumber<Registers> file(seen);
    next.access = access_of(isa.recording(*text, pc), {.pc = pc}, file, memory_, memory_.endian());
    return next;
  }
  return Cpu::next_instruction();
}

// The current instruction did not complete: it trapped, or a clock event found it waiting.
template <class Isa>
void Engine<Isa>::end_at_incomplete(Stop& stop) {
  const std::optional<Trap> trap = interpreter_.take_end();
  stop.reason = trap ? StopReason::trap : StopReason::deadline;
  if (!trap) return;
  stop.trap = *trap;
  // The kernel finishes the instruction; a faulting one may still be restarted.
  if (trap->kind == TrapKind::system_call) ++instructions_;
}

}  // namespace hardclock
