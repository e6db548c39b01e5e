// The functions of numbers that translated code computes itself instead of leaving their
// instructions to the interpreter; and how an ISA keeps the state of floating point that they need.
// Each computes, on the host's SSE unit or by its integer instructions, exactly what the ISA's
// function does, or finds that the case is not a plain one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/recording/recording.h"
#include "sim/translator/block_source.h"

namespace hardclock {

enum class HostFunction : std::uint8_t {
  none,
  // ---- Integers. (dividend, divisor) to {quotient, remainder}, those of words sign-extended.
  // Plain are divisors other than 0 and, of signed numbers, -1.
  divide_signed_word,
  divide_unsigned_word,
  divide_signed_long,
  divide_unsigned_long,
  // (a, b) to {low half, high half} of a product of 128 bits.
  multiply_signed_long,
  multiply_unsigned_long,
  // (a) to the number of zeros above its highest one, of 32 or 64 bits.
  leading_zeros_word,
  leading_zeros_long,
  // Four halfwords each: (a, b) to the sum or difference; saturated as signed numbers, or as an
  // unsigned one of a and a signed one of b; and (unsigned) the mean, its last bit set if it is not
  // exact.
  add_halfwords,
  add_halfwords_signed,
  add_halfwords_unsigned,
  subtract_halfwords,
  subtract_halfwords_signed,
  subtract_halfwords_unsigned,
  average_halfwords,
  // (a, b, count): a shifted, and b added unless that has overflowed; all saturated as signed
  // numbers. The count is a constant.
  shift_left_and_add_halfwords,
  shift_right_and_add_halfwords,
  // (a, count), the latter a constant.
  shift_left_halfwords,
  shift_right_halfwords,
  shift_right_signed_halfwords,
  // (a, choice), the latter a constant: two bits for each of the result's, the leftmost one's on
  // the left, that number those of a from the left.
  permute_halfwords,
  // ---- Floating point, in the formats of IEEE 754. `status` is FloatingMode's register. Plain are
  // operands and results that are not NaNs, while no bit of FloatingMode::special is set.
  // (a, b, status) to {result, status}.
  add_single,
  add_double,
  subtract_single,
  subtract_double,
  multiply_single,
  multiply_double,
  divide_single,
  divide_double,
  // (a, status) to {result, status}.
  square_root_single,
  square_root_double,
  // 1 / a; and 1 / the root of a, both operations rounded.
  reciprocal_single,
  reciprocal_double,
  reciprocal_root_single,
  reciprocal_root_double,
  absolute_single,
  absolute_double,
  negate_single,
  negate_double,
  double_to_single,
  single_to_double,
  word_to_single,
  word_to_double,
  long_to_single,
  long_to_double,
  // (a, status, rounding) to {integer, status}; rounding as sim/floating_point numbers it, or the
  // status register's.
  single_to_word,
  double_to_word,
  single_to_long,
  double_to_long,
  // (a, b, status | condition << 32) to {0 or 1, status}: whether a is less than b, if the
  // condition has bit 2, or equal to b, if it has bit 1.
  compare_single,
  compare_double,
  // (a, b, c, status | variant << 32): a * b + c, each operation rounded. The variant's bit 0
  // subtracts c instead, its bit 1 negates the result, its bit 2 rounds but once; others are not
  // plain.
  multiply_add_single,
  multiply_add_double,
  // (a, b, c, status): a * b + c, rounded once. The variant's bit 1 negates the product.
  fused_multiply_add_single,
  fused_multiply_add_double,
  // (a, status) to {result, status}: from integers without a sign.
  unsigned_word_to_single,
  unsigned_word_to_double,
  // (a, status) to {a as an integral number, status}.
  to_integral_single,
  to_integral_double,
  // (a, b, condition | bit << 5, status) to the status: whether a is greater than b, if the
  // condition has bit 4, less than it, if bit 3, or equal to it, if bit 2, goes to this bit of
  // FloatingMode::queue, 1 the newest one; or, if `bit` is 0, into the queue.
  compare_into_queue_single,
  compare_into_queue_double,
  // (a) to the same bits but for the sign; NaNs are plain, too.
  copy_bits,
  clear_sign_single,
  clear_sign_double,
  change_sign_single,
  change_sign_double,
  set_sign_single,
  set_sign_double,
  // ---- Of the status register. (status) to the exceptions that trap, or whether any does: 0 while
  // no special bit is set.
  trapping_exceptions,
  // (status, anything) to status, while no special bit is set.
  same_status,
  // (status, status) to the one that both together leave.
  merged_status,
};

constexpr bool is_of_integers(HostFunction function) {
  return function >= HostFunction::divide_signed_word &&
         function <= HostFunction::permute_halfwords;
}
constexpr bool is_of_halfwords(HostFunction function) {
  return function >= HostFunction::add_halfwords && function <= HostFunction::permute_halfwords;
}

struct KnownFunction {
  Function* function;
  HostFunction what;
  // Of a conversion to an integer without an argument for it: the rounding. Of a fused product and
  // sum: the variant.
  std::uint32_t variant = 0;
};

struct FloatingMode {
  // A register of 64 bits, or the low words of two.
  struct Pair {
    Resource low = 0;
    Resource high = 0;  // low: it is one register
  };
  bool (*holds_numbers)(Resource) = nullptr;  // whether it is a floating-point register
  // What stays in the host's registers, the most used ones first.
  std::span<const Pair> pinned;
  // The status register, and where its 4 bytes lie; it is these bits of its resource.
  Resource status = 0;
  RegisterPlace status_place{};
  unsigned status_shift = 0;
  // Its bits for the exceptions of the last operation (0: it has none); for those that ever were;
  // and those that are 0 in plain cases: rounding to nearest, nothing traps.
  std::uint32_t last_exceptions = 0;
  std::uint32_t all_exceptions = 0;
  std::uint32_t special = 0;
  // The status after operations with these exceptions (sim/floating_point/format.h); `last`: those
  // of the last one, if they are not in the status yet.
  std::uint32_t (*with_exceptions)(std::uint32_t status, std::uint32_t exceptions,
                                   std::optional<std::uint32_t> last) = nullptr;
  // Bits of the status register that shift to the right by one with each comparison, but for the
  // newest result, which has a bit of its own on their left.
  struct Queue {
    std::uint32_t latest = 0;
    std::uint32_t others = 0;
    std::uint32_t newest_other = 0;
  };
  Queue queue{};
};

}  // namespace hardclock
