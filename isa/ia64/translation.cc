// What the translator needs to know about IA-64. Code is translated for the usual case
// (translation_usual.h).
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "isa/ia64/isa.h"
#include "isa/ia64/resources.h"
#include "isa/ia64/semantics.h"
#include "isa/ia64/translation_places.h"
#include "isa/ia64/translation_usual.h"

namespace hardclock::ia64 {
namespace {

// As GCC uses registers most.
constexpr std::array<Resource, 7> most_used = {
    predicates_resource, gr_resource(14), gr_resource(15), gr_resource(8),
    gr_resource(16),     gr_resource(17), gr_resource(12)};

// Those that may take their places: r1 to r31, which no frame has, and what loops count by.
bool may_pin(Resource resource) {
  return (resource > gr_resource(0) && resource < gr_resource(first_rotating_gr)) ||
         resource == predicates_resource || resource == lc_resource;
}

// ---- An instruction that the interpreter runs.
// Before it, the condition under which the register stack would have to wait for its memory: that
// has to be done first, or it has to be stepped.
class Interpreted {
 public:
  explicit Interpreted(const Recording& from) : from_(from) {
    made_.pipeline_names = from.pipeline_names;
  }

  Recording made() {
    for (const Step& step : from_.steps) {
      if (step.operation == Operation::transform) foresee(step);
    }
    append();
    return std::move(made_);
  }

 private:
  StepIndex add(const Step& step) {
    made_.steps.push_back(step);
    return static_cast<StepIndex>(made_.steps.size() - 1);
  }
  StepIndex constant(std::uint64_t value) {
    return add({.operation = Operation::constant, .immediate = value});
  }
  StepIndex read(Resource resource) {
    return add(
        {.operation = Operation::read_register, .resource = resource, .immediate = all_bits});
  }
  StepIndex with(Operation operation, StepIndex a, StepIndex b) {
    return add({.operation = operation, .operands = {a, b}});
  }
  void rare_if(StepIndex condition, Rare how, std::uint64_t which = 0) {
    add({.operation = Operation::rare_if,
         .detail = static_cast<std::uint8_t>(how),
         .operands = {condition},
         .immediate = which});
  }

  void foresee(const Step& step) {
    switch (static_cast<Transform>(step.detail)) {
      case Transform::alloc: {
        const std::uint64_t frame = from_.steps[step.operands[0]].immediate;
        const auto byte = [frame](unsigned i) {
          return static_cast<unsigned>(bit_field(frame, 8 * i, 8));
        };
        const std::uint64_t sof = byte(1);
        if (!RegisterStack::can_allocate(byte(0), byte(1), byte(2), byte(3))) return;
        const StepIndex room = constant(stacked_registers - sof);
        rare_if(with(Operation::ltu, room, read(dirty_resource)), Rare::implicit_accesses, sof);
        return;
      }
      case Transform::ret: {
        const StepIndex shifted = with(Operation::shr, read(pfs_resource), constant(7));
        const StepIndex sol = with(Operation::and_, shifted, constant(0x7f));
        rare_if(with(Operation::ltu, read(dirty_resource), sol), Rare::implicit_accesses,
                fill_to_return);
        return;
      }
      case Transform::flushrs:
      case Transform::loadrs:
        rare_if(constant(1), Rare::stepped);
        return;
      default:
        return;
    }
  }

  void append() {
    const auto before = static_cast<StepIndex>(made_.steps.size());
    for (Step step : from_.steps) {
      for (std::size_t i = 0; i < operands_of(step); ++i) {
        if (step.operands[i] != unconditional) step.operands[i] += before;
      }
      made_.steps.push_back(step);
    }
  }

  const Recording& from_;
  Recording made_;
};

Recording translated(const Recording& whole) {
  if (auto usual = in_usual_case(whole)) return std::move(*usual);
  return Interpreted(whole).made();
}

}  // namespace

GuestMode Isa::guest_mode() const {
  const RegisterStack::Places& stack = RegisterStack::places();
  const std::size_t at = offset_of(&Registers::stack);
  return {.place = place_of,
          .pinned = most_used,
          .may_pin = may_pin,
          .address_bits = 64,
          .code_shift = 4,
          .stack_pointer = gr_resource(Registers::stack_pointer),
          .data_order = Endian::little,
          .frame = GuestMode::Frame{.skip = static_cast<std::uint16_t>(at + stack.skip),
                                    .start = static_cast<std::uint16_t>(
                                        at + stack.values + doubleword * first_rotating_gr)}};
}

bool Isa::holds_words(Registers& registers) const {
  return (registers.user_mask & um_be) == 0 &&
         (!registers.stack.may_have_nats() || !registers.stack.find_nats());
}

bool Isa::still_holds_words(const Registers& registers) const {
  return (registers.user_mask & um_be) == 0 && !registers.stack.may_have_nats();
}

Recording Isa::recording(const Text& text, std::uint64_t pc) const {
  return translated(recording_of(text, pc));
}

Recording Isa::marked_recording(const Text& text, std::uint64_t pc) const {
  return translated(marked_recording_of(text, pc));
}

}  // namespace hardclock::ia64
