// What tells chips of one instruction set apart: revisions, how MADD rounds, bits that a decoder
// does not look at.
#include "isa/mips/chip.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/mips/mips_decode.h"
#include "sim/base/endian.h"
#include "tests/support/mips_machine.h"

namespace hardclock::mips {
namespace {

using support::mips_cpu;
using support::MipsMachine;

constexpr std::uint64_t text = 0x40'0000;

// Runs code, behind which is a BREAK; returns how it ended.
TrapKind run(MipsMachine& machine, const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> code(4 * words.size() + 4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    store_bytes(&code[4 * i], words[i], Endian::big);
  }
  store_bytes(&code[4 * words.size()], std::uint32_t{0x0000'000d}, Endian::big);
  machine.load(GuestAddr(text), code);
  return machine.run().trap.kind;
}

// _is_mips2 of SGI's libc (IRIX 5.3) asks its processor by this sequence and takes 0 for MIPS I.
// MAME, src/devices/cpu/mips/mips1.cpp: "Hardware testing has established that MIPS-1 processors do
// not decode bit 17 of REGIMM".
TEST(Chip, BranchLikelyTellsMips1FromMips2) {
  const std::vector<std::uint32_t> is_mips2 = {0x2402'fffe,   // li v0,-2
                                               0x0443'0002,   // bgezl v0,.+12
                                               0x2042'0001,   // addi v0,v0,1
                                               0x2042'0001};  // addi v0,v0,1
  for (const char* const name : {"r2000", "r3000"}) {
    for (const bool reference : {false, true}) {
      MipsMachine machine(Endian::big, mips_cpu(name), {.reference = reference});
      EXPECT_EQ(run(machine, is_mips2), TrapKind::breakpoint) << name;
      EXPECT_EQ(machine.registers().gpr[2], 0u) << name;
    }
  }
  for (const char* const name : {"mips2", "r4000", "r4400", "r5000", "r10000"}) {
    MipsMachine machine(Endian::big, mips_cpu(name));
    EXPECT_EQ(run(machine, is_mips2), TrapKind::breakpoint) << name;
    EXPECT_EQ(machine.registers().gpr[2], ~std::uint64_t{0}) << name;
  }
}

// Of rt only the bits of the four branches of MIPS I count.
TEST(Chip, R3000TakesEveryRegimmForOneOfFourBranches) {
  for (const std::int64_t value : {-1, 1}) {
    for (std::uint32_t rt = 0; rt < 32; ++rt) {
      MipsMachine machine(Endian::big, mips_cpu("r3000"));
      machine.registers().gpr[8] = static_cast<std::uint64_t>(value);
      machine.registers().gpr[31] = 7;
      // b** t0,.+12; nop; break; li v0,1
      EXPECT_EQ(run(machine, {0x0500'0002 | rt << 16, 0, 0x0000'000d, 0x2402'0001}),
                TrapKind::breakpoint)
          << rt;
      const bool taken = (rt & 1) != 0 ? value >= 0 : value < 0;
      EXPECT_EQ(machine.registers().gpr[2], taken ? 1u : 0u) << rt;
      EXPECT_EQ(machine.registers().gpr[31], (rt & 16) != 0 ? text + 8 : 7) << rt;
    }
  }
}

// psx-spx, "Illegal Opcodes", of a derivative of the R3000A: "The unused operand bits (eg.
// Bit21-25 for LUI opcode) should be usually zero, but do not necessarily trigger exceptions"; the
// operands without use are its "N/A". Every bit pattern of MIPS I with such a field runs as with
// zeros there.
TEST(Chip, R3000DoesNotLookAtUnusedOperands) {
  const struct {
    std::uint32_t word, unused;
    Opcode opcode;
  } cases[] = {
      {0x0008'4080, 0x03e0'0000, Opcode::sll},  {0x0008'4083, 0x03e0'0000, Opcode::sra},
      {0x0128'4006, 0x0000'07c0, Opcode::srlv}, {0x0109'4021, 0x0000'07c0, Opcode::addu},
      {0x0109'402b, 0x0000'07c0, Opcode::sltu}, {0x0000'4010, 0x03ff'07c0, Opcode::mfhi},
      {0x0000'4012, 0x03ff'07c0, Opcode::mflo}, {0x0100'0011, 0x001f'ffc0, Opcode::mthi},
      {0x0109'0018, 0x0000'ffc0, Opcode::mult}, {0x0109'001b, 0x0000'ffc0, Opcode::divu},
      {0x0320'0008, 0x001f'ffc0, Opcode::jr},   {0x0320'f809, 0x001f'07c0, Opcode::jalr},
      {0x1900'0004, 0x001f'0000, Opcode::blez}, {0x1d00'0004, 0x001f'0000, Opcode::bgtz},
      {0x3c08'1234, 0x03e0'0000, Opcode::lui},
  };
  const auto chip = read_chip(mips_cpu("r3000"));
  ASSERT_TRUE(chip.ok());
  for (const auto& [word, unused, opcode] : cases) {
    ASSERT_EQ(decode(word).opcode, opcode) << std::hex << word;
    EXPECT_EQ(chip->decoded_word(word | unused), word) << std::hex << word;
    EXPECT_EQ(chip->decoded_word(word), word) << std::hex << word;
  }
  // Codes that no instruction of MIPS I has are reserved: "N/A in the primary and secondary opcode
  // tables".
  for (const std::uint32_t word : {0x0109'4001u, 0x0109'402cu, 0x0000'000fu, 0x5000'0004u}) {
    MipsMachine machine(Endian::big, mips_cpu("r3000"));
    EXPECT_EQ(run(machine, {word}), TrapKind::illegal_instruction) << std::hex << word;
  }
}

// What an instruction of MIPS I says is what the chip executes.
TEST(Chip, R3000LooksAtEveryInstructionOfMips1) {
  for (const char* const name : {"r2000", "r3000"}) {
    const auto chip = read_chip(mips_cpu(name));
    ASSERT_TRUE(chip.ok());
    for (std::size_t i = 0; i < opcode_count; ++i) {
      const auto opcode = static_cast<Opcode>(i);
      if (!available(opcode, Level::mips1)) continue;
      const std::uint32_t word = encode({opcode, {}});
      EXPECT_EQ(chip->decoded_word(word), word) << info(opcode).name;
    }
  }
}

// Implementations of PRId: Linux, arch/mips/include/asm/cpu.h (PRID_IMP_*). Of FCR0: NetBSD,
// sys/arch/mips/include/cpuregs.h, "FPU processor revision ID", and for the R4700
// mips_machdep.c: "FPU PRid is 0x20".
TEST(Chip, HasItsOwnRevisions) {
  const struct {
    const char* name;
    std::uint32_t processor, fpu;
  } chips[] = {{"r2000", 0x01, 0x02}, {"r3000", 0x02, 0x03}, {"r4000", 0x04, 0x05},
               {"r4400", 0x04, 0x05}, {"r4600", 0x20, 0x20}, {"r4700", 0x21, 0x20},
               {"r5000", 0x23, 0x23}, {"r8000", 0x10, 0x10}, {"r10000", 0x09, 0x09},
               {"r12000", 0x0e, 0x09}};
  for (const auto& [name, processor, fpu] : chips) {
    MipsMachine machine(Endian::big, mips_cpu(name));
    EXPECT_EQ(machine.registers().processor_revision >> 8, processor) << name;
    EXPECT_EQ(run(machine, {0x4442'0000}), TrapKind::breakpoint) << name;  // cfc1 v0,c1_fir
    EXPECT_EQ(machine.registers().gpr[2] >> 8, fpu) << name;
  }
}

// GCC's manual, -mfused-madd: "On the R8000 CPU when multiply-accumulate instructions are used, the
// intermediate product is calculated to infinite precision"; on others "the result is numerically
// identical to the equivalent computation using separate" instructions. (1 + 2^-52)^2 - (1 + 2^-51)
// is 2^-104, and 0 with the product rounded.
TEST(Chip, OnlyTheR8000FusesMultiplyAndAdd) {
  for (const char* const name : {"r5000", "r8000", "r10000", "r12000"}) {
    MipsMachine machine(Endian::big, mips_cpu(name),
                        {.mode = {.operation_bits = 64, .address_bits = 32, .fr = true}});
    for (const unsigned n : {6, 8}) machine.registers().fpr[n] = 0x3ff0'0000'0000'0001;
    machine.registers().fpr[4] = 0xbff0'0000'0000'0002;
    EXPECT_EQ(run(machine, {0x4c88'30a1}), TrapKind::breakpoint);  // madd.d $f2,$f4,$f6,$f8
    const bool fuses = std::string(name) == "r8000";
    EXPECT_EQ(machine.registers().fpr[2], fuses ? 0x3970'0000'0000'0000u : 0u) << name;
  }
}

// Toshiba's TMPR3901 manual: the R3900 has the branches likely of MIPS II and is of MIPS I else.
TEST(Chip, MayHaveInstructionsAboveItsLevel) {
  const std::vector<std::uint32_t> skips_its_slot = {0x2402'0001,   // li v0,1
                                                     0x5040'0001,   // beql v0,zero,.+8
                                                     0x2042'0002,   // addi v0,v0,2
                                                     0x2042'0004};  // addi v0,v0,4
  const std::string mips1 = "cpu x\nisa mips1\npipeline functional\nclock 1 exact: x\n";
  for (const bool has : {false, true}) {
    const auto cpu = parse_cpu_description(mips1 + (has ? "has beql,bnel exact: x\n" : ""));
    ASSERT_TRUE(cpu.ok()) << cpu.error();
    const std::uint32_t beql = skips_its_slot[1];
    EXPECT_EQ(InstructionCheck(*cpu, {}).has(beql), has);
    MipsMachine machine(Endian::big, *cpu, {.functional = true});
    EXPECT_EQ(run(machine, skips_its_slot),
              has ? TrapKind::breakpoint : TrapKind::illegal_instruction);
    EXPECT_EQ(machine.registers().gpr[2], has ? 5u : 1u);
  }
}

TEST(Chip, MistakesInItsRowsAreNamed) {
  const auto error_of = [](const std::string& row) {
    const auto cpu = parse_cpu_description(
        "cpu x\nisa mips1\npipeline functional\nclock 1 exact: x\n" + row + " exact: x\n");
    if (!cpu) return cpu.error();
    const auto chip = read_chip(*cpu);
    return chip ? std::string() : chip.error();
  };
  EXPECT_EQ(error_of("revision processor value 0x230"), "");
  EXPECT_EQ(error_of("revision processor value 0x2g0"),
            "line 5: value needs a number from 0 to 4294967295, not '0x2g0'");
  EXPECT_EQ(error_of("revision cache value 1"),
            "line 5: revision needs processor or fpu, not 'cache'");
  EXPECT_EQ(error_of("multiply_add maybe"),
            "line 5: multiply_add needs fused or rounded, not 'maybe'");
  EXPECT_EQ(error_of("has beql,madd"), "");
  EXPECT_EQ(error_of("has bleql"),
            "line 5: mips.decode has no instruction 'bleql'; name one of its patterns");
  EXPECT_EQ(error_of("undecoded x pattern 01.-"),
            "line 5: pattern needs 32 of the characters 0, 1, . and -, not '01.-'");
  EXPECT_EQ(error_of("undecoded x"), "line 5: undecoded x needs pattern");
}

TEST(Chip, AnInterlockIsOfAnInOrderPipeline) {
  const auto error_of = [](const std::string& pipeline, const std::string& row) {
    const auto cpu = parse_cpu_description("cpu x\nisa mips3\npipeline " + pipeline +
                                           "\nclock 1 exact: x\n" + row + " exact: x\n");
    if (!cpu) return cpu.error();
    const auto chip = read_chip(*cpu);
    return chip ? std::string() : chip.error();
  };
  EXPECT_EQ(error_of("in-order", "interlock sign_extension cycles 2"), "");
  EXPECT_EQ(error_of("in-order", "interlock sign_extension cycles 0"),
            "line 5: cycles needs a number from 1 to 100, not '0'");
  EXPECT_EQ(error_of("in-order", "interlock sign_extension"),
            "line 5: interlock sign_extension needs cycles");
  EXPECT_EQ(error_of("in-order", "interlock store cycles 1"),
            "line 5: there is no interlock 'store'; name sign_extension");
  EXPECT_NE(error_of("out-of-order", "interlock sign_extension cycles 1"), "");
}

TEST(Chip, EveryProcessorSaysWhatItIs) {
  for (const CpuDescription& cpu : cpus()) {
    const auto chip = read_chip(cpu);
    ASSERT_TRUE(chip.ok()) << cpu.name << ": " << chip.error();
    EXPECT_NE(chip->fpu_revision, 0u) << cpu.name;
  }
}

}  // namespace
}  // namespace hardclock::mips
