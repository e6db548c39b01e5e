// What the translator needs to know about PA-RISC.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/pa_risc/isa.h"
#include "isa/pa_risc/resources.h"

namespace hardclock::pa_risc {
namespace {

// Registers as compilers use them most: the result, temporaries, the stack pointer, an argument.
constexpr std::array<Resource, 8> most_used = {
    gpr_resource(28), gpr_resource(19), gpr_resource(20), gpr_resource(21),
    gpr_resource(30), gpr_resource(31), gpr_resource(22), gpr_resource(26),
};

// Low halves come first on hosts that can be translated to.
RegisterPlace place_in(std::size_t offset, std::size_t bytes) {
  return {static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(bytes)};
}

constexpr std::size_t word = sizeof(std::uint32_t), doubleword = sizeof(std::uint64_t);

// `register_bytes`: of a general register, and of what depends on its size. In a Registers whose
// upper halves are 0 they stay so.
RegisterPlace place_of(Resource resource, std::size_t register_bytes) {
  if (resource < gpr_resource(32)) {
    return place_in(offsetof(Registers, gpr) + doubleword * (resource - gpr_resource(0)),
                    register_bytes);
  }
  if (resource < fpr_resource(32)) {
    return place_in(offsetof(Registers, fpr) + doubleword * (resource - fpr_resource(0)),
                    doubleword);
  }
  if (resource >= space_resource(0) && resource < space_resource(8)) {
    return place_in(offsetof(Registers, space) + word * (resource - space_resource(0)), word);
  }
  if (resource >= temporary_resource(0) && resource < temporary_resource(8)) {
    return place_in(
        offsetof(Registers, temporary) + doubleword * (resource - temporary_resource(0)),
        doubleword);
  }
  switch (resource) {
    case shift_amount_resource:
      return place_in(offsetof(Registers, shift_amount), word);
    case carries_resource:
      return place_in(offsetof(Registers, carry_bits), register_bytes);
    case divide_step_resource:
      return place_in(offsetof(Registers, divide_step), sizeof(Registers::divide_step));
    default:
      return {};
  }
}
RegisterPlace place_of_word(Resource resource) { return place_of(resource, word); }
RegisterPlace place_of_doubleword(Resource resource) { return place_of(resource, doubleword); }

}  // namespace

GuestMode Isa::guest_mode() const {
  return {.place = settings_.register_bits == 32 ? place_of_word : place_of_doubleword,
          .pinned = most_used,
          .may_pin = [](Resource resource) { return resource < gpr_resource(32); },
          .address_bits = settings_.address_bits,
          .data_order = Interpreter::byte_order};
}

bool Isa::holds_words(const Registers& registers) const {
  if (settings_.register_bits != 32) return true;
  std::uint64_t all = registers.carry_bits | registers.shift_amount;
  for (const std::uint64_t each : registers.gpr) all |= each;
  return all >> 32 == 0;
}

}  // namespace hardclock::pa_risc
