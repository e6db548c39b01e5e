// What integer instructions do besides arithmetic: NaT bits, predicates, faults; and the operands
// that are easily mistaken. Numbers here are worked out by hand from SDM 3, chapter 2.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/registers.h"
#include "sim/recording/trap.h"
#include "tests/unit/ia64/integer_machine.h"

namespace hardclock::ia64 {
namespace {

using Byte = std::uint8_t;

constexpr std::uint64_t initial = 0x1234'5678'9abc'def0;

// r32 to r39; all registers are `initial`, all predicates but p0 are 0.
Registers start() {
  Registers registers;
  registers.stack.start(0x1000, {.sof = 8, .sol = 8});
  for (unsigned r = 1; r < 40; ++r) registers.stack.write(r, initial, false);
  return registers;
}
void set_predicates(Registers& registers, std::uint64_t ones) {
  registers.predicates |= ones;
}
constexpr std::uint64_t p(unsigned n) {
  return std::uint64_t{1} << n;
}

// ---- Instructions.
Word add(Byte r1, Byte r2, Byte r3, Byte qp = 0) {
  return encode({Opcode::add, {.a1 = {.qp = qp, .r1 = r1, .r2 = r2, .r3 = r3, .unit = 0}}});
}
Word cmp(Opcode opcode, Byte p1, Byte p2, Byte r2, Byte r3, Byte qp = 0) {
  return encode({opcode, {.a6 = {.qp = qp, .p1 = p1, .p2 = p2, .r2 = r2, .r3 = r3, .unit = 0}}});
}
Word tbit(Opcode opcode, Byte p1, Byte p2, Byte r3, Byte pos, Byte qp = 0) {
  return encode({opcode, {.i16 = {.qp = qp, .p1 = p1, .p2 = p2, .r3 = r3, .pos6b = pos}}});
}

Registers run(Word word, const Registers& before, Level level = Level::itanium2) {
  const auto outcome = IntegerMachine(level).interpret(word, before);
  EXPECT_FALSE(outcome.trap.has_value());
  return outcome.registers;
}
// An Illegal Operation fault, after which everything is as before.
void expect_illegal(Word word, const Registers& before) {
  const auto outcome = IntegerMachine(Level::itanium2).interpret(word, before);
  ASSERT_TRUE(outcome.trap.has_value());
  EXPECT_EQ(outcome.trap->kind, TrapKind::illegal_instruction);
  EXPECT_EQ(outcome.trap->code, static_cast<std::uint32_t>(IllegalUse::operation));
  EXPECT_TRUE(outcome.registers == before);
}
void expect_nothing(Word word, const Registers& before) {
  EXPECT_TRUE(run(word, before) == before);
}

// ---- Compares.
enum class Source { holds, fails, nat };

struct Row {
  Opcode cmp, tbit;
  bool qp;
  Source source;
  const char* p1_p2;  // "--": as they were
};
// SDM 3, cmp: the comparison types.
constexpr Row comparison_types[] = {
    {Opcode::cmp_eq, Opcode::tbit_z, false, Source::holds, "--"},
    {Opcode::cmp_eq, Opcode::tbit_z, false, Source::fails, "--"},
    {Opcode::cmp_eq, Opcode::tbit_z, false, Source::nat, "--"},
    {Opcode::cmp_eq, Opcode::tbit_z, true, Source::holds, "10"},
    {Opcode::cmp_eq, Opcode::tbit_z, true, Source::fails, "01"},
    {Opcode::cmp_eq, Opcode::tbit_z, true, Source::nat, "00"},
    {Opcode::cmp_eq_unc, Opcode::tbit_z_unc, false, Source::holds, "00"},
    {Opcode::cmp_eq_unc, Opcode::tbit_z_unc, false, Source::fails, "00"},
    {Opcode::cmp_eq_unc, Opcode::tbit_z_unc, false, Source::nat, "00"},
    {Opcode::cmp_eq_unc, Opcode::tbit_z_unc, true, Source::holds, "10"},
    {Opcode::cmp_eq_unc, Opcode::tbit_z_unc, true, Source::fails, "01"},
    {Opcode::cmp_eq_unc, Opcode::tbit_z_unc, true, Source::nat, "00"},
    {Opcode::cmp_eq_and, Opcode::tbit_z_and, false, Source::fails, "--"},
    {Opcode::cmp_eq_and, Opcode::tbit_z_and, false, Source::nat, "--"},
    {Opcode::cmp_eq_and, Opcode::tbit_z_and, true, Source::holds, "--"},
    {Opcode::cmp_eq_and, Opcode::tbit_z_and, true, Source::fails, "00"},
    {Opcode::cmp_eq_and, Opcode::tbit_z_and, true, Source::nat, "00"},
    {Opcode::cmp_eq_or, Opcode::tbit_z_or, false, Source::holds, "--"},
    {Opcode::cmp_eq_or, Opcode::tbit_z_or, true, Source::holds, "11"},
    {Opcode::cmp_eq_or, Opcode::tbit_z_or, true, Source::fails, "--"},
    {Opcode::cmp_eq_or, Opcode::tbit_z_or, true, Source::nat, "--"},
    {Opcode::cmp_eq_or_andcm, Opcode::tbit_z_or_andcm, false, Source::holds, "--"},
    {Opcode::cmp_eq_or_andcm, Opcode::tbit_z_or_andcm, true, Source::holds, "10"},
    {Opcode::cmp_eq_or_andcm, Opcode::tbit_z_or_andcm, true, Source::fails, "--"},
    {Opcode::cmp_eq_or_andcm, Opcode::tbit_z_or_andcm, true, Source::nat, "--"},
};

// p6 and p7 afterwards, if they are the bits of `old` before; p5 qualifies.
std::string p6_p7(const Row& row, Word word, unsigned old) {
  Registers before = start();
  // r33 is 0 or 1; r32 is 0, with a NaT bit if it is the source that shall have one.
  before.stack.write(32, 0, row.source == Source::nat);
  before.stack.write(33, row.source == Source::fails ? 1 : 0, row.source == Source::nat);
  set_predicates(before, (row.qp ? p(5) : 0) | (old & 2) << 5 | (old & 1) << 7 | p(63));
  const Registers after = run(word, before);
  EXPECT_EQ(after.predicates & ~(p(6) | p(7)), before.predicates & ~(p(6) | p(7)));
  const auto digit = [&](unsigned n) { return (after.predicates & p(n)) != 0 ? '1' : '0'; };
  return {digit(6), digit(7)};
}

TEST(Ia64IntegerSemantics, ComparisonTypes) {
  for (const Row& row : comparison_types) {
    for (unsigned old = 0; old < 4; ++old) {
      const std::string unchanged = {old & 2 ? '1' : '0', old & 1 ? '1' : '0'};
      const std::string expected = row.p1_p2 == std::string("--") ? unchanged : row.p1_p2;
      SCOPED_TRACE(testing::Message() << info(row.cmp).name << " qp " << row.qp << " source "
                                      << static_cast<int>(row.source) << " old " << unchanged);
      EXPECT_EQ(p6_p7(row, cmp(row.cmp, 6, 7, 32, 33, 5), old), expected);
      EXPECT_EQ(p6_p7(row, tbit(row.tbit, 6, 7, 33, 0, 5), old), expected);
    }
  }
}

TEST(Ia64IntegerSemantics, OnePredicateTwiceIsIllegal) {
  Registers on = start();
  set_predicates(on, p(5));
  for (const Row& row : comparison_types) {
    const Word compares[] = {cmp(row.cmp, 6, 6, 32, 33, 5), tbit(row.tbit, 6, 6, 33, 0, 5)};
    for (const Word word : compares) {
      expect_illegal(word, on);
      if (row.cmp == Opcode::cmp_eq_unc)
        expect_illegal(word, start());
      else
        expect_nothing(word, start());
    }
  }
  expect_illegal(cmp(Opcode::cmp_eq, 0, 0, 32, 33), on);
}

TEST(Ia64IntegerSemantics, P0StaysOne) {
  EXPECT_EQ(run(cmp(Opcode::cmp_ne_and, 0, 6, 32, 32), start()).predicates, p(0));
  EXPECT_EQ(run(cmp(Opcode::cmp_eq, 6, 0, 32, 33), start()).predicates, p(0) | p(6));
  EXPECT_EQ(run(cmp(Opcode::cmp_lt, 0, 6, 32, 33), start()).predicates, p(0) | p(6));
  EXPECT_EQ(run(cmp(Opcode::cmp_lt, 6, 0, 32, 33), start()).predicates, p(0));
}

TEST(Ia64IntegerSemantics, CompareMayWriteItsOwnPredicate) {
  Registers before = start();
  set_predicates(before, p(6));
  EXPECT_EQ(run(cmp(Opcode::cmp_eq, 7, 6, 32, 33, 6), before).predicates, p(0) | p(7));
  EXPECT_EQ(run(cmp(Opcode::cmp_eq_unc, 7, 6, 32, 33, 6), before).predicates, p(0) | p(7));
}

// The low words alone are equal, and -1 is the greatest of unsigned numbers.
TEST(Ia64IntegerSemantics, CompareOfWordsAndImmediates) {
  Registers before = start();
  before.stack.write(32, 0x1'8000'0000, false);
  before.stack.write(33, 0xffff'ffff'8000'0000, false);
  before.stack.write(34, 1, false);
  const auto is = [&](Opcode opcode, Byte r2, Byte r3) {
    return run(cmp(opcode, 6, 7, r2, r3), before).predicates == (p(0) | p(6));
  };
  EXPECT_FALSE(is(Opcode::cmp_eq, 32, 33));
  EXPECT_TRUE(is(Opcode::cmp4_eq, 32, 33));
  EXPECT_TRUE(is(Opcode::cmp4_lt, 32, 34));
  EXPECT_FALSE(is(Opcode::cmp_lt, 32, 34));
  EXPECT_TRUE(is(Opcode::cmp4_ltu, 34, 32));
  const auto immediate_is = [&](Opcode opcode, std::int8_t imm8, Byte r3) {
    const A8 fields = {.imm8 = imm8, .qp = 0, .p1 = 6, .p2 = 7, .r3 = r3, .unit = 0};
    return run(encode({opcode, {.a8 = fields}}), before).predicates == (p(0) | p(6));
  };
  EXPECT_TRUE(immediate_is(Opcode::cmp_lt_imm8, -1, 34));
  EXPECT_FALSE(immediate_is(Opcode::cmp_ltu_imm8, -1, 34));
  EXPECT_TRUE(immediate_is(Opcode::cmp4_lt_imm8, -128, 34));
  EXPECT_FALSE(immediate_is(Opcode::cmp4_ltu_imm8, -128, 32));
}

TEST(Ia64IntegerSemantics, TnatAsksForTheBit) {
  Registers before = start();
  before.stack.write(32, initial, true);
  const auto after = [&](Opcode opcode, Byte r3) {
    return run(encode({opcode, {.i17 = {.qp = 0, .p1 = 6, .p2 = 7, .r3 = r3}}}), before).predicates;
  };
  EXPECT_EQ(after(Opcode::tnat_z, 32), p(0) | p(7));
  EXPECT_EQ(after(Opcode::tnat_z, 33), p(0) | p(6));
  EXPECT_EQ(after(Opcode::tnat_z, 0), p(0) | p(6));
  EXPECT_EQ(after(Opcode::tnat_nz_or, 32), p(0) | p(6) | p(7));
}

TEST(Ia64IntegerSemantics, FeaturesAreTheItanium9500s) {
  const auto has = [](Byte imm5b, Level level) {
    const Word word = encode({Opcode::tf_z, {.i30 = {.qp = 0, .p1 = 6, .p2 = 7, .imm5b = imm5b}}});
    return run(word, start(), level).predicates == (p(0) | p(7));
  };
  EXPECT_TRUE(has(0, Level::itanium_9500));
  EXPECT_TRUE(has(1, Level::itanium_9500));
  EXPECT_FALSE(has(2, Level::itanium_9500));
  EXPECT_FALSE(has(31, Level::itanium_9500));
  for (const Level level : {Level::itanium, Level::itanium2, Level::itanium2_9000}) {
    for (Byte imm5b = 0; imm5b < 32; ++imm5b) EXPECT_FALSE(has(imm5b, level));
  }
}

// ---- Results.
TEST(Ia64IntegerSemantics, ResultIsNaTIfASourceIs) {
  for (unsigned nats = 0; nats < 4; ++nats) {
    Registers before = start();
    before.stack.write(33, 1, (nats & 1) != 0);
    before.stack.write(34, 2, (nats & 2) != 0);
    before.stack.write(35, initial, true);  // not a source: its NaT bit is replaced
    const Registers after = run(add(35, 33, 34), before);
    EXPECT_EQ(after.stack.value(35), 3u);
    EXPECT_EQ(after.stack.nat(35), nats != 0);
  }
}

// Even one that no bit of the source can change.
TEST(Ia64IntegerSemantics, NaTIsNotMasked) {
  Registers before = start();
  before.stack.write(33, initial, true);
  const A3 and_0 = {.imm8 = 0, .qp = 0, .r1 = 34, .r3 = 33, .unit = 0};
  EXPECT_TRUE(run(encode({Opcode::and_imm8, {.a3 = and_0}}), before).stack.nat(34));
  const I13 constant = {.imm8 = -1, .qp = 0, .r1 = 33, .cpos6c = 63 - 4, .len6d = 7};
  const Registers after = run(encode({Opcode::dep_z_imm8, {.i13 = constant}}), before);
  EXPECT_EQ(after.stack.value(33), 0xff0u);
  EXPECT_FALSE(after.stack.nat(33));
}

TEST(Ia64IntegerSemantics, TargetMayBeASource) {
  Registers before = start();
  before.stack.write(32, 21, true);
  const Registers after = run(add(32, 32, 32), before);
  EXPECT_EQ(after.stack.value(32), 42u);
  EXPECT_TRUE(after.stack.nat(32));
  before.stack.write(33, 3, false);
  EXPECT_EQ(run(add(33, 33, 32), before).stack.value(33), 24u);
  EXPECT_TRUE(run(add(33, 33, 32), before).stack.nat(33));
}

TEST(Ia64IntegerSemantics, TargetMustBeWritable) {
  expect_illegal(add(0, 32, 33), start());
  expect_illegal(add(40, 32, 33), start());
  expect_illegal(add(127, 32, 33), start());
  expect_nothing(add(0, 32, 33, 6), start());
  expect_nothing(add(40, 32, 33, 6), start());
  EXPECT_EQ(run(add(39, 0, 33), start()).stack.value(39), initial);
  EXPECT_EQ(run(add(31, 0, 33), start()).stack.value(31), initial);
  Registers no_frame;
  no_frame.stack.start(0x1000, {});
  expect_illegal(add(32, 1, 2), no_frame);
}

TEST(Ia64IntegerSemantics, ReservedEncodingsAreIllegal) {
  const auto shift = [](Opcode opcode, Byte qp, Byte ct2d) {
    return encode(
        {opcode, {.a10 = {.qp = qp, .r1 = 32, .r2 = 33, .r3 = 34, .ct2d = ct2d, .unit = 0}}});
  };
  for (const Opcode opcode : {Opcode::pshladd2, Opcode::pshradd2}) {
    expect_illegal(shift(opcode, 0, 3), start());
    expect_nothing(shift(opcode, 6, 3), start());
    run(shift(opcode, 0, 2), start());
  }
  const auto mux1 = [](Byte qp, Byte mbt4c) {
    return encode({Opcode::mux1, {.i3 = {.qp = qp, .r1 = 32, .r2 = 33, .mbt4c = mbt4c}}});
  };
  for (Byte mbt4c = 0; mbt4c < 16; ++mbt4c) {
    if (mbt4c == 0 || (mbt4c >= 8 && mbt4c <= 11)) {
      run(mux1(0, mbt4c), start());
    } else {
      expect_illegal(mux1(0, mbt4c), start());
      expect_nothing(mux1(6, mbt4c), start());
    }
  }
}

// ---- Operands.
TEST(Ia64IntegerSemantics, AddressesOf32BitsTakeTheRegionOfR3) {
  Registers before = start();
  before.stack.write(33, 0xffff'ffff'ffff'fff8, false);
  before.stack.write(34, 0xdead'beef'8000'0004, false);
  const A1 fields = {.qp = 0, .r1 = 35, .r2 = 33, .r3 = 34, .unit = 0};
  // The sum borrows from bit 31; the region is that of r3 before.
  EXPECT_EQ(run(encode({Opcode::addp4, {.a1 = fields}}), before).stack.value(35),
            0x4000'0000'7fff'fffc);
  const A4 immediate = {.imm14 = -8, .qp = 0, .r1 = 35, .r3 = 34, .unit = 0};
  EXPECT_EQ(run(encode({Opcode::addp4_imm14, {.a4 = immediate}}), before).stack.value(35),
            0x4000'0000'7fff'fffc);
}

TEST(Ia64IntegerSemantics, ShiftCountsAreWholeRegisters) {
  const auto shifted = [](Opcode opcode, std::uint64_t count) {
    Registers before = start();
    before.stack.write(33, 0x8000'0000'0000'0001, false);
    before.stack.write(34, count, false);
    if (opcode == Opcode::shl) {
      const I7 left = {.qp = 0, .r1 = 35, .r2 = 33, .r3 = 34};
      return run(encode({opcode, {.i7 = left}}), before).stack.value(35);
    }
    const I5 right = {.qp = 0, .r1 = 35, .r2 = 34, .r3 = 33};
    return run(encode({opcode, {.i5 = right}}), before).stack.value(35);
  };
  EXPECT_EQ(shifted(Opcode::shl, 63), 0x8000'0000'0000'0000);
  EXPECT_EQ(shifted(Opcode::shr_u, 63), 1u);
  EXPECT_EQ(shifted(Opcode::shr, 63), ~std::uint64_t{0});
  for (const std::uint64_t count : {std::uint64_t{64}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    EXPECT_EQ(shifted(Opcode::shl, count), 0u);
    EXPECT_EQ(shifted(Opcode::shr_u, count), 0u);
    EXPECT_EQ(shifted(Opcode::shr, count), ~std::uint64_t{0});
  }
}

// A field beyond bit 63 ends there.
TEST(Ia64IntegerSemantics, FieldsEndAtBit63) {
  Registers before = start();
  before.stack.write(33, 0xf000'0000'0000'0000, false);
  const I11 extract = {.qp = 0, .r1 = 34, .r3 = 33, .pos6b = 56, .len6d = 15};
  EXPECT_EQ(run(encode({Opcode::extr_u, {.i11 = extract}}), before).stack.value(34), 0xf0u);
  EXPECT_EQ(run(encode({Opcode::extr, {.i11 = extract}}), before).stack.value(34),
            0xffff'ffff'ffff'fff0);
  const I15 deposit = {.qp = 0, .r1 = 34, .r2 = 32, .r3 = 33, .cpos6d = 3, .len4d = 15};
  before.stack.write(32, 0xabcd, false);
  EXPECT_EQ(run(encode({Opcode::dep, {.i15 = deposit}}), before).stack.value(34),
            0xd000'0000'0000'0000);
}

// ---- The manual's examples, and what it says that pages have in common.
TEST(Ia64IntegerSemantics, ExamplesOfFields) {
  Registers before = start();
  before.stack.write(33, ~std::uint64_t{0}, false);
  const auto result = [&](Opcode opcode, auto fields) {
    return run(encode({opcode, fields}), before).stack.value(34);
  };
  // dep r34=r32,r33,36,16; dep.z r34=r32,36,16; extr.u and extr r34=r33,7,50
  const I15 dep = {.qp = 0, .r1 = 34, .r2 = 32, .r3 = 33, .cpos6d = 63 - 36, .len4d = 15};
  EXPECT_EQ(result(Opcode::dep, Operands{.i15 = dep}), 0xfffd'ef0f'ffff'ffff);
  const I12 dep_z = {.qp = 0, .r1 = 34, .r2 = 32, .cpos6c = 63 - 36, .len6d = 15};
  EXPECT_EQ(result(Opcode::dep_z, Operands{.i12 = dep_z}), 0x000d'ef00'0000'0000u);
  const I11 extr = {.qp = 0, .r1 = 34, .r3 = 33, .pos6b = 7, .len6d = 49};
  EXPECT_EQ(result(Opcode::extr_u, Operands{.i11 = extr}), 0x0003'ffff'ffff'ffffu);
  before.stack.write(33, std::uint64_t{1} << 56, false);
  EXPECT_EQ(result(Opcode::extr, Operands{.i11 = extr}), 0xfffe'0000'0000'0000);
  before.stack.write(33, std::uint64_t{1} << 57, false);
  EXPECT_EQ(result(Opcode::extr, Operands{.i11 = extr}), 0u);
}

// A rotation if both registers are one.
TEST(Ia64IntegerSemantics, ShiftRightPair) {
  const auto pair = [](std::uint64_t r2, std::uint64_t r3, Byte count) {
    Registers before = start();
    before.stack.write(32, r2, false);
    before.stack.write(33, r3, false);
    const I10 fields = {.qp = 0, .r1 = 34, .r2 = 32, .r3 = 33, .count6d = count};
    return run(encode({Opcode::shrp, {.i10 = fields}}), before).stack.value(34);
  };
  EXPECT_EQ(pair(0x0123'4567'89ab'cdef, 0xfedc'ba98'7654'3210, 16), 0xcdef'fedc'ba98'7654);
  EXPECT_EQ(pair(0x0123'4567'89ab'cdef, 0x0123'4567'89ab'cdef, 4), 0xf012'3456'789a'bcde);
  EXPECT_EQ(pair(1, 2, 0), 2u);
  EXPECT_EQ(pair(1, ~std::uint64_t{0}, 63), 3u);
}

TEST(Ia64IntegerSemantics, Extension) {
  const auto extended = [](Opcode opcode, std::uint64_t value) {
    Registers before = start();
    before.stack.write(32, value, false);
    const I29 fields = {.qp = 0, .r1 = 34, .r3 = 32};
    return run(encode({opcode, {.i29 = fields}}), before).stack.value(34);
  };
  EXPECT_EQ(extended(Opcode::sxt1, 0x1280), 0xffff'ffff'ffff'ff80);
  EXPECT_EQ(extended(Opcode::sxt2, 0x12'7fff), 0x7fffu);
  EXPECT_EQ(extended(Opcode::sxt4, 0x1'8000'0000), 0xffff'ffff'8000'0000);
  EXPECT_EQ(extended(Opcode::zxt1, ~std::uint64_t{0}), 0xffu);
  EXPECT_EQ(extended(Opcode::zxt2, ~std::uint64_t{0}), 0xffffu);
  EXPECT_EQ(extended(Opcode::zxt4, ~std::uint64_t{0}), 0xffff'ffffu);
}

// What mpyshl4 is for: products of doublewords, which the host has.
TEST(Ia64IntegerSemantics, ProductOfDoublewords) {
  const auto product = [](Opcode opcode, std::uint64_t r2, std::uint64_t r3) {
    Registers before = start();
    before.stack.write(32, r2, false);
    before.stack.write(33, r3, false);
    const I2 fields = {.qp = 0, .r1 = 34, .r2 = 32, .r3 = 33};
    return run(encode({opcode, {.i2 = fields}}), before, Level::itanium_9500).stack.value(34);
  };
  std::mt19937_64 random(1);
  for (unsigned n = 0; n < 1000; ++n) {
    const std::uint64_t a = random(), b = random();
    ASSERT_EQ(product(Opcode::mpy4, a, b) + product(Opcode::mpyshl4, a, b) +
                  product(Opcode::mpyshl4, b, a),
              a * b);
  }
}

TEST(Ia64IntegerSemantics, TestBit) {
  Registers before = start();
  before.stack.write(32, std::uint64_t{1} << 63, false);
  EXPECT_EQ(run(tbit(Opcode::tbit_z, 6, 7, 32, 63), before).predicates, p(0) | p(7));
  EXPECT_EQ(run(tbit(Opcode::tbit_z, 6, 7, 32, 0), before).predicates, p(0) | p(6));
}

}  // namespace
}  // namespace hardclock::ia64
