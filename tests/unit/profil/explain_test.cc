// The lines of --explain in the shapes that are not IRIX's (those are in irix_test.cc). The numbers
// are those of the conformance case that a test names.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "syscalls/profil/hpux.h"
#include "syscalls/profil/irix.h"
#include "syscalls/profil/profil.h"
#include "syscalls/profil/system.h"

namespace hardclock::profil {
namespace {

State one_region(std::uint64_t base, std::uint64_t size, std::uint64_t offset, std::uint64_t scale,
                 unsigned address_bits) {
  State state;
  state.kind = State::Kind::profil;
  state.address_bits = address_bits;
  state.regions = {Region{GuestAddr(base), size, GuestAddr(offset), scale}};
  return state;
}

std::string explained(const SystemRules& system, const State& state, std::uint64_t pc) {
  return explain(state, GuestAddr(pc), system.lookup(state, GuestAddr(pc)));
}

// The steps of V7's mch.s _addupc: halved operands, and the quotient rounded up to a word.
Access v7_access(std::uint64_t delta, std::uint64_t scale, std::uint64_t base) {
  Access access;
  access.steps.delta = delta;
  access.steps.operand_shift = 1;
  access.steps.product = Wide{delta >> 1} * (scale >> 1);
  access.steps.product_shift = 14;
  access.steps.quotient = access.steps.product >> 14;
  access.byte_offset = (static_cast<std::uint64_t>(access.steps.quotient) + 1) & ~std::uint64_t{1};
  access.address = GuestAddr(base + access.byte_offset);
  return access;
}

// Case U-001: 0177777 puts pc 2 into the second word.
TEST(ExplainShapes, HalvedOperandsRoundedUpIn16Bits) {
  const State state = one_region(0x2000, 64, 0, 0xffff, 16);
  EXPECT_EQ(
      explain(state, GuestAddr(2), v7_access(2, 0xffff, 0x2000)),
      "region 0 base 0x2000 size 64: ((0x0002-0x0000)>>1)*(0xffff>>1)>>14 = 0x1, up to 0x2 -> "
      "counter at 0x2002");
}

// V7 compares the rounded offset with the size: mch.s _addupc, "cmp r1,2(r2); bhis".
TEST(ExplainShapes, RoundingUpToTheBuffersEnd) {
  const State state = one_region(0x2000, 64, 0, 0xffff, 16);
  EXPECT_EQ(explained(v7_system, state, 0x40),
            "region 0 base 0x2000 size 64: ((0x0040-0x0000)>>1)*(0xffff>>1)>>14 = 0x3f, up to "
            "0x40, not below size 0x40 -> not counted");
}

// V7's 16-bit difference: a pc below offset wraps to a large one.
TEST(ExplainShapes, DifferenceThatWraps) {
  const State state = one_region(0x2000, 64, 0x100, 2, 16);
  EXPECT_EQ(explain(state, GuestAddr(0xfe), v7_access(0xfffe, 2, 0x2000)),
            "region 0 base 0x2000 size 64: ((0x00fe-0x0100 = 0xfffe)>>1)*(0x2>>1)>>14 = 0x1, up to "
            "0x2 -> counter at 0x2002");
  // 4.3BSD's 32-bit one of an offset far above the pc.
  const State vax = one_region(0x8000, 64, 0x80000100, 2, 32);
  Miss miss{Miss::Reason::beyond_buffer, 0, v7_access(0x7fffff10, 2, 0).steps};
  EXPECT_EQ(explain(vax, GuestAddr(0x10), miss),
            "region 0 base 0x00008000 size 64: ((0x00000010-0x80000100 = "
            "0x7fffff10)>>1)*(0x2>>1)>>14 = 0xffff, not below size 0x40 -> not counted");
}

// 4.3BSD takes a difference above 2^31 as negative (locore.s blss).
TEST(ExplainShapes, NegativeDifferenceOfALargerPc) {
  const State state = one_region(0x8000, 64, 0x100, 0x10000, 32);
  const Miss miss{Miss::Reason::below_offset, 0, {}};
  EXPECT_EQ(explain(state, GuestAddr(0xfe), miss),
            "region 0 base 0x00008000 size 64: pc 0x000000fe is below offset 0x00000100 -> not "
            "counted");
  EXPECT_EQ(explain(state, GuestAddr(0x90000000), miss),
            "region 0 base 0x00008000 size 64: 0x90000000-0x00000100 is negative in 32 bits -> not "
            "counted");
}

// B-014: the (int) cast of a 64-bit BSD.
TEST(ExplainShapes, QuotientCutToTheKernelsWord) {
  const State state = one_region(0x10010000, 64, 0x10000000, 0x10000, 64);
  Access access;
  access.address = GuestAddr(0x10010000);
  access.steps.delta = 0x100000000;
  access.steps.product = Wide{access.steps.delta} << 16;
  access.steps.quotient = 0;
  EXPECT_EQ(explain(state, GuestAddr(0x110000000), access),
            "region 0 base 0x0000000010010000 size 64: (0x0000000110000000-0x0000000010000000)*"
            "0x10000>>16 = 0x100000000, 0x0 in the kernel's word -> counter at 0x0000000010010000");
}

// L-001 and L-009; a 32-bit kernel loses what does not fit: 0x10000 * 0x10000.
TEST(ExplainShapes, Solaris) {
  const SystemRules& solaris = solaris_system;
  const auto profil = [&](const ProfilArguments& arguments) {
    return solaris.profil(State{}, arguments, 32).value();
  };
  EXPECT_EQ(explained(solaris, profil({0x21000, 64, 0x10000, 0x4000}), 0x1000c),
            "region 0 base 0x00021000 size 64: (0x0001000c-0x00010000)*0x4000>>16 = 0x3, down to "
            "0x2 -> counter at 0x00021002");
  EXPECT_EQ(explained(solaris, profil({0x21000, 0, 0x10000, 2}), 0x10000),
            "region 0 base 0x00021000 size 0: scale 2 puts every pc from 0x00010000 up into the "
            "first counter -> counter at 0x00021000");
  EXPECT_EQ(explained(solaris, profil({0x21000, 64, 0, 0x10000}), 0x80000000),
            "region 0 base 0x00021000 size 64: (0x80000000-0x00000000)*0x10000>>16 = 0x80000000, "
            "not below size 0x40 -> not counted");
  EXPECT_EQ(explained(solaris, profil({0x21000, 64, 0, 0x80000000}), 0x20000),
            "region 0 base 0x00021000 size 64: (0x00020000-0x00000000)*0x80000000>>16 = "
            "0x100000000, 0x0 in the kernel's word -> counter at 0x00021000");
}

// L-023.
TEST(ExplainShapes, Pcsample) {
  const SystemRules& solaris = solaris_system;
  State state = solaris.pcsample(State{}, 0x21000, 3, 32)->state;
  state.samples = 2;
  EXPECT_EQ(explained(solaris, state, 0x10008),
            "samples 0x00021000 with 2 of 3 stored: pc 0x00010008 is the next -> stored at "
            "0x00021008");
  state.samples = 3;
  EXPECT_EQ(explained(solaris, state, 0x1000c),
            "samples 0x00021000 with 3 of 3 stored: the buffer is full -> not counted");
  State full = stopped(State::Stop::by_full_counter);
  full.samples = 3;
  EXPECT_EQ(explained(solaris, full, 0x1000c),
            "profiling is off: the buffer was full after 3 samples -> not counted");
  EXPECT_EQ(explained(solaris, stopped(State::Stop::by_full_counter), 0x1000c),
            "profiling is off: a counter was full -> not counted");
}

// H-035 and H-054.
TEST(ExplainShapes, Hpux) {
  const SystemRules& hpux = hpux_system;
  const std::array<Region, 2> with_bin = {
      Region{GuestAddr(0x40010000), 64, GuestAddr(0x2000), 0x8000},
      Region{GuestAddr(0x40030000), 4, GuestAddr(0), 2}};
  const State bin = hpux.sprofil->start(State{}, with_bin, hpux_prof_uint, 32).value();
  EXPECT_EQ(explained(hpux, bin, 0x3000),
            "region 1 base 0x40030000 size 4: the overflow bin takes pc 0x00003000, which no other "
            "region has -> counter at 0x40030000");
  const std::array<Region, 1> high = {
      Region{GuestAddr(0x40010000), 64, GuestAddr(0x4000000000001000), 8192}};
  const State wide = hpux.sprofil->start(State{}, high, hpux_prof_ushort, 64).value();
  EXPECT_EQ(explained(hpux, wide, 0x4000000000001010),
            "region 0 base 0x0000000040010000 size 64: (0x4000000000001010-0x4000000000001000)*"
            "0x2000>>16 = 0x2 -> counter at 0x0000000040010002");
}

// Observed on the IRIX 6.2 kernel (fact 12): a pc that is a region's offset belongs to the region
// before it, whose buffer ends; that the next region has room for it does not count.
TEST(ExplainShapes, BinOfIrix) {
  const SystemRules& irix = irix_system;
  const std::array<Region, 3> regions = {
      Region{GuestAddr(0x10020000), 16, GuestAddr(0x401720), 0x8000},
      Region{GuestAddr(0x10010000), 16, GuestAddr(0x401700), 0x8000},
      Region{GuestAddr(0x10030000), 4, GuestAddr(0), 2}};
  const State state = irix.sprofil->start(State{}, regions, irix_prof_ushort, 32).value();
  EXPECT_EQ(explained(irix, state, 0x401720),
            "region 2 base 0x10030000 size 4: pc 0x00401720 belongs to region 1 (0x00401700, the "
            "largest offset below it), which has no counter for it: the overflow bin takes it -> "
            "counter at 0x10030000");
  EXPECT_EQ(explained(irix, state, 0x4016fc),
            "region 2 base 0x10030000 size 4: pc 0x004016fc belongs to region 1 (0x00401700, the "
            "lowest offset), which has no counter for it: the overflow bin takes it -> counter at "
            "0x10030000");
}

// H-040 saturates, L-004 stops, L-023 is full; U-009 charges several ticks at once.
TEST(ExplainShapes, Increments) {
  EXPECT_EQ(explain(hpux_system.increment(65535, 2, Ticks(1))), "65535 -> 65535, saturated");
  EXPECT_EQ(explain(solaris_system.increment(32767, 2, Ticks(1))),
            "32767 may not become 32768, profiling stopped");
  EXPECT_EQ(explain({3, 3, Increment::Effect::stopped}), "full, profiling stopped");
  EXPECT_EQ(explain(irix_system.increment(3, 2, Ticks(4)), Ticks(4)), "4 ticks: 3 -> 7");
  EXPECT_EQ(explain({3, 3, Increment::Effect::counted}, Ticks(0)), "0 ticks: 3 -> 3");
}

}  // namespace
}  // namespace hardclock::profil
