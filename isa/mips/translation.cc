// What the translator needs to know about MIPS.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/mips/isa.h"
#include "isa/mips/resources.h"

namespace hardclock::mips {
namespace {

// Registers as the ABIs use them most: the stack pointer, results, arguments, temporaries.
constexpr std::array<Resource, 8> most_used = {
    gpr_resource(29), gpr_resource(2), gpr_resource(3), gpr_resource(4),
    gpr_resource(5),  gpr_resource(6), gpr_resource(8), gpr_resource(16),
};

RegisterPlace place_in(std::size_t offset, std::size_t bytes) {
  return {static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(bytes)};
}

RegisterPlace place_of(Resource resource) {
  constexpr std::size_t wide = sizeof(std::uint64_t);
  if (resource < gpr_resource(32)) {
    return place_in(offsetof(Registers, gpr) + wide * (resource - gpr_resource(0)), wide);
  }
  if (resource >= fpr_resource(0) && resource < fpr_resource(32)) {
    return place_in(offsetof(Registers, fpr) + wide * (resource - fpr_resource(0)), wide);
  }
  switch (resource) {
    case hi_resource:
      return place_in(offsetof(Registers, hi), wide);
    case lo_resource:
      return place_in(offsetof(Registers, lo), wide);
    case fcsr_resource:
      return place_in(offsetof(Registers, fcsr), sizeof(Registers::fcsr));
    case user_local_resource:
      return place_in(offsetof(Registers, user_local), wide);
    case link_resource:
      return place_in(offsetof(Registers, link_valid), sizeof(Registers::link_valid));
    case link_address_resource:
      return place_in(offsetof(Registers, link_address), wide);
    default:
      return {};
  }
}

bool is_integer_register(Resource resource) {
  return resource < gpr_resource(32) || resource == hi_resource || resource == lo_resource;
}

bool is_word(std::uint64_t value) {
  return value == static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
}

}  // namespace

GuestMode Isa::guest_mode() const {
  return {.place = place_of,
          .pinned = most_used,
          .is_word = mode_.operation_bits == 32 ? is_integer_register : nullptr,
          .address_bits = mode_.address_bits,
          .data_order = settings_.big_endian ? Endian::big : Endian::little};
}

bool Isa::holds_words(const Registers& registers) const {
  return mode_.operation_bits != 32 ||
         (std::all_of(registers.gpr.begin(), registers.gpr.end(), is_word) &&
          is_word(registers.hi) && is_word(registers.lo));
}

}  // namespace hardclock::mips
