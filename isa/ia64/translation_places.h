// Where what translated code reads and writes lies in Registers.
#pragma once

#include <cstddef>

#include "isa/ia64/registers.h"
#include "isa/ia64/resources.h"
#include "sim/translator/block_source.h"

namespace hardclock::ia64 {

// Numbers for what lies in Registers, beside those of resources.h: the marker as FrameMarker has
// it, its sof, and what else calls and returns change; the lines that the ALAT watches; and the
// user mask's bits that nothing but mov reads.
inline constexpr Resource frame_size_resource = 700, frame_marker_resource = 701,
                          dirty_resource = 702, clean_resource = 703, position_resource = 704,
                          skip_resource = 705, watched_resource = 706, written_half_resource = 707;
// The exponent of f<n>, and it with the sign; of those that do not rotate.
inline constexpr Resource first_exponent_only = 710, first_tail = 750;
constexpr Resource exponent_only_resource(unsigned n) {
  return static_cast<Resource>(first_exponent_only + n);
}
constexpr Resource tail_resource(unsigned n) { return static_cast<Resource>(first_tail + n); }

// In bytes from the start of Registers.
template <class Member>
std::size_t offset_of(Member Registers::*member) {
  static const Registers model;
  const auto* const start = reinterpret_cast<const std::byte*>(&model);
  return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(model.*member)) - start);
}

inline constexpr std::size_t doubleword = 8, word = 4, byte = 1;

// Not known: of what only the interpreter can reach.
RegisterPlace place_of(Resource resource);

}  // namespace hardclock::ia64
