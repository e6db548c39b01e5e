// Floating-point instructions where QEMU 7.2, with which qemu_floating_point_test.cc compares the
// others, cannot judge. Expectations: "PA-RISC 1.1 Architecture and Instruction Set Reference
// Manual", 3rd edition (1994), chapter 6; Kane, "PA-RISC 2.0 Architecture" (1996), chapter 8.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "isa/pa_risc/interruptions.h"
#include "tests/unit/pa_risc/instruction_bench.h"

namespace hardclock::pa_risc {
namespace {

constexpr std::uint64_t flags_and_conditions = 0xfc3f'f800'0000'0000;
constexpr std::uint64_t delayed_trap = 0x40'0000'0000, enable_invalid = 0x10'0000'0000;
constexpr std::uint64_t one_s = 0x3f80'0000, three_s = 0x4040'0000, five_s = 0x40a0'0000;
constexpr std::uint64_t minus_one_s = 0xbf80'0000;
constexpr std::uint64_t three_d = 0x4008'0000'0000'0000, five_d = 0x4014'0000'0000'0000;
constexpr std::uint64_t minus_one_d = 0xbff0'0000'0000'0000;
constexpr std::uint64_t untouched = 0x5a5a'a5a5'5a5a'a5a5;

// fr4 and fr5 are the operands, fr6 is the target.
constexpr std::uint32_t fr4_fr5_fr6 = 4 << 21 | 5 << 16 | 6;

// What follows COPR,0,0: bits 10 to 15 of the status register, numbered from the left, are the
// model, 16 to 20 the revision. A PA-7300LC has the model 15, the revision 1 (QEMU,
// target/hppa/translate.c, trans_fid_f).
TEST(FloatingPointInstructions, IdentifyYieldsModelAndRevision) {
  InstructionBench bench(Level::pa1_1);
  bench.run(as(Opcode::fid, 0));
  const std::uint64_t status = bench.registers().fpr[0] >> 32;
  EXPECT_EQ(status >> 16 & 63, 15u);
  EXPECT_EQ(status >> 11 & 31, 1u);
}

TEST(FloatingPointInstructions, OtherUnitsAreAbsent) {
  using enum Opcode;
  constexpr std::uint32_t unit_5 = 5 << 6;
  for (const std::uint32_t word : {as(pmdis, 0), as(pmenb, 0), as(copr, unit_5)}) {
    InstructionBench bench(Level::pa2_0);
    bench.run(word);
    ASSERT_TRUE(bench.trap().has_value()) << std::hex << word;
    EXPECT_EQ(bench.trap()->kind, TrapKind::illegal_instruction) << std::hex << word;
    EXPECT_EQ(bench.trap()->code, assist_emulation_trap) << std::hex << word;
  }
}

// 5 rem 3 is -1: the nearest quotient is 2. In major opcode 0E the bits 7, 12 and 6 choose right
// halves of the operands and of the target.
TEST(FloatingPointInstructions, Remainder) {
  using enum Opcode;
  constexpr std::uint32_t right_1 = 1 << 7, right_2 = 1 << 12, right_target = 1 << 6;
  const struct {
    std::uint32_t word;
    std::uint64_t fr4, fr5, fr6;
  } cases[] = {
      {as(frem_s, fr4_fr5_fr6), five_s << 32, three_s << 32,
       minus_one_s << 32 | (untouched & 0xffff'ffff)},
      {as(frem_d, fr4_fr5_fr6), five_d, three_d, minus_one_d},
      {as(frem_s_0e, fr4_fr5_fr6 | right_1), five_s, three_s << 32,
       minus_one_s << 32 | (untouched & 0xffff'ffff)},
      {as(frem_s_0e, fr4_fr5_fr6 | right_2 | right_target), five_s << 32, three_s,
       (untouched & ~std::uint64_t{0xffff'ffff}) | minus_one_s},
      {as(frem_d_0e, fr4_fr5_fr6), five_d, three_d, minus_one_d},
  };
  for (const auto& [word, fr4, fr5, fr6] : cases) {
    InstructionBench bench(Level::pa1_1);
    bench.registers().fpr[4] = fr4;
    bench.registers().fpr[5] = fr5;
    bench.registers().fpr[6] = untouched;
    bench.run(word);
    EXPECT_EQ(bench.registers().fpr[6], fr6) << std::hex << word;
  }
}

// Register 0 is zero as an operand, and no exception comes of that.
TEST(FloatingPointInstructions, RegisterZeroOfConversionsToThirtyTwoBits) {
  using enum Opcode;
  for (const Opcode opcode :
       {fcnv_d_s, fcnv_dw_s, fcnv_udw_s, fcnv_d_w, fcnv_t_d_w, fcnv_d_uw, fcnv_t_d_uw, fcnv_d_s_0e,
        fcnv_dw_s_0e, fcnv_udw_s_0e, fcnv_d_w_0e, fcnv_t_d_w_0e, fcnv_d_uw_0e, fcnv_t_d_uw_0e}) {
    InstructionBench bench(Level::pa2_0);
    const std::uint64_t fr0 = flags_and_conditions & ~(std::uint64_t{1} << 63);
    bench.registers().fpr[0] = fr0;
    bench.registers().fpr[6] = untouched;
    bench.run(as(opcode, 6));
    EXPECT_EQ(bench.registers().fpr[6], untouched & 0xffff'ffff) << info(opcode).name;
    EXPECT_EQ(bench.registers().fpr[0], fr0) << info(opcode).name;
  }
}

// ---- "Delayed Trapping": while T is set the next instruction of the coprocessor traps before it
// does anything.
bool computes(Opcode opcode) {
  const std::string timing = timing_class_name(info(opcode).timing);
  return timing.starts_with("fp_") || timing == "xmpyu";
}
bool accesses(Opcode opcode) {
  const std::string timing = timing_class_name(info(opcode).timing);
  return timing.starts_with("load_fp") || timing.starts_with("store_fp");
}
TEST(FloatingPointInstructions, AllTrapWhileATrapIsDelayed) {
  unsigned count = 0;
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!computes(opcode)) continue;
    ++count;
    InstructionBench bench(Level::pa2_0);
    Registers& registers = bench.registers();
    for (unsigned f = 4; f < 32; ++f) registers.fpr[f] = one_s << 32 | f;
    registers.fpr[0] = flags_and_conditions | delayed_trap;
    const Registers before = registers;
    bench.run(as(opcode, fr4_fr5_fr6));
    ASSERT_TRUE(bench.trap().has_value()) << info(opcode).name;
    EXPECT_EQ(bench.trap()->kind, TrapKind::floating_point) << info(opcode).name;
    EXPECT_FALSE(bench.nullified()) << info(opcode).name;
    EXPECT_EQ(registers.fpr, before.fpr) << info(opcode).name;
  }
  EXPECT_GT(count, 100u);
}

// glibc 2.36, sysdeps/hppa/fpu/fraiseexcpt.c, and GCC 12, libgcc/config/pa/fptr.c's neighbour
// sfp-exceptions.c, "use fldd to flush the delayed exception" (Kane, page 10-5).
TEST(FloatingPointInstructions, LoadsAndStoresTrapWhileATrapIsDelayed) {
  constexpr std::uint32_t base_r1 = 1 << 21;
  unsigned count = 0;
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!accesses(opcode)) continue;
    ++count;
    InstructionBench bench(Level::pa2_0);
    bench.gpr(1) = InstructionBench::data;
    bench.registers().fpr[0] = flags_and_conditions | delayed_trap;
    // Of fr16 in all places of the register.
    const Registers before = bench.registers();
    bench.run(as(opcode, base_r1 | 16 << 16 | 16));
    ASSERT_TRUE(bench.trap().has_value()) << info(opcode).name;
    EXPECT_EQ(bench.trap()->kind, TrapKind::floating_point) << info(opcode).name;
    EXPECT_EQ(bench.registers(), before) << info(opcode).name;
  }
  EXPECT_EQ(count, 14u);
}

// Saving the state begins with it (Linux, arch/parisc/include/asm/assembly.h, save_fp).
TEST(FloatingPointInstructions, ADoublewordOfRegisterZeroIsStoredWhileATrapIsDelayed) {
  InstructionBench bench(Level::pa1_1);
  bench.gpr(1) = InstructionBench::data;
  bench.registers().fpr[0] = flags_and_conditions | delayed_trap;
  bench.run(as(Opcode::fstds, 1 << 21));
  EXPECT_FALSE(bench.trap().has_value());
  EXPECT_EQ(*bench.memory().read<std::uint64_t>(GuestAddr(InstructionBench::data)),
            flags_and_conditions | delayed_trap);
  EXPECT_EQ(bench.registers().fpr[0], flags_and_conditions);
}

// The instruction that raises the exception does not trap itself, and has no result.
TEST(FloatingPointInstructions, AnInvalidOperationLeavesItsTarget) {
  using enum Opcode;
  for (const Opcode opcode : {fdiv_s, fdiv_d, fdiv_s_0e, fdiv_d_0e}) {
    InstructionBench bench(Level::pa1_1);
    bench.registers().fpr[0] = enable_invalid;
    bench.registers().fpr[6] = untouched;
    bench.run(as(opcode, 6));
    EXPECT_FALSE(bench.trap().has_value()) << info(opcode).name;
    EXPECT_EQ(bench.registers().fpr[6], untouched) << info(opcode).name;
    EXPECT_NE(bench.registers().fpr[0] & delayed_trap, 0u) << info(opcode).name;
    bench.run(as(fcpy_d, fr4_fr5_fr6));
    EXPECT_TRUE(bench.trap().has_value()) << info(opcode).name;
  }
}

}  // namespace
}  // namespace hardclock::pa_risc
