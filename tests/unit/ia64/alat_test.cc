// The ALAT: SDM 1, section 4.4.5; SDM 3, ld, chk.a, invala.
#include "isa/ia64/alat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/ia64/register_stack.h"
#include "tests/support/random_choices.h"

namespace hardclock::ia64 {
namespace {

constexpr std::uint64_t address = 0x6000'0000'0000'1000;

TEST(Ia64Alat, CheckFindsWhatWasLoaded) {
  Alat alat;
  EXPECT_FALSE(alat.check(8, false));
  alat.insert(8, address, 8);
  EXPECT_TRUE(alat.check(8, false));  // ld.c.nc, chk.a.nc: the entry stays
  EXPECT_TRUE(alat.check(8, true));   // .clr: it goes
  EXPECT_FALSE(alat.check(8, false));
}

TEST(Ia64Alat, GeneralAndFloatingPointRegistersAreApart) {
  Alat alat;
  alat.insert(8, address, 8);
  EXPECT_FALSE(alat.check(floating_point_alat_register(8), false));
  alat.insert(floating_point_alat_register(8), address + 16, 16);
  alat.forget(8);  // invala.e r8
  EXPECT_TRUE(alat.check(floating_point_alat_register(8), false));
  EXPECT_FALSE(alat.check(8, false));
}

// Each store of 1, 2, 4, 8 or 16 aligned bytes near a load of such a size.
TEST(Ia64Alat, StoresThatShareAByteRemove) {
  for (const unsigned loaded : {1u, 2u, 4u, 8u, 16u}) {
    for (const unsigned stored : {1u, 2u, 4u, 8u, 16u}) {
      for (unsigned at = 0; at < 64; at += stored) {
        Alat alat;
        alat.insert(9, address + 32, loaded);
        alat.store(address + at, stored);
        bool shares = false;
        for (unsigned byte = at; byte < at + stored; ++byte)
          shares |= byte >= 32 && byte < 32 + loaded;
        EXPECT_EQ(alat.check(9, false), !shares) << loaded << " " << stored << " at " << at;
      }
    }
  }
}

TEST(Ia64Alat, UnalignedAndLongStores) {
  Alat alat;
  alat.insert(9, address + 13, 8);  // crosses a line of 16 bytes
  alat.store(address + 21, 1);
  alat.store(address + 12, 1);
  EXPECT_TRUE(alat.check(9, false));
  alat.store(address + 20, 1);
  EXPECT_FALSE(alat.check(9, false));

  // A system call writes a buffer.
  alat.insert(9, address + 5000, 4);
  alat.insert(10, address + 9000, 4);
  alat.store(address, 5001);
  EXPECT_FALSE(alat.check(9, false));
  EXPECT_TRUE(alat.check(10, false));
  alat.store(0, ~std::uint64_t{0});
  EXPECT_EQ(alat.size(), 0u);
}

// 1 KiB apart two addresses are alike to the filter, but not to the entries.
TEST(Ia64Alat, DistantStoresRemoveNothing) {
  Alat alat;
  alat.insert(9, address, 8);
  for (std::uint64_t distance = 0x400; distance != 0; distance <<= 1) {
    alat.store(address + distance, 8);
    alat.store(address - distance, 8);
  }
  EXPECT_TRUE(alat.check(9, false));
}

TEST(Ia64Alat, AddressesWrapAround) {
  Alat alat;
  alat.insert(9, ~std::uint64_t{0} - 3, 8);  // four bytes at the top, four at 0
  alat.store(4, 4);
  EXPECT_TRUE(alat.check(9, false));
  alat.store(3, 1);
  EXPECT_FALSE(alat.check(9, false));
  alat.insert(9, 2, 4);
  alat.store(~std::uint64_t{0}, 4);
  EXPECT_FALSE(alat.check(9, false));
}

TEST(Ia64Alat, AnotherLoadIntoTheRegisterReplaces) {
  Alat alat;
  alat.insert(9, address, 8);
  alat.insert(9, address + 64, 8);
  EXPECT_EQ(alat.size(), 1u);
  alat.store(address, 8);
  EXPECT_TRUE(alat.check(9, false));
  alat.store(address + 64, 8);
  EXPECT_FALSE(alat.check(9, false));
}

// ldfpd.a f6,f7 = [r3]: a store to either half concerns both.
TEST(Ia64Alat, PairsShareTheirAddress) {
  Alat alat;
  for (const unsigned f : {6u, 7u}) alat.insert(floating_point_alat_register(f), address, 16);
  alat.store(address + 8, 8);
  EXPECT_EQ(alat.size(), 0u);
}

TEST(Ia64Alat, HoldsThirtyTwoAndGivesUpTheOldest) {
  Alat alat;
  for (unsigned r = 0; r < 32; ++r) alat.insert(32 + r, address + 8 * r, 8);
  EXPECT_EQ(alat.size(), 32u);
  alat.insert(32, address, 8);  // loaded again: now the youngest
  alat.insert(80, address + 800, 8);
  EXPECT_EQ(alat.size(), 32u);
  EXPECT_FALSE(alat.check(33, false));
  EXPECT_TRUE(alat.check(32, false));
  EXPECT_TRUE(alat.check(34, false));
  EXPECT_TRUE(alat.check(80, false));
  alat.clear();  // invala
  for (unsigned r = 0; r < 128; ++r) EXPECT_FALSE(alat.check(r, false));
}

TEST(Ia64Alat, WithoutEntriesEveryCheckMisses) {
  Alat alat(0);
  alat.insert(9, address, 8);
  EXPECT_FALSE(alat.check(9, false));
}

TEST(Ia64Alat, CopiesAreApart) {
  Alat alat;
  alat.insert(9, address, 8);
  Alat copy = alat;
  EXPECT_EQ(copy, alat);
  alat.store(address, 1);
  EXPECT_FALSE(copy == alat);
  EXPECT_TRUE(copy.check(9, false));
}

// Against a list of bytes: a register's entry is there until one of its bytes is stored to.
TEST(Ia64Alat, RandomLoadsAndStores) {
  struct Load {
    AlatRegister target;
    std::uint64_t address, size;
  };
  support::RandomChoices random(1);
  Alat alat;
  std::vector<Load> loads;  // the oldest first
  const auto forget = [&](AlatRegister target) {
    std::erase_if(loads, [&](const Load& load) { return load.target == target; });
  };
  const auto random_address = [&] { return address - 0x400 + random.below(0x800); };
  for (unsigned i = 0; i < 20000; ++i) {
    const AlatRegister target = random.below(48);
    if (random.chance(60)) {
      const std::uint64_t at = random_address(), size = 1 << random.below(5);
      forget(target);
      if (loads.size() == 32) loads.erase(loads.begin());
      loads.push_back({target, at, size});
      alat.insert(target, at, size);
    } else if (random.chance(80)) {
      const std::uint64_t at = random_address(), size = 1 + random.below(40);
      std::erase_if(loads, [&](const Load& load) {
        bool shares = false;
        for (std::uint64_t byte = at; byte < at + size; ++byte)
          shares |= byte >= load.address && byte < load.address + load.size;
        return shares;
      });
      alat.store(at, size);
    } else {
      const bool is_there = std::any_of(loads.begin(), loads.end(),
                                        [&](auto& load) { return load.target == target; });
      const bool clears = random.chance(50);
      ASSERT_EQ(alat.check(target, clears), is_there) << i;
      if (clears) forget(target);
    }
    ASSERT_EQ(alat.size(), loads.size()) << i;
  }
}

// ---- Names of stacked registers.
class Memory final : public BackingStore {
 public:
  std::optional<std::uint64_t> load(std::uint64_t, Endian) override { return 0; }
  bool store(std::uint64_t, std::uint64_t, Endian) override { return true; }
};

TEST(Ia64Alat, AnEntryFollowsRotation) {
  Memory memory;
  RegisterStack registers;
  ASSERT_EQ(registers.alloc(32, 16, 8, 8, memory), StackResult::done);
  Alat alat;
  alat.insert(registers.alat_register(32), address, 8);
  registers.rotate();
  EXPECT_FALSE(alat.check(registers.alat_register(32), false));
  EXPECT_TRUE(alat.check(registers.alat_register(33), false));
  registers.clrrrb();
  EXPECT_TRUE(alat.check(registers.alat_register(32), false));
}

TEST(Ia64Alat, AnEntryFollowsCallsAndReturns) {
  Memory memory;
  RegisterStack registers;
  ASSERT_EQ(registers.alloc(32, 10, 6, 0, memory), StackResult::done);
  Alat alat;
  alat.insert(registers.alat_register(33), address, 8);
  alat.insert(registers.alat_register(38), address, 8);  // the first output
  const std::uint64_t pfs = pack(registers.marker());
  registers.call();
  EXPECT_TRUE(alat.check(registers.alat_register(32), false));  // the callee's first input
  EXPECT_FALSE(alat.check(registers.alat_register(33), false));
  ASSERT_EQ(registers.ret(pfs, memory), StackResult::done);
  EXPECT_TRUE(alat.check(registers.alat_register(33), false));
}

// A callee far down has the same physical register: its load is not the caller's.
TEST(Ia64Alat, RegistersThatShareAPlaceInTheRingAreApart) {
  Memory memory;
  RegisterStack registers;
  std::uint64_t pfs[4];
  ASSERT_EQ(registers.alloc(32, 96, 48, 0, memory), StackResult::done);
  const unsigned place = registers.physical(40);
  const AlatRegister name = registers.alat_register(40);
  for (int depth = 0; depth < 4; ++depth) {
    pfs[depth] = pack(registers.marker());
    registers.call();
    ASSERT_EQ(registers.alloc(32, 96, 48, 0, memory), StackResult::done);
    if (depth % 2 == 1) {
      EXPECT_EQ(registers.physical(40), place);
    }
    EXPECT_NE(registers.alat_register(40), name);
  }
  for (int depth = 4; depth-- > 0;) ASSERT_EQ(registers.ret(pfs[depth], memory), StackResult::done);
  EXPECT_EQ(registers.alat_register(40), name);
}

}  // namespace
}  // namespace hardclock::ia64
