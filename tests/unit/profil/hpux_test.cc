// HP-UX sprofil(2) and profil(2): both scale tables cell by cell, the errors and the resolutions of
// hpux.h by the conformance case that has them, and unbounded arithmetic as an oracle.
#include "syscalls/profil/hpux.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace hardclock::profil {
namespace {

using boost::multiprecision::cpp_int;
using Regions = std::vector<Region>;

constexpr std::uint64_t buf = 0x40010000;
constexpr std::uint64_t buf2 = 0x40020000;
constexpr std::uint64_t overflow = 0x40030000;
constexpr std::uint64_t text_address = 0x2000;

Region region(std::uint64_t base, std::uint64_t size, std::uint64_t offset, std::uint64_t scale) {
  return {GuestAddr(base), size, GuestAddr(offset), scale};
}

Result<State, CallError> sprofil(const Regions& regions, std::uint32_t flags = hpux_prof_ushort,
                                 unsigned address_bits = 32) {
  return hpux_system.sprofil->start(State{}, regions, flags, address_bits);
}

State profil(const ProfilArguments& arguments, unsigned address_bits = 32) {
  return hpux_system.profil(State{}, arguments, address_bits).value();
}

bool is_invalid(const Regions& regions, std::uint32_t flags = hpux_prof_ushort) {
  const auto state = sprofil(regions, flags);
  return !state.ok() && state.error() == CallError::invalid;
}

// The address of the counter for pc, or nothing.
std::optional<std::uint64_t> counter(const State& state, std::uint64_t pc) {
  const Lookup lookup = hpux_system.lookup(state, GuestAddr(pc));
  const Access* access = std::get_if<Access>(&lookup);
  if (access == nullptr) return std::nullopt;
  return access->address.value();
}

struct ScaleRow {
  std::uint32_t scale;
  std::array<double, 3> instructions;  // to an element of 2, 4 and 8 bytes
};

// sprofil(2), "On PA-RISC machines, instructions are 4 bytes each".
constexpr ScaleRow pa_risc_table[] = {
    {2, {16384, 32768, 65536}}, {4, {8192, 16384, 32768}}, {8, {4096, 8192, 16384}},
    {16, {2048, 4096, 8192}},   {32, {1024, 2048, 4096}},  {64, {512, 1024, 2048}},
    {128, {256, 512, 1024}},    {256, {128, 256, 512}},    {512, {64, 128, 256}},
    {1024, {32, 64, 128}},      {2048, {16, 32, 64}},      {4096, {8, 16, 32}},
    {8192, {4, 8, 16}},         {16384, {2, 4, 8}},        {32768, {1, 2, 4}},
    {65536, {0.5, 1, 2}},       {131072, {0.25, 0.5, 1}},
};

// sprofil(2), "On Itanium-based machines, pc points to a 16-byte bundle" (A-H13).
constexpr ScaleRow itanium_table[] = {
    {2, {4096, 8192, 16384}}, {4, {2048, 4096, 8192}}, {8, {1024, 2048, 4096}},
    {16, {512, 1024, 2048}},  {32, {256, 512, 1024}},  {64, {128, 256, 512}},
    {128, {64, 128, 256}},    {256, {32, 64, 128}},    {512, {16, 32, 64}},
    {1024, {8, 16, 32}},      {2048, {4, 8, 16}},      {4096, {2, 4, 8}},
    {8192, {1, 2, 4}},        {16384, {0.5, 1, 2}},    {32768, {0.25, 0.5, 1}},
};

// By the columns of the tables.
constexpr std::array widths = {hpux_prof_ushort, hpux_prof_uint, hpux_prof_uint64};

// Walks instruction by instruction over four elements' worth of text and some more.

void expect_cell(std::uint32_t scale, std::size_t column, double per_element, unsigned length) {
  const std::uint32_t flags = widths[column];
  const unsigned width = 2u << column;
  const std::uint64_t elements = 4 * std::max(1.0, 1 / per_element);
  const State state = sprofil({region(buf, elements * width, text_address, scale)}, flags).value();
  const auto instructions = static_cast<std::uint64_t>(elements * per_element);
  for (std::uint64_t i = 0; i < instructions; ++i) {
    const auto element = static_cast<std::uint64_t>(static_cast<double>(i) / per_element);
    ASSERT_EQ(counter(state, text_address + i * length), buf + element * width)
        << "scale " << scale << " width " << width << " instruction " << i;
  }
  EXPECT_EQ(counter(state, text_address + instructions * length), std::nullopt)
      << "scale " << scale;
}

TEST(HpuxScaleTable, PaRisc) {
  static_assert(std::size(pa_risc_table) == 17);
  for (const ScaleRow& row : pa_risc_table) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      expect_cell(row.scale, column, row.instructions[column], 4);
    }
  }
}

TEST(HpuxScaleTable, Itanium) {
  static_assert(std::size(itanium_table) == 15);
  for (const ScaleRow& row : itanium_table) {
    for (std::size_t column = 0; column < widths.size(); ++column) {
      expect_cell(row.scale, column, row.instructions[column], 16);
    }
  }
}

// H-020, H-057, H-021, H-023: "If profcnt is 0, profiling is disabled" (A-H1); E2BIG for profcnt
// below 0 or above sysconf(_SC_PROFIL_MAX), and before EINVAL for the flags (A-H18).
TEST(HpuxSprofil, CountAndFlags) {
  const auto count = hpux_system.sprofil->region_count;
  EXPECT_EQ(count(0, hpux_prof_ushort).value(), 0u);
  EXPECT_EQ(count(0, 0x40000000).value(), 0u);
  EXPECT_EQ(count(1, hpux_prof_uint64).value(), 1u);
  EXPECT_EQ(count(hpux_profil_max, hpux_prof_uint).value(), hpux_profil_max);
  EXPECT_EQ(count(hpux_profil_max + 1, hpux_prof_uint).error(), CallError::too_big);
  EXPECT_EQ(count(-1, hpux_prof_ushort).error(), CallError::too_big);
  EXPECT_EQ(count(std::numeric_limits<std::int32_t>::min(), 9).error(), CallError::too_big);
  EXPECT_EQ(count(1, 0x40000000).error(), CallError::invalid);
  EXPECT_EQ(count(1, hpux_prof_uint | hpux_prof_uint64).error(), CallError::invalid);

  EXPECT_EQ(sprofil({}, 0x40000000).value(), stopped(State::Stop::by_call));
  EXPECT_TRUE(is_invalid({region(buf, 64, text_address, 0x8000)}, 3));
  EXPECT_EQ(sprofil(Regions(hpux_profil_max + 1)).error(), CallError::too_big);
}

// H-025, H-026, H-027: "pr_size must be a non-zero multiple of the element size".
TEST(HpuxSprofil, Sizes) {
  EXPECT_TRUE(is_invalid({region(buf, 0, text_address, 0x8000)}));
  EXPECT_TRUE(is_invalid({region(buf, 5, text_address, 0x8000)}));
  EXPECT_TRUE(is_invalid({region(buf, 6, text_address, 0x8000)}, hpux_prof_uint));
  EXPECT_TRUE(is_invalid({region(buf, 12, text_address, 0x8000)}, hpux_prof_uint64));
  EXPECT_EQ(counter(sprofil({region(buf, 6, text_address, 0x8000)}).value(), 0x2008), buf + 4);
}

// H-029: "greater than (2^46 * pr_scale) / 65536", which 32 bits reach with 2 and 3 only (A-H14).
TEST(HpuxSprofil, LongestText) {
  EXPECT_EQ(counter(sprofil({region(buf, 0x80000000, text_address, 2)}).value(), text_address),
            buf);
  EXPECT_TRUE(is_invalid({region(buf, 0x80000002, text_address, 2)}));
  EXPECT_TRUE(sprofil({region(buf, 0xc0000000, text_address, 3)}).ok());
  EXPECT_TRUE(is_invalid({region(buf, 0xc0000002, text_address, 3)}));
  EXPECT_TRUE(sprofil({region(buf, 0xfffffffe, text_address, 4)}).ok());
  EXPECT_TRUE(sprofil({region(buf, 0xfffffffe, text_address, 0xffffffff)}).ok());
}

// H-030, H-031, H-032: "sorted in ascending order by pr_offset", "must not overlap".
TEST(HpuxSprofil, OrderAndOverlap) {
  const Region first = region(buf, 64, text_address, 0x8000);  // up to 0x2080
  EXPECT_TRUE(
      is_invalid({region(buf, 16, 0x3000, 0x8000), region(buf2, 16, text_address, 0x8000)}));
  EXPECT_TRUE(is_invalid({first, region(buf2, 64, 0x207c, 0x8000)}));
  EXPECT_TRUE(is_invalid({first, region(buf2, 64, 0x207f, 0x8000)}));
  EXPECT_TRUE(is_invalid({first, region(buf2, 64, text_address, 0x8000)}));
  const State adjacent = sprofil({first, region(buf2, 64, 0x2080, 0x8000)}).value();
  EXPECT_EQ(counter(adjacent, 0x207c), buf + 62);
  EXPECT_EQ(counter(adjacent, 0x2080), buf2);

  // The formula takes 0x2000 to 0x2002 with scale 0xc000 and size 2: 3 * 0xc000 >> 16 = 2.
  const Region odd = region(buf, 2, text_address, 0xc000);
  EXPECT_TRUE(is_invalid({odd, region(buf2, 64, 0x2002, 0x8000)}));
  EXPECT_TRUE(sprofil({odd, region(buf2, 64, 0x2003, 0x8000)}).ok());
}

// The end of a region may lie behind all of the address space.
TEST(HpuxSprofil, OverlapAtTheEndOfMemory) {
  const Region far = region(buf, 0xfffffffe, 0xfffffffffffffff0, 5);
  EXPECT_TRUE(sprofil({far}, hpux_prof_ushort, 64).ok());
  EXPECT_EQ(sprofil({far, region(buf2, 2, 0xfffffffffffffff4, 5)}, hpux_prof_ushort, 64).error(),
            CallError::invalid);
}

// H-033, H-034, H-035, H-043: the overflow descriptor is the last entry, of one element (A-H5,
// A-H16), and takes what no region takes.
TEST(HpuxSprofil, OverflowDescriptor) {
  const Region some = region(buf, 64, text_address, 0x8000);
  EXPECT_TRUE(is_invalid({region(overflow, 2, 0, 2), some}));
  EXPECT_TRUE(is_invalid({region(overflow, 2, 0, 2), region(overflow, 2, 0, 2)}));
  EXPECT_TRUE(is_invalid({some, region(overflow, 4, 0, 2)}));
  EXPECT_TRUE(is_invalid({some, region(overflow, 2, 0, 2)}, hpux_prof_uint));

  const State state = sprofil({some, region(overflow, 4, 0, 2)}, hpux_prof_uint).value();
  EXPECT_EQ(counter(state, text_address), buf);
  for (const std::uint64_t pc : {0x3000u, 0x10u, 0xc0000000u, 0u, 0x2080u}) {
    EXPECT_EQ(counter(state, pc), overflow) << pc;
  }
  EXPECT_EQ(counter(sprofil({region(overflow, 2, 0, 2)}).value(), 0x12345678), overflow);
  // A region that begins at 0 comes first in the list, and with a scale of its own.
  const State from_zero = sprofil({region(buf, 64, 0, 0x8000), region(overflow, 2, 0, 2)}).value();
  EXPECT_EQ(counter(from_zero, 4), buf + 2);
  EXPECT_EQ(counter(from_zero, 0x80), overflow);
}

// H-052, H-053: "If a pr_scale field is set to 0 or 1, the corresponding array entry is ignored",
// with whatever else is wrong with it (A-H17).
TEST(HpuxSprofil, IgnoredEntries) {
  const State state = sprofil({region(buf, 64, text_address, 1), region(buf2, 64, 0x3000, 0x8000),
                               region(overflow, 2, 0, 2)})
                          .value();
  EXPECT_EQ(counter(state, 0x2000), overflow);
  EXPECT_EQ(counter(state, 0x3000), buf2);
  const State none =
      sprofil({region(buf, 64, text_address, 0), region(buf, 64, text_address, 1)}).value();
  EXPECT_EQ(counter(none, text_address), std::nullopt);
  const State wrong = sprofil({region(buf, 64, 0x3000, 0x8000), region(buf2, 3, text_address, 0),
                               region(overflow, 2, 0, 2), region(buf2, 0, 0, 1)})
                          .value();
  EXPECT_EQ(counter(wrong, text_address), overflow);
}

// H-016 to H-018, H-062, H-015: the formula's bounds and rounding (A-H3, A-H7).
TEST(HpuxLookup, Formula) {
  const State state = sprofil({region(buf, 6, text_address, 0x8000)}).value();
  EXPECT_EQ(counter(state, 0x1ffc), std::nullopt);
  EXPECT_EQ(counter(state, text_address), buf);
  EXPECT_EQ(counter(state, 0x2008), buf + 4);
  EXPECT_EQ(counter(state, 0x200c), std::nullopt);
  const State odd = sprofil({region(buf, 64, text_address, 10000)}, hpux_prof_uint).value();
  EXPECT_EQ(counter(odd, 0x2018), buf);
  EXPECT_EQ(counter(odd, 0x201c), buf + 4);
  EXPECT_EQ(counter(odd, 0x2034), buf + 4);
  EXPECT_EQ(counter(odd, 0x2038), buf + 8);
}

// H-054, and addresses that wrap at the width of the program's pointers.
TEST(HpuxLookup, Widths) {
  const Region high = region(buf, 64, 0x4000000000001000, 8192);
  const State wide = sprofil({high}, hpux_prof_ushort, 64).value();
  EXPECT_EQ(counter(wide, 0x4000000000001010), buf + 2);
  EXPECT_EQ(counter(wide, 0x1010), std::nullopt);
  const Region top = region(0xfffffffe, 64, text_address, 0x8000);
  EXPECT_EQ(counter(sprofil({top}).value(), text_address + 4), 0u);
  EXPECT_EQ(counter(sprofil({top}, hpux_prof_ushort, 64).value(), text_address + 4), 0x100000000u);
}

// H-056: a misaligned pr_base is accepted (A-H9).
TEST(HpuxLookup, MisalignedBase) {
  const State state = sprofil({region(buf + 2, 64, text_address, 0x8000)}, hpux_prof_uint).value();
  EXPECT_TRUE(is_misaligned(std::get<Access>(hpux_system.lookup(state, GuestAddr(text_address)))));
  EXPECT_FALSE(hpux_system.updates_unaligned);
}

// A-H11, H-050, H-059, H-060; profil(2): "turned off by giving a scale of 0 or 1", "ineffective by
// giving a bufsiz of 0", "02 maps all instructions onto the beginning of buff".
TEST(HpuxProfil, ValidatesNothing) {
  EXPECT_EQ(counter(profil({buf, 64, text_address, 0x8000}), text_address + 12), buf + 6);
  EXPECT_EQ(profil({buf, 64, text_address, 0}), stopped(State::Stop::by_call));
  EXPECT_EQ(profil({buf, 64, text_address, 1}), stopped(State::Stop::by_call));
  EXPECT_TRUE(profil({buf, 0, text_address, 0x8000}).on());
  EXPECT_EQ(counter(profil({buf, 0, text_address, 0x8000}), text_address), std::nullopt);
  EXPECT_EQ(counter(profil({buf, 0, 0, 2}), text_address), std::nullopt);
  EXPECT_EQ(counter(profil({buf, 5, text_address, 0x8000}), text_address + 8), buf + 4);
  EXPECT_EQ(counter(profil({buf, 64, 0, 2}), 0xfffffffc), buf);
  const State table = profil({buf, 64, text_address, 2});
  EXPECT_EQ(counter(table, 0x11ffc), buf);
  EXPECT_EQ(counter(table, 0x12000), buf + 2);
  EXPECT_EQ(counter(table, text_address - 4), std::nullopt);
}

// The prototype: pointer and size_t have the program's width, scale is unsigned int.
TEST(HpuxProfil, CutsItsArguments) {
  const ProfilArguments registers = {0x140010000, 0x100000040, 0x100002000, 0x100008000};
  EXPECT_EQ(profil(registers), profil({buf, 64, text_address, 0x8000}));
  const State wide = profil(registers, 64);
  EXPECT_EQ(wide.regions.front(), region(0x140010000, 0x100000040, 0x100002000, 0x8000));
  EXPECT_EQ(wide.address_bits, 64u);
}

// H-040, H-042: "incremented by 1, unless that would result in overflow".
TEST(HpuxIncrement, Saturates) {
  const auto increment = hpux_system.increment;
  const auto after = [&](std::uint64_t before, unsigned width, std::uint64_t ticks) {
    return increment(before, width, Ticks(ticks)).after;
  };
  EXPECT_EQ(after(65534, 2, 1), 65535u);
  EXPECT_EQ(after(65535, 2, 1), 65535u);
  EXPECT_EQ(after(65535, 4, 1), 65536u);
  EXPECT_EQ(after(0xffffffff, 4, 3), 0xffffffffu);
  EXPECT_EQ(after(0xfffffffffffffffe, 8, 4), 0xffffffffffffffffu);
  EXPECT_EQ(after(65530, 2, 0xffffffffffffffff), 65535u);
  EXPECT_EQ(increment(65534, 2, Ticks(1)).effect, Increment::Effect::counted);
  EXPECT_EQ(increment(65535, 2, Ticks(1)).effect, Increment::Effect::saturated);
  EXPECT_EQ(increment(~std::uint64_t{0}, 8, Ticks(1)).effect, Increment::Effect::saturated);
}

// H-044, H-047, H-048.
TEST(HpuxState, Transitions) {
  const SystemRules& hpux = hpux_system;
  const State on = sprofil({region(buf, 64, text_address, 0x8000)}).value();
  EXPECT_EQ(hpux.after_fork(on), on);
  EXPECT_EQ(hpux.after_fault(on, 0), stopped(State::Stop::by_fault));
  EXPECT_EQ(hpux.after_exec(on), stopped(State::Stop::by_exec));
  const State off = stopped(State::Stop::by_call);
  EXPECT_EQ(hpux.after_fault(off, 0), off);
  EXPECT_EQ(hpux.after_exec(off), off);
  EXPECT_EQ(hpux.tick_rate, Hertz(100));  // H-039: tvp is {0, 10000}
  EXPECT_EQ(hpux.owner, Owner::process);  // H-049
}

// All 64 bits, with weight on the corners.
rc::Gen<std::uint64_t> any_word() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<std::uint64_t>(),
      rc::gen::map(rc::gen::inRange(0, 64), [](int bit) { return std::uint64_t{1} << bit; }),
      rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 0x1000), [](std::uint64_t n) { return ~n; }));
}

rc::Gen<std::uint64_t> any_scale() {
  return rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(2, 0x20001),
                        rc::gen::inRange<std::uint64_t>(2, 0x100000000));
}

RC_GTEST_PROP(HpuxProperty, FormulaWithUnboundedIntegers, ()) {
  const auto column = *rc::gen::inRange<std::size_t>(0, widths.size());
  const std::uint32_t flags = widths[column];
  const unsigned width = 2u << column;
  const std::uint64_t size = width * *rc::gen::inRange<std::uint64_t>(1, 0x10000000);
  const std::uint64_t scale = *any_scale();
  const std::uint64_t offset = std::max<std::uint64_t>(1, *any_word());
  const std::uint64_t base = *any_word();
  const auto near = *rc::gen::inRange<std::uint64_t>(0, 0x10000000);
  const std::uint64_t pc = *rc::gen::oneOf(any_word(), rc::gen::just(offset + near));
  const State state = sprofil({region(base, size, offset, scale)}, flags, 64).value();

  const cpp_int place = (cpp_int(pc) - offset) * scale / 65536;
  const bool inside = pc >= offset && place < size;
  RC_CLASSIFY(inside, "counted");
  const auto found = counter(state, pc);
  RC_ASSERT(found.has_value() == inside);
  if (!inside) return;
  const cpp_int address = (cpp_int(base) + place / width * width) % (cpp_int(1) << 64);
  RC_ASSERT(cpp_int(*found) == address);
}

// The largest pc that a region of these numbers has: (pc - offset) * scale < size * 65536.
cpp_int last_pc(const Region& r) {
  return cpp_int(r.offset.value()) + (cpp_int(r.size) * 65536 - 1) / r.scale;
}

// "The profiling regions must not overlap": no pc has two counters; and what is refused has one.
RC_GTEST_PROP(HpuxProperty, TwoRegionsAreAcceptedWhenNoPcIsInBoth, ()) {
  const auto some_region = [](std::uint64_t base) {
    const std::uint64_t size = 2 * *rc::gen::inRange<std::uint64_t>(1, 64);
    const std::uint64_t offset = text_address + *rc::gen::inRange<std::uint64_t>(0, 256);
    return region(base, size, offset, *rc::gen::inRange<std::uint64_t>(0x2000, 0x40000));
  };
  const Region first = some_region(buf);
  const Region second = some_region(buf2);
  const bool apart = last_pc(first) < second.offset.value();
  RC_CLASSIFY(apart, "accepted");
  const auto state = sprofil({first, second});
  RC_ASSERT(state.ok() == apart);
  if (!apart) return;
  const auto last = static_cast<std::uint64_t>(last_pc(first));
  RC_ASSERT(*counter(*state, last) < buf2);
  RC_ASSERT(*counter(*state, second.offset.value()) >= buf2);
}

}  // namespace
}  // namespace hardclock::profil
