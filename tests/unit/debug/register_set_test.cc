// What is in the registers is as the manuals say, and the numbers are GDB's.
#include "sim/debug/register_set.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "isa/ia64/abi.h"
#include "isa/ia64/debug_registers.h"
#include "isa/mips/abi.h"
#include "isa/mips/debug_registers.h"
#include "isa/pa_risc/abi.h"
#include "isa/pa_risc/debug_registers.h"
#include "sim/debug/engine_difference.h"
#include "tests/support/ia64_machine.h"
#include "tests/support/mips_machine.h"
#include "tests/support/pa_risc_machine.h"

namespace hardclock::debug {
namespace {

struct Described {
  unsigned number;
  const char* name;
  unsigned bits;
};

void expect_described(const RegisterSet& set, std::initializer_list<Described> all) {
  for (const Described& each : all) {
    EXPECT_EQ(set.name(each.number), each.name) << each.number;
    EXPECT_EQ(set.bits(each.number), each.bits) << each.name;
  }
}

// Of an IA-64 floating-point register.
constexpr RegisterValue fr(bool sign, std::uint32_t exponent, std::uint64_t significand) {
  return RegisterValue{std::uint64_t{sign} << 17 | exponent} << 64 | significand;
}
constexpr unsigned f0 = 128, p0 = 256, pr = 330, ip = 331, psr = 332, cfm = 333, ar0 = 334,
                   nat0 = 462;
constexpr RegisterValue one = fr(false, 0xffff, 0x8000'0000'0000'0000);

struct Ia64 : ::testing::Test {
  Ia64() { machine.load(GuestAddr(0x10000), code); }
  RegisterValue read(unsigned number) { return set.read(*machine.cpu, number).value(); }
  bool write(unsigned number, RegisterValue value) {
    return set.write(*machine.cpu, number, value);
  }
  ia64::RegisterStack& stack() { return machine.registers().stack; }

  // ia64-linux-gnu-as: setf.d f6=r8; setf.sig f7=r8; cmp.eq p6,p7=r0,r0;;
  //                    setf.exp f8=r9; setf.s f9=r10; nop.i 0;;
  //                    getf.d r14=f10; getf.exp r15=f10; mov r16=pr;;
  static constexpr std::array<std::uint8_t, 48> code = {
      0x09, 0x30, 0x20, 0, 0xf9, 0x18, 0x70, 0x40, 0, 0xc2, 0x31, 0xc0, 0,    0, 0x1c, 0xe0,
      0x09, 0x40, 0x24, 0, 0xe9, 0x18, 0x90, 0x50, 0, 0xe2, 0x31, 0,    0,    0, 0x04, 0,
      0x09, 0x70, 0x28, 0, 0xf9, 0x10, 0xf0, 0x50, 0, 0xd2, 0x21, 0,    0x02, 0, 0xcc, 0};
  support::Ia64Machine machine{support::ia64_cpu("ia64"), {.functional = true}};
  const RegisterSet& set = ia64::debug_registers();
};

// Registers: "Intel Itanium Architecture Software Developer's Manual", volume 1, 3.1; numbers:
// gdb/ia64-tdep.h.
TEST_F(Ia64, RegistersHaveNamesAndWidths) {
  expect_described(
      set, {{0, "r0", 64},     {127, "r127", 64},  {f0, "f0", 82},        {255, "f127", 82},
            {p0, "p0", 1},     {319, "p63", 1},    {320, "b0", 64},       {327, "b7", 64},
            {328, "", 0},      {pr, "pr", 64},     {ip, "ip", 64},        {psr, "psr", 64},
            {cfm, "cfm", 38},  {ar0, "kr0", 64},   {341, "kr7", 64},      {342, "", 0},
            {350, "rsc", 64},  {351, "bsp", 64},   {352, "bspstore", 64}, {353, "rnat", 64},
            {355, "fcr", 64},  {358, "eflag", 64}, {359, "csd", 64},      {360, "ssd", 64},
            {361, "cflg", 64}, {362, "fsr", 64},   {363, "fir", 64},      {364, "fdr", 64},
            {366, "ccv", 64},  {370, "unat", 64},  {374, "fpsr", 64},     {398, "pfs", 64},
            {399, "lc", 64},   {400, "ec", 6},     {nat0, "nat0", 1},     {589, "nat127", 1}});
  EXPECT_EQ(set.count(), 590U);
}

// Volume 1, tables 5-2 and 5-4 (register format), volume 3, setf and getf.
TEST_F(Ia64, FloatingPointRegistersHave82Bits) {
  EXPECT_EQ(read(f0), 0U);
  EXPECT_EQ(read(f0 + 1), one);
  stack().write(8, 0xbff8'0000'0000'0000, false);  // -1.5
  stack().write(9, 0x2'0001, false);
  stack().write(10, 0x3f80'0000, false);                                  // 1.0F
  EXPECT_TRUE(write(f0 + 10, fr(true, 0x10000, 0xa000'0000'0000'0000)));  // -2.5
  machine.run(machine.far, Instructions(9));
  EXPECT_EQ(read(f0 + 6), fr(true, 0xffff, 0xc000'0000'0000'0000));
  EXPECT_EQ(read(f0 + 7), fr(false, 0x1003e, 0xbff8'0000'0000'0000));
  EXPECT_EQ(read(f0 + 8), fr(true, 1, 0x8000'0000'0000'0000));
  EXPECT_EQ(read(f0 + 9), one);
  EXPECT_EQ(read(14), 0xc004'0000'0000'0000U);
  EXPECT_EQ(read(15), 0x3'0000U);
  EXPECT_FALSE(write(f0, 1)) << "it is constant";
  EXPECT_FALSE(write(f0 + 1, 0));
  EXPECT_TRUE(write(f0 + 2, ~RegisterValue{0}));
  EXPECT_EQ(read(f0 + 2), fr(true, 0x1'ffff, ~std::uint64_t{0})) << "of 128 bits, 82 count";
}

// Volume 1, 3.1.2 and 5.1.5: setf of a NaT makes a NaTVal.
TEST_F(Ia64, NatBitsAreRegisters) {
  EXPECT_EQ(read(nat0 + 8), 0U);
  EXPECT_TRUE(write(8, 7));
  EXPECT_TRUE(write(nat0 + 8, 1));
  EXPECT_EQ(read(8), 7U);
  EXPECT_TRUE(write(8, 9));
  EXPECT_EQ(read(nat0 + 8), 1U);
  machine.run(machine.far, Instructions(1));
  EXPECT_EQ(read(f0 + 6), fr(false, 0x1'fffe, 0));
  EXPECT_FALSE(write(nat0, 1));
  EXPECT_EQ(set.read(*machine.cpu, 32), std::nullopt) << "there is no frame";
  EXPECT_EQ(set.read(*machine.cpu, nat0 + 32), std::nullopt);
  EXPECT_FALSE(write(32, 1));
}

TEST_F(Ia64, PredicatesAreRegistersAndBits) {
  machine.run(machine.far, Instructions(3));
  EXPECT_EQ(read(p0), 1U);
  EXPECT_EQ(read(p0 + 6), 1U);
  EXPECT_EQ(read(p0 + 7), 0U);
  EXPECT_EQ(read(pr), 0x41U);
  EXPECT_TRUE(write(p0 + 63, 1));
  EXPECT_FALSE(write(p0, 0));
  EXPECT_EQ(read(pr), 1U << 6 | 1U | RegisterValue{1} << 63);
  EXPECT_TRUE(write(pr, 0));
  EXPECT_EQ(read(pr), 1U) << "p0 is always 1";
}

// Volume 1, 4.5.1: a rotation decrements the rename bases, and what was in f32 is in f33. mov from
// pr takes them as 0.
TEST_F(Ia64, RotatingRegistersHaveTheirNewNames) {
  EXPECT_TRUE(write(f0 + 32, one));
  stack().start(0x30000, {.sof = 16, .sol = 16, .sor = 8});
  EXPECT_TRUE(write(32, 5));
  EXPECT_TRUE(write(p0 + 16, 1));
  stack().rotate();
  machine.registers().predicates = ia64::predicates_by_name(machine.registers().predicates, 47);
  EXPECT_EQ(read(f0 + 32), 0U);
  EXPECT_EQ(read(f0 + 33), one);
  EXPECT_EQ(read(33), 5U);
  EXPECT_EQ(read(p0 + 17), 1U);
  EXPECT_EQ(read(pr), 0x1'0001U);
  EXPECT_EQ(read(cfm), 16U | 16U << 7 | 1U << 14 | 7U << 18 | RegisterValue{95} << 25 |
                           RegisterValue{47} << 32);
  EXPECT_FALSE(write(cfm, 0));
  machine.run(machine.far, Instructions(9));
  EXPECT_EQ(read(16), 0x1'0041U);
}

// Volume 2, 3.3.2: ri is in bits 42..41, the user mask in 5..0.
TEST_F(Ia64, TheSlotIsInPsr) {
  machine.run(machine.far, Instructions(2));
  EXPECT_EQ(read(ip), 0x10000U);
  EXPECT_EQ(read(psr) >> 41, 2U);
  EXPECT_TRUE(write(psr, RegisterValue{1} << 41 | 0x38));
  EXPECT_TRUE(write(ip, 0x10020));
  EXPECT_EQ(machine.registers().pc, 0x10021U);
  EXPECT_EQ(machine.registers().user_mask, 0x38U);
  EXPECT_FALSE(write(psr, RegisterValue{3} << 41)) << "there is no such slot";
}

// Volume 1, 3.1.8; volume 2, 6.2: in enforced lazy mode a program may write ar.bspstore, and ar.bsp
// goes with it.
TEST_F(Ia64, ApplicationRegistersAreWrittenAsByAProgram) {
  EXPECT_TRUE(write(ar0 + 66, 0x7f));
  EXPECT_EQ(read(ar0 + 66), 0x3fU) << "ar.ec has 6 bits";
  EXPECT_FALSE(write(ar0 + 17, 0)) << "ar.bsp";
  EXPECT_TRUE(write(ar0 + 18, 0x30000));
  EXPECT_EQ(read(ar0 + 18), 0x30000U);
  EXPECT_EQ(read(ar0 + 17), 0x30000U);
  EXPECT_TRUE(write(ar0 + 16, 3));
  EXPECT_EQ(read(ar0 + 16), 0xfU) << "privilege level 3, eager";
  EXPECT_FALSE(write(ar0 + 18, 0x40000));
  EXPECT_TRUE(write(ar0 + 29, 0x1234));
  EXPECT_EQ(machine.registers().ia32[4], 0x1234U);
}

TEST_F(Ia64, ADifferenceShowsAllBits) {
  EXPECT_EQ(sentence({.kind = EngineDifference::Kind::registers,
                      .register_number = f0 + 6,
                      .checked = fr(true, 0xffff, 0xc000'0000'0000'0000),
                      .reference = one},
                     set),
            "f6 is 0x2ffffc000000000000000, and 0xffff8000000000000000 in single steps");
}

// gdb/features/mips-cpu.xml, mips-fpu.xml. "MIPS64 Architecture For Programmers", volume III, 4.2:
// with FR = 0 a register has 32 bits.
TEST(MipsRegisters, AreAsWideAsTheModeSays) {
  const RegisterSet& narrow = mips::debug_registers();
  expect_described(narrow, {{0, "zero", 32},
                            {8, "t0", 32},
                            {31, "ra", 32},
                            {32, "", 0},
                            {33, "lo", 32},
                            {34, "hi", 32},
                            {37, "pc", 32},
                            {38, "f0", 32},
                            {69, "f31", 32},
                            {70, "fcsr", 32},
                            {71, "fir", 32},
                            {72, "ulr", 32}});
  const RegisterSet& wide =
      mips::debug_registers({.operation_bits = 64, .address_bits = 64, .fr = true});
  expect_described(wide, {{8, "t0", 64}, {33, "lo", 64}, {38, "f0", 64}, {70, "fcsr", 32}});
  EXPECT_EQ(mips::debug_registers({.fr = true}).bits(38), 64U);

  support::MipsMachine machine(Endian::big, support::mips_cpu("r4400"));
  EXPECT_TRUE(narrow.write(*machine.cpu, 8, 0x8000'0000));
  EXPECT_EQ(machine.registers().gpr[8], 0xffff'ffff'8000'0000U) << "words are sign-extended";
  EXPECT_TRUE(narrow.write(*machine.cpu, 38, 0x1'8000'0000));
  EXPECT_EQ(machine.registers().fpr[0], 0x8000'0000U);
  EXPECT_TRUE(wide.write(*machine.cpu, 34, 0x8000'0000));
  EXPECT_EQ(machine.registers().hi, 0x8000'0000U);
  EXPECT_FALSE(narrow.write(*machine.cpu, 71, 0)) << "it is constant";
}

// gdb/hppa-tdep.c, hppa32_register_name(). "PA-RISC 1.1 Architecture and Instruction Set Reference
// Manual", chapter 2: N is bit 10 of the PSW, V bit 14, C/B bits 16 to 23.
TEST(PaRiscRegisters, AreAlsoTheStatusWordAndSpaces) {
  const RegisterSet& set = pa_risc::debug_registers();
  expect_described(set, {{32, "sar", 6},
                         {37, "", 0},
                         {41, "psw", 32},
                         {43, "sr4", 32},
                         {44, "sr0", 32},
                         {47, "sr3", 32},
                         {48, "sr5", 32},
                         {50, "sr7", 32},
                         {57, "tr0", 32},
                         {63, "tr6", 32},
                         {128, "tr7", 32}});
  support::PaRiscMachine machine(support::pa_risc_cpu("pa7100"));
  pa_risc::Registers& registers = machine.registers();
  registers.nullify = registers.divide_step = true;
  registers.set_carries(0x81);
  EXPECT_EQ(set.read(*machine.cpu, 41), 0x4'000fU | 1U << 21 | 1U << 17 | 0x8100U);
  registers.space = {10, 11, 12, 13, 14, 15, 16, 17};
  EXPECT_EQ(set.read(*machine.cpu, 43), 14U);
  EXPECT_EQ(set.read(*machine.cpu, 44), 10U);
  EXPECT_EQ(set.read(*machine.cpu, 50), 17U);
  EXPECT_TRUE(set.write(*machine.cpu, 128, 5));
  EXPECT_EQ(registers.temporary[7], 5U);
  registers.set_carries(0xff00);  // of the upper nibbles, on PA-RISC 2.0
  EXPECT_TRUE(set.write(*machine.cpu, 41, 0));
  EXPECT_EQ(registers.carries(), 0xff00U) << "which 32 bits do not show";
  EXPECT_FALSE(registers.nullify);
}

}  // namespace
}  // namespace hardclock::debug
