// What holds for every pc, region and scale. The arithmetic's oracle is Boost.Multiprecision with
// unbounded integers; the other properties compare two runs with each other.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/bits.h"
#include "syscalls/profil/irix.h"
#include "tests/unit/profil/byte_memory.h"

namespace hardclock::profil {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::uint64_t buf = 0x10010000;
constexpr std::uint64_t text_address = 0x400000;
const SystemRules& irix = irix_system;

// 32-bit scales: the documented ones, small ones and any.
rc::Gen<std::uint64_t> any_scale() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::inRange(0, 18), [](int bit) { return std::uint64_t{1} << bit; }),
      rc::gen::inRange<std::uint64_t>(0, 0x20000),
      rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                   [](std::uint32_t s) -> std::uint64_t { return s; }));
}

// All 64 bits, with weight on the corners.
rc::Gen<std::uint64_t> any_word() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<std::uint64_t>(),
      rc::gen::map(rc::gen::inRange(0, 64), [](int bit) { return std::uint64_t{1} << bit; }),
      rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 0x1000), [](std::uint64_t n) { return ~n; }));
}

rc::Gen<std::uint32_t> any_width_flag() {
  return rc::gen::element(irix_prof_ushort, irix_prof_uint);
}

State profile(const std::vector<Region>& regions, std::uint32_t flags, unsigned bits = 32) {
  return irix.sprofil->start(State{}, regions, flags, bits).value();
}

std::optional<std::uint64_t> counter(const State& state, std::uint64_t pc) {
  const Lookup lookup = irix.lookup(state, GuestAddr(pc));
  const Access* access = std::get_if<Access>(&lookup);
  if (access == nullptr) return std::nullopt;
  return access->address.value();
}

// What the kernel computes (docs/observed.md, facts 7 to 9), with whole numbers
// that are cut where its words are.
std::optional<cpp_int> byte_offset(const Region& region, unsigned width, unsigned bits,
                                   std::uint64_t pc) {
  const cpp_int word = cpp_int(1) << bits;
  const cpp_int short_word = cpp_int(1) << 32;
  const cpp_int distance = (cpp_int(pc) - region.offset.value() + (word << 64)) % word;
  if (region.scale < 2 || region.size == 0 || distance >= word / 2) return std::nullopt;
  if (region.scale == 2) return cpp_int(0);
  const cpp_int index = distance % short_word * region.scale / 65536 % short_word;
  const cpp_int place = index / width * width;
  if (place >= region.size) return std::nullopt;
  return place;
}

RC_GTEST_PROP(IrixProperty, TheArithmeticOfTheKernelsWords, ()) {
  const unsigned bits = *rc::gen::element(32u, 64u);
  const Region region{GuestAddr(*any_word()), bit_field(*any_word(), 0, 32),
                      GuestAddr(bit_field(*any_word(), 0, bits)), *any_scale()};
  const auto near = *rc::gen::inRange<std::uint64_t>(0, 0x100000);
  const std::uint64_t pc =
      bit_field(*rc::gen::oneOf(any_word(), rc::gen::just(region.offset.value() + near)), 0, bits);
  const State state = profile({region}, *any_width_flag(), bits);

  const Lookup lookup = irix.lookup(state, GuestAddr(pc));
  const auto expected = byte_offset(region, state.counter_bytes, bits, pc);
  const Access* access = std::get_if<Access>(&lookup);
  RC_CLASSIFY(access != nullptr, "counted");
  RC_ASSERT((access != nullptr) == expected.has_value());
  if (access == nullptr) return;
  RC_ASSERT(cpp_int(access->byte_offset) == *expected);
  const cpp_int address = (cpp_int(region.base.value()) + *expected) % (cpp_int(1) << 32);
  RC_ASSERT(cpp_int(bit_field(access->address.value(), 0, 32)) == address);
  RC_ASSERT(access->address.value() >> 31 == 0 || ~access->address.value() >> 31 == 0);
}

RC_GTEST_PROP(IrixProperty, PlacementIsMonotonic, ()) {
  const Region region{GuestAddr(buf), *rc::gen::inRange<std::uint64_t>(1, 0x10000),
                      GuestAddr(text_address), *any_scale()};
  const State state = profile({region}, *any_width_flag());
  // Further up the index would come round again (fact 8).
  const std::uint64_t end = std::min<std::uint64_t>(
      0x100000, (std::uint64_t{1} << 48) / std::max<std::uint64_t>(region.scale, 1));
  const auto text = rc::gen::inRange<std::uint64_t>(text_address, text_address + end);
  const auto [low, high] = std::minmax({*text, *text});
  const auto first = counter(state, low);
  const auto second = counter(state, high);
  RC_ASSERT(first || !second);
  if (second) RC_ASSERT(*first <= *second);
}

RC_GTEST_PROP(IrixProperty, Scale2IsTheFirstCounterFromOffsetUp, ()) {
  const Region region{GuestAddr(bit_field(*any_word(), 0, 31)),
                      std::max<std::uint64_t>(1, *any_word()), GuestAddr(*any_word()), 2};
  const std::uint64_t pc = *any_word();
  const State state = profile({region}, *any_width_flag(), 64);
  const auto distance = static_cast<std::int64_t>(pc - region.offset.value());
  const auto expected =
      distance >= 0 ? std::optional(region.base.value()) : std::optional<std::uint64_t>();
  RC_ASSERT(counter(state, pc) == expected);
}

// A region may be cut wherever a counter begins at a whole byte of text, but for the pc at the cut,
// which belongs to the first part (fact 12).
RC_GTEST_PROP(IrixProperty, SplittingARegionChangesNothing, ()) {
  const std::uint64_t scale = *rc::gen::suchThat(any_scale(), [](auto s) { return s > 2; });
  const std::uint32_t flags = *any_width_flag();
  const unsigned width = flags == irix_prof_uint ? 4 : 2;
  const std::uint64_t unit = 65536u * width / std::gcd<std::uint64_t>(scale, 65536u * width);
  const std::uint64_t text = unit * *rc::gen::inRange<std::uint64_t>(1, 100);
  const std::uint64_t head = text * scale / 65536;
  const std::uint64_t tail = *rc::gen::inRange<std::uint64_t>(1, 10000);
  const State whole =
      profile({{GuestAddr(buf), head + tail, GuestAddr(text_address), scale}}, flags);
  const State split =
      profile({{GuestAddr(buf), head, GuestAddr(text_address), scale},
               {GuestAddr(buf + head), tail, GuestAddr(text_address + text), scale}},
              flags);
  const std::uint64_t end = text_address + 2 * text + 0x1000;
  const std::uint64_t pc = *rc::gen::inRange<std::uint64_t>(text_address - 0x100, end);
  // Further up the index would come round again (fact 8).
  RC_PRE((pc - text_address + 0x100) * scale < std::uint64_t{1} << 48);
  if (pc != text_address + text) RC_ASSERT(counter(whole, pc) == counter(split, pc));
}

// profil(2): 32-bit counters are the 16-bit ones of the same buffer taken two at a time.
RC_GTEST_PROP(IrixProperty, AWideCounterCoversTwoNarrowOnes, ()) {
  const Region region{GuestAddr(buf), 4 * *rc::gen::inRange<std::uint64_t>(1, 1000),
                      GuestAddr(text_address), *any_scale()};
  const std::uint64_t pc =
      *rc::gen::inRange<std::uint64_t>(text_address - 0x100, text_address + 0x4000);
  const auto narrow = counter(profile({region}, irix_prof_ushort), pc);
  const auto wide = counter(profile({region}, irix_prof_uint), pc);
  RC_ASSERT(narrow.has_value() == wide.has_value());
  if (narrow) RC_ASSERT(*wide == *narrow / 4 * 4);
}

// profil(2) and sprofil(2) with one PROF_USHORT entry are the same: "superset of profil(2)".
RC_GTEST_PROP(IrixProperty, ProfilIsSprofilWithOneRegion, (std::uint32_t bufsiz)) {
  const auto scale = static_cast<std::uint32_t>(*any_scale());
  const State one = irix.profil(State{}, {buf, bufsiz, text_address, scale}, 32).value();
  const State list = profile({{GuestAddr(buf), bufsiz, GuestAddr(text_address), scale}}, 0);
  const std::uint64_t pc =
      *rc::gen::oneOf(any_word(), rc::gen::inRange(text_address, text_address + 0x1000));
  RC_ASSERT(counter(one, pc) == counter(list, pc));
}

// Regions over a little text, so that overlaps and equal offsets are common. Buffers live in
// eight pages, 4-byte aligned.
rc::Gen<std::vector<Region>> overlapping_regions() {
  const auto region = rc::gen::exec([] {
    const std::uint64_t page = *rc::gen::inRange<std::uint64_t>(0, 8);
    const std::uint64_t word = *rc::gen::inRange<std::uint64_t>(0, 16);
    return Region{GuestAddr(buf + page * 0x1000 + word * 4),
                  *rc::gen::inRange<std::uint64_t>(0, 64),
                  GuestAddr(*rc::gen::element<std::uint64_t>(0, text_address, text_address + 16,
                                                             text_address + 64)),
                  *rc::gen::element<std::uint64_t>(0, 1, 2, 3, 0x1000, 0x4000, 0x8000, 0x10000)};
  });
  // A bin may not come first (fact 4).
  return rc::gen::suchThat(rc::gen::container<std::vector<Region>>(region), [](const auto& all) {
    return !all.empty() && irix.sprofil->start(State{}, all, irix_prof_ushort, 32).ok();
  });
}

rc::Gen<std::uint64_t> nearby_pc() {
  return rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 96),
                      [](std::uint64_t i) { return text_address - 64 + 4 * i; });
}

// A process as the rules see it. IRIX runs the MIPS big-endian.
struct FakeProcess {
  State state;
  ByteMemory memory{Endian::big};

  Charge::Outcome tick(std::uint64_t pc) {
    return charge(irix, state, GuestAddr(pc), Ticks(1), memory).outcome;
  }
};

constexpr std::uint64_t page_size = 0x1000;
constexpr std::uint64_t used_of_page = 0x100;

FakeProcess process_with_pages(const State& state, unsigned mapped_pages) {
  FakeProcess process{state};
  for (unsigned page = 0; page < mapped_pages; ++page) {
    process.memory.map(buf + page * page_size, used_of_page);
  }
  return process;
}

// All counters of all buffers, in address order.
std::vector<std::uint64_t> counters(const FakeProcess& process, unsigned width, unsigned pages) {
  std::vector<std::uint64_t> values;
  for (unsigned page = 0; page < pages; ++page) {
    for (std::uint64_t at = 0; at < used_of_page; at += width) {
      std::uint64_t value = 0;
      for (unsigned byte = 0; byte < width; ++byte) {
        value = value << 8 | process.memory.peek(buf + page * page_size + at + byte);
      }
      values.push_back(value);
    }
  }
  return values;
}

RC_GTEST_PROP(IrixProperty, EveryTickIsCountedMissedOrDropped, ()) {
  const State state = profile(*overlapping_regions(), *any_width_flag());
  const auto pages = *rc::gen::inRange(0u, 9u);
  FakeProcess process = process_with_pages(state, pages);
  const auto pcs = *rc::gen::container<std::vector<std::uint64_t>>(nearby_pc());
  std::size_t missed = 0;
  std::size_t dropped = 0;
  for (const std::uint64_t pc : pcs) {
    const bool was_on = process.state.on();
    const Charge::Outcome outcome = process.tick(pc);
    missed += outcome == Charge::Outcome::missed;
    dropped += outcome == Charge::Outcome::faulted;
    RC_ASSERT(was_on || !process.state.on());
    if (outcome != Charge::Outcome::faulted) RC_ASSERT(process.state.on() == was_on);
  }
  const auto values = counters(process, state.counter_bytes, pages);
  const std::uint64_t counted = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  RC_CLASSIFY(dropped != 0, "faulted");
  RC_ASSERT(counted + missed + dropped == pcs.size());
  RC_ASSERT(dropped <= state.regions.size());
}

// Ticks spread over parent and child add up to the same profile as all of them in one process. A
// child has a copy of its parent's memory, or, after sproc(PR_SADDR), the same.
RC_GTEST_PROP(IrixProperty, ForkThenSumIsTheJointRun, ()) {
  const State state = profile(*overlapping_regions(), *any_width_flag());
  FakeProcess joint = process_with_pages(state, 8);
  FakeProcess parent = process_with_pages(state, 8);
  for (const std::uint64_t pc : *rc::gen::container<std::vector<std::uint64_t>>(nearby_pc())) {
    joint.tick(pc);
    parent.tick(pc);
  }
  const auto at_fork = counters(parent, state.counter_bytes, 8);
  FakeProcess child{irix.after_fork(parent.state), parent.memory};
  State sibling = irix.after_fork(joint.state);
  for (const auto& [pc, in_child] :
       *rc::gen::container<std::vector<std::pair<std::uint64_t, bool>>>(
           rc::gen::pair(nearby_pc(), rc::gen::arbitrary<bool>()))) {
    (in_child ? child : parent).tick(pc);
    charge(irix, in_child ? sibling : joint.state, GuestAddr(pc), Ticks(1), joint.memory);
  }
  const auto parents = counters(parent, state.counter_bytes, 8);
  const auto childs = counters(child, state.counter_bytes, 8);
  const auto joints = counters(joint, state.counter_bytes, 8);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    RC_ASSERT(parents[i] + childs[i] - at_fork[i] == joints[i]);
  }
}

RC_GTEST_PROP(IrixProperty, OwedTicksAtOnceOrOneByOne, (std::uint16_t start)) {
  const auto n = *rc::gen::inRange<std::uint64_t>(0, 70000);
  std::uint64_t value = start;
  bool wrapped = false;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Increment one = irix.increment(value, 2, Ticks(1));
    value = one.after;
    wrapped |= one.effect == Increment::Effect::wrapped;
  }
  const Increment all = irix.increment(start, 2, Ticks(n));
  RC_ASSERT(all.after == value);
  RC_ASSERT((all.effect == Increment::Effect::wrapped) == wrapped);
}

RC_GTEST_PROP(IrixProperty, EverythingHasAOneLineExplanation, ()) {
  const State state = *rc::gen::element(State{}, profile(*overlapping_regions(), 0));
  const GuestAddr pc(*any_word());
  const Lookup lookup = irix.lookup(state, pc);
  const std::string line = explain(state, pc, lookup);
  RC_ASSERT(line.find('\n') == std::string::npos);
  const bool counted = line.find("-> counter at 0x") != std::string::npos;
  const bool not_counted = line.find("-> not counted") != std::string::npos;
  RC_ASSERT(counted == std::holds_alternative<Access>(lookup));
  RC_ASSERT(not_counted != counted);
}

}  // namespace
}  // namespace hardclock::profil
