#include <algorithm>
#include <array>

#include "isa/mips/isa.h"
#include "isa/mips/semantics.h"
#include "isa/mips/semantics_fpu.h"

namespace hardclock::mips {
namespace {

// Runs the body of an instruction on a machine of type M.
template <class M>
using Body = void (*)(M&, const Operands&);

#define HARDCLOCK_BODY(name, Set, member) \
  [](M& m, const Operands& operands) { mips::name(m, operands.member); },

template <class M>
constexpr std::array<Body<M>, opcode_count> bodies = {HARDCLOCK_MIPS_INSTRUCTIONS(HARDCLOCK_BODY)};
#undef HARDCLOCK_BODY

#define HARDCLOCK_HANDLER(name, Set, member) \
  [](Interpreter& machine, const Interpreter::Op& op) { mips::name(machine, op.operands.member); },

constexpr std::array<void (*)(Interpreter&, const Interpreter::Op&), opcode_count> handlers = {
    HARDCLOCK_MIPS_INSTRUCTIONS(HARDCLOCK_HANDLER)};
#undef HARDCLOCK_HANDLER

void reserved_instruction(Interpreter& machine, const Interpreter::Op&) {
  machine.trap(TrapKind::illegal_instruction, 0);
}

// A jump through the link register is a return (System V ABI, MIPS supplement, chapter 3).
OutOfOrderCore::Transfer transfer_of(const Instruction& instruction, const Recording& recording) {
  using Transfer = OutOfOrderCore::Transfer;
  constexpr Resource link = gpr_resource(31);
  if (recording.has(Effect::Kind::nullify)) return Transfer::likely;
  if (info(instruction.opcode).timing != TimingClass::jump) return Transfer::conditional;
  const std::vector<Resource> reads = recording.reads();
  if (reads.empty()) return Transfer::direct;
  return reads.front() == link ? Transfer::returns : Transfer::indirect;
}

void forget(std::vector<Resource>& resources, Resource unwanted) {
  std::erase(resources, unwanted);
}

}  // namespace

Recording record(const Instruction& instruction, Mode mode) {
  Recorder recorder(mode);
  bodies<Recorder>[static_cast<std::size_t>(instruction.opcode)](recorder, instruction.operands);
  return recorder.recording();
}

InstructionTiming timing_of(const Instruction& instruction, const Recording& recording) {
  InstructionTiming timing;
  timing.timing_class = static_cast<std::uint8_t>(info(instruction.opcode).timing);
  timing.reads = recording.reads();
  timing.writes = recording.writes();
  forget(timing.reads, fcsr_resource);
  forget(timing.writes, fcsr_resource);
  forget(timing.reads, clock_resource);
  return timing;
}

bool Isa::is_reserved(Opcode opcode) const {
  if (opcode == Opcode::rdhwr && emulates_rdhwr_) return false;
  return !available(opcode, level_) ||
         (mode_.operation_bits == 32 && needs(opcode, Feature::wide)) ||
         (!mode_.fr && needs(opcode, Feature::fr));
}

Isa::Predecoded Isa::predecode(std::uint32_t word, std::uint64_t pc) const {
  const Instruction instruction = decode(chip_.decoded_word(word));
  Predecoded result;
  result.word = word;
  result.op.pc = pc;
  result.op.operands = instruction.operands;
  if (is_reserved(instruction.opcode)) {
    result.op.execute = reserved_instruction;
    result.always_traps = true;
    return result;
  }
  result.op.execute = handlers[static_cast<std::size_t>(instruction.opcode)];
  const Recording recording = record(instruction, mode_);
  result.timing = timing_of(instruction, recording);
  result.is_branch = recording.has(Effect::Kind::branch);
  const std::vector<Resource> reads = recording.reads();
  result.reads_clock = std::binary_search(reads.begin(), reads.end(), clock_resource);
  result.always_traps = recording.has(Effect::Kind::trap);
  result.touches_memory = recording.touches_memory();
  result.stores = recording.has(Effect::Kind::store);
  if (result.is_branch) {
    result.transfer = transfer_of(instruction, recording);
    result.links = !recording.writes().empty();
  }
  return result;
}

}  // namespace hardclock::mips
