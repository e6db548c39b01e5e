// Which floating-point instructions and registers a processor has at a level and with FR = 0 or 1.
// Sources: "MIPS64 Architecture For Programmers", volume II, revision 2.50, each instruction's
// formats and restrictions; Price, "MIPS IV Instruction Set", revision 3.2, appendix B. Where these
// say "unpredictable" with FR = 0, the expectation is what qemu-mips -cpu 24Kf does: SIGILL. The
// words are the GNU assembler's.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "isa/mips/isa.h"

namespace hardclock::mips {
namespace {

constexpr Mode pairs{};
Chip chip_that(bool fuses_multiply_add) {
  Chip chip;
  chip.fuses_multiply_add = fuses_multiply_add;
  return chip;
}

constexpr Mode wide{.operation_bits = 64, .address_bits = 64, .fr = true};

struct Machine {
  explicit Machine(Level level, Mode mode, bool fuses_multiply_add = false)
      : memory(std::make_shared<MemoryBudget>(1 << 20), Endian::big, GuestAddr(1 << 20)),
        isa(level, mode, chip_that(fuses_multiply_add)),
        interpreter(isa.interpreter(memory)) {
    EXPECT_TRUE(memory.map(GuestAddr(0), page_size, {.read = true, .write = true}, "data"));
  }

  Registers& registers() { return interpreter.registers(); }
  std::optional<TrapKind> run(std::uint32_t word) {
    const Interpreter::Op op = isa.predecode(word, 0x1000).op;
    interpreter.run(&op, &op + 1, 0x1000, 0);
    if (!interpreter.gave_up()) return std::nullopt;
    return interpreter.take_end()->kind;
  }

  AddressSpace memory;
  Isa isa;
  Interpreter interpreter;
};

void expect_reserved(Level level, Mode mode, std::uint32_t word) {
  EXPECT_EQ(Machine(level, mode).run(word), TrapKind::illegal_instruction)
      << level_name(level) << std::hex << " 0x" << word;
}
void expect_runs(Level level, Mode mode, std::uint32_t word) {
  EXPECT_EQ(Machine(level, mode).run(word), std::nullopt)
      << level_name(level) << std::hex << " 0x" << word;
}

constexpr std::uint32_t long_words[] = {
    0x4600'2088,  // round.l.s $f2,$f4
    0x4620'2089,  // trunc.l.d $f2,$f4
    0x4600'20a5,  // cvt.l.s $f2,$f4
    0x46a0'20a1,  // cvt.d.l $f2,$f4
};
constexpr std::uint32_t unaligned_words[] = {
    0x4d4b'0085,  // luxc1 $f2,$11($10)
    0x4d4b'100d,  // suxc1 $f2,$11($10)
};

// A reserved instruction takes no address ("MIPS64 Architecture For Programmers", volume III, table
// of exception priorities: reserved instruction above address error).
TEST(FloatingPointModes, OddDoublesAreReservedWhateverTheirAddress) {
  expect_reserved(Level::mips2, pairs, 0xd403'fff8);  // ldc1 $f3,-8($0)
  expect_reserved(Level::mips2, pairs, 0xf403'fff8);  // sdc1 $f3,-8($0)
}

TEST(FloatingPointModes, LongsAreReservedInPairs) {
  for (const std::uint32_t word : long_words) {
    expect_reserved(Level::mips64r2, pairs, word);
    expect_runs(Level::mips64r2, wide, word);
    expect_runs(Level::mips3, wide, word);
    expect_runs(Level::mips32r2, {.fr = true}, word);
    expect_reserved(Level::mips32, {.fr = true}, word);
    expect_reserved(Level::mips2, pairs, word);
  }
  for (const std::uint32_t word : unaligned_words) {
    expect_reserved(Level::mips64r2, pairs, word);
    expect_runs(Level::mips64r2, wide, word);
    expect_reserved(Level::mips4, wide, word);
  }
}

TEST(FloatingPointModes, ADoubleIsInAnEvenRegisterOfPairs) {
  for (const std::uint32_t word : {
           0x4620'20d5u,  // recip.d $f3,$f4
           0x4d4b'00c1u,  // ldxc1 $f3,$11($10)
           0x4ca8'30a1u,  // madd.d $f2,$f5,$f6,$f8
           0x4624'1880u,  // add.d $f2,$f3,$f4
           0x4624'1932u,  // c.eq.d $fcc1,$f3,$f4
           0x4600'20e1u,  // cvt.d.s $f3,$f4
       }) {
    expect_reserved(Level::mips32r2, pairs, word);
    expect_runs(Level::mips32r2, {.fr = true}, word);
  }
  expect_runs(Level::mips32r2, pairs, 0x4c88'30a1);  // madd.d $f2,$f4,$f6,$f8
  expect_runs(Level::mips32r2, pairs, 0x4c67'2878);  // nmsub.s $f1,$f3,$f5,$f7
}

// Price, section A.2: an instruction that takes an exception has no other effect. The first reason
// counts, and what the body would do after it does not happen.
TEST(FloatingPointModes, WhatIsReservedDoesNothingElse) {
  Machine machine(Level::mips32r2, pairs);
  machine.registers().gpr[10] = 0x100;
  machine.registers().gpr[11] = 0;
  machine.registers().fpr[2] = 1;
  machine.registers().fpr[3] = 2;
  const Registers before = machine.registers();
  constexpr std::uint32_t ldc1 = 0xd543'0000;      // ldc1 $f3,0($10)
  constexpr std::uint32_t sdc1 = 0xf543'0000;      // sdc1 $f3,0($10)
  constexpr std::uint32_t sdc1_far = 0xf543'4000;  // sdc1 $f3,0x4000($10), where no memory is
  for (const std::uint32_t word : {ldc1, sdc1, sdc1_far}) {
    EXPECT_EQ(machine.run(word), TrapKind::illegal_instruction) << std::hex << word;
    EXPECT_EQ(machine.registers(), before) << std::hex << word;
    std::array<std::uint8_t, 8> stored{};
    ASSERT_TRUE(machine.memory.read_bytes(GuestAddr(0x100), stored));
    EXPECT_EQ(stored, (std::array<std::uint8_t, 8>{})) << std::hex << word;
  }
  // Memory is there again for what follows.
  EXPECT_EQ(machine.run(0xad4b'0000), std::nullopt);  // sw $11,0($10)
  EXPECT_EQ(machine.run(0xad4b'4000), TrapKind::memory);
}

TEST(FloatingPointModes, WhatCameWithMips4) {
  for (const std::uint32_t word : {
           0x4604'1132u,  // c.eq.s $fcc1,$f2,$f4
           0x4505'0001u,  // bc1t $fcc1,.+8
           0x4600'2091u,  // movf.s $f2,$f4,$fcc0
           0x4604'2092u,  // movz.s $f2,$f4,$4
       }) {
    expect_reserved(Level::mips3, pairs, word);
    expect_runs(Level::mips4, pairs, word);
    expect_runs(Level::mips32, pairs, word);
  }
  for (const std::uint32_t word : {
           0x4d4b'0080u,  // lwxc1 $f2,$11($10)
           0x4c88'30a1u,  // madd.d $f2,$f4,$f6,$f8
           0x4600'2095u,  // recip.s $f2,$f4
       }) {
    expect_reserved(Level::mips3, pairs, word);
    expect_runs(Level::mips4, pairs, word);
    expect_reserved(Level::mips32, pairs, word);
    expect_runs(Level::mips32r2, pairs, word);
    expect_runs(Level::mips64, pairs, word);
  }
}

TEST(FloatingPointModes, MovesBetweenRegisterFiles) {
  const std::uint32_t dmfc1 = 0x4424'1000;  // dmfc1 $4,$f2
  expect_reserved(Level::mips64r2, {.fr = true}, dmfc1);
  expect_runs(Level::mips3, wide, dmfc1);
  expect_reserved(Level::mips32r2, pairs, dmfc1);
  const std::uint32_t mfhc1 = 0x4464'1000;  // mfhc1 $4,$f2
  expect_reserved(Level::mips64, pairs, mfhc1);
  expect_runs(Level::mips32r2, pairs, mfhc1);
  for (const std::uint32_t word : {0x4444'c800u,     // cfc1 $4,$25
                                   0x44c4'e000u}) {  // ctc1 $4,$28
    expect_reserved(Level::mips4, pairs, word);
    expect_runs(Level::mips32, pairs, word);
  }
}

// "MIPS R4000 User's Manual", chapter 6: FS is bit 24; Price, section B.5.3: conditions 1 to 7 are
// bits 25 to 31.
TEST(FloatingPointModes, TheLevelSaysWhichBitsOfFcsrThereAre) {
  const std::pair<Level, std::uint32_t> expected[] = {{Level::mips1, 0x0083'f07c},
                                                      {Level::mips2, 0x0083'f07c},
                                                      {Level::mips3, 0x0183'f07c},
                                                      {Level::mips4, 0xff83'f07c},
                                                      {Level::mips32, 0xff83'f07c}};
  for (const auto& [level, writable] : expected) {
    Machine machine(level, pairs);
    machine.registers().gpr[4] = 0xffff'ffff'ffff'f07c;  // nothing enabled but E, which traps
    EXPECT_EQ(machine.run(0x44c4'f800), TrapKind::floating_point);  // ctc1 $4,$31
    EXPECT_EQ(machine.registers().fcsr, writable) << level_name(level);
  }
}

// A double in 64-bit registers leaves the neighbours alone; in pairs it is the pair.
TEST(FloatingPointModes, WhereADoubleIs) {
  const std::uint32_t add = 0x4624'1080;  // add.d $f2,$f2,$f4
  constexpr std::uint64_t two = 0x4000'0000'0000'0000, three = 0x4008'0000'0000'0000;
  Machine in_registers(Level::mips64, wide);
  in_registers.registers().fpr[2] = 0x3ff0'0000'0000'0000;
  in_registers.registers().fpr[3] = 77;
  in_registers.registers().fpr[4] = two;
  EXPECT_EQ(in_registers.run(add), std::nullopt);
  EXPECT_EQ(in_registers.registers().fpr[2], three);
  EXPECT_EQ(in_registers.registers().fpr[3], 77u);
  Machine in_pairs(Level::mips1, pairs);
  in_pairs.registers().fpr[3] = 0x3ff0'0000;
  in_pairs.registers().fpr[5] = two >> 32;
  EXPECT_EQ(in_pairs.run(add), std::nullopt);
  EXPECT_EQ(in_pairs.registers().fpr[2], 0u);
  EXPECT_EQ(in_pairs.registers().fpr[3], three >> 32);
}

// (1 + 2^-52)^2 - (1 + 2^-51) is 2^-104; with the product rounded it is 0 (Price, B.6.5: the R8000
// fuses, others do not).
TEST(FloatingPointModes, MultiplyAndAddFusesWhereTheProcessorDoes) {
  for (const bool fuses : {false, true}) {
    Machine machine(Level::mips4, wide, fuses);
    for (const unsigned n : {6, 8}) machine.registers().fpr[n] = 0x3ff0'0000'0000'0001;
    machine.registers().fpr[4] = 0xbff0'0000'0000'0002;
    EXPECT_EQ(machine.run(0x4c88'30a1), std::nullopt);  // madd.d $f2,$f4,$f6,$f8
    EXPECT_EQ(machine.registers().fpr[2], fuses ? 0x3970'0000'0000'0000u : 0u);
    constexpr std::uint32_t inexact = 1;
    EXPECT_EQ(machine.registers().fcsr, fuses ? 0u : inexact << 12 | inexact << 2);
  }
}

}  // namespace
}  // namespace hardclock::mips
