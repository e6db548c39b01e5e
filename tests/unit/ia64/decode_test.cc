// What must hold for every pattern of isa/ia64/ia64.decode, whatever its bits are, what its
// immediates mean, and which instructions are whose. That the bits and the syntax are right is for
// the comparison with objdump to say.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>

#include "isa/ia64/bundle.h"
#include "isa/ia64/disassembly.h"
#include "isa/ia64/ia64_decode.h"
#include "isa/ia64/undefined.h"
#include "tests/unit/ia64/instances.h"

namespace hardclock::ia64 {
namespace {

std::string text_of(Word word) {
  const Placed placed = place(word);
  return disassemble(placed.bundle, placed.slot, GuestAddr(0x1000));
}

// The bits of the pattern that a field has: those of operands that are all ones.
Word operand_bits(Opcode opcode) {
  Instruction ones{opcode, {}};
  std::memset(ones.operands.bytes, 0xff, sizeof ones.operands.bytes);
  return encode(ones) & ~info(opcode).mask;
}

// Random bits in the place of those that are ignored change nothing, and are encoded as zero.
TEST(Ia64Decode, EncodeInvertsDecode) {
  for (const Opcode opcode : all_opcodes()) {
    const Word used = info(opcode).mask | operand_bits(opcode);
    for (const Word word : instances(opcode, 200, 1)) {
      const Instruction instruction = decode(word);
      ASSERT_EQ(instruction.opcode, opcode) << info(opcode).name << std::hex << " " << word;
      ASSERT_EQ(encode(instruction), word & used) << info(opcode).name << std::hex << " " << word;
      const Instruction again = decode(word & used);
      ASSERT_EQ(again.opcode, opcode);
      EXPECT_EQ(std::memcmp(again.operands.bytes, instruction.operands.bytes, 8), 0)
          << info(opcode).name;
    }
  }
}

TEST(Ia64Decode, NoTwoPatternsShareAWord) {
  for (const Opcode a : all_opcodes()) {
    for (const Opcode b : all_opcodes()) {
      if (a >= b) continue;
      EXPECT_NE((info(a).match ^ info(b).match) & info(a).mask & info(b).mask, 0u)
          << info(a).name << " " << info(b).name;
    }
  }
}

// SDM volume 3, table 4-1: a slot's type is the unit's, but for A, which is in M and I.
TEST(Ia64Decode, EveryPatternIsOfOneUnitButThoseOfTypeA) {
  std::map<std::string, std::size_t> patterns;
  for (const Opcode opcode : all_opcodes()) {
    const auto [name, match, mask, timing, levels, features] = info(opcode);
    const Word fixed = mask >> slot_bits;
    if (fixed == 7) {
      ++patterns[std::string(1, "MIFBX"[match >> slot_bits])];
      continue;
    }
    EXPECT_EQ(fixed, 6u) << name;  // M is 0, I 1
    EXPECT_EQ(match >> slot_bits, 0u) << name;
    ++patterns["A"];
  }
  EXPECT_EQ(patterns.size(), 6u);
  const std::uint64_t add = 0x100'0000'0000;
  EXPECT_EQ(decode(add).operands.a1.unit, 0);
  EXPECT_EQ(decode(add | Word{1} << slot_bits).operands.a1.unit, 1);
  EXPECT_EQ(decode(add | Word{2} << slot_bits).opcode, Opcode::fma);
}

// Slots from ia64-linux-gnu-as, whose input is in the comments.
TEST(Ia64Decode, ImmediatesAreUnscrambled) {
  const Word i = Word{1} << slot_bits, f = Word{2} << slot_bits;
  EXPECT_EQ(decode(0x118'0040'00c0).operands.a4,  // adds r3=-8192,r4
            (A4{.imm14 = -8192, .qp = 0, .r1 = 3, .r3 = 4, .unit = 0}));
  EXPECT_EQ(decode(0x130'0020'00c0).operands.a5,  // addl r3=-2097152,r2
            (A5{.imm22 = -2097152, .qp = 0, .r1 = 3, .r3_2 = 2, .unit = 0}));
  EXPECT_EQ(decode(0x111'2840'00c0).operands.a3,  // sub r3=-128,r4
            (A3{.imm8 = -128, .qp = 0, .r1 = 3, .r3 = 4, .unit = 0}));
  EXPECT_EQ(decode(0x0b0'f040'00c0).operands.m3,  // ld8.nta r3=[r4],-256
            (M3{.imm9 = -256, .qp = 0, .r1 = 3, .r3 = 4, .hint = 3}));
  EXPECT_EQ(decode(0x0ad'8840'bfc0).operands.m5,  // st4.rel [r4]=r5,255
            (M5{.imm9_store = 255, .qp = 0, .r2 = 5, .r3 = 4, .hint = 0}));
  EXPECT_EQ(decode(i | 0x016'ff00'7fc0).operands.i23,  // mov pr=r3,-2
            (I23{.mask17 = -2, .qp = 0, .r2 = 3}));
  EXPECT_EQ(decode(i | 0x015'ffff'ffc0).operands.i24,  // mov pr.rot=-65536
            (I24{.imm28 = -1, .qp = 0}));
  EXPECT_EQ(decode(i | 0x0be'304e'80c0).operands.i14,  // dep r3=-1,r4,5,7
            (I14{.imm1 = -1, .qp = 0, .r1 = 3, .r3 = 4, .cpos6b = 63 - 5, .len6d = 6}));
  EXPECT_EQ(decode(0x085'c840'80c0).operands.m17,  // fetchadd8.rel r3=[r4],-16
            (M17{.qp = 0, .r1 = 3, .r3 = 4, .inc3 = 4, .hint = 0}));
  EXPECT_EQ(decode(f | 0x0a6'2400'a0c0).operands.f5,  // fclass.m p3,p4=f5,0x103
            (F5{.fclass9 = 0x103, .qp = 0, .p1 = 3, .p2 = 4, .f2 = 5}));
  EXPECT_EQ(decode(f | 0x008'241f'e000).operands.f12,  // fsetc.s2 0x7f,0x41
            (F12{.qp = 0, .sf = 2, .amask7b = 0x7f, .omask7c = 0x41}));
  EXPECT_EQ(decode(0x010'2000'0480).operands.m44,  // sum 0x800012
            (M44{.imm24 = 0x80'0012, .qp = 0}));
  EXPECT_EQ(decode(0x02c'08b1'e0c0).operands.m34,  // alloc r3=ar.pfs,8,3,4,8
            (M34{.qp = 0, .r1 = 3, .sof = 15, .sol = 11, .sor = 8}));
  EXPECT_EQ(decode(0x033'ffd0'7f80).operands.m20,  // at 0xa0, chk.s.m r3,0xfffffffffffff080
            (M20{.target25_chk = -0x1020, .qp = 0, .r2 = 3}));
}

// Major opcodes and extensions that the manual leaves empty; in the order of the units.
TEST(Ia64Decode, ReservedWordsAreInvalid) {
  for (const Word word : {0x040'0000'0000u, 0x060'0000'0000u, 0x08b'0000'0000u, 0x1e0'0000'0000u,
                          0x220'0000'0000u, 0x260'0000'0000u, 0x2c0'0000'0000u, 0x4c0'0000'0000u,
                          0x5e0'0000'0000u, 0x660'0000'0000u, 0x700'0000'0000u, 0x840'0000'0000u}) {
    const Instruction instruction = decode(word);
    EXPECT_EQ(instruction.opcode, Opcode::invalid) << std::hex << word;
    const std::uint8_t zeros[8] = {};
    EXPECT_EQ(std::memcmp(instruction.operands.bytes, zeros, 8), 0);
  }
}

// Ski, src/encodings/encoding.unusedop, has these and all others; it is made from the manual's
// tables.
TEST(Ia64Decode, WhatUndefinedSlotsDo) {
  constexpr auto nop = Undefined::nop, predicated = Undefined::fault_if_predicated,
                 fault = Undefined::fault;
  const struct {
    Unit unit;
    std::uint64_t slot;
    Undefined expected;
  } cases[] = {
      {Unit::m, 2ull << 37, predicated},                     // op 2
      {Unit::m, 4ull << 37 | 0x2cull << 30, predicated},     // op 4, m 0, x 0, x6 2c
      {Unit::i, 6ull << 37, predicated},                     // op 6
      {Unit::i, 0x02ull << 27, predicated},                  // op 0, x3 0, x6 02
      {Unit::f, 2ull << 37, predicated},                     // op 2
      {Unit::x, 6ull << 37 | 1ull << 20, predicated},        // movl with vc 1
      {Unit::x, 0xfull << 37, predicated},                   // op f
      {Unit::b, 0x01ull << 27, nop},                         // op 0, x6 01
      {Unit::b, 0x03ull << 27, predicated},                  // op 0, x6 03
      {Unit::b, 0x1full << 27, predicated},                  // op 0, x6 1f
      {Unit::b, 0x22ull << 27, fault},                       // op 0, x6 22
      {Unit::b, 0x20ull << 27 | 2ull << 6, fault},           // op 0, x6 20, btype 2
      {Unit::b, 2ull << 37 | 0x02ull << 27, nop},            // op 2, x6 02
      {Unit::b, 3ull << 37, nop},                            // op 3
      {Unit::b, 4ull << 37 | 1ull << 6, fault},              // op 4, btype 1
      {Unit::b, 6ull << 37, nop},                            // op 6
      {Unit::b, 8ull << 37, fault},                          // op 8
      {Unit::m, 1ull << 27 | 1ull << 26 | 1ull << 11, nop},  // hint.m 0x20, SDM format M48
  };
  for (const auto& [unit, slot, expected] : cases) {
    const Word word = slot | static_cast<Word>(unit) << slot_bits;
    EXPECT_EQ(decode(word).opcode, Opcode::invalid) << std::hex << word;
    EXPECT_EQ(undefined(word), expected) << std::hex << word;
  }
}

// Hints that the manual leaves empty are instructions: Ski's list takes each for the default.
TEST(Ia64Decode, HintsWithoutANameAreDecoded) {
  const Word i = Word{1} << slot_bits, b = Word{3} << slot_bits;
  EXPECT_EQ(decode(4ull << 37 | 1ull << 36 | 2ull << 28).opcode, Opcode::ld1_reg);
  EXPECT_EQ(decode(5ull << 37 | 0x30ull << 30 | 1ull << 28).opcode, Opcode::st1_imm);
  EXPECT_EQ(decode(i | 7ull << 33 | 3ull << 20).opcode, Opcode::mov_to_br);
  EXPECT_EQ(decode(b | 1ull << 37).opcode, Opcode::br_call_indirect);
  EXPECT_EQ(decode(b | 2ull << 37 | 0x10ull << 27 | 1ull << 3).opcode, Opcode::brp_indirect);
}

// SDM volume 3, chapter 2: the instructions whose page has a Privileged Operation fault that
// depends on PSR.cpl alone. mov from pmd, probe and fc are not among them.
TEST(Ia64Decode, PrivilegedInstructions) {
  const std::set<std::string> expected = {
      "bsw_0",       "bsw_1",        "itc_d",        "itc_i",        "itr_d",        "itr_i",
      "mov_from_cr", "mov_from_dbr", "mov_from_ibr", "mov_from_pkr", "mov_from_pmc", "mov_from_psr",
      "mov_from_rr", "mov_to_cr",    "mov_to_dbr",   "mov_to_ibr",   "mov_to_pkr",   "mov_to_pmc",
      "mov_to_pmd",  "mov_to_psr",   "mov_to_rr",    "ptc_e",        "ptc_g",        "ptc_ga",
      "ptc_l",       "ptr_d",        "ptr_i",        "rfi",          "rsm",          "ssm",
      "tak",         "tpa",          "vmsw_0",       "vmsw_1"};
  std::set<std::string> found;
  for (const Opcode opcode : all_opcodes()) {
    if (needs(opcode, Feature::privileged)) found.emplace(info(opcode).name);
  }
  EXPECT_EQ(found, expected);
}

// SDM volume 1, section 3.1.11: brl and 16-byte accesses are features (CPUID register 4, lb and
// ao). The Itanium lacks both, the Itanium 2 before the 9000 the second. clz and mpy4 are features
// 32 and 33, of the 9500; tf is for asking, so every processor has it.
TEST(Ia64Decode, LevelsHaveTheInstructionsOfTheirHistory) {
  const struct {
    Opcode opcode;
    const char* levels;  // itanium, itanium2, itanium2_9000, itanium_9500
  } cases[] = {
      {Opcode::add, "1111"},      {Opcode::fma, "1111"},    {Opcode::brl_cond, "0111"},
      {Opcode::brl_call, "0111"}, {Opcode::ld16, "0011"},   {Opcode::cmp8xchg16_acq, "0011"},
      {Opcode::vmsw_0, "0011"},   {Opcode::clz, "0001"},    {Opcode::mpy4, "0001"},
      {Opcode::mpyshl4, "0001"},  {Opcode::tf_z, "1111"},   {Opcode::hint_m, "1111"},
      {Opcode::fc_i, "1111"},     {Opcode::popcnt, "1111"}, {Opcode::mov_from_dahr, "0001"},
  };
  for (const auto& [opcode, levels] : cases) {
    for (std::size_t i = 0; i < level_count; ++i) {
      EXPECT_EQ(available(opcode, static_cast<Level>(i)), levels[i] == '1')
          << info(opcode).name << " " << level_name(static_cast<Level>(i));
    }
  }
}

// Open64, osprey/common/ipfec_targ_info/mckinley_knobsfile.knb: an instruction of each class.
TEST(Ia64Decode, TimingClassesAreThoseOfTheItanium2) {
  const std::map<Opcode, std::string> expected = {{Opcode::add, "ialu"},
                                                  {Opcode::cmp_eq, "icmp"},
                                                  {Opcode::xor_, "ilog"},
                                                  {Opcode::addp4, "pnt"},
                                                  {Opcode::dep_z, "ishf"},
                                                  {Opcode::tbit_z, "tbit"},
                                                  {Opcode::sxt4, "xtd"},
                                                  {Opcode::movl, "long_i"},
                                                  {Opcode::lfetch, "lfetch"},
                                                  {Opcode::ld8_acq, "ld"},
                                                  {Opcode::ld8_c_clr, "cld"},
                                                  {Opcode::ldfd_s, "fld"},
                                                  {Opcode::ldfd_sa, "flda"},
                                                  {Opcode::ldfpd_a, "fldp"},
                                                  {Opcode::ldfpd_c_nc, "fcld"},
                                                  {Opcode::st4_rel, "st"},
                                                  {Opcode::stf_spill, "stf"},
                                                  {Opcode::xchg8, "sem"},
                                                  {Opcode::fma_d, "fmac"},
                                                  {Opcode::xma_hu, "xma"},
                                                  {Opcode::fcvt_fx, "fcvtfx"},
                                                  {Opcode::fcvt_xf, "fcvtxf"},
                                                  {Opcode::frcpa, "fmisc"},
                                                  {Opcode::fpma, "sfmac"},
                                                  {Opcode::fpcvt_fx, "sfcvtfx"},
                                                  {Opcode::fprcpa, "sfmisc"},
                                                  {Opcode::fclass_m, "fcmp"},
                                                  {Opcode::fpmerge_se, "sfmergese"},
                                                  {Opcode::fchkf, "fother"},
                                                  {Opcode::setf_sig, "tofr"},
                                                  {Opcode::getf_sig, "frfr"},
                                                  {Opcode::mov_to_pr, "topr"},
                                                  {Opcode::mov_from_pr, "frpr"},
                                                  {Opcode::mov_to_br, "tobr"},
                                                  {Opcode::mov_from_br, "frbr"},
                                                  {Opcode::mov_from_ip, "frip"},
                                                  {Opcode::mov_to_ar_m, "toar_m"},
                                                  {Opcode::mov_to_ar_i, "toar_i"},
                                                  {Opcode::mov_to_cr, "tocr"},
                                                  {Opcode::mov_from_ar_m, "frar_m"},
                                                  {Opcode::mov_from_ar_i, "frar_i"},
                                                  {Opcode::mov_from_cr, "frcr"},
                                                  {Opcode::flushrs, "rse_m"},
                                                  {Opcode::cover, "rse_b"},
                                                  {Opcode::br_ret, "br"},
                                                  {Opcode::br_ctop, "br_b2"},
                                                  {Opcode::brp, "brp"},
                                                  {Opcode::chk_a_nc, "chk_alat"},
                                                  {Opcode::chk_s_i, "chk_i"},
                                                  {Opcode::chk_s_m, "chk_m"},
                                                  {Opcode::padd2, "mmalu_a"},
                                                  {Opcode::pmax2, "mmalu_i"},
                                                  {Opcode::mux1, "mmshf"},
                                                  {Opcode::shl, "mmshf"},
                                                  {Opcode::popcnt, "mmmul"},
                                                  {Opcode::invala, "syst_m"},
                                                  {Opcode::mf, "syst_m0"},
                                                  {Opcode::fc, "syst_m2"},
                                                  {Opcode::epc, "syst_b"},
                                                  {Opcode::rfi, "syst_b2"},
                                                  {Opcode::break_i, "nop_i"},
                                                  {Opcode::nop_m, "nop_m"},
                                                  {Opcode::nop_b, "nop_b"},
                                                  {Opcode::nop_f, "nop_f"},
                                                  {Opcode::nop_x, "nop_x"},
                                                  {Opcode::alloc, "alloc"}};
  std::set<std::string> classes;
  for (const auto& [opcode, name] : expected) {
    EXPECT_EQ(timing_class_name(info(opcode).timing), name) << info(opcode).name;
    classes.insert(name);
  }
  // Of moves to and from application registers, the register decides: five classes more.
  EXPECT_EQ(classes.size() + 5, timing_class_count);
}

// A text for every word, and none that reads beyond a table of names.
TEST(Ia64Disassembly, EveryPatternHasTexts) {
  for (const Opcode opcode : all_opcodes()) {
    std::size_t nameless = 0;
    for (const Word word : instances(opcode, 100, 2))
      nameless += text_of(word).starts_with("data8");
    EXPECT_LT(nameless, 80u) << info(opcode).name;  // a hint without a name
  }
}

// Texts of objdump.
TEST(Ia64Disassembly, WordsWithoutAMeaning) {
  EXPECT_EQ(text_of(0x060'0000'0000), "data8 0x6000000000");
  EXPECT_EQ(text_of(Word{3} << slot_bits | 0x800'0000), "data8 0x008000000");
  // A hint without a name, and a reserved template.
  EXPECT_EQ(text_of(0x090'e030'a100), "data8 0x90e030a100");
  EXPECT_EQ(disassemble({0x1f, {0x1, 0x2, 0x800'0000}}, 2, GuestAddr(0)), "data8 0x008000000");
}

// Bytes and texts of objdump; digits are those that it shows in the instruction's line.
TEST(Ia64Disassembly, ATextIsABundle) {
  const auto disassembler = make_disassembler();
  EXPECT_EQ(disassembler->text_bytes(), 16u);
  InstructionText text{.address = GuestAddr(0x40),
                       .length = 16,
                       .bytes = {0x03, 0x10, 0x25, 0x0a, 0x80, 0xc5, 0x91, 0x50, 0x2c, 0x24, 0x40,
                                 0x60, 0x40, 0x28, 0x58, 0x4e}};
  const char* const texts[] = {"alloc r34=ar.pfs,9,5,0", "(p07) shladd r9=r10,3,r11;;",
                               "dep r3=r4,r5,6,7;;"};
  const char* const digits[] = {"0310250a80c5", "91502c244060", "4028584e"};
  ASSERT_EQ(disassembler->slots(text), 3u);
  for (; text.slot < 3; ++text.slot) {
    EXPECT_EQ(disassembler->disassemble(text), texts[text.slot]);
    EXPECT_EQ(disassembler->digits(text), digits[text.slot]);
  }
  text.bytes = {0x05, 0x00, 0x00, 0x00, 0x01, 0x80, 0x9a, 0x78,
                0x56, 0x34, 0x12, 0x00, 0x04, 0x97, 0xf7, 0x66};
  text.slot = 1;
  EXPECT_EQ(disassembler->slots(text), 2u);
  EXPECT_EQ(disassembler->disassemble(text), "movl r32=0x123456789abcdef0;;");
  EXPECT_EQ(disassembler->digits(text), "9a78563412000497f766");
}

}  // namespace
}  // namespace hardclock::ia64
