// How translated blocks end: transfers of control with and without a slot, and edges.
#include <algorithm>
#include <bit>

#include "sim/translator/block_emitter_class.h"
#include "sim/translator/branch_prediction.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"

namespace hardclock {

using asmjit::Label;
using namespace host;
using ExitKind = Translator::Exit::Kind;

void BlockEmitter::end(std::size_t first) {
  in_slot_ = false;
  passed_.reset();
  // A transfer whose slot goes first is in the same order as the fetches all the same: it makes
  // no access itself.
  if (!last_traps() && first != size() && mode_.has_caches && begins_line(first))
    ask_for_line(first, first);
  if (last_traps()) {
    a_.jmp(leave_before(first));
  } else if (first == size()) {
    edge(BlockExit::straight, source_.continues_at);
  } else if (source_.skip) {
    nullifier_of_next(first);
  } else if (is_interpreted_transfer(first)) {
    ++emitted_.interpreted;
    interpreted_transfer(first);
  } else if (!source_.with_slot) {
    transfer_without_slot(first);
  } else if (recording(first).has(Operation::nullify)) {
    transfer_that_nullifies(first);
  } else {
    transfer_with_slot(first);
  }
}

// True or false whatever the values are; nothing: it depends.
std::optional<bool> BlockEmitter::known(const Step* effect) const {
  if (effect == nullptr) return false;
  if (!values_.is_constant(effect->operands[0])) return std::nullopt;
  return values_.constant(effect->operands[0]) != 0;
}

// The transfer's target, computed now.
BlockEmitter::Target BlockEmitter::target_of(const Step* branch) {
  if (branch == nullptr) return {};
  if (values_.is_constant(branch->operands[1])) {
    return values_.constant(branch->operands[1]);
  }
  const ValueEmitter::Held held = values_.whole(branch->operands[1]);
  a_.mov(on_stack(target_slot), held.reg);
  values_.release(held);
  return std::nullopt;
}

BlockEmitter::Transferred BlockEmitter::transfer(std::size_t b, bool saves_operand) {
  begin_transfer(b);
  const Step* const branch = find(recording(b), Operation::branch);
  const std::optional<bool> taken = known(branch);
  const Target target = target_of(branch);
  const std::vector<RegisterWriter::Write> writes = writer_.compute(recording(b));
  if (!taken) save_truth(branch->operands[0], condition_slot);
  if (saves_operand) save_operand(b);
  writer_.write(writes);
  end_transfer(b);
  return {taken, target};
}

// Whether the interpreter runs the transfer, and says then where control goes.
bool BlockEmitter::is_interpreted_transfer(std::size_t b) const {
  return !source_.with_slot && recording(b).has(Operation::branch) &&
         !recording(b).has(Operation::nullify) &&
         (is_interpreted(b) || recording(b).has(Operation::call));
}

void BlockEmitter::interpreted_transfer(std::size_t b) {
  interpret(b, b);
  a_.mov(x86::rcx, on_stack(frame_slot));
  const Step* const branch = find(recording(b), Operation::branch);
  const bool is_conditional = recording(b).has(Operation::end_unless);
  const std::optional<bool> taken = is_conditional ? std::nullopt : known(branch);
  Target target;
  if (values_.is_constant(branch->operands[1])) {
    target = values_.constant(branch->operands[1]);
  } else {
    a_.mov(x86::rax, in_frame(x86::rcx, &HostFrame::target));
    a_.mov(on_stack(target_slot), x86::rax);
  }
  if (taken) return two_edges(taken, target, BlockExit::straight, BlockExit::taken);
  a_.cmp(in_frame(x86::rcx, &HostFrame::taken, 4), 0);
  fork_edges(Condition::kNotEqual, target, BlockExit::straight, BlockExit::taken);
}

// With effects of its own, a transfer that takes place at all always goes to its target.
void BlockEmitter::transfer_without_slot(std::size_t b) {
  const Recording& of = recording(b);
  if (!of.has(Operation::end_unless) && !of.has(Operation::rare_if)) {
    return transfer_behind_slot(b);
  }
  begin_transfer(b);
  not_plain_.reset();
  over_.reset();
  effects(b, b);
  const Step* const branch = find(of, Operation::branch);
  const Target target = target_of(branch);
  if (known(branch) != true || !writer_.write_in_order(of)) values_.fail();
  end_transfer(b);
  if (failed_) return;
  predicted_edge(BlockExit::taken, target);
  if (over_) {
    a_.bind(*over_);
    predicted_edge(BlockExit::straight, fall_through());
  }
  if (not_plain_) cold_.push_back({*not_plain_, Cold::Kind::transfer, {}, 0, b});
}

// Whether the slot can run before the transfer is looked at: neither changes what the other
// needs.
bool BlockEmitter::slot_can_go_first(std::size_t b) const {
  if (!is_number(b + 1) && is_interpreted(b + 1)) return false;
  constexpr Operation reads = Operation::read_register, writes = Operation::write_register;
  const Recording &transfer = recording(b), &slot = recording(b + 1);
  return !share_registers(slot, writes, transfer, reads) &&
         !share_registers(slot, writes, transfer, writes) &&
         !share_registers(slot, reads, transfer, writes);
}

void BlockEmitter::transfer_with_slot(std::size_t b) {
  if (slot_can_go_first(b)) {
    instruction(b + 1, b);
    if (!failed_) transfer_behind_slot(b);
    return;
  }
  const Transferred made = transfer(b, true);
  if (failed_) return;
  instruction(b + 1, b);
  if (!failed_) two_edges(made.taken, made.target, BlockExit::straight, BlockExit::taken);
}

void BlockEmitter::transfer_behind_slot(std::size_t b) {
  begin_transfer(b);
  const Step* const branch = find(recording(b), Operation::branch);
  const std::optional<bool> taken = known(branch);
  const Target target = target_of(branch);
  const std::vector<RegisterWriter::Write> writes = writer_.compute(recording(b));
  if (taken) {
    writer_.write(writes);
    end_transfer(b);
    return two_edges(taken, target, BlockExit::straight, BlockExit::taken);
  }
  const auto decided =
      writes.empty() ? decided_truth(recording(b), branch->operands[0]) : std::nullopt;
  const Condition condition = decided ? *decided : truth_behind(branch->operands[0], writes);
  end_transfer(b);
  fork_edges(condition, target, BlockExit::straight, BlockExit::taken);
}

// Keeps what the transfer is about to change of its operands, in case it has to run again. Leaves
// the processor's flags alone.
void BlockEmitter::save_operand(std::size_t b) {
  const std::vector<Resource> changed = changed_operands(recording(b));
  if (changed.empty()) return;
  saved_ = changed.front();
  const RegisterPlace place = mode_.place(*saved_);
  const auto pin = pin_of(mode_, *saved_);
  const x86::Gp old = pin ? *pin : values_.temporary();
  if (!pin) a_.mov(part(old, place.bytes), in_context(place, place.bytes));
  a_.mov(on_stack(saved_slot), old);
  values_.release(old);
}

// The truth of a condition that asks for a bit of the register that decided_ has written: of its
// comparison, made again. The host knows it sooner than that bit.
std::optional<BlockEmitter::Condition> BlockEmitter::decided_truth(const Recording& of,
                                                                   StepIndex condition) {
  if (!decided_) return std::nullopt;
  const Step& question = of.steps[condition];
  if (question.operation != Operation::ne || !values_.is_constant(question.operands[1]) ||
      values_.constant(question.operands[1]) != 0) {
    return std::nullopt;
  }
  const Step& read = of.steps[question.operands[0]];
  const std::uint64_t bit = read.immediate;
  const bool is_set = (decided_->if_true & bit) != 0;
  if (read.operation != Operation::read_register || read.resource != decided_->write->resource ||
      !std::has_single_bit(bit) || (decided_->write->immediate & bit) == 0 ||
      is_set == ((decided_->if_false & bit) != 0)) {
    return std::nullopt;
  }
  const auto unless = [is_set](Condition truth) {
    return is_set ? truth : asmjit::x86::negateCond(truth);
  };
  if (decided_->flags_end == a_.offset()) return unless(decided_->flags);
  const std::size_t by = decided_->by;
  values_.begin(recording(by), source_.pcs[by], source_.continues_at);
  return unless(values_.truth(decided_->comparison));
}

// The condition's truth; the registers are written behind it.
BlockEmitter::Condition BlockEmitter::truth_behind(
    StepIndex condition, const std::vector<RegisterWriter::Write>& writes) {
  const bool keeps =
      std::all_of(writes.begin(), writes.end(),
                  [this](const RegisterWriter::Write& each) { return writer_.keeps_flags(each); });
  if (!keeps) save_truth(condition, condition_slot);
  const Condition truth = keeps ? values_.truth(condition) : Condition::kNotEqual;
  writer_.write(writes);
  if (!keeps) a_.cmp(on_stack(condition_slot, 1), 0);
  return truth;
}

// Whether what it does to its slot follows from whether it is taken.
bool BlockEmitter::decides_once(std::size_t transfer) const {
  const Step* const branch = find(recording(transfer), Operation::branch);
  const Step* const nullify = find(recording(transfer), Operation::nullify);
  return branch == nullptr || nullify == nullptr || branch->operands[0] == nullify->operands[0] ||
         nullifies_if_not(*branch, *nullify);
}

// Whether the slot is nullified when the transfer is not taken. Else it is when it is taken.
bool BlockEmitter::nullifies_if_not(const Step& branch, const Step& nullify) const {
  const auto& steps = recording(first_of_end()).steps;
  const Step& condition = steps[nullify.operands[0]];
  if (condition.operation != Operation::eq || condition.operands[0] != branch.operands[0])
    return false;
  const Step& zero = steps[condition.operands[1]];
  return zero.operation == Operation::constant && zero.immediate == 0;
}

// The slot runs, or it does not: whether, the branch's own condition says, if there is a branch.
void BlockEmitter::transfer_that_nullifies(std::size_t b) {
  begin_transfer(b);
  effects(b, b);
  const Step* const branch = find(recording(b), Operation::branch);
  const Step* const nullify = find(recording(b), Operation::nullify);
  const Target target = target_of(branch);
  if (const std::optional<bool> nullified = known(nullify)) {
    return transfer_of_known_slot(b, *nullified, target);
  }
  const bool is_opposite = branch != nullptr && nullifies_if_not(*branch, *nullify);
  if (branch != nullptr) values_.forget(nullify->operands[0]);
  const StepIndex decides = (branch != nullptr ? branch : nullify)->operands[0];
  const std::vector<RegisterWriter::Write> writes = writer_.compute(recording(b));
  if (branch != nullptr) save_operand(b);
  const Condition truth = truth_behind(decides, writes);
  end_transfer(b);
  if (failed_) return;
  const Label skips = a_.newLabel();
  a_.j(is_opposite ? asmjit::x86::negateCond(truth) : truth, skips);
  instruction(b + 1, branch != nullptr ? b : b + 1);
  if (failed_) return;
  if (is_opposite) {
    edge(BlockExit::taken, target);
    a_.bind(skips);
    edge(BlockExit::nullified, fall_through());
  } else {
    edge(BlockExit::straight, fall_through());
    a_.bind(skips);
    edge(branch != nullptr ? BlockExit::taken_nullified : BlockExit::nullified,
         branch != nullptr ? target : fall_through());
  }
}

void BlockEmitter::transfer_of_known_slot(std::size_t b, bool nullified, const Target& target) {
  const Step* const branch = find(recording(b), Operation::branch);
  const std::optional<bool> taken = known(branch);
  const std::vector<RegisterWriter::Write> writes = writer_.compute(recording(b));
  if (!taken) save_truth(branch->operands[0], condition_slot);
  if (branch != nullptr) save_operand(b);
  writer_.write(writes);
  end_transfer(b);
  if (failed_) return;
  if (nullified) {
    return two_edges(taken, target, BlockExit::nullified, BlockExit::taken_nullified);
  }
  instruction(b + 1, branch != nullptr ? b : b + 1);
  if (!failed_) two_edges(taken, target, BlockExit::straight, BlockExit::taken);
}

// What it may nullify begins another block.
void BlockEmitter::nullifier_of_next(std::size_t b) {
  begin_transfer(b);
  effects(b, b);
  const Step* const nullify = find(recording(b), Operation::nullify);
  const std::optional<bool> nullified = known(nullify);
  const std::vector<RegisterWriter::Write> writes = writer_.compute(recording(b));
  const Label skips = a_.newLabel();
  if (nullified)
    writer_.write(writes);
  else
    a_.j(truth_behind(nullify->operands[0], writes), skips);
  end_transfer(b);
  if (failed_) return;
  if (!nullified.value_or(false)) edge(BlockExit::straight, fall_through());
  a_.bind(skips);
  if (nullified.value_or(true)) skip_next();
}

// The engine has to do it when the clock's event comes before, or when it counts cycles for each
// instruction.
void BlockEmitter::skip_next() {
  const std::uint32_t to_engine = new_exit(
      {.kind = ExitKind::skips, .way = BlockExit::straight, .target = source_.continues_at});
  if (source_.counts_edges) {
    a_.inc(counter(to_engine));
    a_.add(budget, x86::ptr(literal(correction(BlockExit::straight))));
    a_.jmp(leave_by(to_engine));
    return;
  }
  const BlockSource::Edge& way = source_.edges[static_cast<std::size_t>(BlockExit::nullified)];
  const std::uint64_t left = std::uint64_t{charged()} - way.cycles;  // may be negative
  add_to_budget(RunBudget::cycles(left));
  const Label late = a_.newLabel();
  // An event at the block's end comes first even if the other instruction takes no time.
  if (source_.skip->cycles == 0) compare_budget(RunBudget::cycles(1));
  a_.jl(late);
  cold_.push_back({late, Cold::Kind::late_skip, {}, to_engine, 0});
  direct_edge(new_exit(
      {.kind = ExitKind::edge, .way = BlockExit::nullified, .target = source_.skip->target}));
}

void BlockEmitter::begin_transfer(std::size_t b) {
  values_.begin(recording(b), source_.pcs[b], source_.continues_at);
}

void BlockEmitter::end_transfer(std::size_t b) {
  if (values_.failed()) failed_ = b;
}

void BlockEmitter::save_truth(StepIndex condition, std::int32_t slot) {
  a_.set(values_.truth(condition), on_stack(slot, 1));
}

void BlockEmitter::two_edges(std::optional<bool> taken, const Target& target, BlockExit straight,
                             BlockExit otherwise) {
  if (taken) {
    return *taken ? predicted_edge(otherwise, target) : predicted_edge(straight, fall_through());
  }
  a_.cmp(on_stack(condition_slot, 1), 0);
  fork_edges(Condition::kNotEqual, target, straight, otherwise);
}

void BlockEmitter::fork_edges(Condition taken, const Target& target, BlockExit straight,
                              BlockExit otherwise) {
  if (target && !source_.prediction && is_mere_jump(otherwise)) {
    const std::uint32_t exit =
        new_exit({.kind = ExitKind::edge, .way = otherwise, .target = *target});
    direct_edge(exit, taken);
    return edge(straight, fall_through());
  }
  const Label goes = a_.newLabel();
  a_.j(taken, goes);
  predicted_edge(straight, fall_through());
  a_.bind(goes);
  predicted_edge(otherwise, target);
}

// Of a transfer without slot a predictor may have said the opposite.
void BlockEmitter::predicted_edge(BlockExit way, const Target& target) {
  if (!source_.prediction) return edge(way, target);
  const BlockSource::Prediction& prediction = *source_.prediction;
  const bool taken = is_taken(way);
  const Label otherwise = a_.newLabel(), right = a_.newLabel(), wrong = a_.newLabel();
  emit_prediction(a_, prediction, taken, otherwise);
  const BlockExit if_right = predicted_exit(taken, taken != prediction.hint);
  const std::uint32_t lost = prediction.lost[taken ? 1 : 0];
  if (lost != 0 && target && is_mere_jump(if_right)) {
    charged_edge(if_right, *target, lost, wrong);
  } else {
    a_.j(emit_is_wrong(a_, taken), wrong);
  }
  a_.bind(right);
  edge(if_right, target);
  a_.bind(wrong);
  edge(predicted_exit(taken, taken == prediction.hint), target);
  const bool hint_is_right = taken == prediction.hint;
  const PredictedBranch branch{.hint = prediction.hint, .taken = taken};
  cold_.push_back({otherwise,
                   Cold::Kind::predict,
                   hint_is_right ? right : wrong,
                   branch.pack(),
                   0,
                   {},
                   hint_is_right ? wrong : right});
}

// For a prediction that was right, and for one that was wrong and does nothing but lose cycles:
// these are charged. There is no jump between the two: where the guest's predictor is wrong, so
// would the host's be. Control goes on, with nothing charged, if it was right and an event may come
// before the lost cycles are over.
void BlockEmitter::charged_edge(BlockExit way, std::uint64_t target, std::uint32_t lost,
                                const Label& wrong) {
  const bool taken = is_taken(way);
  const Label scarce = a_.newLabel(), has_no_code = a_.newLabel();
  compare_budget(RunBudget::cycles(lost + 1));
  a_.jl(scarce);
  emit_charge(a_, taken, charges(RunBudget::cycles(lost)));
  const std::uint32_t exit = new_exit({.kind = ExitKind::edge, .way = way, .target = target});
  jump_to_edge(exit, has_no_code);
  cold_.push_back({.label = has_no_code,
                   .kind = Cold::Kind::leave_uncharged,
                   .number = exit,
                   .leaves = wrong,
                   .way = way});
  a_.bind(scarce);
  a_.j(emit_is_wrong(a_, taken), wrong);
}

// What was charged for the block when it was entered is put right.
std::uint64_t BlockEmitter::correction(BlockExit way) const {
  const BlockSource::Edge& of = source_.edges[static_cast<std::size_t>(way)];
  std::uint64_t packed = RunBudget::cycles(std::uint64_t{charged()} - of.cycles);
  if (!is_nullified(way)) return packed;
  packed -= RunBudget::instructions(1);
  return packed - RunBudget::accesses(source_.instructions.back().touches_memory ? 1 : 0);
}

bool BlockEmitter::is_mere_jump(BlockExit way) const {
  return correction(way) == 0 && !asks_for_slow() && !source_.counts_edges;
}

// Whether instructions that were slow have been noted.
bool BlockEmitter::asks_for_slow() const {
  if (!source_.notes_slow) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    if ((notes_slow(i) && recording(i).has(Operation::slow_if)) || is_interpreted(i)) return true;
  }
  return false;
}

// The block is over, and the code has to be left there.
void BlockEmitter::leave_behind(BlockExit way, const Target& target) {
  if (asks_for_slow()) {
    const Label none = a_.newLabel();
    a_.mov(x86::rcx, on_stack(frame_slot));
    a_.cmp(in_frame(x86::rcx, &HostFrame::slow), 0);
    a_.je(none);
    charge_spare();
    leave(new_exit({.kind = ExitKind::slow, .way = way, .target = target.value_or(0)}));
    a_.bind(none);
  }
  const std::uint32_t exit =
      new_exit({.kind = ExitKind::edge, .way = way, .target = target.value_or(0)});
  if (source_.counts_edges) a_.inc(counter(exit));
  a_.add(budget, x86::ptr(literal(correction(way))));
  if (is_noted(way, target)) note(exit, target);
  leave(exit);
}

void BlockEmitter::edge(BlockExit way, const Target& target) {
  if (asks_for_slow()) {
    const Label slow = a_.newLabel();
    a_.mov(x86::rcx, on_stack(frame_slot));
    a_.cmp(in_frame(x86::rcx, &HostFrame::slow), 0);
    a_.jne(slow);
    cold_.push_back({slow, Cold::Kind::slow_edge, {}, 0, 0, AccessSite{}, {}, way, target});
  }
  const std::uint32_t exit = new_exit({.kind = target ? ExitKind::edge : ExitKind::indirect,
                                       .way = way,
                                       .target = target.value_or(0)});
  if (source_.counts_edges) a_.inc(counter(exit));
  if (const std::uint64_t packed = correction(way); packed != 0) add_to_budget(packed);
  if (is_noted(way, target)) {
    note(exit, target);
    a_.cmp(x86::rax, in_frame(x86::rcx, &HostFrame::noted_end));
    a_.jae(leave_by(exit));
  }
  if (target)
    direct_edge(exit);
  else
    indirect_edge(exit, source_.edges[static_cast<std::size_t>(way)].exit);
}

x86::Mem BlockEmitter::counter(std::uint32_t exit) {
  return x86::ptr_rel(reinterpret_cast<std::uint64_t>(counters_(exit)), 8);
}

bool BlockEmitter::is_noted(BlockExit way, const Target& target) const {
  if (!source_.noted) return false;
  if (is_taken(way) && source_.noted->transfer) return true;
  return target && *target - source_.noted->low >= source_.noted->high - source_.noted->low;
}

// Leaves the place of the next one in rax, and the frame in rcx.
void BlockEmitter::note(std::uint32_t exit, const Target& target) {
  const auto member = [](std::size_t offset) {
    return x86::ptr(x86::rax, static_cast<std::int32_t>(offset), 8);
  };
  a_.mov(x86::rcx, on_stack(frame_slot));
  a_.mov(x86::rax, in_frame(x86::rcx, &HostFrame::noted_next));
  a_.mov(x86::edx, first_exit_ + exit);
  a_.mov(member(offsetof(NotedTransfer, exit)), x86::rdx);
  a_.mov(member(offsetof(NotedTransfer, budget)), budget);
  const auto pin = pin_of(mode_, mode_.stack_pointer);
  const RegisterPlace place = mode_.place(mode_.stack_pointer);
  const x86::Gp value = pin ? *pin : x86::rdx;
  if (!pin) a_.mov(part(value, place.bytes), in_context(place, place.bytes));
  a_.mov(member(offsetof(NotedTransfer, stack_pointer)), value);
  if (!target) {
    a_.mov(x86::rdx, on_stack(target_slot));
    a_.mov(member(offsetof(NotedTransfer, target)), x86::rdx);
  }
  a_.add(x86::rax, sizeof(NotedTransfer));
  a_.mov(in_frame(x86::rcx, &HostFrame::noted_next), x86::rax);
}

// Translator::link() changes the displacement, which comes last in a conditional jump, too.
void BlockEmitter::direct_edge(std::uint32_t exit, std::optional<Condition> condition) {
  jump_to_edge(exit, leave_by(exit), condition);
}

// To `leaves`, as long as the edge's target has no code.
void BlockEmitter::jump_to_edge(std::uint32_t exit, const Label& leaves,
                                std::optional<Condition> condition) {
  if (condition)
    a_.long_().j(*condition, leaves);
  else
    a_.long_().jmp(leaves);
  emitted_.exits[exit].jump = place_of(a_.offset() - sizeof(std::int32_t));
}

// The target is in its slot.
void BlockEmitter::indirect_edge(std::uint32_t exit, PipelineStates::Id state) {
  const Label missed = leave_by(exit);
  a_.mov(x86::rax, on_stack(target_slot));
  if (!is_indirect(0, state)) {
    a_.jmp(missed);
    return;
  }
  if (mode_.address_bits != 32) {
    a_.mov(x86::rcx, x86::rax);
    a_.shr(x86::rcx, indirect_key_bits);
    a_.test(x86::ecx, static_cast<std::int32_t>(most_indirect_states - 1));
    a_.jnz(missed);
  }
  a_.mov(x86::rcx, x86::rax);
  a_.shr(x86::rcx, mode_.code_shift);
  a_.xor_(x86::ecx, static_cast<std::int32_t>(indirect_salt(state)));
  a_.and_(x86::ecx, static_cast<std::int32_t>((1u << mode_.indirect_bits) - 1));
  a_.shl(x86::ecx, std::countr_zero(sizeof(IndirectEntry)));
  a_.add(x86::rcx, on_stack(indirect_slot));
  if (state != 0) {
    a_.mov(x86::rdx, std::uint64_t{state} << indirect_key_bits);
    a_.or_(x86::rax, x86::rdx);
  }
  a_.cmp(x86::rax, x86::ptr(x86::rcx, offsetof(IndirectEntry, key), 8));
  a_.jne(missed);
  a_.jmp(x86::ptr(x86::rcx, offsetof(IndirectEntry, code), 8));
}

}  // namespace hardclock
