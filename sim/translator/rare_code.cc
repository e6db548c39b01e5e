// The exits of a translated block, and its code for what is rare, which lies apart from all other.
#include <array>

#include "sim/translator/block_emitter_class.h"
#include "sim/translator/branch_prediction.h"
#include "sim/translator/host_frame.h"
#include "sim/translator/host_registers.h"
namespace hardclock {

using asmjit::Label;
using namespace host;
using ExitKind = Translator::Exit::Kind;

namespace {

constexpr std::uint8_t near_call = 0xe8;
constexpr std::uint8_t near_jump = 0xe9;

}  // namespace

std::uint32_t BlockEmitter::new_exit(const EmittedExit& exit) {
  emitted_.exits.push_back(exit);
  return static_cast<std::uint32_t>(emitted_.exits.size() - 1);
}

std::uint32_t BlockEmitter::new_delayed(std::size_t i) {
  return new_exit({.kind = ExitKind::delayed, .index = static_cast<std::uint32_t>(i)});
}

Label BlockEmitter::literal(std::uint64_t value) {
  for (const auto& [label, known] : literals_) {
    if (known == value) return label;
  }
  literals_.emplace_back(a_.newLabel(), value);
  return literals_.back().first;
}

Label BlockEmitter::charges(std::uint64_t charge) {
  for (const auto& [label, known] : charges_) {
    if (known == charge) return label;
  }
  charges_.emplace_back(a_.newLabel(), charge);
  return charges_.back().first;
}

// In the section that is emitted.
CodePlace BlockEmitter::place_of(std::size_t offset) const {
  return {static_cast<std::uint32_t>(offset), a_.currentSection() == rare_};
}

void BlockEmitter::add_to_budget(std::uint64_t packed) {
  a_.add(budget, x86::ptr(literal(packed)));
}

void BlockEmitter::compare_budget(std::uint64_t packed) {
  a_.cmp(budget, x86::ptr(literal(packed)));
}

// A near jump or call.
void BlockEmitter::to_common(std::uint8_t opcode, std::uint64_t target) {
  const std::array<std::uint8_t, 5> code = {opcode};
  a_.embed(code.data(), code.size());
  emitted_.to_common.push_back({place_of(a_.offset() - sizeof(std::int32_t)), target});
}

Label BlockEmitter::leave_by(std::uint32_t exit) {
  const Label label = a_.newLabel();
  cold_.push_back({label, Cold::Kind::leave, {}, exit, 0});
  return label;
}

Label BlockEmitter::leave_charged_by(std::uint32_t exit) {
  const Label label = leave_by(exit);
  cold_.back().kind = Cold::Kind::leave_charged;
  return label;
}

const std::pair<Label, std::uint32_t>& BlockEmitter::way_out(std::size_t index) {
  auto& way = in_slot_ ? from_slot_ : within_[index];
  if (!way) {
    const std::uint32_t exit = new_exit({.kind = ExitKind::within,
                                         .index = static_cast<std::uint32_t>(index),
                                         .in_slot = in_slot_});
    way = {leave_charged_by(exit), exit};
    // From its slot, a transfer's operand is put back first.
    if (in_slot_ && saved_) cold_.back().kind = Cold::Kind::leave_slot;
  }
  return *way;
}

// ---- What is rare.
void BlockEmitter::emit_cold() {
  in_slot_ = false;
  emit_cold_code(true);
  emit_literals();
  a_.section(rare_);
  emit_cold_code(false);
  emit_literals();
}

// Whether it is not that rare, so that its code stays near the block's own: slow instructions,
// where there are any, accesses beside the program's, and misses of a machine's caches. Elsewhere
// the host would miss its own.
bool BlockEmitter::stays_near(const Cold& cold) const {
  switch (cold.kind) {
    case Cold::Kind::slow:
    case Cold::Kind::slow_edge:
    case Cold::Kind::beside:
      return true;
    case Cold::Kind::access:
    case Cold::Kind::fetch:
      return may_be_plain(cold.site);
    default:
      return false;
  }
}

void BlockEmitter::emit_cold_code(bool near) {
  for (std::size_t i = 0; i < cold_.size(); ++i) {
    // Emitting one may add others. What rare code adds lies beside it, even if it would stay near.
    if (cold_[i].is_emitted || (near && !stays_near(cold_[i]))) continue;
    cold_[i].is_emitted = true;
    const Cold cold = cold_[i];
    a_.bind(cold.label);
    switch (cold.kind) {
      case Cold::Kind::access:
        call_from(cold, !may_be_plain(cold.site) ? common_.access
                        : cold.site.is_write     ? common_.plain_store
                                                 : common_.plain_load);
        break;
      case Cold::Kind::fetch:
        call_from(cold, may_be_plain(cold.site) ? common_.plain_fetch : common_.fetch);
        break;
      case Cold::Kind::slow:
        slow(cold);
        break;
      case Cold::Kind::slow_edge:
        slow_edge(cold.way, cold.target);
        break;
      case Cold::Kind::ran:
        ran(cold);
        break;
      case Cold::Kind::run:
        in_slot_ = cold.number != cold.index;
        run_one(cold.number, cold.index);
        a_.jmp(cold.back);
        in_slot_ = false;
        break;
      case Cold::Kind::transfer:
        interpreted_transfer(cold.index);
        break;
      case Cold::Kind::predict:
        a_.mov(x86::rsi, source_.prediction->pc);
        a_.mov(x86::edx, cold.number);
        to_common(near_call, common_.predict);
        a_.jz(cold.back);
        a_.jmp(cold.leaves);
        break;
      case Cold::Kind::beside:
        implicit_access(cold);
        break;
      case Cold::Kind::late:
        if (cold.back.isValid()) note_moment(cold);
        a_.sub(budget, x86::ptr(literal(begin_budget())));
        if (source_.counts_arrivals) {
          a_.mov(x86::rcx, on_stack(frame_slot));
          a_.dec(in_frame(x86::rcx, &HostFrame::arrivals));
        }
        emitted_.gone = place_of(a_.offset());
        leave(cold.number);
        break;
      case Cold::Kind::late_skip:
        a_.add(budget, x86::ptr(literal(RunBudget::cycles(source_.skip->cycles))));
        leave(cold.number);
        break;
      case Cold::Kind::leave_uncharged:
        // The target may not even be there to be waited for.
        emit_uncharge(a_);
        a_.j(emit_is_wrong(a_, is_taken(cold.way)), cold.leaves);
        leave(cold.number);
        break;
      case Cold::Kind::leave_slot:
        restore_operand();
        [[fallthrough]];
      case Cold::Kind::leave_charged:
        charge_spare();
        leave(cold.number);
        break;
      case Cold::Kind::leave:
        leave(cold.number);
    }
  }
}

bool BlockEmitter::may_be_plain(const AccessSite& site) const {
  return mode_.has_caches && site.only_delays && !site.is_replaced;
}

// Calls the engine, which may say that the code has to be left. What is spare is the function's to
// charge if its site can say so: there are as many such calls as accesses.
void BlockEmitter::call_from(const Cold& cold, std::uint64_t function) {
  Label leaves = cold.leaves;
  // The engine may run the transfer before the slot again, and the slot.
  const bool exchanges = saved_ && cold.site.in_slot;
  if (exchanges) {
    exchange_operand();
    leaves = leave_charged_by(cold.site.exit - first_exit_);
  }
  if (cold.kind == Cold::Kind::fetch) {
    a_.mov(x86::rax, line_of(cold.index + (cold.site.in_slot ? 1 : 0)));
  }
  AccessSite site = cold.site;
  const std::uint32_t spare = source_.longest - charged();
  if (spare <= AccessSite::most_spare) {
    site.spare = spare;
    a_.mov(x86::rcx, site.pack());
    to_common(near_call, function);
  } else {
    a_.mov(x86::rcx, site.pack());
    call_charged(function);
  }
  a_.jz(leaves);
  if (exchanges) exchange_operand();
  a_.jmp(cold.back);
}

// Goes on with the block, if the code need not be left for the moment in it.
void BlockEmitter::note_moment(const Cold& cold) {
  a_.mov(x86::eax, first_exit_ + cold.number);
  a_.mov(x86::edx, source_.longest - charged());
  a_.mov(x86::esi, charged() - source_.instructions.back().issued);
  to_common(near_call, common_.note_moment);
  a_.jnz(cold.back);
}

void BlockEmitter::implicit_access(const Cold& cold) {
  a_.push(x86::rax);
  a_.push(x86::rcx);
  a_.mov(x86::rax, ImplicitAccessSite{.exit = cold.site.exit, .which = cold.number}.pack());
  call_charged(common_.implicit_access);
  a_.pop(x86::rcx);
  a_.pop(x86::rax);
  a_.jz(cold.leaves);
  a_.jmp(cold.back);
}

// For the engine, `longest` is what was charged.
void BlockEmitter::charge_spare() {
  if (spare() != 0) a_.sub(budget, x86::ptr(literal(spare())));
}

// Leaves the flags alone that the function returns.
void BlockEmitter::call_charged(std::uint64_t function) {
  charge_spare();
  to_common(near_call, function);
  if (spare() == 0) return;
  a_.mov(x86::rcx, spare());
  a_.lea(budget, x86::ptr(budget, x86::rcx));
}

// Puts the operand back that the transfer has changed, and keeps what it was changed to; or the
// other way round.
void BlockEmitter::exchange_operand() {
  const RegisterPlace place = mode_.place(*saved_);
  if (const auto pin = pin_of(mode_, *saved_)) {
    a_.xchg(on_stack(saved_slot), *pin);
    return;
  }
  a_.mov(part(x86::rcx, place.bytes), in_context(place, place.bytes));
  a_.xchg(on_stack(saved_slot), x86::rcx);
  a_.mov(in_context(place, place.bytes), part(x86::rcx, place.bytes));
}

void BlockEmitter::restore_operand() {
  const RegisterPlace place = mode_.place(*saved_);
  const auto pin = pin_of(mode_, *saved_);
  const x86::Gp old = pin ? *pin : x86::rax;
  a_.mov(old, on_stack(saved_slot));
  if (!pin) a_.mov(in_context(place, place.bytes), part(old, place.bytes));
}

void BlockEmitter::leave(std::uint32_t exit) {
  a_.mov(x86::eax, first_exit_ + exit);
  to_common(near_jump, common_.leave);
}

void BlockEmitter::slow(const Cold& cold) {
  if (!notes_slow(cold.index)) {
    if (cold.leaves.isValid()) leave_if_noted(cold);
    if (source_.counts_edges) a_.inc(counter(new_delayed(cold.index)));
    a_.sub(budget, x86::ptr(literal(RunBudget::cycles(mode_.slow_cycles))));
  } else {
    a_.push(x86::rcx);
    a_.mov(x86::rcx, on_stack(frame_slot + 8));
    a_.bts(in_frame(x86::rcx, &HostFrame::slow), static_cast<std::uint32_t>(cold.index));
    a_.pop(x86::rcx);
  }
  a_.jmp(cold.back);
}

void BlockEmitter::leave_if_noted(const Cold& cold) {
  a_.push(x86::rax);
  a_.mov(x86::eax, first_exit_ + begin_exit_);
  to_common(near_call, common_.is_noted);
  a_.pop(x86::rax);
  if (!cold.undo) {
    a_.jz(cold.leaves);
    return;
  }
  const Label is_not = a_.newLabel();
  a_.jnz(is_not);
  undo(*cold.undo, cold.index);
  a_.jmp(cold.leaves);
  a_.bind(is_not);
}

// The operand was the sign extension of its word.
void BlockEmitter::undo(const ValueEmitter::Undo& change, std::size_t i) {
  if (change.by.isNone())
    a_.emit(change.instruction, change.pin.r32());
  else
    a_.emit(change.instruction, change.pin.r32(), change.by);
  const Step* const written = find(recording(i), Operation::write_register);
  if (mode_.place(written->resource).bytes == 8) a_.movsxd(change.pin, change.pin.r32());
}

// Some instructions were slow. The first few such sets of them get edges of their own, once the
// engine knows what they cost; rcx is the frame.
void BlockEmitter::slow_edge(BlockExit way, const std::optional<std::uint64_t>& target) {
  charge_spare();
  const bool has_edges = target && !is_nullified(way) && !source_.counts_edges;
  const std::uint32_t to_engine =
      new_exit({.kind = target ? ExitKind::slow : ExitKind::slow_indirect,
                .way = way,
                .target = target.value_or(0)});
  std::array<Label, Translator::slow_edges> known{};
  if (has_edges) {
    a_.mov(x86::rax, in_frame(x86::rcx, &HostFrame::slow));
    for (Label& each : known) known_slow(each = a_.newLabel(), way, *target);
  }
  leave(to_engine);
  if (!has_edges) return;
  a_.align(asmjit::AlignMode::kData, 8);
  emitted_.exits[to_engine].jump = place_of(a_.offset());
  for (const Label& each : known) {
    a_.bind(each);
    a_.embedUInt64(0);  // no set
    a_.embedUInt64(0);
  }
}

// If rax is the set that the label says: what follows the set is added to the budget.
void BlockEmitter::known_slow(const Label& set, BlockExit way, std::uint64_t target) {
  const Label other = a_.newLabel();
  a_.cmp(x86::rax, x86::ptr(set));
  a_.jne(other);
  a_.mov(in_frame(x86::rcx, &HostFrame::slow), 0);
  a_.add(budget, x86::ptr(set, sizeof(std::uint64_t)));
  direct_edge(new_exit({.kind = ExitKind::edge, .way = way, .target = target}));
  a_.bind(other);
}

// The interpreter did not just complete the instruction.
void BlockEmitter::ran(const Cold& cold) {
  const bool is_slot = source_.with_slot && cold.number + 1 == size();
  a_.cmp(x86::eax, static_cast<std::int32_t>(HostFrame::not_completed));
  a_.je(cold.leaves);
  // Behind a slot the block is over anyhow, and a transfer does not change how code runs.
  if (is_slot || may_transfer(recording(cold.number)))
    a_.jmp(cold.back);
  else if (cold.number + 1 == size())
    leave_behind(BlockExit::straight, fall_through());
  else
    a_.jmp(leave_before(cold.number + 1));
}

// Of the section that is emitted.
void BlockEmitter::emit_literals() {
  a_.align(asmjit::AlignMode::kData, 8);
  for (const auto& [label, value] : literals_) {
    a_.bind(label);
    a_.embedUInt64(value);
  }
  literals_.clear();
  for (const auto& [label, charge] : charges_) {
    a_.bind(label);
    embed_charges(a_, charge);
  }
  charges_.clear();
}

}  // namespace hardclock
