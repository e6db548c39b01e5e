#include "sim/translator/block_emitter.h"

#include <algorithm>
#include <optional>

#include "sim/translator/block_emitter_class.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"
#include "sim/translator/value_kinds.h"

namespace hardclock {

using asmjit::Label;
using namespace host;
using ExitKind = Translator::Exit::Kind;

std::optional<std::size_t> BlockEmitter::emit() {
  enter();
  const std::size_t straight = first_of_end();
  for (std::size_t i = 0; i < straight && !failed_; ++i) instruction(i, i);
  if (!failed_) end(straight);
  if (failed_) return failed_;
  emit_cold();
  return std::nullopt;
}

bool BlockEmitter::can_end() const {
  if (mode_.has_caches) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (source_.instructions[i].touches_memory && !is_open(i)) return false;
    }
  }
  const std::size_t end = first_of_end();
  if (last_traps() || end == source_.instructions.size()) return true;
  const Recording& transfer = recording(end);
  if (is_interpreted_transfer(end)) return true;
  if (is_interpreted(end) || transfer.has(Operation::call)) return false;
  if (!source_.with_slot) {
    return !transfer.has(Operation::nullify) || (source_.skip && !source_.notes_slow);
  }
  if (transfer.has(Operation::branch)) {
    // It runs again when its slot is left.
    if (transfer.has(Operation::trap_if) || transfer.touches_memory()) return false;
    if (changed_operands(transfer).size() > 1) return false;
  }
  if (transfer.always(Operation::nullify)) return true;
  return decides_once(end) && !may_transfer(recording(end + 1));
}

std::size_t BlockEmitter::first_of_end() const {
  if (last_traps()) return size() - 1;
  if (source_.with_slot) return size() - 2;
  const Recording& last = recording(size() - 1);
  return may_transfer(last) ? size() - 1 : size();
}

// ---- Entry and exits.
std::uint64_t BlockEmitter::begin_budget() const {
  std::uint64_t accesses = 0;
  for (const auto& each : source_.instructions) accesses += each.touches_memory ? 1 : 0;
  return RunBudget::instructions(size()) + RunBudget::accesses(accesses) -
         RunBudget::cycles(charged());
}

// What the block is charged for when it is entered: its time on the way that is taken most often.
// Whoever asks the engine makes that `longest` first.
std::uint32_t BlockEmitter::charged() const {
  const std::size_t end = first_of_end();
  const bool may_go = end < size() && !last_traps() && recording(end).has(Operation::branch);
  const BlockExit way = may_go ? BlockExit::taken : BlockExit::straight;
  return source_.edges[static_cast<std::size_t>(way)].cycles;
}

void BlockEmitter::enter() {
  entry_ = a_.newLabel();
  a_.bind(entry_);
  if (source_.counts_arrivals) {
    a_.mov(x86::rcx, on_stack(frame_slot));
    a_.inc(in_frame(x86::rcx, &HostFrame::arrivals));
  }
  begin_exit_ = new_exit({.kind = ExitKind::begin});
  add_to_budget(begin_budget());
  late_ = a_.newLabel();
  if (spare() != 0) compare_budget(spare());
  a_.jl(late_);
  can_be_noted_ = source_.notes_moments && issues_as_always();
  Label noted;
  if (can_be_noted_) a_.bind(noted = a_.newLabel());
  cold_.push_back({late_, Cold::Kind::late, noted, begin_exit_, 0});
}

// Whether all of its instructions issue when they always do; or an instruction is found to be slow,
// and the code can be left before it.
bool BlockEmitter::issues_as_always() const {
  const std::uint32_t last = source_.instructions.back().issued;
  if (mode_.has_caches || source_.skip || last == 0 || last > charged()) return false;
  if (source_.notes_slow && (!source_.counts_edges || mode_.slow_cycles == 0)) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool may_be_slow = mode_.slow_cycles != 0 && !notes_slow(i) &&
                             (is_interpreted(i) || source_.instructions[i].was_slow);
    if (may_be_slow || recording(i).has(Operation::nullify) || makes_implicit_accesses(i))
      return false;
  }
  return true;
}

bool BlockEmitter::makes_implicit_accesses(std::size_t i) const {
  return std::ranges::any_of(recording(i).steps, [](const Step& step) {
    return step.operation == Operation::rare_if &&
           static_cast<Rare>(step.detail) == Rare::implicit_accesses;
  });
}

// Whether instruction i is the first of a line, as far as the block is concerned.
bool BlockEmitter::begins_line(std::size_t i) const {
  return i == 0 || line_of(i) != line_of(i - 1);
}

// Before instruction i: its line has to be there.
void BlockEmitter::ask_for_line(std::size_t i, std::size_t restart) {
  const std::uint64_t address = line_of(i);
  const std::size_t place = address >> mode_.fetch_shift & (mode_.fetch_entries - 1);
  a_.mov(x86::rax, on_stack(fetch_slot));
  const auto known = x86::ptr(x86::rax, static_cast<std::int32_t>(place * sizeof address), 8);
  if (address < std::uint64_t{1} << 31) {
    a_.cmp(known, static_cast<std::int32_t>(address));
  } else {
    a_.mov(x86::rcx, address);
    a_.cmp(known, x86::rcx);
  }
  const Label missed = a_.newLabel(), back = a_.newLabel();
  a_.jne(missed);
  a_.bind(back);
  const std::uint32_t exit = i == 0 ? begin_exit_ : exit_before(restart);
  cold_.push_back({missed, Cold::Kind::fetch, back, 0, restart,
                   AccessSite{.exit = first_exit_ + exit,
                              .in_slot = i != restart,
                              .only_delays = source_.instructions[i].fetch_only_delays,
                              .until_end = i == 0 ? source_.longest : until_end(i - 1)},
                   i == 0 ? late_ : leave_before(restart)});
}

// ---- One instruction. `restart` is the one to run again if it cannot complete.
void BlockEmitter::instruction(std::size_t i, std::size_t restart) {
  in_slot_ = i != restart;
  if (mode_.has_caches && begins_line(i)) ask_for_line(i, restart);
  if (is_number(i)) {
    decided_.reset();
    return floating(i, restart);
  }
  if (is_interpreted(i)) {
    ++emitted_.interpreted;
    interpret(i, restart);
    passed_.reset();
    decided_.reset();
    return;
  }
  values_.begin(recording(i), source_.pcs[i], source_.continues_at);
  not_plain_.reset();
  over_.reset();
  std::optional<Decided> made = decision_of(i);
  if (!made || !decide(*made)) {
    effects(i, restart);
    writer_.write_all(recording(i));
  }
  if (over_) a_.bind(*over_);
  if (not_plain_) run_when(*not_plain_, i, restart);
  forget_passed(i);
  note_decided(i, made);
  if (values_.failed()) failed_ = i;
}

// Whether a machine's caches see its access. Others would have to be looked at in the middle of it.
bool BlockEmitter::is_open(std::size_t i) const {
  return !is_interpreted(i) && accesses_of(i) <= 1;
}

// Without memory that is replaced: a machine's caches see the store alone.
std::ptrdiff_t BlockEmitter::accesses_of(std::size_t i) const {
  return std::count_if(recording(i).steps.begin(), recording(i).steps.end(), [](const Step& step) {
    return step.operation == Operation::load || step.operation == Operation::store;
  });
}

void BlockEmitter::floating(std::size_t i, std::size_t restart) {
  const Label run = a_.newLabel();
  emitted_.computes_with_numbers = true;
  floating_.emit(*numbers_[i], may_be_asked_after(i), run);
  run_when(run, i, restart);
}

// At the label, nothing of the instruction is done; it goes on here.
void BlockEmitter::run_when(const Label& run, std::size_t i, std::size_t restart) {
  const Label back = a_.newLabel();
  a_.bind(back);
  cold_.push_back({run, Cold::Kind::run, back, static_cast<std::uint32_t>(i), restart});
}

// Whether the code may be left, or the status register be read, before another operation.
bool BlockEmitter::may_be_asked_after(std::size_t i) const {
  for (std::size_t k = i + 1; k < size(); ++k) {
    if (mode_.has_caches && begins_line(k)) return true;
    if (is_number(k)) {
      if (numbers_[k]->function != HostFunction::none) return false;
      continue;
    }
    const Recording& next = recording(k);
    if (is_interpreted(k) || next.touches_memory() || next.has(Operation::trap_if) ||
        next.has(Operation::nullify)) {
      return true;
    }
  }
  return true;
}

void BlockEmitter::effects(std::size_t i, std::size_t restart) {
  const auto& steps = recording(i).steps;
  for (StepIndex k = 0; k < steps.size(); ++k) {
    switch (steps[k].operation) {
      case Operation::load:
      case Operation::replaced:
      case Operation::store:
        access(k, i, restart);
        break;
      case Operation::trap_if:
        if (is_passed(i, steps[k].operands[0]))
          values_.forget(steps[k].operands[0]);
        else
          trap_if(steps[k].operands[0], restart);
        break;
      case Operation::call:
        if (values_.uses(k) == 0) break;
        if (!not_plain_) not_plain_ = a_.newLabel();
        values_.call(k, *not_plain_);
        break;
      case Operation::slow_if:
        slow_if(k, i, restart);
        break;
      case Operation::end_unless:
        end_unless(steps[k].operands[0]);
        break;
      case Operation::rare_if:
        rare_if(steps[k], i, restart);
        break;
      default:
        break;
    }
  }
}

void BlockEmitter::trap_if(StepIndex condition, std::size_t restart) {
  if (values_.is_constant(condition)) {
    if (values_.constant(condition) != 0) a_.jmp(leave_before(restart));
    return;
  }
  const auto overflow = values_.overflows(condition);
  a_.j(overflow ? *overflow : values_.truth(condition), leave_before(restart));
}

// Whether the condition does not hold since it did not hold before in the block, with a number no
// less; takes note of it otherwise. An instruction under a predicate may not have asked.
bool BlockEmitter::is_passed(std::size_t i, StepIndex condition) {
  const auto& steps = recording(i).steps;
  const Step& question = steps[condition];
  if (question.operation != Operation::ltu || !values_.is_constant(question.operands[1]))
    return false;
  const Step& of = steps[question.operands[0]];
  if (of.operation != Operation::read_register || of.immediate != ~std::uint64_t{0}) return false;
  const RegisterPlace place = mode_.place(of.resource);
  const std::uint64_t number = values_.constant(question.operands[1]);
  const bool is_known = passed_ && passed_->place.offset == place.offset &&
                        passed_->place.is_in_frame == place.is_in_frame;
  if (is_known && number <= passed_->number) return true;
  if (!recording(i).has(Operation::end_unless)) passed_ = Passed{place, number};
  return false;
}

// Instruction i may have changed the register.
void BlockEmitter::forget_passed(std::size_t i) {
  if (!passed_) return;
  const auto overlaps = [this](const Step& step) {
    if (step.operation != Operation::write_register) return false;
    const RegisterPlace place = mode_.place(step.resource);
    return !place.is_known() || (place.is_in_frame == passed_->place.is_in_frame &&
                                 place.offset <= passed_->place.offset &&
                                 passed_->place.offset < place.offset + place.bytes);
  };
  const auto& steps = recording(i).steps;
  if (std::any_of(steps.begin(), steps.end(), overlaps)) passed_.reset();
}

// If instruction i writes one of two numbers, by a comparison of registers, and does nothing else.
std::optional<BlockEmitter::Decided> BlockEmitter::decision_of(std::size_t i) const {
  const Recording& of = recording(i);
  const Step* const write = find(of, Operation::write_register);
  if (write == nullptr || write != &of.steps.back() || write->operands[1] != unconditional)
    return std::nullopt;
  const Step& chosen = of.steps[write->operands[0]];
  const bool is_alone = std::none_of(of.steps.begin(), of.steps.end() - 1, [](const Step& step) {
    return is_effect(step.operation) || is_access(step.operation);
  });
  if (!is_alone || chosen.operation != Operation::select) return std::nullopt;
  const StepIndex comparison = chosen.operands[0];
  const StepIndex if_true = chosen.operands[1], if_false = chosen.operands[2];
  if (!values_.is_constant(if_true) || !values_.is_constant(if_false) ||
      values_.is_constant(comparison) || !may_compare_again(of, comparison) ||
      share_registers(of, Operation::write_register, of, Operation::read_register)) {
    return std::nullopt;
  }
  return Decided{.by = i,
                 .comparison = comparison,
                 .write = write,
                 .if_true = values_.constant(if_true),
                 .if_false = values_.constant(if_false)};
}

// Takes note of the decision that instruction i has made, if it is one.
void BlockEmitter::note_decided(std::size_t i, const std::optional<Decided>& made) {
  if (decided_ && changes_decided(recording(i))) decided_.reset();
  if (made) decided_ = made;
}

// Some bits of a pinned register, so that the host's flags say in the end how the comparison came
// out. False, with nothing emitted: they cannot be written so.
bool BlockEmitter::decide(Decided& made) {
  const std::uint64_t others = ~made.write->immediate;
  const auto pin = pin_of(mode_, made.write->resource);
  const std::uint64_t both = made.if_true | made.if_false;
  if (!pin || !fits_word(others) || !fits_unsigned_word(both) || (both & others) != 0 ||
      values_.uses(made.comparison) != 1) {
    return false;
  }
  const x86::Gp chosen = values_.temporary(), other = values_.temporary();
  a_.mov(chosen.r32(), made.if_false);
  a_.mov(other.r32(), made.if_true);
  a_.and_(*pin, static_cast<std::int32_t>(others));
  made.flags = values_.truth(made.comparison);
  a_.cmov(made.flags, chosen.r32(), other.r32());
  a_.lea(*pin, x86::ptr(*pin, chosen));
  made.flags_end = a_.offset();
  return true;
}

// Of registers and numbers, perhaps parts of them: it takes two temporaries at most.
bool BlockEmitter::may_compare_again(const Recording& of, StepIndex comparison) const {
  const Step& step = of.steps[comparison];
  if (!is_comparison(step.operation)) return false;
  const auto is_plain = [&](StepIndex index) {
    const Step& operand = of.steps[index];
    return operand.operation == Operation::constant ||
           operand.operation == Operation::read_register;
  };
  const auto is_mask = [&](StepIndex index) {
    const Step& mask = of.steps[index];
    return mask.operation == Operation::constant && fits_word(mask.immediate);
  };
  const auto is_part = [&](StepIndex index) {
    const Step& operand = of.steps[index];
    switch (operand.operation) {
      case Operation::sext32:
      case Operation::zext32:
        return is_plain(operand.operands[0]);
      case Operation::and_:
        return is_plain(operand.operands[0]) && is_mask(operand.operands[1]);
      default:
        return is_plain(index);
    }
  };
  return is_part(step.operands[0]) && is_part(step.operands[1]);
}

// Whether the instruction changes what decided_ compares, or what it writes.
bool BlockEmitter::changes_decided(const Recording& by) const {
  const Recording& decider = recording(decided_->by);
  if (share_registers(by, Operation::write_register, decider, Operation::read_register))
    return true;
  return &by != &decider &&
         share_registers(by, Operation::write_register, decider, Operation::write_register);
}

void BlockEmitter::slow_if(StepIndex at, std::size_t i, std::size_t restart) {
  const StepIndex condition = recording(i).steps[at].operands[0];
  if (values_.is_constant(condition)) return;
  const Label slow = a_.newLabel(), back = a_.newLabel();
  // In a block that is noted the instruction runs again if it is slow.
  const bool runs_again = can_be_noted_ && !notes_slow(i);
  const bool may_change = !runs_again || (values_.can_undo(condition) && !disturbs(i, restart));
  const auto overflow =
      values_.overflows(condition, may_change ? values_.pin_to_write(at, condition) : std::nullopt);
  if (overflow == Condition::kOverflow && source_.instructions[i].was_slow && !notes_slow(i)) {
    return slow_if_overflow(i);
  }
  a_.j(overflow ? *overflow : values_.truth(condition), slow);
  a_.bind(back);
  cold_.push_back({.label = slow,
                   .kind = Cold::Kind::slow,
                   .back = back,
                   .index = i,
                   .leaves = runs_again ? leave_before(restart) : Label(),
                   .undo = runs_again && overflow ? values_.undo() : std::nullopt});
}

// Whether the branch at `restart`, if it runs again, would see what its slot `i` has written: what
// the slot has changed in place is undone.
bool BlockEmitter::disturbs(std::size_t i, std::size_t restart) const {
  const Recording& slot = recording(i);
  constexpr Operation reads = Operation::read_register, writes = Operation::write_register;
  return i != restart && share_registers(slot, writes, recording(restart), reads) &&
         !share_registers(slot, writes, slot, reads);
}

// Without a jump, which the host would not predict: of a sum that has overflowed before and may not
// do so always.
void BlockEmitter::slow_if_overflow(std::size_t i) {
  const x86::Gp cycles = values_.temporary();
  a_.seto(cycles.r8());
  a_.movzx(cycles.r32(), cycles.r8());
  if (source_.counts_edges) a_.add(counter(new_delayed(i)), cycles);
  a_.neg(cycles);
  a_.and_(cycles, x86::ptr(literal(RunBudget::cycles(mode_.slow_cycles))));
  a_.sub(budget, cycles);
  values_.release(cycles);
}

// ---- Accesses.
void BlockEmitter::end_unless(StepIndex condition) {
  if (!over_) over_ = a_.newLabel();
  if (!values_.is_constant(condition))
    a_.j(asmjit::x86::negateCond(values_.truth(condition)), *over_);
  else if (values_.constant(condition) == 0)
    a_.jmp(*over_);
}

// The interpreter runs the instruction then: from within the code, if that may be and a machine's
// caches need not know of its access.
void BlockEmitter::rare_if(const Step& step, std::size_t i, std::size_t restart) {
  const StepIndex condition = step.operands[0];
  const auto how = static_cast<Rare>(step.detail);
  if (how == Rare::implicit_accesses) return beside_if(step, i, restart);
  if (how == Rare::stepped || (mode_.has_caches && source_.instructions[i].touches_memory)) {
    return trap_if(condition, restart);
  }
  if (!not_plain_) not_plain_ = a_.newLabel();
  if (!values_.is_constant(condition))
    a_.j(values_.truth(condition), *not_plain_);
  else if (values_.constant(condition) != 0)
    a_.jmp(*not_plain_);
}

// A machine's caches see each such access for itself, at its moment.
void BlockEmitter::beside_if(const Step& step, std::size_t i, std::size_t restart) {
  const StepIndex condition = step.operands[0];
  if (mode_.has_caches || !source_.instructions[i].wait_only_delays ||
      values_.is_constant(condition)) {
    return trap_if(condition, restart);
  }
  const Label made = a_.newLabel(), back = a_.newLabel();
  a_.j(values_.truth(condition), made);
  a_.bind(back);
  cold_.push_back({.label = made,
                   .kind = Cold::Kind::beside,
                   .back = back,
                   .number = static_cast<std::uint32_t>(step.immediate),
                   .site = {.exit = first_exit_ + exit_before(restart)},
                   .leaves = leave_before(restart)});
}

AccessSite BlockEmitter::site_of(const Step& step, std::size_t i, std::size_t restart) {
  return {.exit = first_exit_ + exit_before(restart),
          .in_slot = i != restart,
          .is_write = step.operation != Operation::load,
          .is_replaced = step.operation == Operation::replaced,
          .only_delays = source_.instructions[i].wait_only_delays,
          .size = step.detail,
          .until_end = until_end(i)};
}

// A load or store; also of memory that is replaced.
void BlockEmitter::access(StepIndex k, std::size_t i, std::size_t restart) {
  const Step& step = recording(i).steps[k];
  const AccessSite site = site_of(step, i, restart);
  const auto [missed, back] = step.operation == Operation::store ? accesses_.store(step, site)
                                                                 : accesses_.load(k, step, site);
  cold_.push_back({missed, Cold::Kind::access, back, 0, restart, site, leave_before(restart)});
}

// ---- On the interpreter.
// An instruction without emitter, or what is rare, unless it has to be stepped.
void BlockEmitter::interpret(std::size_t i, std::size_t restart) {
  values_.begin(recording(i), source_.pcs[i], source_.continues_at);
  for (const Step& step : recording(i).steps) {
    if (step.operation != Operation::rare_if) continue;
    const auto how = static_cast<Rare>(step.detail);
    if (how == Rare::interpreted) continue;
    // Nobody asks here whether the instruction is over before.
    if (recording(i).has(Operation::end_unless))
      trap_if(step.operands[0], restart);
    else
      rare_if(step, i, restart);
  }
  run_one(i, restart);
}

void BlockEmitter::run_one(std::size_t i, std::size_t restart) {
  a_.mov(x86::rsi, reinterpret_cast<std::uint64_t>(source_.instructions[i].op));
  a_.mov(x86::rdx, source_.pcs[i]);
  const bool is_marked = mode_.slow_cycles != 0 || notes_slow(i);
  a_.mov(x86::ecx, is_marked ? static_cast<std::uint32_t>(i) : HostFrame::not_marked);
  call_charged(common_.run_one);
  const Label left = a_.newLabel(), back = a_.newLabel();
  a_.jnz(left);
  a_.bind(back);
  cold_.push_back({left, Cold::Kind::ran, back, static_cast<std::uint32_t>(i), restart,
                   AccessSite{}, leave_before(restart)});
}

bool emit_block(x86::Assembler& assembler, const BlockSource& source, const GuestMode& mode,
                const CommonCode& common, std::uint32_t first_exit, const Counters& counters,
                EmittedBlock& emitted) {
  std::vector<bool> interpreted(source.instructions.size());
  for (;;) {
    emitted = {};
    BlockEmitter emitter(assembler, source, mode, common, first_exit, counters, interpreted,
                         emitted);
    if (!emitter.can_end()) return false;
    const std::optional<std::size_t> failed = emitter.emit();
    if (!failed) return true;
    if (interpreted[*failed]) return false;  // not even what comes before its call
    interpreted[*failed] = true;
    asmjit::CodeHolder& code = *assembler.code();
    const asmjit::Environment environment = code.environment();
    code.reset();
    code.init(environment);
    code.attach(&assembler);
  }
}

}  // namespace hardclock
