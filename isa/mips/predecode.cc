#include <array>

#include "isa/mips/isa.h"
#include "isa/mips/semantics.h"
#include "isa/mips/semantics_fpu.h"
#include "sim/base/check.h"

namespace hardclock::mips {
namespace {

// Runs the body of an instruction on the Recorder.
using Body = void (*)(Recorder&, const Operands&);

#define HARDCLOCK_BODY(name, body, Set, member) \
  [](Recorder& m, const Operands& operands) { mips::body(m, operands.member); },

constexpr std::array<Body, opcode_count> bodies = {HARDCLOCK_MIPS_INSTRUCTIONS(HARDCLOCK_BODY)};
#undef HARDCLOCK_BODY

#define HARDCLOCK_HANDLER(name, body, Set, member) \
  [](Interpreter& machine, const Interpreter::Op& op) { mips::body(machine, op.operands.member); },

constexpr std::array<Interpreter::Handler, opcode_count> handlers = {
    HARDCLOCK_MIPS_INSTRUCTIONS(HARDCLOCK_HANDLER)};
#undef HARDCLOCK_HANDLER

// The handler of an instruction for a processor that stops to extend the sign.
Interpreter::Handler extending_handler(Opcode opcode) {
  switch (opcode) {
    case Opcode::sll:
      return [](Interpreter& m, const Interpreter::Op& op) { sll<true>(m, op.operands.shift); };
    case Opcode::addu:
      return [](Interpreter& m, const Interpreter::Op& op) { addu<true>(m, op.operands.rrr); };
    case Opcode::subu:
      return [](Interpreter& m, const Interpreter::Op& op) { subu<true>(m, op.operands.rrr); };
    case Opcode::addiu:
      return [](Interpreter& m, const Interpreter::Op& op) { addiu<true>(m, op.operands.rri); };
    default:
      return handlers[static_cast<std::size_t>(opcode)];
  }
}

// The body, as the handler of such a processor runs it.
Body extending_body(Opcode opcode) {
  switch (opcode) {
    case Opcode::sll:
      return [](Recorder& m, const Operands& operands) { sll<true>(m, operands.shift); };
    case Opcode::addu:
      return [](Recorder& m, const Operands& operands) { addu<true>(m, operands.rrr); };
    case Opcode::subu:
      return [](Recorder& m, const Operands& operands) { subu<true>(m, operands.rrr); };
    case Opcode::addiu:
      return [](Recorder& m, const Operands& operands) { addiu<true>(m, operands.rri); };
    default:
      return bodies[static_cast<std::size_t>(opcode)];
  }
}

void reserved_instruction(Interpreter& machine, const Interpreter::Op&) {
  machine.trap(TrapKind::illegal_instruction, 0);
}

Recording record(const Instruction& instruction, std::uint32_t word, const Settings& settings) {
  CHECK(instruction.opcode != Opcode::invalid);
  Recorder recorder(word, settings);
  bodies[static_cast<std::size_t>(instruction.opcode)](recorder, instruction.operands);
  return recorder.take_recording();
}

// A jump through the link register is a return (System V ABI, MIPS supplement, chapter 3).
OutOfOrderCore::Transfer transfer_of(const Instruction& instruction, const Recording& recording) {
  using Transfer = OutOfOrderCore::Transfer;
  constexpr Resource link = gpr_resource(31);
  if (recording.has(Operation::nullify)) return Transfer::likely;
  if (info(instruction.opcode).timing != TimingClass::jump) return Transfer::conditional;
  const std::vector<Resource> reads = recording.reads();
  if (reads.empty()) return Transfer::direct;
  return reads.front() == link ? Transfer::returns : Transfer::indirect;
}

void forget(std::vector<Resource>& resources, Resource unwanted) {
  std::erase(resources, unwanted);
}

}  // namespace

// By the primary opcode, where the word's low bits are a number. In the FPU's (COP1), branches.
std::uint32_t without_number(std::uint32_t word) {
  constexpr std::uint32_t jump = 0x03ff'ffff, number = 0xffff;
  constexpr std::array<std::uint32_t, 64> numbers = [] {
    std::array<std::uint32_t, 64> of{};
    of[0x01] = number;                                         // REGIMM
    of[0x02] = of[0x03] = jump;                                // J, JAL
    for (std::size_t i = 0x04; i < 0x10; ++i) of[i] = number;  // BEQ to LUI
    for (std::size_t i = 0x14; i < 0x1c; ++i) of[i] = number;  // BEQL to LDR
    for (std::size_t i = 0x20; i < 0x40; ++i) of[i] = number;  // LB to SD
    return of;
  }();
  constexpr std::uint32_t kind_of_cop1 = 0xffe0'0000, branch_of_cop1 = 0x4500'0000;
  return word & ~((word & kind_of_cop1) == branch_of_cop1 ? number : numbers[word >> 26]);
}

Recording record(std::uint32_t word, const Settings& settings) {
  return record(decode(word), word, settings);
}

InstructionTiming timing_of(const Instruction& instruction, const Recording& recording) {
  InstructionTiming timing;
  timing.timing_class = static_cast<std::uint8_t>(info(instruction.opcode).timing);
  timing.reads = recording.reads();
  timing.writes = recording.writes();
  forget(timing.reads, fcsr_resource);
  forget(timing.writes, fcsr_resource);
  forget(timing.reads, link_address_resource);
  forget(timing.writes, link_address_resource);
  timing.addresses = recording.addresses();
  timing.stored = recording.stored();
  timing.bytes_accessed = recording.bytes_accessed();
  return timing;
}

bool Isa::is_reserved(Opcode opcode) const {
  return (!available(opcode, level_) && !chip_.adds(info(opcode).name)) ||
         (mode_.operation_bits == 32 && needs(opcode, Feature::wide)) ||
         (!mode_.fr && needs(opcode, Feature::fr));
}

bool Isa::may_split(Text word) {
  switch (decode(word).opcode) {
    case Opcode::ll:
    case Opcode::sc:
    case Opcode::lld:
    case Opcode::scd:
      return false;
    default:
      return true;
  }
}

Isa::Predecoded Isa::predecode(Text word, std::uint64_t) const {
  const std::uint32_t decoded = chip_.decoded_word(word);
  const Instruction instruction = decode(decoded);
  Predecoded result;
  result.op.operands = instruction.operands;
  if (is_reserved(instruction.opcode)) {
    result.op.execute = reserved_instruction;
    result.always_traps = true;
    return result;
  }
  result.op.execute = chip_.sign_extension_cycles != 0
                          ? extending_handler(instruction.opcode)
                          : handlers[static_cast<std::size_t>(instruction.opcode)];
  const Recording recording = record(instruction, decoded, settings_);
  result.timing = timing_of(instruction, recording);
  result.is_branch = recording.has(Operation::branch);
  result.may_nullify = recording.has(Operation::nullify);
  result.reads_clock = recording.has(Operation::clock);
  result.always_traps = recording.has(Operation::trap);
  result.touches_memory = recording.touches_memory();
  result.stores = recording.has(Operation::store);
  if (result.is_branch) {
    result.transfer = transfer_of(instruction, recording);
    result.links = !recording.writes().empty();
  }
  return result;
}

Recording Isa::recording(Text word, std::uint64_t) const {
  const std::uint32_t decoded = chip_.decoded_word(word);
  const Instruction instruction = decode(decoded);
  Recorder recorder(decoded, settings_);
  if (is_reserved(instruction.opcode)) {
    recorder.trap(TrapKind::illegal_instruction, 0);
    return recorder.take_recording();
  }
  const bool extends = chip_.sign_extension_cycles != 0;
  const Body body = extends ? extending_body(instruction.opcode)
                            : bodies[static_cast<std::size_t>(instruction.opcode)];
  body(recorder, instruction.operands);
  return recorder.take_recording();
}

}  // namespace hardclock::mips
