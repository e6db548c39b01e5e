#include <algorithm>
#include <array>

#include "isa/pa_risc/isa.h"
#include "isa/pa_risc/semantics.h"
#include "isa/pa_risc/semantics_fpu.h"
#include "sim/base/check.h"
#include "sim/memory/page.h"

namespace hardclock::pa_risc {
namespace {

static_assert(Primitives<RecordingPrimitives, Gpr>);
static_assert(Primitives<HostPrimitives<Interpreter, Registers, Operands>, Gpr>);

// Runs the body of an instruction on the Recorder.
using Body = void (*)(Recorder&, const Operands&);

#define HARDCLOCK_BODY(name, body, Set, member) \
  [](Recorder& m, const Operands& operands) { pa_risc::body(m, operands.member); },

constexpr std::array<Body, opcode_count> bodies = {HARDCLOCK_PA_RISC_INSTRUCTIONS(HARDCLOCK_BODY)};
#undef HARDCLOCK_BODY

Recording record(const Instruction& instruction, std::uint32_t word, const Settings& settings) {
  CHECK(instruction.opcode != Opcode::invalid);
  Recorder recorder(word, settings);
  bodies[static_cast<std::size_t>(instruction.opcode)](recorder, instruction.operands);
  return recorder.take_recording();
}

// ---- Handlers. Each condition of an instruction has one of its own, and each way in which an
// access modifies its base. All of the body is inlined (flatten): so the compiler resolves its
// choices.
constexpr std::size_t conditions = 16, modifications = 4;
using Handler = void (*)(Interpreter&, const Interpreter::Op&);

// The field that chooses among conditions, or among modifications.
template <class Set>
constexpr auto condition_field() {
  if constexpr (requires(Set set) { set.cond; })
    return &Set::cond;
  else if constexpr (requires(Set set) { set.cf; })
    return &Set::cf;
  else if constexpr (requires(Set set) { set.cf_dw; })
    return &Set::cf_dw;
  else if constexpr (requires(Set set) { set.c; })
    return &Set::c;
  else if constexpr (requires(Set set) { set.bit_c; })
    return &Set::bit_c;
  else if constexpr (requires(Set set) { set.am; })
    return &Set::am;
  else
    return nullptr;
}
template <class Set>
constexpr std::size_t choices = requires(Set set) {
  set.am;
}
? modifications : conditions;
template <class Set>
constexpr bool has_condition = !std::is_null_pointer_v<decltype(condition_field<Set>())>;

template <class Set, std::size_t Condition>
constexpr Set with_condition(Set set) {
  if constexpr (has_condition<Set>) set.*condition_field<Set>() = Condition;
  return set;
}

template <class Set>
std::size_t condition_of(const Set& set) {
  if constexpr (has_condition<Set>) return set.*condition_field<Set>();
  return 0;
}

template <class Set, class Make>
constexpr std::array<Handler, conditions> handlers_of(Make make) {
  return [&]<std::size_t... Condition>(std::index_sequence<Condition...>) {
    return std::array<Handler, conditions>{
        make(std::integral_constant < std::size_t,
             has_condition<Set> ? Condition % choices<Set> : 0 > {})...};
  }
  (std::make_index_sequence<conditions>{});
}

#define HARDCLOCK_HANDLERS(name, body, Set, member)                                                \
  handlers_of<Set>([](auto condition) -> Handler {                                                 \
    return [](Interpreter & machine, const Interpreter::Op& op) __attribute__((flatten)) {         \
      pa_risc::body(machine, with_condition<Set, decltype(condition)::value>(op.operands.member)); \
    };                                                                                             \
  }),
constexpr std::array<std::array<Handler, conditions>, opcode_count> handlers = {
    HARDCLOCK_PA_RISC_INSTRUCTIONS(HARDCLOCK_HANDLERS)};
#undef HARDCLOCK_HANDLERS

std::size_t condition_of(const Instruction& instruction) {
  switch (instruction.opcode) {
#define HARDCLOCK_CONDITION(name, body, Set, member) \
  case Opcode::name:                                 \
    return condition_of(instruction.operands.member);
    HARDCLOCK_PA_RISC_INSTRUCTIONS(HARDCLOCK_CONDITION)
#undef HARDCLOCK_CONDITION
    case Opcode::invalid:
      break;
  }
  return 0;
}

void illegal_instruction(Interpreter& machine, const Interpreter::Op&) {
  machine.trap(TrapKind::illegal_instruction, 0);
}

// Which entry of the gateway page it is tells the kernel what is wanted.
void enter_kernel(Interpreter& machine, const Interpreter::Op&) {
  machine.trap(TrapKind::system_call, static_cast<std::uint32_t>(machine.pc() & page_mask));
}

// A branch through the return pointer is a return ("The 32-bit PA-RISC Run-time Architecture
// Document", chapter 3).
OutOfOrderCore::Transfer transfer_of(const Instruction& instruction, const Recording& recording) {
  using Transfer = OutOfOrderCore::Transfer;
  constexpr Resource return_pointer = gpr_resource(2);
  const TimingClass timing = info(instruction.opcode).timing;
  if (timing == TimingClass::branch_forward) return Transfer::conditional;
  if (timing != TimingClass::branch_vectored) return Transfer::direct;
  const std::vector<Resource> reads = recording.reads();
  const bool returns = std::binary_search(reads.begin(), reads.end(), return_pointer);
  return returns ? Transfer::returns : Transfer::indirect;
}

void forget(std::vector<Resource>& resources, Resource unwanted) {
  std::erase(resources, unwanted);
}

// ---- Timing.
template <class Set>
bool goes_back(const Set& set) {
  if constexpr (requires { set.disp12; }) return set.disp12 < 0;
  return false;
}

bool is_backward_branch(const Instruction& instruction) {
  switch (instruction.opcode) {
#define HARDCLOCK_GOES_BACK(name, body, Set, member) \
  case Opcode::name:                                 \
    return goes_back(instruction.operands.member);
    HARDCLOCK_PA_RISC_INSTRUCTIONS(HARDCLOCK_GOES_BACK)
#undef HARDCLOCK_GOES_BACK
    case Opcode::invalid:
      break;
  }
  return false;
}

// The pattern's class, but where the operands decide: branches are predicted by their direction,
// and an integer operation whose condition is not "never" may nullify the next instruction.
TimingClass timing_class_of(const Instruction& instruction, const Recording& recording) {
  const TimingClass timing = info(instruction.opcode).timing;
  switch (timing) {
    case TimingClass::branch_forward:
      return is_backward_branch(instruction) ? TimingClass::branch_backward : timing;
    case TimingClass::alu:
    case TimingClass::alu_carry:
    case TimingClass::shift:
      return recording.has(Operation::nullify) ? TimingClass::nullifier : timing;
    default:
      return timing;
  }
}

bool reads_memory(const Step& step) {
  return step.operation == Operation::load || step.operation == Operation::replaced;
}

bool comes_from_memory(const Recording& recording, StepIndex index) {
  const Step& value = recording.steps[index];
  if (reads_memory(value)) return true;
  const auto first = value.operands.begin();
  return std::any_of(first, first + operands_of(value),
                     [&](StepIndex operand) { return comes_from_memory(recording, operand); });
}

std::optional<Resource> base_modified_by_load(const Recording& recording) {
  const auto& steps = recording.steps;
  if (std::none_of(steps.begin(), steps.end(), reads_memory)) return std::nullopt;
  for (const Step& step : steps) {
    if (step.operation != Operation::write_register) continue;
    if (!comes_from_memory(recording, step.operands[0])) return step.resource;
  }
  return std::nullopt;
}

// InstructionTiming::word_accessed of base register, displacement and space.
std::uint32_t word_at(unsigned base, std::int64_t displacement, unsigned space) {
  if (displacement % 4 != 0) return 0;
  constexpr std::uint32_t is_known = 1U << 31;
  return is_known | space << 24 | base << 16 |
         (static_cast<std::uint32_t>(displacement >> 2) & 0xffff);
}

std::uint32_t word_accessed(const Instruction& instruction) {
  const Operands& operands = instruction.operands;
  switch (instruction.opcode) {
    case Opcode::ldw:
      return word_at(operands.load_long.b, operands.load_long.im14, operands.load_long.s);
    case Opcode::stw:
      return word_at(operands.store_long.b, operands.store_long.im14, operands.store_long.s);
    case Opcode::ldws:
      if (modification(operands.load_s.am) != Modify::none) return 0;
      return word_at(operands.load_s.b, operands.load_s.im5, operands.load_s.s);
    case Opcode::stws:
      if (modification(operands.store_s.am) != Modify::none) return 0;
      return word_at(operands.store_s.b, operands.store_s.im5_store, operands.store_s.s);
    case Opcode::fldws:
    case Opcode::fstws:
      if (modification(operands.fp_mem_sw.am) != Modify::none) return 0;
      return word_at(operands.fp_mem_sw.b, operands.fp_mem_sw.im5, operands.fp_mem_sw.s);
    default:
      return 0;
  }
}

// A load of half a floating-point register does not issue together with an operation that uses the
// other half (NetBSD, cpu(4) of hppa): both have to do with the whole.
void add_whole_registers(std::vector<Resource>& resources) {
  for (std::size_t i = 0, halves = resources.size(); i < halves; ++i) {
    const Resource reg = resources[i];
    if (reg < fpr_left_resource(0) || reg >= space_resource(0)) continue;
    const unsigned number = (reg - fpr_left_resource(0)) % 32u;
    resources.push_back(static_cast<Resource>(first_in_one_cycle + number));
  }
  std::sort(resources.begin(), resources.end());
  resources.erase(std::unique(resources.begin(), resources.end()), resources.end());
}

void add_whole_registers(InstructionTiming& timing) {
  switch (static_cast<TimingClass>(timing.timing_class)) {
    case TimingClass::load_fp_s:
      return add_whole_registers(timing.writes);
    case TimingClass::load_fp_d:
    case TimingClass::store_fp_s:
    case TimingClass::store_fp_d:
      return;
    default:
      return add_whole_registers(timing.reads);
  }
}

}  // namespace

Recording record(std::uint32_t word, const Settings& settings) {
  return record(decode(word), word, settings);
}

InstructionTiming timing_of(const Instruction& instruction, const Recording& recording) {
  InstructionTiming timing;
  timing.timing_class = static_cast<std::uint8_t>(timing_class_of(instruction, recording));
  timing.reads = recording.reads();
  timing.writes = recording.writes();
  forget(timing.reads, fp_status_resource);
  forget(timing.writes, fp_status_resource);
  timing.modified_base = base_modified_by_load(recording);
  timing.word_accessed = word_accessed(instruction);
  return timing;
}

Isa::Predecoded Isa::predecode(Text word, std::uint64_t pc) const {
  const std::uint32_t decoded = without_undecoded(undecoded_, word);
  const Instruction instruction = decode(decoded);
  Predecoded result;
  result.op.operands = instruction.operands;
  if (!available(instruction.opcode, level_)) {
    result.op.execute = illegal_instruction;
    result.always_traps = true;
    return result;
  }
  if (instruction.opcode == Opcode::b_gate && is_gateway(pc)) {
    result.op.execute = enter_kernel;
    result.always_traps = true;
    return result;
  }
  result.op.execute =
      handlers[static_cast<std::size_t>(instruction.opcode)][condition_of(instruction)];
  const Recording recording = record(instruction, decoded, settings_);
  result.timing = timing_of(instruction, recording);
  result.timing.odd_word = (pc & sizeof(Text)) != 0;
  // The processors of 2.0 issue out of order.
  if (level_ < Level::pa2_0) add_whole_registers(result.timing);
  result.is_branch = recording.has(Operation::branch);
  result.may_nullify = recording.has(Operation::nullify);
  result.always_nullifies = recording.always(Operation::nullify);
  result.reads_clock = recording.has(Operation::clock);
  result.always_traps = recording.has(Operation::trap);
  result.touches_memory = recording.touches_memory();
  result.stores = recording.has(Operation::store);
  if (result.is_branch) {
    result.transfer = transfer_of(instruction, recording);
    result.links =
        result.transfer != OutOfOrderCore::Transfer::conditional && !recording.writes().empty();
  }
  return result;
}

bool Isa::may_split(Text word) {
  switch (decode(word).opcode) {
    case Opcode::ldcwx:
    case Opcode::ldcdx:
    case Opcode::ldcws:
    case Opcode::ldcds:
      return false;
    default:
      return true;
  }
}

Recording Isa::recording(Text word, std::uint64_t pc) const {
  const std::uint32_t decoded = without_undecoded(undecoded_, word);
  const Instruction instruction = decode(decoded);
  Recorder recorder(decoded, settings_);
  if (!available(instruction.opcode, level_)) {
    recorder.trap(TrapKind::illegal_instruction, 0);
  } else if (instruction.opcode == Opcode::b_gate && is_gateway(pc)) {
    recorder.trap(TrapKind::system_call, 0);
  } else {
    bodies[static_cast<std::size_t>(instruction.opcode)](recorder, instruction.operands);
  }
  return recorder.take_recording();
}

}  // namespace hardclock::pa_risc
