#include "isa/ia64/translation_places.h"

#include <cstddef>
#include <cstdint>

namespace hardclock::ia64 {
namespace {

RegisterPlace place_in(std::size_t offset, std::size_t bytes) {
  return {static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(bytes)};
}

RegisterPlace place_of_gr(unsigned n) {
  const std::size_t values = offset_of(&Registers::stack) + RegisterStack::places().values;
  if (n < first_rotating_gr) return place_in(values + doubleword * n, doubleword);
  RegisterPlace place = place_in(doubleword * (n - first_rotating_gr), doubleword);
  place.is_in_frame = true;
  return place;
}
RegisterPlace place_of_fr(unsigned n, std::size_t offset, std::size_t bytes) {
  if (n >= first_rotating_fr) return {};
  return place_in(offset_of(&Registers::fr) + n * sizeof(fp::FpRegister) + offset, bytes);
}

}  // namespace

RegisterPlace place_of(Resource resource) {
  const auto in_stack = [](std::size_t offset, std::size_t bytes) {
    return place_in(offset_of(&Registers::stack) + offset, bytes);
  };
  const auto is_in = [resource](Resource first, unsigned count) {
    return resource >= first && resource < first + count;
  };
  if (is_in(gr_resource(0), 128)) return place_of_gr(resource);
  if (is_in(significand_resource(0), 128)) {
    return place_of_fr(resource - significand_resource(0), offsetof(fp::FpRegister, significand),
                       doubleword);
  }
  if (is_in(exponent_only_resource(0), first_rotating_fr)) {
    return place_of_fr(resource - first_exponent_only, offsetof(fp::FpRegister, exponent), word);
  }
  if (is_in(tail_resource(0), first_rotating_fr)) {
    return place_of_fr(resource - first_tail, offsetof(fp::FpRegister, exponent), doubleword);
  }
  if (is_in(br_resource(0), 8)) {
    return place_in(offset_of(&Registers::br) + doubleword * (resource - br_resource(0)),
                    doubleword);
  }
  switch (resource) {
    case predicates_resource:
      return place_in(offset_of(&Registers::predicates), doubleword);
    case unat_resource:
      return place_in(offset_of(&Registers::unat), doubleword);
    case ccv_resource:
      return place_in(offset_of(&Registers::ccv), doubleword);
    case pfs_resource:
      return place_in(offset_of(&Registers::pfs), doubleword);
    case lc_resource:
      return place_in(offset_of(&Registers::lc), doubleword);
    case written_half_resource:
      return place_in(offset_of(&Registers::user_mask), word);
    case watched_resource:
      return place_in(offset_of(&Registers::alat) + Alat::place_of_touched(), doubleword);
    case ec_resource:
      return place_in(offset_of(&Registers::ec), word);
    case bsp_resource:
      return in_stack(RegisterStack::places().bsp, doubleword);
    case frame_size_resource:
      return in_stack(RegisterStack::places().marker + offsetof(FrameMarker, sof), byte);
    case frame_marker_resource:
      return in_stack(RegisterStack::places().marker, doubleword);
    case dirty_resource:
      return in_stack(RegisterStack::places().dirty, word);
    case clean_resource:
      return in_stack(RegisterStack::places().clean, word);
    case position_resource:
      return in_stack(RegisterStack::places().position, doubleword);
    case skip_resource:
      return in_stack(RegisterStack::places().skip, word);
    default:
      return {};
  }
}

}  // namespace hardclock::ia64
