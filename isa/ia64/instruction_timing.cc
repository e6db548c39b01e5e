// What pipelines see of an instruction: its class, its registers, its place in the bundle.
#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "isa/ia64/application_registers.h"
#include "isa/ia64/isa.h"

namespace hardclock::ia64 {
namespace {

// Moves whose time depends on the register.
TimingClass class_to(unsigned ar) {
  if (ar == ar_rsc) return TimingClass::toar_rsc;
  if (ar == ar_ccv || ar == ar_unat || ar == ar_bspstore) return TimingClass::toar_ccv;
  if (ar == ar_rnat || ar == ar_fpsr) return TimingClass::toar_rnat;
  return TimingClass::toar_m;
}
TimingClass class_from(unsigned ar) {
  if (ar == ar_ccv || ar == ar_unat || ar == ar_rnat) return TimingClass::frar_ccv;
  if (ar == ar_itc || ar == ar_fir || ar == ar_fcr) return TimingClass::frar_itc;
  return TimingClass::frar_m;
}

TimingClass class_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mov_to_ar_m:
      return class_to(instruction.operands.m29.ar3);
    case Opcode::mov_to_ar_imm8_m:
      return class_to(instruction.operands.m30.ar3);
    case Opcode::mov_from_ar_m:
      return class_from(instruction.operands.m31.ar3);
    default:
      return info(instruction.opcode).timing;
  }
}

// The result that is ready apart from the others: the base register that an access modifies; the
// predicate of frcpa and its kin.
std::optional<Resource> second_result(Word word, const InstructionTiming& timing) {
  const auto is_written = [&](Resource r) {
    return std::find(timing.writes.begin(), timing.writes.end(), r) != timing.writes.end();
  };
  const auto timing_class = static_cast<TimingClass>(timing.timing_class);
  if (timing_class == TimingClass::fmisc || timing_class == TimingClass::sfmisc) {
    for (const Resource write : timing.writes) {
      if (write >= predicate_resource(0)) return write;
    }
    return std::nullopt;
  }
  const bool is_access = timing.bytes_accessed != 0 || timing_class == TimingClass::lfetch;
  const Resource base = gr_resource(bit_field(word, 20, 7));
  const bool loads_gr = timing_class == TimingClass::ld || timing_class == TimingClass::cld ||
                        timing_class == TimingClass::sem;
  const bool is_target = loads_gr && gr_resource(bit_field(word, 6, 7)) == base;
  if (is_access && is_written(base) && !is_target) return base;
  return std::nullopt;
}

// How much of the general registers rotates is known only when the loop runs (CFM.sor): all that
// may are taken.
constexpr std::array rotating = {Renaming::Range{gr_resource(32), 96},
                                 Renaming::Range{fr_resource(32), 96},
                                 Renaming::Range{predicate_resource(16), 48}};
constexpr std::span<const Renaming::Range> stacked = std::span(rotating).first<1>();
constexpr Renaming rotates_if_taken{rotating, Renaming::To::next, true};
constexpr Renaming rotates_unless_taken{rotating, Renaming::To::next, false};
constexpr Renaming enters_frame{stacked, Renaming::To::nowhere, true};

const Renaming* renaming_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::br_ctop:
    case Opcode::br_wtop:
      return &rotates_if_taken;
    case Opcode::br_cexit:
    case Opcode::br_wexit:
      return &rotates_unless_taken;
    case Opcode::br_call:
    case Opcode::br_call_indirect:
    case Opcode::brl_call:
    case Opcode::br_ret:
      return &enters_frame;
    default:
      return nullptr;
  }
}

// Bits 34 and 33 of a branch, its hint (SDM 3, tables 4-47 and 4-50): .spnt and .dpnt have bit 33,
// .dptk and .dpnt bit 34.
bool is_branch(TimingClass timing) {
  return timing == TimingClass::br || timing == TimingClass::br_b2;
}
bool is_predicted_taken(Word word, TimingClass timing) {
  return is_branch(timing) && bit_field(word, 33, 1) == 0;
}
bool is_predicted_dynamically(Word word, TimingClass timing) {
  return is_branch(timing) && bit_field(word, 34, 1) != 0;
}

BundleSlot place_of(const SlotText& text) {
  constexpr std::array<BundleShape, 16> shapes = {
      BundleShape::mii, BundleShape::mii,  BundleShape::mlx,  BundleShape::none,
      BundleShape::mmi, BundleShape::mmi,  BundleShape::mfi,  BundleShape::mmf,
      BundleShape::mib, BundleShape::mbb,  BundleShape::none, BundleShape::bbb,
      BundleShape::mmb, BundleShape::none, BundleShape::mfb,  BundleShape::none};
  const std::optional<Template> layout = template_of(text.template_number);
  return {shapes[text.template_number >> 1], text.slot, layout && layout->stops[text.slot]};
}

}  // namespace

InstructionTiming timing_without_effect(const SlotText& text) {
  constexpr std::array by_unit = {TimingClass::nop_m, TimingClass::nop_i, TimingClass::nop_f,
                                  TimingClass::nop_b, TimingClass::nop_x, TimingClass::nop_x};
  InstructionTiming timing;
  const std::optional<Template> layout = template_of(text.template_number);
  const Unit unit = layout ? layout->units[text.slot] : Unit::b;
  timing.timing_class = static_cast<std::uint8_t>(by_unit[static_cast<std::size_t>(unit)]);
  timing.place = place_of(text);
  return timing;
}

InstructionTiming timing_of(const SlotText& text, const Instruction& instruction,
                            const Recording& recording) {
  InstructionTiming timing;
  const TimingClass timing_class = class_of(instruction);
  timing.timing_class = static_cast<std::uint8_t>(timing_class);
  timing.reads = recording.reads();
  timing.writes = recording.writes();
  // Flags collect in the status register without an interlock: only a move makes others wait.
  if (timing_class != TimingClass::toar_rnat) std::erase(timing.writes, fpsr_resource);
  timing.addresses = recording.addresses();
  timing.stored = recording.stored();
  timing.bytes_accessed = recording.bytes_accessed();
  timing.modified_base = second_result(text.word, timing);
  timing.place = place_of(text);
  if (recording.has(Operation::end_unless) && !recording.has(Operation::branch)) {
    timing.predicate = predicate_resource(static_cast<unsigned>(bit_field(text.word, 0, 6)));
  }
  timing.predicted_taken = is_predicted_taken(text.word, timing_class);
  timing.may_be_overruled = is_predicted_dynamically(text.word, timing_class);
  timing.renames = renaming_of(instruction.opcode);
  return timing;
}

}  // namespace hardclock::ia64
