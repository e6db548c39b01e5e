// Bundles: the 16 bytes in which IA-64's instructions lie, three slots and a template.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3, volume 1, section
// 3.3, and volume 3, section 4 (figure 4-1, table 4-2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/ia64/ia64_decode.h"
#include "sim/base/bits.h"
#include "sim/base/check.h"
#include "sim/base/endian.h"

namespace hardclock::ia64 {

inline constexpr std::size_t bundle_bytes = 16;
inline constexpr std::size_t slot_count = 3;
inline constexpr unsigned slot_bits = 41;
inline constexpr std::uint64_t slot_mask = (std::uint64_t{1} << slot_bits) - 1;

// The execution unit of a slot, as the word of ia64.decode has it from bit 41 up. L is no unit of
// its own: it holds 41 bits of the immediate of the instruction in X, the slot behind it.
enum class Unit : std::uint8_t { m, i, f, b, x, l };

struct Template {
  std::array<Unit, slot_count> units;
  std::array<bool, slot_count> stops;  // whether a group ends behind the slot

  friend bool operator==(const Template&, const Template&) = default;
};

// Of a template's number, 0 to 31. Nothing for the eight reserved ones: a bundle of such a template
// is an Illegal Operation fault.
std::optional<Template> template_of(unsigned number);

struct Bundle {
  std::uint8_t template_number = 0;               // 5 bits
  std::array<std::uint64_t, slot_count> slots{};  // 41 bits each

  friend bool operator==(const Bundle&, const Bundle&) = default;
};

// In memory a bundle is little-endian, whatever the order of data: the template in bits 0 to 4,
// the slots from bits 5, 46 and 87 up.
constexpr Bundle unpack(std::uint64_t low, std::uint64_t high) {
  return {static_cast<std::uint8_t>(low & 31),
          {low >> 5 & slot_mask, (low >> 46 | high << 18) & slot_mask, high >> 23}};
}
inline Bundle unpack(std::span<const std::uint8_t, bundle_bytes> bytes) {
  return unpack(load_bytes<std::uint64_t>(bytes.data(), Endian::little),
                load_bytes<std::uint64_t>(bytes.data() + 8, Endian::little));
}

// The two doublewords, the low one first. Bits that a slot or the template cannot hold are dropped.
constexpr std::array<std::uint64_t, 2> pack(const Bundle& bundle) {
  const std::uint64_t middle = bundle.slots[1] & slot_mask;
  return {(bundle.template_number & 31u) | (bundle.slots[0] & slot_mask) << 5 | middle << 46,
          middle >> 18 | bundle.slots[2] << 23};
}
inline std::array<std::uint8_t, bundle_bytes> packed_bytes(const Bundle& bundle) {
  const std::array<std::uint64_t, 2> doublewords = pack(bundle);
  std::array<std::uint8_t, bundle_bytes> bytes;
  store_bytes(bytes.data(), doublewords[0], Endian::little);
  store_bytes(bytes.data() + 8, doublewords[1], Endian::little);
  return bytes;
}

// L and X are one instruction, at slot 1 (psr.ri is never 2 in such a bundle).
constexpr bool is_long(const Template& layout) { return layout.units[1] == Unit::l; }
constexpr std::size_t instruction_count(const Template& layout) { return is_long(layout) ? 2 : 3; }

// The word of ia64.decode for the instruction at `slot`, which is below instruction_count().
constexpr Word instruction_word(const Bundle& bundle, const Template& layout, std::size_t slot) {
  CHECK(slot < instruction_count(layout));
  const std::size_t at = layout.units[slot] == Unit::l ? slot + 1 : slot;
  return bundle.slots[at] | static_cast<Word>(layout.units[at]) << slot_bits;
}

// Whether a group ends behind the instruction at `slot`.
constexpr bool stops_after(const Template& layout, std::size_t slot) {
  return layout.stops[layout.units[slot] == Unit::l ? slot + 1 : slot];
}

// The immediates of a long instruction, from the operand that the slot X has of it (imm64_x,
// target64_x, imm21) and the slot L.
constexpr std::uint64_t movl_immediate(std::uint64_t imm64_x, std::uint64_t l) {
  return bit_field(imm64_x, 22, 1) << 63 | l << 22 | bit_field(imm64_x, 0, 22);
}
// Relative to the bundle, in bytes. The lowest two bits of L are ignored.
constexpr std::uint64_t long_displacement(std::int64_t target64_x, std::uint64_t l) {
  const auto own = static_cast<std::uint64_t>(target64_x);
  return bit_field(own, 24, 1) << 63 | bit_field(l, 2, 39) << 24 | bit_field(own, 0, 24);
}
constexpr std::uint64_t long_number(std::uint64_t imm21, std::uint64_t l) {
  return l << 21 | imm21;
}

}  // namespace hardclock::ia64
