// What instructions do to memory, control and the system where QEMU 7.2 cannot judge: PA-RISC 2.0,
// faults, what user programs may not do. Expectations: "PA-RISC 1.1 Architecture and Instruction
// Set Reference Manual", 3rd edition (1994), chapters 4 and 5; Kane, "PA-RISC 2.0 Architecture"
// (1996), chapter 7 and appendices D and E.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "isa/pa_risc/interruptions.h"
#include "tests/unit/pa_risc/instruction_bench.h"

namespace hardclock::pa_risc {
namespace {

constexpr std::uint64_t data = InstructionBench::data, pc = InstructionBench::pc;
constexpr std::uint64_t pattern = 0x0123'4567'89ab'cdef;

std::uint64_t doubleword_at(InstructionBench& bench, std::uint64_t address) {
  return bench.memory().read<std::uint64_t>(GuestAddr(address)).value();
}
void put(InstructionBench& bench, std::uint64_t address, std::uint64_t value) {
  ASSERT_TRUE(bench.memory().write(GuestAddr(address), value));
}
std::uint32_t base_and(Opcode opcode, unsigned b, unsigned r1, std::uint32_t word) {
  return as(opcode, with(with(word, field_r2, b), field_r1, r1));
}

// ---- The compare array: "fcmp,dbl,= fr4,fr5,N" and "ftest N" as GNU as 2.40 encodes them.
TEST(Effects, TestFindsWhatTheComparisonOfThatBitSet) {
  constexpr std::uint32_t compare[] = {0x3085'2c04, 0x3085'4c04, 0x3085'ec04};  // 0, 1, 6
  constexpr std::uint32_t test[] = {0x3000'0420, 0x3000'6420, 0x3000'c420};
  for (std::size_t set = 0; set < std::size(compare); ++set) {
    InstructionBench bench(Level::pa2_0);
    bench.run(compare[set]);
    for (std::size_t bit = 0; bit < std::size(test); ++bit) {
      bench.run(test[bit]);
      EXPECT_EQ(bench.nullified(), bit == set) << set << " " << bit;
    }
  }
}

// ---- Memory.
// ldd d(b),t and std with short displacements: am is a and m, at bits 13 and 5; the sign of the
// displacement is the least significant of its bits.
TEST(Effects, BaseModificationOfDoublewords) {
  constexpr std::uint32_t minus_8 = 8 << 1 | 1, before = 1 << 13, modify = 1 << 5;
  const struct {
    std::uint32_t completer;
    std::uint64_t address, base;
  } cases[] = {{0, data + 56, data + 64},
               {before, data + 56, data + 64},
               {modify, data + 64, data + 56},
               {before | modify, data + 56, data + 56}};
  for (const auto& [completer, address, base] : cases) {
    InstructionBench bench(Level::pa2_0);
    put(bench, address, pattern);
    bench.gpr(4) = data + 64;
    bench.run(base_and(Opcode::ldds, 4, minus_8, completer | 6));
    EXPECT_EQ(bench.gpr(6), pattern) << completer;
    EXPECT_EQ(bench.gpr(4), base) << completer;
    bench.gpr(4) = data + 64;
    bench.gpr(6) = ~pattern;
    bench.run(base_and(Opcode::stds, 4, 6, completer | minus_8));
    EXPECT_EQ(doubleword_at(bench, address), ~pattern) << completer;
    EXPECT_EQ(bench.gpr(4), base) << completer;
  }
}

TEST(Effects, ScaledIndexOfDoublewords) {
  constexpr std::uint32_t scale = 1 << 13, modify = 1 << 5;
  InstructionBench bench(Level::pa2_0);
  put(bench, data, 1);
  put(bench, data + 8, 2);
  put(bench, data + 64, 3);
  bench.gpr(5) = 8;
  const auto load = [&](std::uint32_t completer) {
    bench.gpr(4) = data;
    bench.run(base_and(Opcode::lddx, 4, 5, completer | 6));
    return bench.gpr(6);
  };
  EXPECT_EQ(load(0), 2u);
  EXPECT_EQ(load(scale), 3u);
  EXPECT_EQ(bench.gpr(4), data);
  EXPECT_EQ(load(modify), 1u);
  EXPECT_EQ(bench.gpr(4), data + 8);
  EXPECT_EQ(load(scale | modify), 1u);
  EXPECT_EQ(bench.gpr(4), data + 64);
}

// The target gets what was loaded when it is the base, too.
TEST(Effects, TheTargetWinsOverTheModifiedBase) {
  InstructionBench bench(Level::pa1_1);
  put(bench, data, pattern);
  bench.gpr(4) = data;
  bench.run(base_and(Opcode::ldws, 4, 4 << 1, 1 << 5 | 4));
  EXPECT_EQ(bench.gpr(4), pattern >> 32);
}

TEST(Effects, AFaultLeavesTheBase) {
  constexpr std::uint32_t modify = 1 << 5;
  for (const std::uint64_t address : {std::uint64_t{0x100}, data + 2}) {
    InstructionBench bench(Level::pa1_1);
    const bool is_mapped = address > data;
    for (const std::uint32_t word : {base_and(Opcode::ldws, 4, 4 << 1, modify | 6),
                                     base_and(Opcode::stws, 4, 6, modify | 4 << 1),
                                     base_and(Opcode::ldcws, 4, 4 << 1, modify | 6)}) {
      bench.gpr(4) = address;
      bench.gpr(6) = 77;
      bench.run(word);
      ASSERT_TRUE(bench.trap().has_value());
      EXPECT_EQ(bench.trap()->kind, TrapKind::memory);
      EXPECT_EQ(bench.trap()->fault.kind,
                is_mapped ? Fault::Kind::misaligned : Fault::Kind::unmapped);
      EXPECT_EQ(bench.gpr(4), address);
      EXPECT_EQ(bench.gpr(6), 77u);
    }
  }
}

// Kane: a load into register 0 is a prefetch, which takes no data fault; before, it is a load.
TEST(Effects, ALoadIntoRegisterZeroIsAPrefetch) {
  for (const Level level : {Level::pa1_1, Level::pa2_0}) {
    InstructionBench bench(level);
    bench.gpr(4) = 0x100;
    bench.run(base_and(Opcode::ldws, 4, 4 << 1, 1 << 5 | 0));
    EXPECT_EQ(bench.trap().has_value(), level == Level::pa1_1);
    EXPECT_EQ(bench.gpr(4), level == Level::pa1_1 ? 0x100u : 0x104u);
  }
}

// Kane, appendix E, assemble_16: in wide mode the two bits above im13 are, inverted by the sign,
// the upper bits of a displacement of 16.
TEST(Effects, LongDisplacementsOfWideMode) {
  InstructionBench wide(Level::pa2_0, {.wide = true}), narrow(Level::pa2_0);
  // ldo: 13 bits from bit 1 on, the sign at bit 0, two bits at 14.
  const std::uint32_t small = 1 << 1, negative = 1;
  for (InstructionBench* const bench : {&wide, &narrow}) {
    bench->gpr(4) = 0x1'0000'0000;
    bench->run(base_and(Opcode::ldo, 4, 6, small));
    EXPECT_EQ(bench->gpr(6), 0x1'0000'0001u);
    bench->run(base_and(Opcode::ldo, 4, 6, small | negative));
    EXPECT_EQ(bench->gpr(6), 0xffff'e001u);
  }
  wide.run(base_and(Opcode::ldo, 4, 6, small | 1 << 14));
  EXPECT_EQ(wide.gpr(6), 0x1'0000'2001u);
  wide.run(base_and(Opcode::ldo, 4, 6, small | 2 << 14));
  EXPECT_EQ(wide.gpr(6), 0x1'0000'4001u);
  wide.run(base_and(Opcode::ldo, 4, 6, small | 3 << 14 | negative));
  EXPECT_EQ(wide.gpr(6), 0xffff'8001u);
  // A load, and the low word of an address in narrow mode.
  put(wide, data + 0x800, pattern);
  put(narrow, data + 0x800, pattern);
  wide.gpr(4) = data + 0x800 - 0x4000;
  wide.run(base_and(Opcode::ldd, 4, 6, 2 << 14));
  EXPECT_EQ(wide.gpr(6), pattern);
  narrow.gpr(4) = 0xabc'0000'0000 + data + 0x800;
  narrow.run(base_and(Opcode::ldd, 4, 6, 0));
  EXPECT_EQ(narrow.gpr(6), pattern);
  wide.gpr(4) = narrow.gpr(4);
  wide.run(base_and(Opcode::ldd, 4, 6, 0));
  EXPECT_TRUE(wide.trap().has_value());
}

// ldw,mb with a positive and ldw,ma with a negative displacement (Kane, opcode 17), which LDWM has
// the other way round.
TEST(Effects, ModificationByTheSignOfTheDisplacement) {
  InstructionBench bench(Level::pa2_0);
  put(bench, data + 64, pattern);
  put(bench, data + 72, ~pattern);
  const auto run = [&](Opcode opcode, std::uint32_t word) {
    bench.gpr(4) = data + 64;
    bench.run(base_and(opcode, 4, 6, word));
  };
  run(Opcode::ldw_mod, 2 << 3);  // 8
  EXPECT_EQ(bench.gpr(6), ~pattern >> 32);
  EXPECT_EQ(bench.gpr(4), data + 72);
  run(Opcode::ldw_mod, 0x7fe << 3 | 1);  // -8
  EXPECT_EQ(bench.gpr(6), pattern >> 32);
  EXPECT_EQ(bench.gpr(4), data + 56);
  run(Opcode::ldwm, 8 << 1);
  EXPECT_EQ(bench.gpr(6), pattern >> 32);
  EXPECT_EQ(bench.gpr(4), data + 72);
}

// STDBY stores the right end from the address on, or the left end before it.
TEST(Effects, StoreBytesOfADoubleword) {
  constexpr std::uint32_t end = 1 << 13, modify = 1 << 5;
  for (unsigned byte = 0; byte < 8; ++byte) {
    for (const bool is_end : {false, true}) {
      InstructionBench bench(Level::pa2_0);
      put(bench, data, 0);
      bench.gpr(4) = data + byte;
      bench.gpr(6) = 0x1122'3344'5566'7788;
      bench.run(base_and(Opcode::stdby, 4, 6, (is_end ? end : 0) | modify));
      std::uint64_t expected = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const std::uint64_t value = 0x11u * (i + 1);
        if (is_end == (i < byte)) expected |= value << (56 - 8 * i);
      }
      EXPECT_EQ(doubleword_at(bench, data), expected) << byte << " " << is_end;
      EXPECT_EQ(bench.gpr(4), data) << "a doubleword's address";
    }
  }
}

TEST(Effects, LoadAndClearDoubleword) {
  InstructionBench bench(Level::pa2_0);
  put(bench, data + 16, pattern);
  bench.gpr(4) = data + 16;
  bench.run(base_and(Opcode::ldcds, 4, 0, 6));
  EXPECT_EQ(bench.gpr(6), pattern);
  EXPECT_EQ(doubleword_at(bench, data + 16), 0u);
}

// ---- Control.
TEST(Effects, LinksAndTargetsAreAddressesOfTheMode) {
  InstructionBench narrow(Level::pa2_0), wide(Level::pa2_0, {.wide = true});
  for (InstructionBench* const bench : {&narrow, &wide}) {
    bench->gpr(4) = 0x7777'0001'0000'0003;
    bench->run(as(Opcode::bve_l, with(0, field_r2, 4)));
    EXPECT_EQ(bench->after_slot(), bench == &wide ? 0x7777'0001'0000'0000u : 0u);
    EXPECT_EQ(bench->gpr(2), pc + 8 + 3);
    EXPECT_FALSE(bench->nullified());
  }
  narrow.run(as(Opcode::bve, with(with(0, field_r2, 4), field_n, 1)));
  EXPECT_TRUE(narrow.nullified());
  // b,l with 22 bits: -4 is all ones.
  narrow.run(as(Opcode::b_l_long, 0x03ff'1ffd & ~2u));
  EXPECT_EQ(narrow.after_slot(), pc + 8 - 4);
}

// Kane, appendix D: ADDB's conditions of wide mode have =, < and <= of doublewords in the places of
// ZNV, SV and OD.
TEST(Effects, AddAndBranchInWideMode) {
  const struct {
    unsigned c;
    std::uint64_t a, b;
    bool narrow, wide;
  } cases[] = {
      {1, 0x1'0000'0000, 0, true, true},           // = of the low word in both
      {5, ~std::uint64_t{0}, 1, true, true},       // ZNV; doublewords: 0
      {5, 0x1'0000'0000, 0, true, false},          // 0 in the low word only
      {6, 0x8000'0000'0000'0000, 5, false, true},  // SV; doublewords: < 0
      {6, 0x7fff'ffff, 1, true, false},            // overflows as words
      {7, 0, 1, true, false},                      // OD; <= 0
      {7, 0xffff'ffff'ffff'fff0, 2, false, true},
      {4, 0xffff'ffff, 1, false, false},  // NUV of words in both
  };
  for (const auto& [c, a, b, in_narrow, in_wide] : cases) {
    InstructionBench narrow(Level::pa2_0), wide(Level::pa2_0, {.wide = true});
    for (InstructionBench* const bench : {&narrow, &wide}) {
      bench->gpr(4) = a;
      bench->gpr(5) = b;
      bench->run(as(Opcode::addb, with(with(with(0, field_r1, 4), field_r2, 5), field_c, c)));
      EXPECT_EQ(bench->taken(), bench == &wide ? in_wide : in_narrow) << c << std::hex << " " << a;
      EXPECT_EQ(bench->gpr(5), a + b);
    }
  }
}

// Kane, CMPIB: the conditions of doublewords have an order of their own.
TEST(Effects, CompareImmediateAndBranchOnDoublewords) {
  const std::array<bool, 8> of_5_and_minus_1 = {true,  false, false, false,
                                                false, true,  true,  true};  // << = < <= >>= ...
  const std::array<bool, 8> of_5_and_5 = {false, true, false, true, true, false, true, false};
  for (unsigned c = 0; c < 8; ++c) {
    InstructionBench bench(Level::pa2_0);
    const std::uint32_t word = with(with(5 << 17, field_r2, 4), field_c, c);
    bench.gpr(4) = ~std::uint64_t{0};
    bench.run(as(Opcode::cmpib_dw, word));
    EXPECT_EQ(bench.taken(), of_5_and_minus_1[c]) << c;
    bench.gpr(4) = 5;
    bench.run(as(Opcode::cmpib_dw, word));
    EXPECT_EQ(bench.taken(), of_5_and_5[c]) << c;
  }
}

TEST(Effects, BranchOnBitOfADoubleword) {
  InstructionBench bench(Level::pa2_0);
  for (const unsigned position : {0u, 5u, 31u, 32u, 63u}) {
    bench.gpr(4) = std::uint64_t{1} << (63 - position);
    bench.registers().shift_amount = position;
    bench.run(as(Opcode::bb_sar_dw, with(0, field_r1, 4)));
    EXPECT_TRUE(bench.taken()) << position;
    bench.run(as(Opcode::bb_sar_dw, with(1 << 15, field_r1, 4)));
    EXPECT_FALSE(bench.taken()) << position;
    // Words: the position counts from the low word's most significant bit, modulo 32.
    bench.run(as(Opcode::bb_sar, with(0, field_r1, 4)));
    EXPECT_EQ(bench.taken(), position >= 32) << position;
    if (position > 31) continue;
    bench.run(as(Opcode::bb_dw, with(with(0, field_r1, 4), field_r2, position)));
    EXPECT_TRUE(bench.taken()) << position;
  }
}

// ---- The system.
TEST(Effects, TrapsSayWhatTheyAre) {
  using enum Opcode;
  const struct {
    std::vector<Opcode> opcodes;
    TrapKind kind;
    std::uint32_t code;
  } cases[] = {
      {{ssm, rsm, mtsm, rfi, rfi_r, lpa, lci, pdtlb, pitlb, idtlba, iitlbt, diag, ldwas, stdas},
       TrapKind::illegal_instruction,
       privileged_operation_trap},
      {{mtctl, mfctl}, TrapKind::illegal_instruction, privileged_register_trap},  // cr0
      {{spop0, spop3, cstds, pmenb}, TrapKind::illegal_instruction, assist_emulation_trap},
  };
  for (const auto& [opcodes, kind, code] : cases) {
    for (const Opcode opcode : opcodes) {
      InstructionBench bench(Level::pa2_0);
      bench.run(as(opcode, opcode == cstds ? 5 << 6 : 0));
      ASSERT_TRUE(bench.trap().has_value()) << info(opcode).name;
      EXPECT_EQ(bench.trap()->kind, kind) << info(opcode).name;
      EXPECT_EQ(bench.trap()->code, code) << info(opcode).name;
    }
  }
  InstructionBench bench(Level::pa1_0);
  bench.run(as(break_, 0x1234 << 13 | 9));
  EXPECT_EQ(bench.trap()->kind, TrapKind::breakpoint);
  EXPECT_EQ(bench.trap()->code, 0x1234u << 5 | 9);
  // mtsp of sr5 to sr7: the number's upper bit at 13.
  bench.run(as(mtsp, 1 << 13 | 1 << 14));
  EXPECT_EQ(bench.trap()->code, privileged_register_trap);
}

TEST(Effects, ControlRegistersThatProgramsMayRead) {
  InstructionBench bench(Level::pa2_0);
  bench.registers().shift_amount = 45;
  bench.registers().temporary = {0, 0, 26, 27, 0, 0, 0, 0};
  const auto read = [&](Opcode opcode, unsigned number) {
    bench.run(as(opcode, with(6, field_r2, number)));
    return bench.gpr(6);
  };
  EXPECT_EQ(read(Opcode::mfctl, 11), 45u & 31);  // Kane: without ,w five bits
  EXPECT_EQ(read(Opcode::mfctl_w, 0), 45u);
  EXPECT_EQ(read(Opcode::mfctl, 26), 26u);
  EXPECT_EQ(read(Opcode::mfctl, 27), 27u);
  EXPECT_EQ(read(Opcode::mfia, 0), pc);
  bench.gpr(4) = 5;
  bench.run(as(Opcode::mtsarcm, with(0, field_r1, 4)));
  EXPECT_EQ(bench.registers().shift_amount, 58u);
}

TEST(Effects, ProbesAnswerForPages) {
  InstructionBench bench(Level::pa1_1);
  ASSERT_TRUE(bench.memory().map(GuestAddr(0x2000'0000), page_size, {.read = true}, "constant"));
  const auto probe = [&](std::uint64_t address, bool writes) {
    bench.gpr(4) = address;
    bench.gpr(6) = 77;
    bench.run(base_and(Opcode::probei, 4, 3, std::uint32_t{writes} << 6 | 6));
    return bench.gpr(6);
  };
  EXPECT_EQ(probe(data, false), 1u);
  EXPECT_EQ(probe(data + 4095, true), 1u);
  EXPECT_EQ(probe(0x2000'0000, false), 1u);
  EXPECT_EQ(probe(0x2000'0000, true), 0u);
  EXPECT_EQ(probe(0x3000'0000, false), 0u);
}

}  // namespace
}  // namespace hardclock::pa_risc
