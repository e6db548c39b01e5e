#include "tests/unit/ia64/integer_machine.h"

#include <array>
#include <cstddef>
#include <memory>

#include "isa/ia64/semantics_integer.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"
#include "sim/recording/evaluate.h"
#include "sim/recording/recording.h"

namespace hardclock::ia64 {
namespace {

constexpr std::uint64_t pc = 0x4000'0000;

// Calls a body that takes the predicate with it, others if it is 1; if there is no such body,
// answers with false.
template <class M, class Body, class Fields, class End>
bool run(M& m, Body body, const Fields& fields, End end_unless) {
  if constexpr (requires { body(m, fields, m.predicate(fields.qp)); }) {
    body(m, fields, m.predicate(fields.qp));
    return true;
  } else if constexpr (requires { body(m, fields); }) {
    if (!end_unless(fields.qp)) body(m, fields);
    return true;
  } else {
    return false;
  }
}

struct Body {
  bool (*interpret)(Interpreter&, const Operands&);
  bool (*record)(Recorder&, const Operands&);
};

// A name without a body is none of semantics_integer.h: the lambda cannot be called then.
#define HARDCLOCK_CALL(name)                                                            \
  [](auto& m, const auto& fields, auto... rest) -> decltype(name(m, fields, rest...)) { \
    return name(m, fields, rest...);                                                    \
  }
#define HARDCLOCK_BODY(name, body, Set, member)                                   \
  Body{[](Interpreter& m, const Operands& operands) {                             \
         return run(m, HARDCLOCK_CALL(body), operands.member,                     \
                    [&m](unsigned qp) { return !m.predicate(qp); });              \
       },                                                                         \
       [](Recorder& m, const Operands& operands) {                                \
         return run(m, HARDCLOCK_CALL(body), operands.member, [&m](unsigned qp) { \
           if (qp != 0) m.end_unless(m.predicate(qp));                            \
           return false;                                                          \
         });                                                                      \
       }},
constexpr std::array<Body, opcode_count> bodies = {HARDCLOCK_IA64_INSTRUCTIONS(HARDCLOCK_BODY)};
#undef HARDCLOCK_BODY
#undef HARDCLOCK_CALL

const Body& body_of(Opcode opcode) {
  return bodies[static_cast<std::size_t>(opcode)];
}

void execute(Interpreter& m, const Interpreter::Op& op) {
  const Opcode opcode = decode(op.operands.long_slot.bits).opcode;
  CHECK(body_of(opcode).interpret(m, op.operands.fields));
}

}  // namespace

bool has_integer_body(Opcode opcode) {
  Recorder recorder(Settings{});
  return body_of(opcode).record(recorder, Operands{});
}

IntegerMachine::IntegerMachine(Level level)
    : settings_{.level = level},
      memory_(std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::little,
              GuestAddr(std::uint64_t{1} << 32)),
      interpreter_(memory_, settings_) {}

IntegerMachine::Outcome IntegerMachine::interpret(Word word, const Registers& before) {
  // The word in the place of the slot L: so execute() knows the opcode.
  const Interpreter::Op op{execute, {decode(word).operands, {word}}};
  interpreter_.registers() = before;
  interpreter_.run(&op, &op + 1, pc, pc + bundle_bytes);
  Outcome outcome;
  if (interpreter_.gave_up()) outcome.trap = interpreter_.take_end();
  outcome.registers = interpreter_.registers();
  return outcome;
}

IntegerMachine::Outcome IntegerMachine::evaluate(Word word, const Registers& before) {
  const Instruction instruction = decode(word);
  Recorder recorder(settings_);
  CHECK(body_of(instruction.opcode).record(recorder, instruction.operands));
  Outcome outcome{before, {}};
  RegistersByNumber file(outcome.registers);
  const Place place{.pc = pc, .after_slot = pc + bundle_bytes};
  outcome.trap =
      hardclock::evaluate(recorder.recording(), place, file, memory_, Endian::little).trap;
  return outcome;
}

}  // namespace hardclock::ia64
