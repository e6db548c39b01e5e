// The register stack, case by case. Sources: SDM 1, sections 3.1.8 and 4.1; SDM 2, chapter 6; SDM
// 3, alloc, br, cover, loadrs, mov ar. register_stack_random_test.cc has what single cases miss.
#include "isa/ia64/register_stack.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/ia64/register_stack_model.h"

namespace hardclock::ia64 {
namespace {

using test::Memory;

constexpr auto done = StackResult::done, illegal = StackResult::illegal_operation,
               reserved = StackResult::reserved_field, no_memory = StackResult::memory;
// Of slot 0: its first collection is 63 words above.
constexpr std::uint64_t base = 0x6000'0000'0000'0000;
constexpr std::uint64_t eager = 3;

class Ia64RegisterStack : public testing::Test {
 protected:
  Ia64RegisterStack() { memory_.map(base, base + (1 << 20)); }

  StackResult alloc(unsigned sof, unsigned sol, unsigned sor = 0) {
    return stack_.alloc(8, sof, sol, sor, memory_);
  }
  // Frames of `locals` numbered registers: the n-th has the value n.
  void call_with(unsigned locals, unsigned first_value) {
    ASSERT_EQ(alloc(locals, locals), done);
    for (unsigned i = 0; i < locals; ++i) stack_.write(32 + i, first_value + i, false);
    stack_.call();
  }
  StackResult ret(unsigned sof, unsigned sol) {
    return stack_.ret(pack({.sof = std::uint8_t(sof), .sol = std::uint8_t(sol)}), memory_);
  }
  StackResult loadrs(std::uint64_t bytes) {
    EXPECT_EQ(stack_.write_rsc(bytes << 16), done);
    return stack_.loadrs(memory_);
  }

  Memory memory_;
  RegisterStack stack_{base};
};

// ---- Addresses.
TEST(Ia64BackingStore, EverySixtyFourthWordIsACollection) {
  EXPECT_EQ(register_above(base, 1), base + 8);
  EXPECT_EQ(register_above(base, 62), base + 0x1f0);
  EXPECT_EQ(register_above(base, 63), base + 0x200);
  EXPECT_EQ(register_above(base + 0x1f0, 1), base + 0x200);
  EXPECT_EQ(register_above(base, 126), base + 0x400);
  EXPECT_EQ(register_below(base + 0x200, 1), base + 0x1f0);
  EXPECT_EQ(register_below(base + 0x200, 63), base);
  EXPECT_EQ(register_below(base + 0x200, 64), base - 0x10);
}

TEST(Ia64BackingStore, CountsAsOneWhoWalks) {
  for (std::uint64_t from = base; from < base + 0x400; from += 8) {
    std::uint64_t at = from;
    for (unsigned count = 0; count <= 200; ++count, at += 8) {
      if (at / 8 % 64 == 63) at += 8;
      EXPECT_EQ(registers_between(from, at), count);
      if (from / 8 % 64 == 63) continue;
      EXPECT_EQ(register_above(from, count), at);
      EXPECT_EQ(register_below(at, count), from);
    }
  }
}

// ---- Frame markers.
TEST(Ia64FrameMarker, Fields) {
  EXPECT_EQ(pack({.sof = 12, .sol = 9, .sor = 8}), 0x448cu);
  EXPECT_EQ(pack({.rrb_gr = 0x55}), 0x0154'0000u);
  EXPECT_EQ(pack({.rrb_fr = 95}), 0xbe00'0000u);
  EXPECT_EQ(pack({.rrb_pr = 47}), 0x2f'0000'0000u);
  const FrameMarker marker{96, 95, 88, 87, 95, 47};
  EXPECT_EQ(unpack_marker(pack(marker)), marker);
  EXPECT_EQ(unpack_marker(~std::uint64_t{0}), (FrameMarker{127, 127, 120, 127, 127, 63}));

  const std::uint64_t pfs = pack_pfs(marker, 63, 3);
  EXPECT_EQ(pack_pfs({}, 5, 3), 0xc050'0000'0000'0000u);
  EXPECT_EQ(pfs_ec(pfs), 63);
  EXPECT_EQ(unpack_marker(pfs), marker);
}

TEST(Ia64FrameMarker, ReservedBitsOfPfs) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const bool is_reserved = (bit >= 38 && bit <= 51) || (bit >= 58 && bit <= 61);
    EXPECT_EQ(is_reserved_pfs(std::uint64_t{1} << bit), is_reserved) << bit;
  }
}

TEST(Ia64FrameMarker, WhatNoInstructionMakes) {
  EXPECT_TRUE(is_valid({96, 96, 96, 95, 95, 47}));
  EXPECT_TRUE(is_valid({}));
  for (const FrameMarker& marker : {FrameMarker{97, 0, 0, 0, 0, 0},
                                    {8, 9, 0, 0, 0, 0},
                                    {8, 8, 16, 0, 0, 0},
                                    {8, 8, 8, 8, 0, 0},
                                    {8, 8, 0, 1, 0, 0},
                                    {8, 8, 0, 0, 96, 0},
                                    {8, 8, 0, 0, 0, 48}}) {
    EXPECT_FALSE(is_valid(marker)) << pack(marker);
  }
}

// ---- Frames. The numbers of SDM 1, figure 4-1.
TEST_F(Ia64RegisterStack, CallAllocAndReturn) {
  ASSERT_EQ(alloc(21, 14), done);
  for (unsigned r = 32; r < 53; ++r) stack_.write(r, 1000 + r, false);
  const std::uint64_t pfs = pack_pfs(stack_.marker(), 0, 3);
  stack_.call();
  EXPECT_EQ(stack_.marker(), (FrameMarker{.sof = 7}));
  EXPECT_EQ(stack_.bsp(), base + 14 * 8);
  for (unsigned r = 32; r < 39; ++r) EXPECT_EQ(stack_.value(r), 1014 + r);
  ASSERT_EQ(alloc(19, 16), done);
  EXPECT_EQ(stack_.marker(), (FrameMarker{.sof = 19, .sol = 16}));
  stack_.write(33, 7, true);
  ASSERT_EQ(stack_.ret(pfs, memory_), done);
  EXPECT_EQ(stack_.marker(), (FrameMarker{.sof = 21, .sol = 14}));
  EXPECT_EQ(stack_.bsp(), base);
  EXPECT_EQ(stack_.value(45), 1045u);
  EXPECT_EQ(stack_.value(46), 1046u);
  EXPECT_EQ(stack_.value(47), 7u);  // r33 of the callee
  EXPECT_TRUE(stack_.nat(47));
  EXPECT_FALSE(stack_.nat(46));
  EXPECT_EQ(stack_.traffic(), RegisterStackTraffic{});
}

TEST_F(Ia64RegisterStack, OnlyTheFrameIsWritable) {
  EXPECT_TRUE(stack_.is_writable(31));
  EXPECT_FALSE(stack_.is_writable(32));
  ASSERT_EQ(alloc(10, 4), done);
  EXPECT_TRUE(stack_.is_writable(41));
  EXPECT_FALSE(stack_.is_writable(42));
  ASSERT_EQ(alloc(96, 4), done);
  EXPECT_TRUE(stack_.is_writable(127));
}

TEST_F(Ia64RegisterStack, StaticRegistersStay) {
  stack_.write(31, 5, true);
  call_with(50, 0);
  EXPECT_EQ(stack_.value(31), 5u);
  EXPECT_TRUE(stack_.nat(31));
  EXPECT_EQ(stack_.physical(31), 31u);
  EXPECT_EQ(stack_.value(0), 0u);
}

// A NaT is found in whatever frame it is, and when it comes back from memory.
TEST_F(Ia64RegisterStack, KnowsWhetherThereAreNats) {
  ASSERT_EQ(alloc(96, 90), done);
  stack_.write(40, 1, false);
  EXPECT_FALSE(stack_.may_have_nats());
  stack_.write(40, 1, true);
  EXPECT_TRUE(stack_.may_have_nats());
  const std::uint64_t pfs = pack(stack_.marker());
  stack_.call();
  ASSERT_EQ(alloc(96, 96), done);
  ASSERT_EQ(stack_.ret(pfs, memory_), done);
  EXPECT_TRUE(stack_.nat(40));
  EXPECT_TRUE(stack_.find_nats());
  stack_.write(40, 1, false);
  EXPECT_TRUE(stack_.may_have_nats());
}

TEST_F(Ia64RegisterStack, AllocThatIsIllegal) {
  ASSERT_EQ(alloc(16, 16, 8), done);
  const RegisterStack before = stack_;
  EXPECT_EQ(alloc(97, 0), illegal);
  EXPECT_EQ(alloc(10, 11), illegal);
  EXPECT_EQ(alloc(15, 15, 16), illegal);
  EXPECT_EQ(stack_.alloc(0, 10, 10, 0, memory_), illegal);
  // r1 is one of the new frame.
  EXPECT_EQ(stack_.alloc(42, 10, 10, 0, memory_), illegal);
  EXPECT_EQ(stack_, before);
  EXPECT_EQ(stack_.alloc(41, 10, 10, 0, memory_), done);
}

TEST_F(Ia64RegisterStack, RotatingRegistersStayWhileRenamed) {
  ASSERT_EQ(alloc(16, 16, 8), done);
  stack_.rotate();
  EXPECT_EQ(alloc(16, 16, 16), reserved);
  EXPECT_EQ(alloc(16, 16, 0), reserved);
  EXPECT_EQ(alloc(20, 10, 8), done);
  stack_.clrrrb_pr();
  EXPECT_EQ(stack_.marker(), (FrameMarker{20, 10, 8, 7, 95, 0}));
  EXPECT_EQ(alloc(16, 16, 16), reserved);
  stack_.clrrrb();
  EXPECT_EQ(stack_.marker(), (FrameMarker{20, 10, 8, 0, 0, 0}));
  EXPECT_EQ(alloc(16, 16, 16), done);
}

TEST_F(Ia64RegisterStack, RotationRenames) {
  ASSERT_EQ(alloc(20, 20, 16), done);
  for (unsigned r = 32; r < 52; ++r) stack_.write(r, r, r % 3 == 0);
  stack_.rotate();
  EXPECT_EQ(stack_.marker(), (FrameMarker{20, 20, 16, 15, 95, 47}));
  EXPECT_EQ(stack_.value(32), 47u);
  for (unsigned r = 33; r < 48; ++r) {
    EXPECT_EQ(stack_.value(r), r - 1);
    EXPECT_EQ(stack_.nat(r), (r - 1) % 3 == 0);
  }
  for (unsigned r = 48; r < 52; ++r) EXPECT_EQ(stack_.value(r), r);
  // A call names them anew, the return as before.
  const std::uint64_t pfs = pack(stack_.marker());
  stack_.call();
  EXPECT_EQ(stack_.marker(), FrameMarker{});
  ASSERT_EQ(stack_.ret(pfs, memory_), done);
  EXPECT_EQ(stack_.value(32), 47u);
  stack_.clrrrb();
  EXPECT_EQ(stack_.value(32), 32u);
}

TEST_F(Ia64RegisterStack, WithoutRotatingGeneralRegistersTheOthersRotate) {
  ASSERT_EQ(alloc(4, 4), done);
  stack_.rotate();
  EXPECT_EQ(stack_.marker(), (FrameMarker{4, 4, 0, 0, 95, 47}));
}

TEST_F(Ia64RegisterStack, CoverLeavesAnEmptyFrame) {
  ASSERT_EQ(alloc(70, 10, 8), done);
  stack_.rotate();
  stack_.cover();
  EXPECT_EQ(stack_.marker(), FrameMarker{});
  EXPECT_EQ(stack_.bsp(), base + 71 * 8);
  EXPECT_EQ(stack_.dirty(), 70u);
}

// ---- Spills and fills.
TEST_F(Ia64RegisterStack, AllocStoresAsManyAsItNeeds) {
  call_with(96, 500);
  EXPECT_EQ(stack_.dirty(), 96u);
  EXPECT_EQ(memory_.stores, 0u);
  ASSERT_EQ(alloc(10, 10), done);
  EXPECT_EQ(stack_.traffic(), (RegisterStackTraffic{0, 10}));
  EXPECT_EQ(memory_.stores, 10u);
  EXPECT_EQ(stack_.bspstore(), base + 80);
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(memory_.at(base + 8 * i), 500 + i);
  for (unsigned i = 0; i < 10; ++i) stack_.write(32 + i, 0, true);
  ASSERT_EQ(ret(96, 96), done);
  EXPECT_EQ(stack_.traffic(), (RegisterStackTraffic{10, 10}));
  for (unsigned i = 0; i < 96; ++i) {
    EXPECT_EQ(stack_.value(32 + i), 500 + i);
    EXPECT_FALSE(stack_.nat(32 + i));
  }
  EXPECT_EQ(stack_.bspstore(), stack_.bsp());
}

// From slot 60 on: three registers, the collection, the others.
TEST_F(Ia64RegisterStack, CollectionsAreStoredOnTheWay) {
  constexpr std::uint64_t start = base + 60 * 8;
  stack_ = RegisterStack(start);
  ASSERT_EQ(stack_.write_rnat(0x0123'4567'89ab'cdef), done);
  ASSERT_EQ(alloc(96, 96), done);
  for (unsigned i = 0; i < 96; ++i) stack_.write(32 + i, i, i == 0 || i == 2 || i == 4);
  stack_.call();
  EXPECT_EQ(stack_.bsp(), start + 98 * 8);  // two collections: at slot 63, twice
  ASSERT_EQ(alloc(6, 6), done);
  EXPECT_EQ(memory_.stores, 7u);
  EXPECT_EQ(memory_.at(start + 16), 2u);
  EXPECT_EQ(memory_.at(base + 0x1f8), 0x5123'4567'89ab'cdefu);
  EXPECT_EQ(memory_.at(base + 0x200), 3u);
  EXPECT_EQ(stack_.bspstore(), base + 0x218);
  EXPECT_EQ(stack_.rnat() & 7, 0b010u);  // 3, 4 and 5, of which 4 is NaT
  ASSERT_EQ(ret(96, 96), done);
  EXPECT_EQ(memory_.loads, 7u);
  for (unsigned i = 0; i < 96; ++i) EXPECT_EQ(stack_.nat(32 + i), i == 0 || i == 2 || i == 4);
  EXPECT_EQ(stack_.rnat() & ((std::uint64_t{1} << 60) - 1), 0x0123'4567'89ab'cdefu);
}

TEST_F(Ia64RegisterStack, TheCollectionBelowTheFrameIsFlushed) {
  ASSERT_EQ(alloc(63, 63), done);
  for (unsigned r = 32; r < 95; ++r) stack_.write(r, r, true);
  stack_.call();
  EXPECT_EQ(stack_.bsp(), base + 0x200);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  EXPECT_EQ(stack_.bspstore(), base + 0x200);
  EXPECT_EQ(memory_.stores, 64u);
  EXPECT_EQ(memory_.at(base + 0x1f8), ~std::uint64_t{0} >> 1);
}

// flushrs leaves registers clean: the return needs no load but that of the collection, whose other
// bits the next registers to be stored there will go with.
TEST_F(Ia64RegisterStack, CleanRegistersAreNotLoaded) {
  call_with(40, 0);
  call_with(40, 40);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  EXPECT_EQ(stack_.clean(), 80u);
  ASSERT_EQ(ret(1, 1), done);
  EXPECT_EQ(stack_.value(32), 79u);
  EXPECT_EQ(memory_.loads, 0u);
  ASSERT_EQ(ret(39, 39), done);
  EXPECT_EQ(memory_.loads, 1u);
  ASSERT_EQ(ret(40, 40), done);
  EXPECT_EQ(memory_.loads, 1u);
  for (unsigned r = 32; r < 72; ++r) EXPECT_EQ(stack_.value(r), r - 32);
}

TEST_F(Ia64RegisterStack, ByteOrderIsThatOfRsc) {
  for (const Endian order : {Endian::little, Endian::big}) {
    stack_ = RegisterStack(base);
    ASSERT_EQ(stack_.write_rsc(order == Endian::big ? 0x10 : 0), done);
    call_with(3, 0x10);
    ASSERT_EQ(stack_.flushrs(memory_), done);
    EXPECT_EQ(memory_.order_at(base), order);
    EXPECT_EQ(memory_.at(base + 16), 0x12u);
    ASSERT_EQ(loadrs(0), done);
    ASSERT_EQ(stack_.write_rsc(order == Endian::big ? 0 : 0x10), done);  // the wrong one
    ASSERT_EQ(ret(3, 3), done);
    EXPECT_EQ(stack_.value(34), 0x12'00'00'00'00'00'00'00u);
  }
}

// ---- Faults of memory.
TEST_F(Ia64RegisterStack, AllocThatFaultsLeavesTheFrame) {
  call_with(96, 0);
  ASSERT_EQ(alloc(0, 0), done);
  memory_.set_failures(100);
  EXPECT_EQ(alloc(10, 10), no_memory);
  EXPECT_EQ(stack_.marker(), FrameMarker{});
  EXPECT_EQ(stack_.bsp(), base + 97 * 8);
  memory_.set_failures(0);
  EXPECT_EQ(alloc(10, 10), done);
  EXPECT_EQ(memory_.stores, 10u);
}

TEST_F(Ia64RegisterStack, ReturnThatFaultsHasTakenPlace) {
  call_with(96, 0);
  ASSERT_EQ(alloc(10, 10), done);
  memory_.set_failures(100);
  EXPECT_EQ(ret(96, 96), no_memory);
  EXPECT_TRUE(stack_.is_incomplete());
  EXPECT_EQ(stack_.marker(), (FrameMarker{.sof = 96, .sol = 96}));
  EXPECT_EQ(stack_.bsp(), base);
  EXPECT_EQ(stack_.bspstore(), base + 80);
  EXPECT_EQ(stack_.complete(memory_), no_memory);

  // A handler covers the frame: what was in registers is dirty, the rest is in memory.
  RegisterStack handler = stack_;
  handler.cover();
  EXPECT_FALSE(handler.is_incomplete());
  EXPECT_EQ(handler.dirty(), 86u);
  EXPECT_EQ(handler.bsp(), base + 97 * 8);
  memory_.set_failures(0);
  ASSERT_EQ(handler.flushrs(memory_), done);
  EXPECT_EQ(memory_.at(base + 8 * 62), 62u);

  EXPECT_EQ(stack_.complete(memory_), done);
  EXPECT_FALSE(stack_.is_incomplete());
  EXPECT_EQ(memory_.loads, 10u);
  for (unsigned i = 0; i < 96; ++i) EXPECT_EQ(stack_.value(32 + i), i);
}

// ---- ar.pfs of a program's own making.
TEST_F(Ia64RegisterStack, ReturnToAFrameThatDoesNotFit) {
  call_with(90, 0);
  ASSERT_EQ(alloc(6, 0), done);
  // 10 outputs above 90 dirty registers.
  ASSERT_EQ(ret(14, 4), done);
  EXPECT_EQ(stack_.marker(), FrameMarker{});
  EXPECT_EQ(stack_.bsp(), base + 87 * 8);
  EXPECT_EQ(stack_.dirty(), 86u);
  EXPECT_EQ(memory_.stores + memory_.loads, 0u);
  // After flushrs it fits.
  ASSERT_EQ(stack_.flushrs(memory_), done);
  ASSERT_EQ(ret(14, 4), done);
  EXPECT_EQ(stack_.marker(), (FrameMarker{.sof = 14, .sol = 4}));
  EXPECT_EQ(stack_.value(32), 82u);
}

// Outputs that the callee did not have cover the lowest clean registers.
TEST_F(Ia64RegisterStack, ReturnToAFrameThatNeedsCleanRegisters) {
  call_with(90, 0);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  ASSERT_EQ(ret(20, 0), done);
  EXPECT_EQ(stack_.clean(), 76u);
  for (unsigned r = 32; r < 52; ++r) stack_.write(r, 9999, true);
  stack_.cover();
  ASSERT_EQ(ret(20, 20), done);
  ASSERT_EQ(ret(90, 90), done);
  for (unsigned i = 0; i < 90; ++i) EXPECT_EQ(stack_.value(32 + i), i);
}

TEST_F(Ia64RegisterStack, ReturnToWhatIsNoFrame) {
  call_with(8, 0);
  const RegisterStack before = stack_;
  for (const FrameMarker& marker : {FrameMarker{97, 0, 0, 0, 0, 0},
                                    {8, 9, 0, 0, 0, 0},
                                    {8, 8, 16, 0, 0, 0},
                                    {8, 8, 8, 8, 0, 0}}) {
    EXPECT_EQ(stack_.ret(pack(marker), memory_), illegal);
    EXPECT_EQ(stack_, before);
  }
}

// ---- loadrs.
TEST_F(Ia64RegisterStack, LoadrsKeepsNoMoreThanItsBytes) {
  call_with(20, 0);
  ASSERT_EQ(loadrs(5 * 8), done);
  EXPECT_EQ(stack_.dirty(), 5u);
  EXPECT_EQ(stack_.clean(), 0u);
  EXPECT_EQ(stack_.bspstore(), base + 15 * 8);
  EXPECT_EQ(memory_.loads, 0u);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  EXPECT_EQ(memory_.stores, 5u);
  for (unsigned i = 15; i < 20; ++i) EXPECT_EQ(memory_.at(base + 8 * i), i);
}

TEST_F(Ia64RegisterStack, LoadrsLoadsWhatIsMissing) {
  call_with(90, 0);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  ASSERT_EQ(loadrs(0), done);
  EXPECT_EQ(stack_.dirty() + stack_.clean(), 0u);
  // 70 words below bsp: 69 registers, and the collection between them.
  ASSERT_EQ(loadrs(70 * 8 + 7), done);
  EXPECT_EQ(stack_.dirty(), 69u);
  EXPECT_EQ(stack_.bspstore(), base + 21 * 8);
  EXPECT_EQ(memory_.loads, 70u);
  ASSERT_EQ(ret(69, 69), done);
  EXPECT_EQ(memory_.loads, 70u);
  for (unsigned i = 0; i < 69; ++i) EXPECT_EQ(stack_.value(32 + i), 21 + i);
}

TEST_F(Ia64RegisterStack, LoadrsThatIsIllegal) {
  call_with(90, 0);
  ASSERT_EQ(alloc(1, 1), done);
  EXPECT_EQ(loadrs(8), illegal);  // with a frame
  EXPECT_EQ(loadrs(0), done);
  ASSERT_EQ(stack_.write_rsc(eager), done);
  EXPECT_EQ(stack_.loadrs(memory_), illegal);  // another mode
  stack_ = RegisterStack(base + 0x2000);
  EXPECT_EQ(loadrs(99 * 8), illegal);  // 97 registers, two collections
  EXPECT_EQ(loadrs(98 * 8), done);
  EXPECT_EQ(stack_.dirty(), 96u);
}

// ---- Application registers.
TEST_F(Ia64RegisterStack, Rsc) {
  EXPECT_EQ(stack_.rsc(), 0xcu);
  for (unsigned bit = 0; bit < 64; ++bit) {
    const bool is_reserved = (bit >= 5 && bit <= 15) || bit >= 30;
    const std::uint64_t value = std::uint64_t{1} << bit;
    EXPECT_EQ(stack_.write_rsc(value), is_reserved ? reserved : done) << bit;
    if (!is_reserved) {
      EXPECT_EQ(stack_.rsc(), value | 0xc) << bit;
    }
  }
}

TEST_F(Ia64RegisterStack, BspstoreAndRnatInEnforcedLazyModeOnly) {
  for (std::uint64_t mode = 1; mode <= 3; ++mode) {
    ASSERT_EQ(stack_.write_rsc(mode), done);
    EXPECT_FALSE(stack_.is_enforced_lazy());
    EXPECT_EQ(stack_.write_bspstore(base + 8), illegal);
    EXPECT_EQ(stack_.write_rnat(1), illegal);
  }
  EXPECT_EQ(stack_.bspstore(), base);
  ASSERT_EQ(stack_.write_rsc(0), done);
  EXPECT_TRUE(stack_.is_enforced_lazy());
  EXPECT_EQ(stack_.write_rnat(~std::uint64_t{0}), done);
  EXPECT_EQ(stack_.rnat(), ~std::uint64_t{0} >> 1);
}

TEST_F(Ia64RegisterStack, WritingBspstoreMovesBsp) {
  EXPECT_EQ(stack_.write_bspstore(base + 0x1007), done);
  EXPECT_EQ(stack_.bspstore(), base + 0x1000);
  EXPECT_EQ(stack_.bsp(), base + 0x1000);
  // At a collection's place.
  ASSERT_EQ(stack_.write_bspstore(base + 0x1f8), done);
  EXPECT_EQ(stack_.bsp(), base + 0x200);
  ASSERT_EQ(stack_.write_bspstore(base), done);

  call_with(5, 70);
  ASSERT_EQ(stack_.write_bspstore(base + 0x11f0), done);
  EXPECT_EQ(stack_.bsp(), base + 0x1220);  // five registers and a collection
  EXPECT_EQ(stack_.dirty(), 5u);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  EXPECT_EQ(memory_.at(base + 0x11f0), 70u);
  EXPECT_EQ(memory_.at(base + 0x1218), 74u);
}

TEST_F(Ia64RegisterStack, StackAcrossTheEndOfMemory) {
  memory_.map(~std::uint64_t{0} - 0xfff, ~std::uint64_t{0});
  memory_.map(0, 0x1000);
  stack_ = RegisterStack(~std::uint64_t{0} - 0x1f);  // slot 60
  ASSERT_EQ(stack_.write_rsc(0), done);
  call_with(50, 0);
  EXPECT_EQ(stack_.bsp(), 47u * 8);
  ASSERT_EQ(stack_.flushrs(memory_), done);
  ASSERT_EQ(loadrs(0), done);
  ASSERT_EQ(ret(50, 50), done);
  for (unsigned i = 0; i < 50; ++i) EXPECT_EQ(stack_.value(32 + i), i);
}

TEST_F(Ia64RegisterStack, CopiesAreApart) {
  call_with(8, 0);
  RegisterStack copy = stack_;
  EXPECT_EQ(copy, stack_);
  ASSERT_EQ(copy.alloc(32, 1, 1, 0, memory_), done);
  copy.write(32, 1, true);
  EXPECT_FALSE(copy == stack_);
  EXPECT_FALSE(stack_.is_writable(32));
}

TEST_F(Ia64RegisterStack, AProgramStarts) {
  call_with(8, 1);
  stack_.write(8, 77, false);
  stack_.start(base + 0x1000, {.sof = 8, .sol = 8});
  EXPECT_EQ(stack_.marker(), (FrameMarker{.sof = 8, .sol = 8}));
  EXPECT_EQ(stack_.bsp(), base + 0x1000);
  EXPECT_EQ(stack_.dirty(), 0u);
  for (unsigned r = 32; r < 128; ++r) EXPECT_EQ(stack_.value(r), 0u);
  EXPECT_EQ(stack_.value(8), 77u);
}

}  // namespace
}  // namespace hardclock::ia64
