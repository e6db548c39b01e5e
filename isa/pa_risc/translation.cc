// What the translator needs to know about PA-RISC.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/pa_risc/bit_functions.h"
#include "isa/pa_risc/floating_point.h"
#include "isa/pa_risc/floating_point_status.h"
#include "isa/pa_risc/isa.h"
#include "isa/pa_risc/resources.h"
#include "isa/pa_risc/semantics_fpu_operands.h"
#include "sim/floating_point/host_arithmetic.h"
#include "sim/translator/host_functions.h"

namespace hardclock::pa_risc {
namespace {

// Registers as compilers use them most: the result, temporaries, the stack pointer, an argument.
constexpr std::array<Resource, 8> most_used = {
    gpr_resource(28), gpr_resource(19), gpr_resource(20), gpr_resource(21),
    gpr_resource(30), gpr_resource(31), gpr_resource(22), gpr_resource(26),
};

template <class Result, class... Numbers>
KnownFunction known(Result (*function)(Numbers...), HostFunction what, std::uint32_t variant = 0) {
  return {reinterpret_cast<Function*>(function), what, variant};
}
std::span<const KnownFunction> host_functions() {
  using enum HostFunction;
  constexpr std::uint32_t negates_product = 2;
  static const std::array functions = {
      known(halfword_add, add_halfwords),
      known(halfword_add_signed, add_halfwords_signed),
      known(halfword_add_unsigned, add_halfwords_unsigned),
      known(halfword_sub, subtract_halfwords),
      known(halfword_sub_signed, subtract_halfwords_signed),
      known(halfword_sub_unsigned, subtract_halfwords_unsigned),
      known(halfword_average, average_halfwords),
      known(halfword_shift_left_add, shift_left_and_add_halfwords),
      known(halfword_shift_right_add, shift_right_and_add_halfwords),
      known(halfword_shift_left, shift_left_halfwords),
      known(halfword_shift_right, shift_right_halfwords),
      known(halfword_shift_right_signed, shift_right_signed_halfwords),
      known(pa_risc::permute_halfwords, HostFunction::permute_halfwords),
      known(fp::add_s, add_single),
      known(fp::add_d, add_double),
      known(fp::sub_s, subtract_single),
      known(fp::sub_d, subtract_double),
      known(fp::mul_s, multiply_single),
      known(fp::mul_d, multiply_double),
      known(fp::div_s, divide_single),
      known(fp::div_d, divide_double),
      known(fp::sqrt_s, square_root_single),
      known(fp::sqrt_d, square_root_double),
      known(fp::rnd_s, to_integral_single),
      known(fp::rnd_d, to_integral_double),
      known(copy, copy_bits),
      known(fp::abs_s, clear_sign_single),
      known(fp::abs_d, clear_sign_double),
      known(fp::neg_s, change_sign_single),
      known(fp::neg_d, change_sign_double),
      known(fp::negabs_s, set_sign_single),
      known(fp::negabs_d, set_sign_double),
      known(fp::dbl_to_sgl, double_to_single),
      known(fp::sgl_to_dbl, single_to_double),
      known(fp::w_to_sgl, word_to_single),
      known(fp::w_to_dbl, word_to_double),
      known(fp::dw_to_sgl, long_to_single),
      known(fp::dw_to_dbl, long_to_double),
      known(fp::uw_to_sgl, unsigned_word_to_single),
      known(fp::uw_to_dbl, unsigned_word_to_double),
      known(fp::sgl_to_w, single_to_word, ieee754::to_nearest),
      known(fp::sgl_to_dw, single_to_long, ieee754::to_nearest),
      known(fp::dbl_to_w, double_to_word, ieee754::to_nearest),
      known(fp::dbl_to_dw, double_to_long, ieee754::to_nearest),
      known(fp::truncate_sgl_to_w, single_to_word, ieee754::toward_zero),
      known(fp::truncate_sgl_to_dw, single_to_long, ieee754::toward_zero),
      known(fp::truncate_dbl_to_w, double_to_word, ieee754::toward_zero),
      known(fp::truncate_dbl_to_dw, double_to_long, ieee754::toward_zero),
      known(fp::compare_s, compare_into_queue_single),
      known(fp::compare_d, compare_into_queue_double),
      known(fp::multiply_add_s, fused_multiply_add_single),
      known(fp::multiply_add_d, fused_multiply_add_double),
      known(fp::negate_multiply_add_s, fused_multiply_add_single, negates_product),
      known(fp::negate_multiply_add_d, fused_multiply_add_double, negates_product),
      known(fp::traps, trapping_exceptions),
      known(fp::keeps_target, trapping_exceptions),
      known(fp::load_instruction, same_status),
      known(fp::both, merged_status),
  };
  return functions;
}

// Temporaries as GCC takes them, and the first argument, which is the result.
constexpr FloatingMode::Pair whole(unsigned n) { return {fpr_resource(n), fpr_resource(n)}; }
constexpr std::array pinned_numbers = {whole(22), whole(23), whole(24), whole(25),
                                       whole(26), whole(27), whole(28), whole(29),
                                       whole(30), whole(31), whole(4),  whole(5)};

// But the one with the status.
bool holds_numbers(Resource resource) {
  return resource > fpr_resource(0) && resource < fpr_resource(32);
}

std::uint32_t with_exceptions(std::uint32_t status, std::uint32_t exceptions,
                              std::optional<std::uint32_t>) {
  return status | exceptions << (fp::flags_shift - fp::status_shift);
}

constexpr std::uint32_t in_status(std::uint64_t fr0) {
  return static_cast<std::uint32_t>(fr0 >> fp::status_shift);
}
constexpr std::uint64_t five_exceptions = 31;

// The status register is a word, the upper one of fr0. An operation that raises an exception which
// is not enabled leaves no other trace than its flag.
constexpr FloatingMode floating_mode = {
    .holds_numbers = holds_numbers,
    .pinned = pinned_numbers,
    .status = fpr_resource(0),
    .status_place = {offsetof(Registers, fpr) + sizeof(std::uint32_t), sizeof(std::uint32_t)},
    .status_shift = fp::status_shift,
    .all_exceptions = in_status(five_exceptions << fp::flags_shift),
    .special = in_status(fp::rounding_mode | fp::denormalized_as_zero | fp::delayed_trap |
                         five_exceptions << fp::enables_shift),
    .with_exceptions = with_exceptions,
    .queue = {.latest = in_status(fp::condition_bit),
              .others = in_status(fp::queue),
              .newest_other = in_status(fp::queue_newest)}};

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
          .stack_pointer = gpr_resource(Registers::stack_pointer),
          .data_order = Interpreter::byte_order,
          .functions = host_functions(),
          .floating = &floating_mode};
}

bool Isa::holds_words(const Registers& registers) const {
  if (settings_.register_bits != 32) return true;
  std::uint64_t all = registers.carry_bits | registers.shift_amount;
  for (const std::uint64_t each : registers.gpr) all |= each;
  return all >> 32 == 0;
}

}  // namespace hardclock::pa_risc
