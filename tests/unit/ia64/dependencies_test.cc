// Instruction groups that no straight-line program has, and those of which GNU as knows nothing.
// Source: "Intel Itanium Architecture Software Developer's Manual", revision 2.3, volume 1, section
// 3.4, and volume 3, chapter 5. Fields of words are at the bits of volume 3, chapter 4.
#include "isa/ia64/dependencies.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>

#include "isa/ia64/bundle.h"
#include "isa/ia64/ia64_decode.h"

namespace hardclock::ia64 {
namespace {

constexpr GuestAddr base{0x4000'0000'0000'0a00};
using enum Opcode;

struct Field {
  unsigned low;
  std::uint64_t value;
};
Word word(Opcode opcode, std::initializer_list<Field> fields = {}) {
  Word result = info(opcode).match;
  for (const Field& field : fields) result |= field.value << field.low;
  return result;
}
Word sum_of(unsigned r1, unsigned r2, unsigned r3) {
  return word(Opcode::add, {{6, r1}, {13, r2}, {20, r3}});
}

// In a bundle without stops.
InstructionText placed(Word word, GuestAddr address) {
  constexpr std::uint64_t nop_m = std::uint64_t{1} << 27;  // and that of I
  const std::uint64_t slot = word & slot_mask;
  Bundle bundle{0x10, {nop_m, nop_m, slot}};
  std::uint8_t at = 2;
  switch (static_cast<Unit>(word >> slot_bits)) {
    case Unit::m:
      bundle = {0x00, {slot, nop_m, nop_m}};
      at = 0;
      break;
    case Unit::i:
      bundle = {0x00, {nop_m, slot, nop_m}};
      at = 1;
      break;
    case Unit::f:
      bundle = {0x0c, {nop_m, slot, nop_m}};
      at = 1;
      break;
    default:
      break;
  }
  return {.address = address, .length = bundle_bytes, .slot = at, .bytes = packed_bytes(bundle)};
}

// A processor that runs one group, a bundle for each instruction.
class Ia64Group : public testing::Test {
 protected:
  // The whole bundle of the word.
  std::optional<Dependency> run(Word word) {
    InstructionText text = placed(word, address_);
    const std::uint8_t last = text.slot;
    std::optional<Dependency> found;
    for (text.slot = 0; text.slot < slot_count; ++text.slot) {
      const auto here = checker_.next(text, registers_);
      if (text.slot == last) found = here;
    }
    address_ = address_ + bundle_bytes;
    return found;
  }
  std::string sentence_about(Word word) {
    const auto found = run(word);
    return found ? sentence(*found) : "";
  }
  void rotate_from_r32(unsigned count) {
    registers_.stack.start(0x8000'0000,
                           {.sof = 16, .sol = 8, .sor = static_cast<std::uint8_t>(count)});
  }

  DependencyChecker checker_;
  Registers registers_;
  GuestAddr address_ = base;
};

TEST_F(Ia64Group, SaysWhichInstructionsAndWhat) {
  EXPECT_EQ(sentence_about(sum_of(14, 2, 3)), "");
  EXPECT_EQ(sentence_about(sum_of(15, 14, 3)),
            "0x4000000000000a10 (slot 0): reads r14, which 0x4000000000000a00 (slot 0) wrote in "
            "the same instruction group");
  EXPECT_EQ(sentence_about(sum_of(14, 2, 3)),
            "0x4000000000000a20 (slot 0): writes r14, which 0x4000000000000a00 (slot 0) wrote in "
            "the same instruction group");
}

// CFM: a branch of a software-pipelined loop that falls through has rotated registers.
TEST_F(Ia64Group, WhatALoopBranchRenames) {
  rotate_from_r32(8);
  run(word(br_ctop));
  const auto found = run(sum_of(5, 33, 2));
  ASSERT_TRUE(found);
  EXPECT_EQ(dependencies::name_of(found->item), "cfm");
}
TEST_F(Ia64Group, WhatALoopBranchDoesNotRename) {
  rotate_from_r32(8);
  run(word(br_ctop));
  EXPECT_FALSE(run(sum_of(5, 40, 2))) << "r40 is behind the rotating registers";
  EXPECT_FALSE(run(word(fmerge_s, {{6, 6}, {13, 7}, {20, 31}})));
  EXPECT_TRUE(run(word(fmerge_s, {{6, 8}, {13, 9}, {20, 32}})));
}
TEST_F(Ia64Group, LoopBranchesTakePlaceWithoutTheirPredicate) {
  run(word(mov_to_ar_imm8_i, {{20, 66}}));
  const auto found = run(word(br_wtop, {{0, 6}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(dependencies::name_of(found->item), "ar.ec");
}

// Table 5-4: the only write after read.
TEST_F(Ia64Group, LoopBranchWritesThePredicateOfABranch) {
  run(word(br_cond, {{0, 63}}));
  EXPECT_EQ(sentence_about(word(br_ctop)),
            "0x4000000000000a10 (slot 2): writes p63, which 0x4000000000000a00 (slot 2) read in "
            "the same instruction group");
}

TEST_F(Ia64Group, BothTargetsOfAPair) {
  run(word(ldfpd, {{6, 6}, {13, 7}, {20, 8}}));
  EXPECT_TRUE(run(word(fmerge_s, {{6, 9}, {13, 6}, {20, 10}})));
  EXPECT_TRUE(run(word(fmerge_s, {{6, 11}, {13, 7}, {20, 10}})));
}
TEST_F(Ia64Group, OperandsOfParallelCompares) {
  run(word(fpcmp_eq, {{6, 6}, {13, 7}, {20, 8}}));
  EXPECT_TRUE(run(word(fpcmp_eq, {{6, 9}, {13, 6}, {20, 8}})));
}
TEST_F(Ia64Group, FlagsOfSinglePrecision) {
  run(word(fma_s, {{6, 6}, {34, 1}}));
  EXPECT_FALSE(run(word(fclrf, {{34, 2}})));
  EXPECT_TRUE(run(word(fclrf, {{34, 1}})));
}
TEST_F(Ia64Group, PredicatesOfUnordered) {
  run(word(fcmp_unord, {{6, 6}, {27, 7}}));
  EXPECT_TRUE(run(word(mov_from_pr)));
}
TEST_F(Ia64Group, AddressOfAPrefetch) {
  run(sum_of(14, 2, 3));
  EXPECT_TRUE(run(word(lfetch, {{20, 14}})));
}

// A trap has led to a handler in the middle of the group.
TEST_F(Ia64Group, EndsWhereControlGoesElsewhere) {
  run(sum_of(14, 2, 3));
  address_ = address_ + 0x100;
  EXPECT_FALSE(run(sum_of(15, 14, 3)));
}
// Control goes on with the next bundle, but by a branch.
TEST_F(Ia64Group, EndsAtABranchToTheNextBundle) {
  run(sum_of(14, 2, 3));
  run(word(br_cond, {{13, 1}}));
  EXPECT_FALSE(run(sum_of(15, 14, 3)));
}
TEST_F(Ia64Group, GoesOnBehindABranchThatIsNotTaken) {
  run(sum_of(14, 2, 3));
  run(word(br_cond, {{0, 6}, {13, 1}}));
  EXPECT_TRUE(run(sum_of(15, 14, 3)));
}

// A clock interrupt found the instruction waiting for its operands: it is seen twice.
TEST_F(Ia64Group, AnInstructionThatBeginsAgain) {
  const InstructionText first = placed(sum_of(14, 14, 3), base);
  EXPECT_FALSE(checker_.next(first, registers_));
  EXPECT_FALSE(checker_.next(first, registers_));
  InstructionText second = first;
  second.slot = 1;
  checker_.next(second, registers_);
  second.slot = 2;
  checker_.next(second, registers_);
  EXPECT_TRUE(checker_.next(placed(sum_of(15, 14, 3), base + bundle_bytes), registers_));
}

TEST_F(Ia64Group, CopiesGoTheirOwnWays) {
  run(sum_of(14, 2, 3));
  DependencyChecker copy = checker_;
  EXPECT_FALSE(copy.next(placed(sum_of(14, 2, 3), base + 0x1000), registers_));
  EXPECT_TRUE(run(sum_of(15, 14, 3)));
}

}  // namespace
}  // namespace hardclock::ia64
