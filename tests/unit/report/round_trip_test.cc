// What is written in a classic format is read back, whatever it is: properties of every format, and
// of conversions between them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "sim/report/profile.h"
#include "tests/unit/report/bytes.h"

namespace hardclock::report {
namespace {

struct Shape {
  std::string_view format;
  std::vector<unsigned> address_bits = {32, 64};
  std::uint64_t last_pc = ~std::uint64_t{0};  // besides address_bits
  std::uint64_t most_ticks = 65535;
  std::uint64_t most_calls = ~std::uint64_t{0};  // besides address_bits
  int most_histograms = 1;
  bool has_rate = false;
  bool has_arcs = false;
  bool little_endian_only = false;
};

// The fields' sizes in the formats' own declarations; each format's file names them.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {.format = "v7",
       .address_bits = {32},
       .last_pc = 0xffff,
       .most_calls = 0xffffffff,
       .little_endian_only = true},
      {.format = "sysv"},
      {.format = "bsd43", .address_bits = {32}, .has_arcs = true},
      {.format = "bsd44", .has_rate = true, .has_arcs = true},
      {.format = "gnu",
       .most_ticks = 3 * 65535,
       .most_calls = 0xffffffff,
       .most_histograms = 3,
       .has_rate = true,
       .has_arcs = true},
  };
  return all;
}

std::uint64_t up_to(std::uint64_t most) {
  const auto any = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t edge = *rc::gen::element<std::uint64_t>(0, 1, most - 1, most);
  if (*rc::gen::inRange(0, 4) == 0) return edge;
  return most == ~std::uint64_t{0} ? any : any % (most + 1);
}

// Counters of 4 bytes, the ranges apart from each other.
std::vector<Histogram> any_histograms(const Shape& shape, std::uint64_t last_pc) {
  constexpr std::uint64_t most_text = 4 * 64;
  std::vector<Histogram> histograms;
  const int n = shape.most_histograms == 1 ? 1 : *rc::gen::inRange(0, shape.most_histograms + 1);
  std::uint64_t low = up_to(last_pc - 4 * most_text);
  for (int i = 0; i < n; ++i) {
    const auto counters = *rc::gen::inRange<std::uint64_t>(1, most_text / 4);
    Histogram& each = histograms.emplace_back();
    each.low = GuestAddr(low);
    each.high = GuestAddr(low + 4 * counters);
    for (std::uint64_t c = 0; c < counters; ++c) each.counts.push_back(up_to(shape.most_ticks));
    low += 4 * counters + *rc::gen::inRange<std::uint64_t>(0, 4);
  }
  return histograms;
}

Profile any_profile(const Shape& shape) {
  Profile profile;
  profile.byte_order =
      shape.little_endian_only ? Endian::little : *rc::gen::element(Endian::big, Endian::little);
  profile.address_bits = *rc::gen::elementOf(shape.address_bits);
  if (shape.has_rate) profile.tick_rate = Hertz(up_to(0xffffffff));
  const std::uint64_t word = profile.address_bits == 32 ? 0xffffffff : ~std::uint64_t{0};
  const std::uint64_t last_pc = std::min(word, shape.last_pc);
  const std::uint64_t most_calls = std::min(word, shape.most_calls);
  ProcessProfile& process = profile.processes.emplace_back();
  process.histograms = any_histograms(shape, last_pc);
  // GNU keeps the rate with the histograms.
  if (process.histograms.empty()) profile.tick_rate = Hertz();
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    const GuestAddr self(up_to(last_pc - 1) + 1);  // an entry of zeros is an unused one
    if (shape.has_arcs) {
      process.arcs.push_back({GuestAddr(up_to(last_pc)), self, up_to(most_calls)});
    } else {
      process.calls.push_back({self, up_to(most_calls)});
    }
  }
  return profile;
}

RC_GTEST_PROP(EveryFormat, RoundTrip, ()) {
  for (const Shape& shape : shapes()) {
    const Profile profile = any_profile(shape);
    const auto bytes = write_profile_as(profile, shape.format);
    RC_ASSERT(bytes.ok());
    const Target target{profile.byte_order, profile.address_bits};
    const auto back = read_profile(to_bytes(*bytes), target, shape.format);
    RC_ASSERT(back.ok());
    RC_ASSERT(*back == profile);
    RC_ASSERT(*write_profile_as(*back, shape.format) == *bytes);
  }
}

// What a libc writes, with calls within the text, is recognized without being named.
RC_GTEST_PROP(EveryFormat, IsRecognized, ()) {
  for (const Shape& shape : shapes()) {
    Profile profile = any_profile(shape);
    ProcessProfile& process = profile.processes.front();
    if (process.histograms.empty()) continue;
    if (shape.format == "v7" && process.calls.empty()) continue;  // not without being named
    const Histogram& text = process.histograms.front();
    if (text.low == GuestAddr()) continue;  // a function there would be an unused entry
    for (CallCount& each : process.calls) each.function = text.low;
    for (Arc& each : process.arcs) each.self = text.low;
    const auto bytes = write_profile_as(profile, shape.format);
    RC_ASSERT(bytes.ok());
    Target target{profile.byte_order, profile.address_bits};
    if (shape.format == "v7") target = {};
    const auto back = read_profile(to_bytes(*bytes), target);
    RC_ASSERT(back.ok());
    RC_ASSERT(*back == profile);
  }
}

// Another format may hold less, but never other numbers of ticks and calls.
RC_GTEST_PROP(Conversions, KeepTicksAndCalls, ()) {
  for (const Shape& from : shapes()) {
    const Profile profile = any_profile(from);
    for (const Shape& to : shapes()) {
      const auto bytes = write_profile_as(profile, to.format);
      if (!bytes) continue;
      const Target target{profile.byte_order, profile.address_bits};
      const auto back = read_profile(to_bytes(*bytes), target, to.format);
      RC_ASSERT(back.ok());
      const ProcessProfile& before = profile.processes.front();
      const ProcessProfile& after = back->processes.front();
      RC_ASSERT(after.histograms == before.histograms);
      const auto all_calls = [](const ProcessProfile& process) {
        std::map<GuestAddr, std::uint64_t> sums;
        for (const CallCount& each : calls_of(process)) sums[each.function] += each.calls;
        std::erase_if(sums, [](const auto& each) { return each.second == 0; });
        return sums;
      };
      RC_ASSERT(all_calls(after) == all_calls(before));
    }
  }
}

}  // namespace
}  // namespace hardclock::report
