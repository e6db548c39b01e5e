// The sentences of the IRIX profil(2) page one by one, the resolutions of irix.h, and what the
// conformance cases leave out: the errors of sprofil, 64-bit addresses, and the explanations.
#include "syscalls/profil/irix.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hardclock::profil {
namespace {

constexpr std::uint64_t kBuf = 0x10010000;
constexpr std::uint64_t kText = 0x400000;

const System& irix = irix_system();

State profile(std::uint32_t bufsiz, std::uint32_t scale) {
  return irix.profil(State{}, {kBuf, bufsiz, kText, scale}, 32).value();
}

Region region(std::uint64_t base, std::uint64_t size, std::uint64_t offset, std::uint64_t scale) {
  return {GuestAddr(base), size, GuestAddr(offset), scale};
}

State profile_regions(const std::vector<Region>& regions, std::uint32_t flags = kIrixProfUshort) {
  return irix.sprofil->start(regions, flags, 32).value();
}

// The address of the counter for pc, or nothing.
std::optional<std::uint64_t> counter(const State& state, std::uint64_t pc) {
  const Lookup lookup = irix.lookup(state, GuestAddr(pc));
  const Access* access = std::get_if<Access>(&lookup);
  if (access == nullptr) return std::nullopt;
  return access->address.value();
}

Miss::Reason reason(const State& state, std::uint64_t pc) {
  return std::get<Miss>(irix.lookup(state, GuestAddr(pc))).reason;
}

std::string explained(const State& state, std::uint64_t pc) {
  return explain(state, GuestAddr(pc), irix.lookup(state, GuestAddr(pc)));
}

// profil(2): with 0x8000 "every 4-byte instruction maps to 2 bytes of counter space".
TEST(IrixProfil, Scale8000IsOneInstructionPerCounter) {
  const State state = profile(64, 0x8000);
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(counter(state, kText + 4 * i), kBuf + 2 * i);
}

// profil(2): 0x10000 is "a 1-1 mapping of pc's to 4-byte words", which wastes half of them (A-I2).
TEST(IrixProfil, Scale10000UsesEverySecondCounter) {
  const State state = profile(64, 0x10000);
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(counter(state, kText + 4 * i), kBuf + 4 * i);
}

// A-I1: a bigger scale than the documented maximum is arithmetic like any other.
TEST(IrixProfil, ScaleAboveTheMaximum) {
  EXPECT_EQ(counter(profile(64, 0x20000), kText + 4), kBuf + 8);
  EXPECT_EQ(counter(profile(64, 0xffffffff), kText), kBuf);
  EXPECT_EQ(counter(profile(64, 0xffffffff), kText + 4), std::nullopt);
}

// profil(2): 0x0002 "maps (by convention) the entire region starting with offset to the first
// counter"; its plain value would put offset + 64 KiB into the second one (A-I3).
TEST(IrixProfil, Scale2IsTheFirstCounter) {
  const State state = profile(2, 2);
  for (const std::uint64_t pc : {kText, kText + 0x10000, kText + 0x7fffffff}) {
    EXPECT_EQ(counter(state, pc), kBuf);
  }
  EXPECT_EQ(reason(state, kText - 4), Miss::Reason::below_offset);
  EXPECT_EQ(counter(profile(64, 3), kText + 0x10000), kBuf + 2);
}

// profil(2): "turned off by giving a scale of 0 or 1", "ineffective by giving a bufsiz of 0".
TEST(IrixProfil, OffIneffectiveAndOutside) {
  EXPECT_FALSE(profile(64, 0).on());
  EXPECT_FALSE(profile(64, 1).on());
  EXPECT_EQ(reason(profile(64, 1), kText), Miss::Reason::off);
  EXPECT_EQ(reason(State{}, kText), Miss::Reason::off);
  EXPECT_TRUE(profile(0, 0x8000).on());
  EXPECT_EQ(reason(profile(0, 0x8000), kText), Miss::Reason::empty_buffer);
  EXPECT_EQ(reason(profile(0, 2), kText), Miss::Reason::empty_buffer);
  EXPECT_EQ(reason(profile(8, 0x8000), kText - 1), Miss::Reason::below_offset);
  EXPECT_EQ(reason(profile(8, 0x8000), kText + 16), Miss::Reason::beyond_buffer);
}

// A-I8 and A-I6: 0x4000 makes odd byte offsets; they are rounded down to a counter, and the test
// against bufsiz comes before the rounding.
TEST(IrixProfil, RoundsDownAfterTheRangeTest) {
  EXPECT_EQ(counter(profile(64, 0x4000), kText + 4), kBuf);
  EXPECT_EQ(counter(profile(64, 0x4000), kText + 12), kBuf + 2);
  EXPECT_EQ(counter(profile(3, 0x4000), kText + 8), kBuf + 2);
  EXPECT_EQ(reason(profile(3, 0x4000), kText + 12), Miss::Reason::beyond_buffer);
}

// A-I11: offset and bufsiz are 32-bit and zero-extended; the difference is 64-bit.
TEST(IrixProfil, ArgumentsOfA64BitProgram) {
  const std::uint64_t offset_register = 0xffffffff80000000;  // n64 sign-extends unsigned int
  const State state =
      irix.profil(State{}, {kBuf, 0x100000040, offset_register, 0x7700008000}, 64).value();
  EXPECT_EQ(counter(state, 0x80000004), kBuf + 2);
  EXPECT_EQ(reason(state, 0x80000080), Miss::Reason::beyond_buffer);
  EXPECT_EQ(reason(state, 0x180000004), Miss::Reason::beyond_buffer);
  EXPECT_EQ(reason(state, offset_register), Miss::Reason::beyond_buffer);
}

// `buff` has the pointer's width, at which counter addresses wrap, too (o32: 32 bits).
TEST(IrixProfil, CounterAddressesWrapAtThePointersWidth) {
  const ProfilArguments arguments = {0xfffffffffffffffe, 64, 0x80000000, 0x8000};
  const State o32 = irix.profil(State{}, arguments, 32).value();
  EXPECT_EQ(counter(o32, 0x80000000), 0xfffffffeu);
  EXPECT_EQ(counter(o32, 0x80000004), 0u);
  const State n64 = irix.profil(State{}, arguments, 64).value();
  EXPECT_EQ(counter(n64, 0x80000000), 0xfffffffffffffffeu);
  EXPECT_EQ(counter(n64, 0x80000004), 0u);
}

// A-X1: whatever was in force, the last call's state is.
TEST(IrixProfil, ReplacesEverything) {
  const State four = profile_regions(std::vector<Region>(4, region(kBuf, 64, kText, 0x8000)));
  EXPECT_EQ(irix.profil(four, {kBuf, 64, kText, 0x8000}, 32).value(), profile(64, 0x8000));
  EXPECT_EQ(irix.profil(four, {}, 32).value(), stopped(State::Stop::by_call));
}

// profil(2): counters are "an array of unsigned short int" and wrap silently (A-I5).
TEST(IrixIncrement, Wraps) {
  EXPECT_EQ(irix.increment(7, 2, Ticks(1)).after, 8u);
  EXPECT_EQ(irix.increment(65534, 2, Ticks(1)).effect, Increment::Effect::counted);
  const Increment wrapped = irix.increment(65535, 2, Ticks(1));
  EXPECT_EQ(wrapped.after, 0u);
  EXPECT_EQ(wrapped.effect, Increment::Effect::wrapped);
  EXPECT_EQ(irix.increment(65535, 4, Ticks(1)).after, 65536u);
  EXPECT_EQ(irix.increment(0xffffffff, 4, Ticks(1)).after, 0u);
  EXPECT_EQ(irix.increment(1, 2, Ticks(std::numeric_limits<std::uint64_t>::max())).after, 0u);
}

// The NOTES of profil(2): fault, exec, fork and sproc. Being off already is not changed by them.
TEST(IrixState, Transitions) {
  const State on = profile(64, 0x8000);
  EXPECT_EQ(irix.after_fork(on), on);
  EXPECT_EQ(irix.after_fault(on), stopped(State::Stop::by_fault));
  EXPECT_EQ(irix.after_exec(on), stopped(State::Stop::by_exec));
  const State off = profile(64, 0);
  EXPECT_EQ(off, stopped(State::Stop::by_call));
  EXPECT_EQ(irix.after_exec(off), off);
  EXPECT_EQ(irix.after_fault(off), off);
  EXPECT_FALSE(irix.after_fork(off).on());
}

// A-I7: MIPS halfwords and words have to be aligned.
TEST(IrixState, MisalignedBuffers) {
  const auto misaligned = [](std::uint64_t base, std::uint32_t flags) {
    const State state = profile_regions({region(base, 64, kText, 0x8000)}, flags);
    return is_misaligned(std::get<Access>(irix.lookup(state, GuestAddr(kText + 8))));
  };
  EXPECT_FALSE(misaligned(kBuf, kIrixProfUshort));
  EXPECT_TRUE(misaligned(kBuf + 1, kIrixProfUshort));
  EXPECT_FALSE(misaligned(kBuf + 2, kIrixProfUshort));
  EXPECT_TRUE(misaligned(kBuf + 2, kIrixProfUint));
  EXPECT_FALSE(misaligned(kBuf + 4, kIrixProfUint));
}

// profil(2): "once every 10 milliseconds"; SpeedShop User's Guide table 4-1 for the fast rate.
// Nothing keeps the fast clock going for a process that is not profiled.
TEST(IrixState, TickPeriod) {
  const auto period = [](const State& state) {
    return tick_period(state, irix.tick_rate, irix.fast_tick_rate);
  };
  const State fast = profile_regions({region(kBuf, 64, kText, 0x8000)}, kIrixProfFast);
  EXPECT_EQ(period(State{}), std::chrono::milliseconds(10));
  EXPECT_EQ(period(profile(64, 0x8000)), std::chrono::milliseconds(10));
  EXPECT_EQ(period(fast), std::chrono::milliseconds(1));
  EXPECT_EQ(period(irix.after_fork(fast)), std::chrono::milliseconds(1));
  EXPECT_EQ(period(irix.after_fault(fast)), std::chrono::milliseconds(10));
}

// HP-UX sprofil(2) ERRORS, for want of IRIX's; "If profcnt is 0, profiling is disabled".
TEST(IrixSprofil, CountAndFlags) {
  const Sprofil& sprofil = *irix.sprofil;
  EXPECT_EQ(sprofil.region_count(0, 0x40000000).value(), 0u);
  EXPECT_EQ(sprofil.region_count(2, kIrixProfUint | kIrixProfFast).value(), 2u);
  EXPECT_EQ(sprofil.region_count(1024, 0).value(), kIrixMaxRegions);
  EXPECT_EQ(sprofil.region_count(1025, 0).error(), CallError::too_big);
  EXPECT_EQ(sprofil.region_count(-1, 7).error(), CallError::too_big);
  EXPECT_EQ(sprofil.region_count(std::numeric_limits<std::int32_t>::min(), 0).error(),
            CallError::too_big);
  EXPECT_EQ(sprofil.region_count(2, 7).error(), CallError::invalid);

  const std::vector<Region> one = {region(kBuf, 64, kText, 0x8000)};
  EXPECT_EQ(sprofil.start(one, 4, 32).error(), CallError::invalid);
  EXPECT_EQ(sprofil.start(one, 0x40000000, 32).error(), CallError::invalid);
  EXPECT_EQ(sprofil.start({}, 0x40000000, 32).value(), stopped(State::Stop::by_call));
  EXPECT_EQ(sprofil.start(std::vector<Region>(1025), 4, 32).error(), CallError::too_big);
  EXPECT_EQ(sprofil.start(one, kIrixProfUint, 64)->counter_bytes, 4u);
  EXPECT_EQ(sprofil.start(one, kIrixProfUshort, 32)->counter_bytes, 2u);
}

// IRIX sprofil(2): an entry means what the arguments of profil(2) mean.
TEST(IrixSprofil, EntriesHaveProfilsRules) {
  EXPECT_EQ(reason(profile_regions({region(kBuf, 64, kText, 1)}), kText), Miss::Reason::scale_off);
  EXPECT_EQ(reason(profile_regions({region(kBuf, 0, kText, 2)}), kText),
            Miss::Reason::empty_buffer);
  EXPECT_EQ(counter(profile_regions({region(kBuf, 64, kText, 2)}), kText + 0x20000), kBuf);
  const State entries = profile_regions({region(kBuf, 64, kText, 0), region(kBuf, 0, kText, 2),
                                         region(0x10020000, 64, kText, 0x8000)});
  EXPECT_EQ(counter(entries, kText + 4), 0x10020002u);
  EXPECT_EQ(reason(entries, kText - 4), Miss::Reason::no_region);
}

// glibc's tst-sprofil.c passes regions out of order and overlapping; HP-UX sprofil(2): "the largest
// offset" counts. Behind that region's end the wider one has its turn again.
TEST(IrixSprofil, OverlappingRegionsInAnyOrder) {
  const Region inner = region(0x10020000, 8, kText + 0x20, 0x8000);
  const Region outer = region(kBuf, 64, kText, 0x8000);
  for (const State& state : {profile_regions({inner, outer}), profile_regions({outer, inner})}) {
    EXPECT_EQ(counter(state, kText + 0x1c), kBuf + 0x0e);
    EXPECT_EQ(counter(state, kText + 0x20), 0x10020000u);
    EXPECT_EQ(counter(state, kText + 0x2c), 0x10020006u);
    EXPECT_EQ(counter(state, kText + 0x30), kBuf + 0x18);
  }
}

// The line that --explain prints.
TEST(Explain, Counted) {
  EXPECT_EQ(explained(profile(512, 0x8000), kText + 0x120),
            "region 0 base 0x10010000 size 512: (0x00400120-0x00400000)*0x8000>>16 = 0x90 -> "
            "counter at 0x10010090");
  EXPECT_EQ(explained(profile(512, 0x4000), kText + 0x124),
            "region 0 base 0x10010000 size 512: (0x00400124-0x00400000)*0x4000>>16 = 0x49, "
            "down to 0x48 -> counter at 0x10010048");
  EXPECT_EQ(explained(profile(512, 2), kText + 0x120),
            "region 0 base 0x10010000 size 512: scale 2 puts every pc from 0x00400000 up into the "
            "first counter -> counter at 0x10010000");
}

TEST(Explain, NotCounted) {
  EXPECT_EQ(explained(State{}, kText), "profiling is off: never started -> not counted");
  EXPECT_EQ(explained(irix.after_fault(profile(64, 0x8000)), kText),
            "profiling is off: a counter update faulted -> not counted");
  EXPECT_EQ(explained(irix.after_exec(profile(64, 0x8000)), kText),
            "profiling is off: exec stopped it -> not counted");
  EXPECT_EQ(explained(profile(64, 1), kText),
            "profiling is off: the program stopped it -> not counted");
  EXPECT_EQ(explained(profile(8, 0x8000), kText - 4),
            "region 0 base 0x10010000 size 8: pc 0x003ffffc is below offset 0x00400000 -> not "
            "counted");
  EXPECT_EQ(explained(profile(8, 0x8000), kText + 16),
            "region 0 base 0x10010000 size 8: (0x00400010-0x00400000)*0x8000>>16 = 0x8, not below "
            "size 0x8 -> not counted");
  EXPECT_EQ(explained(profile(0, 0x8000), kText),
            "region 0 base 0x10010000 size 0: the buffer is empty -> not counted");
  EXPECT_EQ(explained(profile_regions({region(kBuf, 8, kText, 1)}), kText),
            "region 0 base 0x10010000 size 8: scale 1 switches it off -> not counted");
  const Region some = region(kBuf, 8, kText, 0x8000);
  EXPECT_EQ(explained(profile_regions({some, some}), 0x5000000),
            "pc 0x05000000 is in none of 2 regions -> not counted");
}

TEST(Explain, Increments) {
  EXPECT_EQ(explain(irix.increment(7, 2, Ticks(1))), "7 -> 8");
  EXPECT_EQ(explain(irix.increment(65535, 2, Ticks(1))), "65535 -> 0, wrapped");
}

}  // namespace
}  // namespace hardclock::profil
