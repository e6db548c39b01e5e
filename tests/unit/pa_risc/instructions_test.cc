// Instructions that QEMU 7.2 cannot judge: PA-RISC 2.0, MAX, and where it departs from the manual.
// Expectations are written out of the manuals a second time, bit by bit or in wider integers:
// "PA-RISC 1.1 Architecture and Instruction Set Reference Manual", 3rd edition (1994), chapter 5;
// Kane, "PA-RISC 2.0 Architecture" (1996), chapter 7; for halfwords Winbond, "W90210F PA-RISC
// Embedded Controller" (1997), appendix A.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/pa_risc/instruction_bench.h"

namespace hardclock::pa_risc {
namespace {

using Wide = __int128;

class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : random_(seed) {}

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::uint64_t any() { return random_(); }
  std::uint64_t number() {
    static constexpr std::uint64_t corners[] = {0,
                                                1,
                                                0x7fff'ffff,
                                                0x8000'0000,
                                                0xffff'ffff,
                                                0x7fff'ffff'ffff'ffff,
                                                0x8000'0000'0000'0000,
                                                0xffff'ffff'ffff'ffff,
                                                0x0000'0001'0000'0000,
                                                0xffff'ffff'8000'0000,
                                                0x6666'6666'6666'6666,
                                                0x00ff'8000'7fff'0001};
    switch (below(4)) {
      case 0:
        return corners[below(std::size(corners))];
      case 1:
        return corners[below(std::size(corners))] + below(3) - 1;
      case 2:
        return static_cast<std::uint32_t>(any());
      default:
        return any();
    }
  }

 private:
  std::mt19937_64 random_;
};

// The low `bits` as a signed and as an unsigned number.
Wide signed_value(Wide v, unsigned bits) {
  const Wide modulus = Wide{1} << bits;
  const Wide low = ((v % modulus) + modulus) % modulus;
  return low >= modulus / 2 ? low - modulus : low;
}
Wide unsigned_value(Wide v, unsigned bits) {
  const Wide modulus = Wide{1} << bits;
  return ((v % modulus) + modulus) % modulus;
}

// What the conditions of additions and subtractions look at.
struct Flags {
  bool zero, negative, overflow, carry, odd;
};
bool holds(const Flags& flags, unsigned condition) {
  const bool less = flags.negative != flags.overflow;
  const std::array<bool, 8> conditions = {false,          flags.zero,
                                          less,           less || flags.zero,
                                          !flags.carry,   !flags.carry || flags.zero,
                                          flags.overflow, flags.odd};
  return conditions[condition >> 1] != ((condition & 1) != 0);
}

struct Operation {
  Opcode opcode;
  unsigned bits;  // that the condition looks at
  bool subtracts = false;
  bool takes_carry = false;
  bool writes_carries = true;
};

// a + b + carry with all carries, one bit at a time.
struct Added {
  std::uint64_t sum = 0, carries = 0;
};
Added add_bits(std::uint64_t a, std::uint64_t b, bool carry) {
  Added added;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned ones = (a >> i & 1) + (b >> i & 1) + (carry ? 1 : 0);
    added.sum |= std::uint64_t{ones & 1} << i;
    carry = ones >= 2;
    added.carries |= std::uint64_t{carry} << i;
  }
  return added;
}
std::uint16_t carries_of_nibbles(std::uint64_t carries) {
  std::uint16_t nibbles = 0;
  for (unsigned i = 0; i < 16; ++i) {
    nibbles = static_cast<std::uint16_t>(nibbles | (carries >> (4 * i + 3) & 1) << i);
  }
  return nibbles;
}

TEST(Instructions, AdditionsAndSubtractionsOfDoublewords) {
  using enum Opcode;
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(1);
  const Operation operations[] = {
      {add, 32},
      {add_dw, 64},
      {add_c, 32, false, true},
      {add_c_dw, 64, false, true},
      {add_l, 32, false, false, false},
      {add_l_dw, 64, false, false, false},
      {sub, 32, true},
      {sub_dw, 64, true},
      {sub_b, 32, true, true},
      {sub_b_dw, 64, true, true},
  };
  for (const Operation& operation : operations) {
    for (unsigned turn = 0; turn < 1600; ++turn) {
      const std::uint64_t a = numbers.number(), b = turn % 5 == 0 ? a : numbers.number();
      const auto before = static_cast<std::uint16_t>(numbers.any());
      const unsigned condition = turn % 16;
      bench.gpr(4) = a;
      bench.gpr(5) = b;
      bench.registers().set_carries(before);
      bench.run(three_registers(operation.opcode, 4, 5, 6, condition << 12));
      const std::uint64_t addend = operation.subtracts ? ~b : b;
      const bool old_carry = (before >> (operation.bits / 4 - 1) & 1) != 0;
      const bool in = operation.takes_carry ? old_carry : operation.subtracts;
      const Added added = add_bits(a, addend, in);
      const Wide exact =
          signed_value(a, operation.bits) + signed_value(addend, operation.bits) + in;
      const Wide result = signed_value(added.sum, operation.bits);
      const Flags flags{result == 0, result < 0, exact != result,
                        (added.carries >> (operation.bits - 1) & 1) != 0, (added.sum & 1) != 0};
      SCOPED_TRACE(testing::Message() << info(operation.opcode).name << std::hex << " " << a << " "
                                      << b << " condition " << condition);
      EXPECT_EQ(bench.gpr(6), added.sum);
      EXPECT_EQ(bench.registers().carries(),
                operation.writes_carries ? carries_of_nibbles(added.carries) : before);
      EXPECT_EQ(bench.nullified(), holds(flags, condition));
    }
  }
}

// An overflow, also of the shift, traps with TSV and leaves everything as it was.
TEST(Instructions, ShiftAndAddCountsTheBitsShiftedOut) {
  using enum Opcode;
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(2);
  for (const Opcode opcode :
       {shladd, shladd_dw, shladd_l, shladd_l_dw, shladd_tsv, shladd_tsv_dw}) {
    const bool is_doubleword =
        opcode == shladd_dw || opcode == shladd_l_dw || opcode == shladd_tsv_dw;
    const bool traps = opcode == shladd_tsv || opcode == shladd_tsv_dw;
    const unsigned bits = is_doubleword ? 64 : 32;
    for (unsigned turn = 0; turn < 1600; ++turn) {
      const std::uint64_t a = numbers.number() >> (turn % 3 == 0 ? numbers.below(8) : 0);
      const std::uint64_t b = numbers.number();
      const unsigned condition = turn % 16, amount = 1 + turn / 16 % 3;
      bench.gpr(4) = a;
      bench.gpr(5) = b;
      bench.gpr(6) = 77;
      bench.run(three_registers(opcode, 4, 5, 6, condition << 12 | amount << 6));
      const Wide factor = Wide{1} << amount, modulus = Wide{1} << bits;
      const Wide shifted = signed_value(a, bits) * factor;
      const Wide kept = signed_value(shifted, bits);
      const Wide exact = kept + signed_value(b, bits), result = signed_value(exact, bits);
      const Wide unsigned_shifted = unsigned_value(a, bits) * factor;
      const bool carry = unsigned_shifted >= modulus ||
                         unsigned_value(kept, bits) + unsigned_value(b, bits) >= modulus;
      const bool overflow = shifted != kept || exact != result;
      const Flags flags{result == 0, result < 0, overflow, carry, (result & 1) != 0};
      SCOPED_TRACE(testing::Message() << info(opcode).name << std::hex << " " << a << " " << b
                                      << " by " << amount << " condition " << condition);
      ASSERT_EQ(bench.trap().has_value(), traps && overflow);
      if (bench.trap()) {
        EXPECT_EQ(bench.trap()->kind, TrapKind::integer_overflow);
        EXPECT_EQ(bench.gpr(6), 77u);
        continue;
      }
      EXPECT_EQ(bench.gpr(6), (a << amount) + b);
      EXPECT_EQ(bench.nullified(), holds(flags, condition));
    }
  }
}

TEST(Instructions, ComparisonsOfDoublewords) {
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(3);
  for (unsigned turn = 0; turn < 3200; ++turn) {
    const std::uint64_t a = numbers.number(), b = turn % 5 == 0 ? a : numbers.number();
    const unsigned condition = turn % 16;
    const Wide difference = signed_value(a, 64) - signed_value(b, 64);
    const Wide wrapped = signed_value(difference, 64);
    const Flags flags{a == b, wrapped < 0, difference != wrapped, a >= b, (difference & 1) != 0};
    const bool expected = holds(flags, condition);
    SCOPED_TRACE(testing::Message() << std::hex << a << " " << b << " condition " << condition);
    bench.gpr(4) = a;
    bench.gpr(5) = b;
    bench.gpr(6) = 77;
    bench.run(three_registers(Opcode::cmpclr_dw, 4, 5, 6, condition << 12));
    EXPECT_EQ(bench.gpr(6), 0u);
    EXPECT_EQ(bench.nullified(), expected);
    // c at bit 13, f at bit 29, as 1 in the opcode.
    std::uint32_t word = with(with(0, field_r1, 4), field_r2, 5) | (condition & 1) << 29;
    word = as(Opcode::cmpb_dw, with(word, field_c, condition >> 1));
    bench.run(word);
    EXPECT_EQ(bench.taken(), expected);
  }
}

// ---- Units.
bool some_unit(unsigned unit, unsigned bits, const std::function<bool(unsigned low)>& is) {
  for (unsigned low = 0; low < bits; low += unit) {
    if (is(low)) return true;
  }
  return false;
}
bool unit_holds(unsigned condition, unsigned bits, const Added& added) {
  const auto zero = [&](unsigned unit) {
    return some_unit(unit, bits, [&](unsigned low) {
      for (unsigned i = low; i < low + unit; ++i) {
        if ((added.sum >> i & 1) != 0) return false;
      }
      return true;
    });
  };
  const auto carry = [&](unsigned unit) {
    return some_unit(unit, bits,
                     [&](unsigned low) { return (added.carries >> (low + unit - 1) & 1) != 0; });
  };
  const bool is_doubleword = bits == 64;  // SWZ and SWC are conditions of doublewords only
  const std::array<bool, 8> conditions = {
      false,    is_doubleword && zero(32),  zero(8),  zero(16),
      carry(4), is_doubleword && carry(32), carry(8), carry(16)};
  return conditions[condition >> 1] != ((condition & 1) != 0);
}

TEST(Instructions, UnitsOfDoublewords) {
  using enum Opcode;
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(4);
  for (const Opcode opcode : {uxor, uxor_dw, uaddcm, uaddcm_dw}) {
    const unsigned bits = opcode == uxor_dw || opcode == uaddcm_dw ? 64 : 32;
    for (unsigned turn = 0; turn < 1600; ++turn) {
      const std::uint64_t a = numbers.number(), b = numbers.number();
      const std::uint64_t mask = numbers.any() | numbers.any();
      const bool adds = opcode == uaddcm || opcode == uaddcm_dw;
      const std::uint64_t second = adds ? b : a ^ (b & mask);
      const unsigned condition = turn % 16;
      bench.gpr(4) = a;
      bench.gpr(5) = second;
      bench.run(three_registers(opcode, 4, 5, 6, condition << 12));
      const Added added = adds ? add_bits(a, ~second, false) : Added{a ^ second, 0};
      SCOPED_TRACE(testing::Message() << info(opcode).name << std::hex << " " << a << " " << second
                                      << " condition " << condition);
      EXPECT_EQ(bench.gpr(6), added.sum);
      EXPECT_EQ(bench.nullified(), unit_holds(condition, bits, added));
    }
  }
}

// Decimal numbers as the manual's programming notes on DCOR have them: the sum of one with 6 added
// to each digit and another, corrected, and a difference, corrected.
std::uint64_t decimal(std::uint64_t number, unsigned digits) {
  std::uint64_t coded = 0;
  for (unsigned i = 0; i < digits; ++i, number /= 10) coded |= number % 10 << (4 * i);
  return coded;
}

TEST(Instructions, DecimalArithmetic) {
  using enum Opcode;
  Numbers numbers(5);
  for (const bool is_doubleword : {false, true}) {
    InstructionBench bench(is_doubleword ? Level::pa2_0 : Level::pa1_1);
    const unsigned digits = is_doubleword ? 16 : 8;
    const std::uint64_t modulus = is_doubleword ? 10'000'000'000'000'000 : 100'000'000;
    const std::uint64_t sixes = is_doubleword ? 0x6666'6666'6666'6666 : 0x6666'6666;
    for (int turn = 0; turn < 300; ++turn) {
      const std::uint64_t a = numbers.any() % modulus, b = numbers.any() % modulus;
      SCOPED_TRACE(testing::Message() << a << " " << b);
      bench.gpr(4) = decimal(a, digits) + sixes;
      bench.gpr(5) = decimal(b, digits);
      bench.run(three_registers(is_doubleword ? add_dw : add, 4, 5, 6));
      bench.run(three_registers(is_doubleword ? dcor_dw : dcor, 0, 6, 7));
      EXPECT_EQ(bench.gpr(7), decimal((a + b) % modulus, digits));
      // The intermediate form has 6 in each digit again.
      bench.run(three_registers(is_doubleword ? dcor_i_dw : dcor_i, 0, 6, 7));
      const std::uint64_t mask = is_doubleword ? ~std::uint64_t{0} : 0xffff'ffff;
      EXPECT_EQ(bench.gpr(7), (decimal((a + b) % modulus, digits) + sixes) & mask);
      bench.gpr(4) = decimal(a, digits);
      bench.run(three_registers(is_doubleword ? sub_dw : sub, 4, 5, 6));
      bench.run(three_registers(is_doubleword ? dcor_dw : dcor, 0, 6, 7));
      EXPECT_EQ(bench.gpr(7), decimal((a + modulus - b) % modulus, digits));
    }
  }
}

// ---- Bits are counted from the left, as in the manual.
bool bit_at(std::uint64_t v, unsigned position) {
  return (v >> (63 - position) & 1) != 0;
}
std::uint64_t set_bit(std::uint64_t v, unsigned position, bool value) {
  const std::uint64_t mask = std::uint64_t{1} << (63 - position);
  return value ? v | mask : v & ~mask;
}
// Lengths of 1 to 64 in six bits: the upper one and the complement of the others.
std::uint32_t length_field(unsigned length, Field upper) {
  return with((32 - length % 32) & 31, upper, (length - 1) / 32);
}
constexpr Field upper_length{12, 1}, upper_length_sar{8, 1}, upper_position{11, 1},
    position_low{5, 5};

TEST(Instructions, ExtractsAndDepositsOfDoublewords) {
  using enum Opcode;
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(6);
  for (int turn = 0; turn < 3000; ++turn) {
    const unsigned position = numbers.below(64), length = 1 + numbers.below(position + 1);
    const std::uint64_t value = numbers.number(), target = numbers.any();
    const bool flag = numbers.below(2) == 0;  // signed, or merging
    SCOPED_TRACE(testing::Message() << std::hex << value << " position " << std::dec << position
                                    << " length " << length << " " << flag);
    std::uint64_t extracted = 0, deposited = flag ? target : 0;
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned from = position - (63 - i);
      const bool inside = 63 - i < length;
      if (inside || flag)
        extracted = set_bit(extracted, i, bit_at(value, inside ? from : position - length + 1));
      if (inside) deposited = set_bit(deposited, from, bit_at(value, i));
    }
    bench.gpr(4) = value;
    bench.registers().shift_amount = position;
    std::uint32_t word = length_field(length, upper_length) | std::uint32_t{flag} << 10;
    word = with(with(word, upper_position, position / 32), position_low, position % 32);
    bench.run(as(extrd, with(with(word, field_r2, 4), field_r1, 6)));
    EXPECT_EQ(bench.gpr(6), extracted);
    word = length_field(length, upper_length_sar) | std::uint32_t{flag} << 10;
    bench.run(as(extrd_sar, with(with(word, field_r2, 4), field_r1, 6)));
    EXPECT_EQ(bench.gpr(6), extracted);

    bench.gpr(6) = target;
    bench.run(as(depd_sar, with(with(word, field_r1, 4), field_r2, 6)));
    EXPECT_EQ(bench.gpr(6), deposited);
    bench.gpr(6) = target;
    word = length_field(length, upper_length) | std::uint32_t{flag} << 10;
    word =
        with(with(word, upper_position, (63 - position) / 32), position_low, (63 - position) % 32);
    bench.run(as(depd, with(with(word, field_r1, 4), field_r2, 6)));
    EXPECT_EQ(bench.gpr(6), deposited);
  }
}

TEST(Instructions, ShiftOfAPairOfDoublewords) {
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(7);
  for (unsigned amount = 0; amount < 64; ++amount) {
    const std::uint64_t left = numbers.any(), right = numbers.any();
    const auto pair = static_cast<unsigned __int128>(left) << 64 | right;
    const auto expected = static_cast<std::uint64_t>(pair >> amount);
    bench.gpr(4) = left;
    bench.gpr(5) = right;
    bench.registers().shift_amount = amount;
    bench.run(three_registers(Opcode::shrpd_sar, 4, 5, 6));
    EXPECT_EQ(bench.gpr(6), expected) << amount;
    const std::uint32_t word = (63 - amount) / 32 << 11 | (63 - amount) % 32 << 5;
    bench.run(three_registers(Opcode::shrpd, 4, 5, 6, word));
    EXPECT_EQ(bench.gpr(6), expected) << amount;
  }
}

// ---- Halfwords.
struct Halfwords {
  std::array<int, 4> h;  // from the left, not extended
};
Halfwords split(std::uint64_t v) {
  Halfwords halves{};
  for (unsigned i = 0; i < 4; ++i) halves.h[i] = static_cast<int>(v >> (48 - 16 * i) & 0xffff);
  return halves;
}
int as_signed(int h) {
  return h >= 0x8000 ? h - 0x1'0000 : h;
}
int between(int v, int low, int high) {
  return v < low ? low : v > high ? high : v;
}

TEST(Instructions, HalfwordsInParallel) {
  using enum Opcode;
  InstructionBench bench(Level::pa2_0);
  Numbers numbers(8);
  struct Case {
    Opcode opcode;
    unsigned amount;
    int (*of)(int a, int b);
  };
  static constexpr auto ss = [](int v) { return between(v, -32768, 32767); };
  static constexpr auto us = [](int v) { return between(v, 0, 65535); };
  const Case cases[] = {
      {hadd, 0, [](int a, int b) { return a + b; }},
      {hadd_ss, 0, [](int a, int b) { return ss(as_signed(a) + as_signed(b)); }},
      {hadd_us, 0, [](int a, int b) { return us(a + as_signed(b)); }},
      {hsub, 0, [](int a, int b) { return a - b; }},
      {hsub_ss, 0, [](int a, int b) { return ss(as_signed(a) - as_signed(b)); }},
      {hsub_us, 0, [](int a, int b) { return us(a - as_signed(b)); }},
      // The carry and 15 bits of the sum, the last of which is its last two bits' OR.
      {havg, 0, [](int a, int b) { return (a + b) / 4 * 2 + ((a + b) % 4 != 0 ? 1 : 0); }},
      {hshladd, 3,
       [](int a, int b) {
         const int shifted = 8 * as_signed(a);
         if (shifted != ss(shifted)) return a < 0x8000 ? 0x7fff : 0x8000;
         return ss(shifted + as_signed(b));
       }},
      {hshradd, 2,
       [](int a, int b) {
         const int quotient = as_signed(a) >= 0 ? a / 4 : -((3 - as_signed(a)) / 4);
         return ss(quotient + as_signed(b));
       }},
      {mixh_l, 0, nullptr},
      {mixh_r, 0, nullptr},
      {mixw_l, 0, nullptr},
      {mixw_r, 0, nullptr},
  };
  const auto mixed = [](Opcode opcode, const std::array<int, 4>& a, const std::array<int, 4>& b) {
    if (opcode == mixh_l) return std::array{a[0], b[0], a[2], b[2]};
    if (opcode == mixh_r) return std::array{a[1], b[1], a[3], b[3]};
    if (opcode == mixw_l) return std::array{a[0], a[1], b[0], b[1]};
    return std::array{a[2], a[3], b[2], b[3]};
  };
  for (const Case& each : cases) {
    for (int turn = 0; turn < 200; ++turn) {
      const std::uint64_t a = numbers.number(), b = numbers.number();
      bench.gpr(4) = a;
      bench.gpr(5) = b;
      bench.run(three_registers(each.opcode, 4, 5, 6, each.amount << 6));
      const Halfwords x = split(a), y = split(b), result = split(bench.gpr(6));
      std::array<int, 4> expected{};
      for (unsigned i = 0; i < 4; ++i) {
        if (each.of != nullptr) expected[i] = each.of(x.h[i], y.h[i]) & 0xffff;
      }
      if (each.of == nullptr) expected = mixed(each.opcode, x.h, y.h);
      EXPECT_EQ(result.h, expected) << info(each.opcode).name << std::hex << " " << a << " " << b;
    }
  }
}

TEST(Instructions, HalfwordShiftsAndPermutation) {
  InstructionBench bench(Level::pa2_0);
  bench.gpr(4) = bench.gpr(5) = 0x8421'0001'7fff'fffe;
  bench.run(three_registers(Opcode::hshl, 4, 0, 6, 4 << 6));
  EXPECT_EQ(bench.gpr(6), 0x4210'0010'fff0'ffe0u);
  bench.run(three_registers(Opcode::hshr, 0, 4, 6, 4 << 6));
  EXPECT_EQ(bench.gpr(6), 0x0842'0000'07ff'0fffu);
  bench.run(three_registers(Opcode::hshr, 0, 4, 6, 4 << 6 | 1 << 10));
  EXPECT_EQ(bench.gpr(6), 0xf842'0000'07ff'ffffu);
  // permh,3201
  bench.run(three_registers(Opcode::permh, 4, 4, 6, 3 << 13 | 2 << 10 | 0 << 8 | 1 << 6));
  EXPECT_EQ(bench.gpr(6), 0xfffe'7fff'8421'0001u);
}

}  // namespace
}  // namespace hardclock::pa_risc
