#include <array>

#include "isa/ia64/isa.h"
#include "isa/ia64/semantics.h"
#include "isa/ia64/undefined.h"
#include "sim/base/check.h"

namespace hardclock::ia64 {
namespace {

// A body takes the machine and its fields; then the slot L, if it has an immediate there; or its
// predicate, if it does something without it.
template <class Body, class M, class Fields>
concept TakesPredicate = requires(Body body, M& m, const Fields& fields) {
  body(m, fields, m.predicate(fields.qp));
};
template <class Body, class M, class Fields>
concept TakesLongSlot = requires(Body body, M& m, const Fields& fields, LongSlot long_slot) {
  body(m, fields, long_slot);
};
template <class Fields>
concept Predicated = requires(const Fields& fields) {
  fields.qp;
};

template <class M, class Fields, class Body>
void run_body(M& m, const Fields& fields, LongSlot long_slot, Body body) {
  if constexpr (TakesPredicate<Body, M, Fields>)
    body(m, fields, m.predicate(fields.qp));
  else if constexpr (TakesLongSlot<Body, M, Fields>)
    body(m, fields, long_slot);
  else
    body(m, fields);
}

// Calls the body of semantics.h with this name.
#define HARDCLOCK_BODY(name)                                                                  \
  [](auto& m, const auto& fields, auto... rest) -> decltype(ia64::name(m, fields, rest...)) { \
    return ia64::name(m, fields, rest...);                                                    \
  }

// ---- On the Interpreter.
template <class Fields, class Body>
void run_if_predicated(Interpreter& m, const Fields& fields, LongSlot long_slot, Body body) {
  if constexpr (Predicated<Fields> && !TakesPredicate<Body, Interpreter, Fields>) {
    if (!m.predicate(fields.qp)) return m.mark_slow_if(true);
  }
  run_body(m, fields, long_slot, body);
}

#define HARDCLOCK_HANDLER(name, body, Set, member)                                       \
  [](Interpreter& m, const Interpreter::Op& op) {                                        \
    run_body(m, op.operands.fields.member, op.operands.long_slot, HARDCLOCK_BODY(body)); \
  },
constexpr std::array<Interpreter::Handler, opcode_count> handlers = {
    HARDCLOCK_IA64_INSTRUCTIONS(HARDCLOCK_HANDLER)};
#undef HARDCLOCK_HANDLER

// Of instructions whose predicate is not p0.
#define HARDCLOCK_HANDLER(name, body, Set, member)                                                \
  [](Interpreter& m, const Interpreter::Op& op) {                                                 \
    run_if_predicated(m, op.operands.fields.member, op.operands.long_slot, HARDCLOCK_BODY(body)); \
  },
constexpr std::array<Interpreter::Handler, opcode_count> predicated_handlers = {
    HARDCLOCK_IA64_INSTRUCTIONS(HARDCLOCK_HANDLER)};
#undef HARDCLOCK_HANDLER

void do_nothing(Interpreter&, const Interpreter::Op&) {}
void illegal_operation(Interpreter& m, const Interpreter::Op&) { m.illegal(); }
// Of an undefined slot, whose qp is where that of others is.
void illegal_if_predicated(Interpreter& m, const Interpreter::Op& op) {
  if (m.predicate(static_cast<unsigned>(op.operands.long_slot.bits))) m.illegal();
}
void enter_kernel(Interpreter& m, const Interpreter::Op&) { m.trap(TrapKind::system_call, 0); }

// ---- On the Recorder.
using RecordedBody = void (*)(Recorder&, const Operands&, LongSlot);

template <class Fields, class Body>
void record_body(Recorder& m, const Fields& fields, LongSlot long_slot, Body body) {
  if constexpr (Predicated<Fields> && !TakesPredicate<Body, Recorder, Fields>) {
    if (fields.qp != 0) m.end_unless(m.predicate(fields.qp));
  }
  run_body(m, fields, long_slot, body);
}

#define HARDCLOCK_RECORDED(name, body, Set, member)                   \
  [](Recorder& m, const Operands& operands, LongSlot long_slot) {     \
    record_body(m, operands.member, long_slot, HARDCLOCK_BODY(body)); \
  },
constexpr std::array<RecordedBody, opcode_count> recorded_bodies = {
    HARDCLOCK_IA64_INSTRUCTIONS(HARDCLOCK_RECORDED)};
#undef HARDCLOCK_RECORDED
#undef HARDCLOCK_BODY

Recording record(const Instruction& instruction, LongSlot long_slot, const Settings& settings) {
  CHECK(instruction.opcode != Opcode::invalid);
  Recorder recorder(settings);
  recorded_bodies[static_cast<std::size_t>(instruction.opcode)](recorder, instruction.operands,
                                                                long_slot);
  return recorder.take_recording();
}

// ---- Slots.
bool is_break(Opcode opcode) {
  return opcode == Opcode::break_m || opcode == Opcode::break_i || opcode == Opcode::break_b ||
         opcode == Opcode::break_f || opcode == Opcode::break_x;
}
bool is_call(Opcode opcode) {
  return opcode == Opcode::br_call || opcode == Opcode::br_call_indirect ||
         opcode == Opcode::brl_call;
}
OutOfOrderCore::Transfer transfer_of(Opcode branch) {
  using Transfer = OutOfOrderCore::Transfer;
  if (branch == Opcode::br_ret) return Transfer::returns;
  const bool is_indirect = branch == Opcode::br_cond_indirect || branch == Opcode::br_call_indirect;
  return is_indirect ? Transfer::indirect : Transfer::conditional;
}
// Counted and while loops stand in the last slot (SDM 3, chapter 2, br).
bool belongs_in_last_slot(Opcode opcode) {
  return opcode == Opcode::br_cloop || opcode == Opcode::br_ctop || opcode == Opcode::br_cexit ||
         opcode == Opcode::br_wtop || opcode == Opcode::br_wexit;
}
constexpr unsigned qp_mask = 63;

// Of the slot X, whose instruction stands in L.
bool is_second_half(const Template& layout, unsigned slot) { return layout.units[slot] == Unit::x; }

}  // namespace

SlotText slot_text(const Bundle& bundle, unsigned slot) {
  SlotText text{.template_number = bundle.template_number, .slot = static_cast<std::uint8_t>(slot)};
  const std::optional<Template> layout = template_of(bundle.template_number);
  if (!layout || is_second_half(*layout, slot)) return text;
  text.word = instruction_word(bundle, *layout, slot);
  if (layout->units[slot] == Unit::l) text.long_slot = bundle.slots[slot];
  return text;
}

Result<SlotText, Fault> Isa::fetch(AddressSpace& memory, GuestAddr pc) {
  const GuestAddr bundle(ChargesBundles::charged(pc.value()));
  const auto bytes = memory.fetch<bundle_bytes>(bundle, Access::execute);
  if (!bytes) return Failure{bytes.error()};
  return slot_text(unpack(*bytes), static_cast<unsigned>(pc.value() - bundle.value()));
}

InstructionText Isa::instruction_text(AddressSpace& memory, const Text& text, GuestAddr pc) {
  const GuestAddr bundle(ChargesBundles::charged(pc.value()));
  InstructionText result{.address = bundle, .length = bundle_bytes, .slot = text.slot};
  if (const auto bytes = memory.fetch<bundle_bytes>(bundle, Access::execute)) result.bytes = *bytes;
  return result;
}

Isa::DecodeKey Isa::decode_key(const Text& text, std::uint64_t pc) const {
  const std::uint64_t place = std::uint64_t{text.template_number} << 2 | text.slot;
  return {text.word | place << 44 | std::uint64_t{is_gateway(pc)} << 51, text.long_slot};
}

Recording record(const SlotText& text, const Settings& settings) {
  return record(decode(text.word), LongSlot{text.long_slot}, settings);
}

// What a slot does that does nothing, only traps, or cannot be executed; nothing: its instruction.
auto Isa::without_body(const Text& text, std::uint64_t pc) const -> std::optional<Effect> {
  const std::optional<Template> layout = template_of(text.template_number);
  if (!layout) return Effect{illegal_operation, true};
  if (is_second_half(*layout, text.slot)) return Effect{do_nothing, false};
  const Opcode opcode = decode(text.word).opcode;
  if (opcode == Opcode::invalid || !available(opcode, settings_.level)) {
    const Undefined effect = undefined(text.word);
    if (effect == Undefined::nop) return Effect{do_nothing, false};
    return Effect{effect == Undefined::fault ? illegal_operation : illegal_if_predicated, true};
  }
  if (belongs_in_last_slot(opcode) && text.slot + 1u != slot_count) {
    return Effect{illegal_operation, true};
  }
  if (is_break(opcode) && is_gateway(pc)) return Effect{enter_kernel, true};
  return std::nullopt;
}

Recording Isa::recording_of(const Text& text, std::uint64_t pc) const {
  const auto effect = without_body(text, pc);
  if (!effect) return record(decode(text.word), {text.long_slot}, settings_);
  Recorder recorder(settings_);
  if (effect->always_traps) recorder.illegal();
  return recorder.take_recording();
}

// The question whether it is off comes before what it does.
Recording Isa::marked_recording_of(const Text& text, std::uint64_t pc) const {
  Recording whole = recording_of(text, pc), made;
  made.pipeline_names = whole.pipeline_names;
  std::vector<StepIndex> places;
  for (Step& step : whole.steps) {
    for (std::size_t i = 0; i < operands_of(step); ++i) {
      if (step.operands[i] != unconditional) step.operands[i] = places[step.operands[i]];
    }
    if (step.operation == Operation::end_unless) {
      const auto zero = static_cast<StepIndex>(made.steps.size());
      made.steps.push_back({.operation = Operation::constant});
      made.steps.push_back({.operation = Operation::eq, .operands = {step.operands[0], zero}});
      made.steps.push_back({.operation = Operation::slow_if, .operands = {zero + 1}});
    }
    places.push_back(static_cast<StepIndex>(made.steps.size()));
    made.steps.push_back(step);
  }
  return made;
}

Isa::Predecoded Isa::predecode(const Text& text, std::uint64_t pc) const {
  Predecoded result;
  const unsigned qp = text.word & qp_mask;
  if (const auto effect = without_body(text, pc)) {
    result.timing = timing_without_effect(text);
    result.op.operands.long_slot.bits = qp;
    result.op.execute = effect->execute;
    result.always_traps = effect->always_traps;
    return result;
  }
  const Instruction instruction = decode(text.word);
  const Opcode opcode = instruction.opcode;
  result.op.operands = {instruction.operands, {text.long_slot}};
  const auto& chosen = qp == 0 ? handlers : predicated_handlers;
  result.op.execute = chosen[static_cast<std::size_t>(opcode)];
  const Recording recording = record(instruction, {text.long_slot}, settings_);
  result.timing = timing_of(text, instruction, recording);
  result.is_branch = recording.has(Operation::branch);
  result.reads_clock = recording.has(Operation::clock);
  result.always_traps = recording.has(Operation::trap) && !recording.has(Operation::end_unless);
  result.touches_memory = recording.touches_memory();
  result.stores = recording.has(Operation::store);
  if (result.is_branch) {
    result.transfer = transfer_of(opcode);
    result.links = is_call(opcode);
  }
  return result;
}

}  // namespace hardclock::ia64
