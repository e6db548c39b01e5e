// Bundles: the manual's table of templates, and bytes from ia64-linux-gnu-as.
#include "isa/ia64/bundle.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "isa/ia64/disassembly.h"

namespace hardclock::ia64 {
namespace {

using Bytes = std::array<std::uint8_t, bundle_bytes>;

// "M;MI;": a letter for each unit, a semicolon for each stop; empty if reserved.
std::string shape(unsigned number) {
  const std::optional<Template> layout = template_of(number);
  if (!layout) return "";
  std::string text;
  for (std::size_t i = 0; i < slot_count; ++i) {
    text += "MIFBXL"[static_cast<std::size_t>(layout->units[i])];
    if (layout->stops[i]) text += ';';
  }
  return text;
}

// SDM volume 3, table 4-2.
TEST(Ia64Bundle, Templates) {
  const char* const expected[32] = {
      "MII", "MII;", "MI;I", "MI;I;", "MLX", "MLX;", "",    "",  // 00 to 07
      "MMI", "MMI;", "M;MI", "M;MI;", "MFI", "MFI;", "MMF", "MMF;",
      "MIB", "MIB;", "MBB",  "MBB;",  "",    "",     "BBB", "BBB;",  // 10 to 17
      "MMB", "MMB;", "",     "",      "MFB", "MFB;", "",    "",
  };
  for (unsigned number = 0; number < 32; ++number) {
    EXPECT_EQ(shape(number), expected[number]) << number;
  }
}

// { .mii; alloc r34=ar.pfs,3,2,4,0; (p7) shladd r9=r10,3,r11;; dep r3=r4,r5,6,7;; }
TEST(Ia64Bundle, SlotsOfABundleFromTheAssembler) {
  const Bytes bytes = {0x03, 0x10, 0x25, 0x0a, 0x80, 0xc5, 0x91, 0x50,
                       0x2c, 0x24, 0x40, 0x60, 0x40, 0x28, 0x58, 0x4e};
  const Bundle bundle = unpack(bytes);
  EXPECT_EQ(bundle, (Bundle{3, {0x2c'0051'2880, 0x100'90b1'4247, 0x09c'b050'80c0}}));
  EXPECT_EQ(packed_bytes(bundle), bytes);
  const Template layout = *template_of(3);
  EXPECT_EQ(instruction_count(layout), 3u);
  const Opcode expected[] = {Opcode::alloc, Opcode::shladd, Opcode::dep};
  const bool stops[] = {false, true, true};
  for (std::size_t slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(decode(instruction_word(bundle, layout, slot)).opcode, expected[slot]) << slot;
    EXPECT_EQ(stops_after(layout, slot), stops[slot]) << slot;
  }
}

TEST(Ia64Bundle, PackInvertsUnpack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t low = random(), high = random();
    EXPECT_EQ(pack(unpack(low, high)), (std::array{low, high}));
  }
  // Nothing of a field reaches its neighbours.
  EXPECT_EQ(pack({0xff, {}}), (std::array<std::uint64_t, 2>{31, 0}));
  EXPECT_EQ(pack({0, {~std::uint64_t{0}, 0, 0}})[1], 0u);
  EXPECT_EQ(pack({0, {0, ~std::uint64_t{0}, 0}}),
            (std::array<std::uint64_t, 2>{~std::uint64_t{0} << 46, (1u << 23) - 1}));
}

struct LongInstruction {
  Instruction instruction;
  std::uint64_t l;
};
LongInstruction long_instruction(const Bytes& bytes) {
  const Bundle bundle = unpack(bytes);
  const Template layout = *template_of(bundle.template_number);
  EXPECT_TRUE(is_long(layout));
  EXPECT_EQ(instruction_count(layout), 2u);
  EXPECT_FALSE(stops_after(layout, 0));
  EXPECT_TRUE(stops_after(layout, 1));
  return {decode(instruction_word(bundle, layout, 1)), bundle.slots[1]};
}

TEST(Ia64Bundle, ImmediatesOfMovl) {
  // movl r32=0x123456789abcdef0
  const auto [some, l] = long_instruction({0x05, 0x00, 0x00, 0x00, 0x01, 0x80, 0x9a, 0x78, 0x56,
                                           0x34, 0x12, 0x00, 0x04, 0x97, 0xf7, 0x66});
  ASSERT_EQ(some.opcode, Opcode::movl);
  EXPECT_EQ(some.operands.x2.r1, 32);
  EXPECT_EQ(movl_immediate(some.operands.x2.imm64_x, l), 0x1234'5678'9abc'def0u);
  // movl r8=-1
  const auto [all, all_l] = long_instruction({0x05, 0x00, 0x00, 0x00, 0x01, 0xc0, 0xff, 0xff, 0xff,
                                              0xff, 0x7f, 0x00, 0xf1, 0xf7, 0xff, 0x6f});
  ASSERT_EQ(all.opcode, Opcode::movl);
  EXPECT_EQ(movl_immediate(all.operands.x2.imm64_x, all_l), ~std::uint64_t{0});
}

TEST(Ia64Bundle, DisplacementsOfLongBranches) {
  // (p6) brl.cond.dptk.few.clr .+0x7ffffffffffffff0
  const auto [far, far_l] = long_instruction({0x05, 0x00, 0x00, 0x00, 0x01, 0x00, 0xff, 0xff, 0xff,
                                              0xff, 0x7f, 0x03, 0xf0, 0xff, 0xff, 0xc6});
  ASSERT_EQ(far.opcode, Opcode::brl_cond);
  EXPECT_EQ(long_displacement(far.operands.x3.target64_x, far_l), 0x7fff'ffff'ffff'fff0u);
  EXPECT_EQ(far.operands.x3.qp, 6);
  // At 0x10, brl.call.sptk.many b0=0xffffffffffffedd0 for objdump.
  const auto [back, back_l] = long_instruction({0x05, 0x00, 0x00, 0x00, 0x01, 0x00, 0xff, 0xff,
                                                0xff, 0xff, 0x7f, 0x00, 0xc8, 0xed, 0xff, 0xd8});
  ASSERT_EQ(back.opcode, Opcode::brl_call);
  EXPECT_EQ(long_displacement(back.operands.x4.target64_x, back_l),
            static_cast<std::uint64_t>(-0x1240));
}

// break.x 0x2aaaaaaaaaaaaaaa
TEST(Ia64Bundle, NumbersOfLongBreaks) {
  const auto [instruction, l] = long_instruction({0x05, 0x00, 0x00, 0x00, 0x01, 0x40, 0x55, 0x55,
                                                  0x55, 0x55, 0x55, 0x40, 0x55, 0x55, 0x01, 0x00});
  ASSERT_EQ(instruction.opcode, Opcode::break_x);
  EXPECT_EQ(long_number(instruction.operands.x1.imm21, l), 0x2aaa'aaaa'aaaa'aaaau);
}

// What a trace shows of the slot behind a long instruction.
TEST(Ia64Disassembly, TheSecondSlotOfALongInstruction) {
  constexpr unsigned mlx = 4;
  const Bundle bundle{mlx, {info(Opcode::nop_m).match, 0, info(Opcode::movl).match & slot_mask}};
  EXPECT_EQ(disassemble(bundle, 2, GuestAddr(0)), "(second slot of the long instruction)");
}

}  // namespace
}  // namespace hardclock::ia64
