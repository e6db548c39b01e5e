// What the translator needs to know about MIPS.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/mips/bit_functions.h"
#include "isa/mips/divide.h"
#include "isa/mips/floating_point.h"
#include "isa/mips/floating_point_status.h"
#include "isa/mips/isa.h"
#include "isa/mips/resources.h"
#include "sim/translator/host_functions.h"

namespace hardclock::mips {
namespace {

// Registers as the ABIs use them most: the stack pointer, results, arguments, temporaries.
constexpr std::array<Resource, 8> most_used = {
    gpr_resource(29), gpr_resource(2), gpr_resource(3), gpr_resource(4),
    gpr_resource(5),  gpr_resource(6), gpr_resource(8), gpr_resource(16),
};

template <class Result, class... Numbers>
KnownFunction known(Result (*function)(Numbers...), HostFunction what) {
  return {reinterpret_cast<Function*>(function), what};
}
std::span<const KnownFunction> host_functions() {
  static const std::array functions = {
      known(divide_signed, HostFunction::divide_signed_word),
      known(divide_unsigned, HostFunction::divide_unsigned_word),
      known(divide_signed_64, HostFunction::divide_signed_long),
      known(divide_unsigned_64, HostFunction::divide_unsigned_long),
      known(multiply_signed_64, HostFunction::multiply_signed_long),
      known(multiply_unsigned_64, HostFunction::multiply_unsigned_long),
      known(leading_zeros_32, HostFunction::leading_zeros_word),
      known(leading_zeros_64, HostFunction::leading_zeros_long),
      known(fp::add_s, HostFunction::add_single),
      known(fp::add_d, HostFunction::add_double),
      known(fp::sub_s, HostFunction::subtract_single),
      known(fp::sub_d, HostFunction::subtract_double),
      known(fp::mul_s, HostFunction::multiply_single),
      known(fp::mul_d, HostFunction::multiply_double),
      known(fp::div_s, HostFunction::divide_single),
      known(fp::div_d, HostFunction::divide_double),
      known(fp::sqrt_s, HostFunction::square_root_single),
      known(fp::sqrt_d, HostFunction::square_root_double),
      known(fp::recip_s, HostFunction::reciprocal_single),
      known(fp::recip_d, HostFunction::reciprocal_double),
      known(fp::rsqrt_s, HostFunction::reciprocal_root_single),
      known(fp::rsqrt_d, HostFunction::reciprocal_root_double),
      known(fp::abs_s, HostFunction::absolute_single),
      known(fp::abs_d, HostFunction::absolute_double),
      known(fp::neg_s, HostFunction::negate_single),
      known(fp::neg_d, HostFunction::negate_double),
      known(fp::double_to_single, HostFunction::double_to_single),
      known(fp::single_to_double, HostFunction::single_to_double),
      known(fp::word_to_single, HostFunction::word_to_single),
      known(fp::word_to_double, HostFunction::word_to_double),
      known(fp::long_to_single, HostFunction::long_to_single),
      known(fp::long_to_double, HostFunction::long_to_double),
      known(fp::single_to_word, HostFunction::single_to_word),
      known(fp::double_to_word, HostFunction::double_to_word),
      known(fp::single_to_long, HostFunction::single_to_long),
      known(fp::double_to_long, HostFunction::double_to_long),
      known(fp::compare_s, HostFunction::compare_single),
      known(fp::compare_d, HostFunction::compare_double),
      known(fp::multiply_add_s, HostFunction::multiply_add_single),
      known(fp::multiply_add_d, HostFunction::multiply_add_double),
      known(fp::enabled_causes, HostFunction::trapping_exceptions),
  };
  return functions;
}

// Results, temporaries, arguments, the first registers that calls keep: as GCC takes them.
constexpr FloatingMode::Pair pair(unsigned even) {
  return {fpr_resource(even), fpr_resource(even + 1)};
}
constexpr std::array pinned_pairs = {pair(0),  pair(2),  pair(4),  pair(6),  pair(8),  pair(10),
                                     pair(12), pair(14), pair(16), pair(18), pair(20), pair(22)};
constexpr FloatingMode::Pair whole(unsigned n) { return {fpr_resource(n), fpr_resource(n)}; }
constexpr std::array pinned_doubles = {whole(0), whole(1), whole(2),  whole(3),
                                       whole(4), whole(5), whole(6),  whole(7),
                                       whole(8), whole(9), whole(12), whole(13)};

bool is_floating(Resource resource) {
  return resource >= fpr_resource(0) && resource < fpr_resource(32);
}

constexpr RegisterPlace place_in(std::size_t offset, std::size_t bytes) {
  return {static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(bytes)};
}

constexpr std::uint32_t causes = 0x3fu << fcsr_cause_shift;
constexpr std::uint32_t flags = 31u << fcsr_flags_shift;

std::uint32_t with_exceptions(std::uint32_t fcsr, std::uint32_t exceptions,
                              std::optional<std::uint32_t> last) {
  fcsr |= exceptions << fcsr_flags_shift;
  return last ? (fcsr & ~causes) | *last << fcsr_cause_shift : fcsr;
}

// While FCSR has anything but conditions, causes and flags, operations are the interpreter's:
// another rounding mode, FS, enables.
constexpr FloatingMode floating_mode(std::span<const FloatingMode::Pair> pinned) {
  return {.holds_numbers = is_floating,
          .pinned = pinned,
          .status = fcsr_resource,
          .status_place = place_in(offsetof(Registers, fcsr), sizeof(Registers::fcsr)),
          .last_exceptions = causes,
          .all_exceptions = flags,
          .special = ~(fcsr_conditions | causes | flags),
          .with_exceptions = with_exceptions};
}
constexpr FloatingMode with_pairs = floating_mode(pinned_pairs);
constexpr FloatingMode with_doubles = floating_mode(pinned_doubles);

RegisterPlace place_of(Resource resource) {
  constexpr std::size_t wide = sizeof(std::uint64_t);
  if (resource < gpr_resource(32)) {
    return place_in(offsetof(Registers, gpr) + wide * (resource - gpr_resource(0)), wide);
  }
  if (is_floating(resource)) {
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
          .may_pin = is_integer_register,
          .is_word = mode_.operation_bits == 32 ? is_integer_register : nullptr,
          .address_bits = mode_.address_bits,
          .stack_pointer = gpr_resource(Registers::stack_pointer),
          .data_order = settings_.big_endian ? Endian::big : Endian::little,
          .functions = host_functions(),
          .floating = mode_.fr ? &with_doubles : &with_pairs};
}

bool Isa::holds_words(const Registers& registers) const {
  return mode_.operation_bits != 32 ||
         (std::all_of(registers.gpr.begin(), registers.gpr.end(), is_word) &&
          is_word(registers.hi) && is_word(registers.lo));
}

}  // namespace hardclock::mips
