// The sentences of the IRIX pages one by one, what the IRIX 6.2 kernel was observed to do
// (docs/observed.md, "fact N"), 64-bit programs, and the explanations. The
// observations themselves are in tests/unit/conform/conformance_test.cc.
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

constexpr std::uint64_t buf = 0x10010000;
constexpr std::uint64_t text_address = 0x400000;

const SystemRules& irix = irix_system;

State profile(std::uint32_t bufsiz, std::uint32_t scale) {
  return irix.profil(State{}, {buf, bufsiz, text_address, scale}, 32).value();
}

Region region(std::uint64_t base, std::uint64_t size, std::uint64_t offset, std::uint64_t scale) {
  return {GuestAddr(base), size, GuestAddr(offset), scale};
}

State profile_regions(const std::vector<Region>& regions, std::uint32_t flags = irix_prof_ushort) {
  return irix.sprofil->start(State{}, regions, flags, 32).value();
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
  for (std::uint64_t i = 0; i < 32; ++i)
    EXPECT_EQ(counter(state, text_address + 4 * i), buf + 2 * i);
}

// profil(2): 0x10000 is "a 1-1 mapping of pc's to 4-byte words", which wastes half of them (A-I2).
TEST(IrixProfil, Scale10000UsesEverySecondCounter) {
  const State state = profile(64, 0x10000);
  for (std::uint64_t i = 0; i < 16; ++i)
    EXPECT_EQ(counter(state, text_address + 4 * i), buf + 4 * i);
}

// A-I1: a bigger scale than the documented maximum is arithmetic like any other. Fact 8: with
// scales from 0x40000000 on far pcs come round again to the buffer's start.
TEST(IrixProfil, ScaleAboveTheMaximum) {
  EXPECT_EQ(counter(profile(64, 0x20000), text_address + 4), buf + 8);
  EXPECT_EQ(counter(profile(64, 0xffffffff), text_address), buf);
  EXPECT_EQ(counter(profile(64, 0xffffffff), text_address + 4), std::nullopt);
  EXPECT_EQ(counter(profile(64, 0x40000000), text_address + 0x40000), buf);
}

// profil(2): 0x0002 "maps (by convention) the entire region starting with offset to the first
// counter"; its plain value would put offset + 64 KiB into the second one (A-I3).
TEST(IrixProfil, Scale2IsTheFirstCounter) {
  const State state = profile(2, 2);
  for (const std::uint64_t pc : {text_address, text_address + 0x10000, text_address + 0x7fffffff}) {
    EXPECT_EQ(counter(state, pc), buf);
  }
  EXPECT_EQ(reason(state, text_address - 4), Miss::Reason::below_offset);
  EXPECT_EQ(counter(profile(64, 3), text_address + 0x10000), buf + 2);
}

// profil(2): "turned off by giving a scale of 0 or 1", "ineffective by giving a bufsiz of 0".
TEST(IrixProfil, OffIneffectiveAndOutside) {
  EXPECT_FALSE(profile(64, 0).on());
  EXPECT_FALSE(profile(64, 1).on());
  EXPECT_EQ(reason(profile(64, 1), text_address), Miss::Reason::off);
  EXPECT_EQ(reason(State{}, text_address), Miss::Reason::off);
  EXPECT_TRUE(profile(0, 0x8000).on());
  EXPECT_EQ(reason(profile(0, 0x8000), text_address), Miss::Reason::empty_buffer);
  EXPECT_EQ(reason(profile(0, 2), text_address), Miss::Reason::empty_buffer);
  EXPECT_EQ(reason(profile(8, 0x8000), text_address - 1), Miss::Reason::below_offset);
  EXPECT_EQ(reason(profile(8, 0x8000), text_address + 16), Miss::Reason::beyond_buffer);
}

// A-I8 and A-I6, fact 9: 0x4000 makes odd byte offsets; they are rounded down to a counter and then
// compared with bufsiz.
TEST(IrixProfil, RoundsDownBeforeTheRangeTest) {
  EXPECT_EQ(counter(profile(64, 0x4000), text_address + 4), buf);
  EXPECT_EQ(counter(profile(64, 0x4000), text_address + 12), buf + 2);
  EXPECT_EQ(counter(profile(3, 0x4000), text_address + 8), buf + 2);
  EXPECT_EQ(counter(profile(3, 0x4000), text_address + 12), buf + 2);
  EXPECT_EQ(reason(profile(3, 0x4000), text_address + 16), Miss::Reason::beyond_buffer);
  EXPECT_EQ(counter(profile(1, 0x8000), text_address), buf);
}

// Fact 7: the difference is modulo 2^32 and signed.
TEST(IrixProfil, DifferencesWrapInA32BitProgram) {
  const State high = irix.profil(State{}, {buf, 64, 0xfffffff0, 0x8000}, 32).value();
  EXPECT_EQ(counter(high, 0x10), buf + 16);
  EXPECT_EQ(reason(high, 0x7ffffff0), Miss::Reason::below_offset);
  const State wide = irix.profil(State{}, {buf, 64, 0xfffffff0, 0x8000}, 64).value();
  EXPECT_EQ(reason(wide, 0x10), Miss::Reason::below_offset);
}

// The prototype's unsigned int, fact 22: a difference of 64 bits, of which the product has the
// low 32.
TEST(IrixProfil, ArgumentsOfA64BitProgram) {
  const std::uint64_t offset_register = 0xffffffff80000000;  // n64 sign-extends unsigned int
  const State state =
      irix.profil(State{}, {buf, 0x100000040, offset_register, 0x7700008000}, 64).value();
  EXPECT_EQ(counter(state, 0x80000004), buf + 2);
  EXPECT_EQ(reason(state, 0x80000080), Miss::Reason::beyond_buffer);
  EXPECT_EQ(counter(state, 0x180000004), buf + 2);
  EXPECT_EQ(reason(state, offset_register), Miss::Reason::below_offset);
}

// Fact 22: a buffer above 4 GiB hits the page 4 GiB lower, and one with bit 31 set faults: a MIPS
// takes such an address for the kernel's. Fact 15: likewise in 32-bit programs.
TEST(IrixProfil, CounterAddressesHave32Bits) {
  for (const unsigned bits : {32u, 64u}) {
    const State top = irix.profil(State{}, {0x7ffffffe, 64, text_address, 0x8000}, bits).value();
    EXPECT_EQ(counter(top, text_address), 0x7ffffffeu);
    EXPECT_EQ(counter(top, text_address + 4), 0xffffffff80000000u);
  }
  const State far = irix.profil(State{}, {0x210010000, 64, text_address, 0x8000}, 64).value();
  EXPECT_EQ(counter(far, text_address), buf);
}

// A-X1: whatever was in force, the last call's state is.
TEST(IrixProfil, ReplacesEverything) {
  const State four = profile_regions(std::vector<Region>(4, region(buf, 64, text_address, 0x8000)));
  EXPECT_EQ(irix.profil(four, {buf, 64, text_address, 0x8000}, 32).value(), profile(64, 0x8000));
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
  EXPECT_EQ(irix.after_fault(on, 0), stopped(State::Stop::by_fault));
  EXPECT_EQ(irix.after_exec(on), stopped(State::Stop::by_exec));
  const State off = profile(64, 0);
  EXPECT_EQ(off, stopped(State::Stop::by_call));
  EXPECT_EQ(irix.after_exec(off), off);
  EXPECT_EQ(irix.after_fault(off, 0), off);
  EXPECT_FALSE(irix.after_fork(off).on());
}

// "Profiling is turned off for the specified region of text space if a pr_base update would cause a
// memory fault": sprofil(2), and fact 15: the bin does not get the ticks.
TEST(IrixState, AFaultEndsItsRegion) {
  const State three =
      profile_regions({region(buf, 64, text_address, 0x8000),
                       region(0x10020000, 64, 0x500000, 0x8000), region(0x10030000, 2, 0, 2)});
  const State two = irix.after_fault(three, 0);
  EXPECT_TRUE(two.on());
  EXPECT_EQ(reason(two, text_address + 4), Miss::Reason::scale_off);
  EXPECT_EQ(counter(two, 0x500004), 0x10020002u);
  EXPECT_EQ(counter(two, 0x500100), 0x10030000u);
  const State one = irix.after_fault(two, 2);
  EXPECT_EQ(reason(one, 0x500100), Miss::Reason::scale_off);
  EXPECT_EQ(counter(one, 0x500004), 0x10020002u);
  EXPECT_EQ(irix.after_fault(one, 1), stopped(State::Stop::by_fault));
}

// A-I7: MIPS halfwords and words have to be aligned.
TEST(IrixState, MisalignedBuffers) {
  const auto misaligned = [](std::uint64_t base, std::uint32_t flags) {
    const State state = profile_regions({region(base, 64, text_address, 0x8000)}, flags);
    return is_misaligned(std::get<Access>(irix.lookup(state, GuestAddr(text_address + 8))));
  };
  EXPECT_FALSE(misaligned(buf, irix_prof_ushort));
  EXPECT_TRUE(misaligned(buf + 1, irix_prof_ushort));
  EXPECT_FALSE(misaligned(buf + 2, irix_prof_ushort));
  EXPECT_TRUE(misaligned(buf + 2, irix_prof_uint));
  EXPECT_FALSE(misaligned(buf + 4, irix_prof_uint));
}

// Fact 6: {0, 10000}, with PROF_FAST {0, 1000}; also when the call turns profiling off.
TEST(IrixSprofil, TickPeriod) {
  const auto period = [](std::uint32_t flags) {
    return tick_period(*irix.sprofil, flags, irix.tick_rate, irix.fast_tick_rate);
  };
  EXPECT_EQ(period(irix_prof_ushort), std::chrono::milliseconds(10));
  EXPECT_EQ(period(irix_prof_uint), std::chrono::milliseconds(10));
  EXPECT_EQ(period(irix_prof_ushort | irix_prof_fast), std::chrono::milliseconds(1));
}

// Facts 1 and 2: only bits 2 and 4 are looked at, and any profcnt.
TEST(IrixSprofil, CountAndFlags) {
  const Sprofil& sprofil = *irix.sprofil;
  EXPECT_EQ(sprofil.region_count(0, 0).value(), 0u);
  EXPECT_EQ(sprofil.region_count(4000, 0).value(), 4000u);
  EXPECT_EQ(sprofil.region_count(-1, 0).value(), 0xffffffffu);
  const std::vector<Region> one = {region(buf, 64, text_address, 0x8000)};
  for (const std::uint32_t flags : {0u, 1u, 8u, 0x10u, 0x80000000u, 0x80000001u}) {
    EXPECT_EQ(profile_regions(one, flags).counter_bytes, 2u) << flags;
    EXPECT_FALSE(profile_regions(one, flags).fast) << flags;
  }
  EXPECT_EQ(profile_regions(one, irix_prof_uint).counter_bytes, 4u);
  EXPECT_EQ(profile_regions(one, 3).counter_bytes, 4u);
  EXPECT_TRUE(profile_regions(one, 5).fast);
  EXPECT_EQ(profile_regions({}), stopped(State::Stop::by_call));
}

// Facts 4 and 5.
TEST(IrixSprofil, TheFirstRegionDecides) {
  const Region bin = region(buf, 64, 0, 2);
  const Region some = region(buf, 64, text_address, 0x8000);
  const auto start = [](const std::vector<Region>& regions) {
    return irix.sprofil->start(State{}, regions, irix_prof_ushort, 32);
  };
  EXPECT_EQ(start({bin, some}).error(), CallError::invalid);
  EXPECT_TRUE(start({some, bin, some}).ok());
  EXPECT_TRUE(start({bin}).ok());
  EXPECT_EQ(start({region(buf, 64, text_address, 1), some}).value(), stopped(State::Stop::by_call));
  EXPECT_TRUE(start({some, region(buf, 64, text_address, 0)})->on());
}

// Fact 20.
TEST(IrixSprofil, FastSticks) {
  const std::vector<Region> one = {region(buf, 64, text_address, 0x8000)};
  const State fast = profile_regions(one, irix_prof_uint | irix_prof_fast);
  const State again = irix.sprofil->start(fast, one, irix_prof_ushort, 32).value();
  EXPECT_TRUE(again.fast);
  EXPECT_EQ(again.counter_bytes, 2u);
  EXPECT_TRUE(irix.profil(fast, {buf, 64, text_address, 0x8000}, 32)->fast);
  const State off = irix.profil(fast, {buf, 64, text_address, 0}, 32).value();
  EXPECT_FALSE(irix.profil(off, {buf, 64, text_address, 0x8000}, 32)->fast);
  const State gone = irix.after_exec(fast);
  EXPECT_FALSE(irix.profil(gone, {buf, 64, text_address, 0x8000}, 32)->fast);
}

// sprofil(2): an entry means what the arguments of profil(2) mean. Fact 13: a tick in a region that
// is off is lost, and no lower region is tried.
TEST(IrixSprofil, EntriesHaveProfilsRules) {
  EXPECT_EQ(reason(profile_regions({region(buf, 0, text_address, 2)}), text_address),
            Miss::Reason::empty_buffer);
  EXPECT_EQ(counter(profile_regions({region(buf, 64, text_address, 2)}), text_address + 0x20000),
            buf);
  const State entries = profile_regions(
      {region(0x10020000, 64, text_address, 0x8000), region(buf, 64, text_address + 0x20, 0)});
  EXPECT_EQ(counter(entries, text_address + 0x20), 0x10020010u);
  EXPECT_EQ(reason(entries, text_address + 0x24), Miss::Reason::scale_off);
  EXPECT_EQ(reason(entries, text_address - 4), Miss::Reason::below_offset);
}

// "the largest offset less than the value of the program counter": sprofil(2), and fact 12: a pc
// equal to an offset belongs to the region before.
TEST(IrixSprofil, OverlappingRegionsInAnyOrder) {
  const Region inner = region(0x10020000, 8, text_address + 0x20, 0x8000);
  const Region outer = region(buf, 64, text_address, 0x8000);
  for (const State& state : {profile_regions({inner, outer}), profile_regions({outer, inner})}) {
    EXPECT_EQ(counter(state, text_address), buf);
    EXPECT_EQ(counter(state, text_address + 0x20), buf + 0x10);
    EXPECT_EQ(counter(state, text_address + 0x24), 0x10020002u);
    EXPECT_EQ(counter(state, text_address + 0x30), std::nullopt);
  }
}

// Fact 12: of equal offsets the first given.
TEST(IrixSprofil, TheFirstOfEqualOffsets) {
  const Region low = region(buf, 64, text_address - 0x100, 0x8000);
  const Region first = region(0x10020000, 64, text_address, 0x8000);
  const Region second = region(0x10030000, 64, text_address, 0x8000);
  EXPECT_EQ(counter(profile_regions({low, first, second}), text_address + 4), 0x10020002u);
  EXPECT_EQ(counter(profile_regions({second, low, first}), text_address + 4), 0x10030002u);
  EXPECT_EQ(counter(profile_regions({first, second}), text_address), 0x10020000u);
}

// The line that --explain prints.
TEST(Explain, Counted) {
  EXPECT_EQ(explained(profile(512, 0x8000), text_address + 0x120),
            "region 0 base 0x10010000 size 512: (0x00400120-0x00400000)*0x8000>>16 = 0x90 -> "
            "counter at 0x10010090");
  EXPECT_EQ(explained(profile(512, 0x4000), text_address + 0x124),
            "region 0 base 0x10010000 size 512: (0x00400124-0x00400000)*0x4000>>16 = 0x49, "
            "down to 0x48 -> counter at 0x10010048");
  EXPECT_EQ(explained(profile(512, 2), text_address + 0x120),
            "region 0 base 0x10010000 size 512: scale 2 puts every pc from 0x00400000 up into the "
            "first counter -> counter at 0x10010000");
}

TEST(Explain, NotCounted) {
  EXPECT_EQ(explained(State{}, text_address), "profiling is off: never started -> not counted");
  EXPECT_EQ(explained(irix.after_fault(profile(64, 0x8000), 0), text_address),
            "profiling is off: a counter update faulted -> not counted");
  EXPECT_EQ(explained(irix.after_exec(profile(64, 0x8000)), text_address),
            "profiling is off: exec stopped it -> not counted");
  EXPECT_EQ(explained(profile(64, 1), text_address),
            "profiling is off: the program stopped it -> not counted");
  EXPECT_EQ(explained(profile(8, 0x8000), text_address - 4),
            "region 0 base 0x10010000 size 8: pc 0x003ffffc is below offset 0x00400000 -> not "
            "counted");
  EXPECT_EQ(explained(profile(8, 0x8000), text_address + 16),
            "region 0 base 0x10010000 size 8: (0x00400010-0x00400000)*0x8000>>16 = 0x8, not below "
            "size 0x8 -> not counted");
  EXPECT_EQ(explained(profile(0, 0x8000), text_address),
            "region 0 base 0x10010000 size 0: the buffer is empty -> not counted");
  const Region some = region(buf, 8, text_address, 0x8000);
  const State two = profile_regions({some, region(buf, 8, 0x500000, 1)});
  EXPECT_EQ(explained(two, 0x500004),
            "region 1 base 0x10010000 size 8: scale 1 switches it off -> not counted");
  EXPECT_EQ(
      explained(irix.after_fault(profile_regions({some, region(buf, 8, 0, 2)}), 0), text_address),
      "region 0 base 0x10010000 size 8: an update faulted, the region is off -> not counted");
}

TEST(Explain, Increments) {
  EXPECT_EQ(explain(irix.increment(7, 2, Ticks(1))), "7 -> 8");
  EXPECT_EQ(explain(irix.increment(65535, 2, Ticks(1))), "65535 -> 0, wrapped");
}

}  // namespace
}  // namespace hardclock::profil
