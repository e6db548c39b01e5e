// V7 mon.out of the PDP-11, what its monitor() writes for prof(1). v7unix/v7unix
// v7/usr/src/libc/gen/mon.c, libc/crt/mcount.s and cmd/prof.c, in little-endian 16-bit words:
//   low pc, high pc, n; n times {function pc, calls: two words, the high one first}; counters to
//   the end of the file.
// The tick rate is not recorded, and there is no magic number.
#include <fmt/format.h>

#include <algorithm>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "V7 mon.out";
constexpr Layout file_layout = {.byte_order = Endian::little, .address_bits = 32};
constexpr std::size_t header_bytes = 6;
constexpr std::size_t call_bytes = 6;
constexpr std::uint64_t last_pc = 0xffff;
constexpr std::uint64_t most_calls = 0xffff'ffff;

Result<Profile, Refusal> read_as(std::span<const std::uint8_t> bytes, const Layout& layout) {
  if (auto why = lacks_header(bytes.size(), header_bytes)) return Failure{Refusal{*why}};
  FieldReader fields(bytes, layout);
  const std::uint16_t low = fields.u16();
  const std::uint16_t high = fields.u16();
  const std::uint16_t calls = fields.u16();
  if (calls > fields.left() / call_bytes) {
    return Failure{
        Refusal{fmt::format("{} call counts do not fit into a file of {} bytes; it is "
                            "truncated",
                            calls, bytes.size())}};
  }
  ProcessProfile process;
  for (unsigned i = 0; i < calls; ++i) {
    const GuestAddr function(fields.u16());
    const std::uint32_t high_word = fields.u16();
    const std::uint32_t count = high_word << 16 | fields.u16();
    if (function != GuestAddr() || count != 0) process.calls.push_back({function, count});
  }
  auto histogram = take_histogram(fields, low, high, nullptr);
  if (!histogram) return Failure{Refusal{histogram.error()}};
  process.histograms.push_back(std::move(histogram).value());
  return profile_of(layout, std::move(process));
}

// A header of 6 bytes says so little that much of what is no V7 file looks like one: damaged files
// of other formats, and those of programs with wider addresses, as all that hardclock loads. What
// tells is that call counts lie within the text; V7's cc -p always leaves some.
Recognition recognize(std::span<const std::uint8_t> bytes, const Target& target) {
  if (target.address_bits) {
    return {.match = Match::no, .objection = "the program's addresses have more than 16 bits"};
  }
  const Recognition seen = recognize_best(bytes, {file_layout}, read_as);
  if (seen.match == Match::no) return seen;
  const auto profile = read_best(bytes, {file_layout}, read_as);
  if (profile && !profile->processes.front().calls.empty()) return seen;
  return {.match = Match::no, .objection = "it has no call counts"};
}

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target&) {
  return read_best(bytes, {file_layout}, read_as);
}

// What does not fit into 16 bits.
std::optional<std::string> misfit(const Histogram& histogram, const std::vector<CallCount>& calls) {
  std::uint64_t highest = histogram.high.value();
  for (const CallCount& call : calls) highest = std::max(highest, call.function.value());
  if (highest > last_pc) {
    return fmt::format(
        "pc 0x{:x} does not fit into the 16 bits that it has in {}; write a .json file", highest,
        file_title);
  }
  if (calls.size() > last_pc) {
    return fmt::format("{} call counts are more than the {} that {} holds; write a .json file",
                       calls.size(), last_pc, file_title);
  }
  return too_many_calls(calls, most_calls);
}

Result<std::string, std::string> write(const Profile& profile) {
  const auto sum = one_range_of(profile, file_title);
  if (!sum) return Failure{sum.error()};
  const std::vector<CallCount> calls = calls_of(*sum);
  const Histogram& histogram = sum->histograms.front();
  if (auto why = misfit(histogram, calls)) return Failure{*why};

  FieldWriter fields(file_layout);
  fields.u16(histogram.low.value());
  fields.u16(histogram.high.value());
  fields.u16(calls.size());
  for (const CallCount& call : calls) {
    fields.u16(call.function.value());
    fields.u16(call.calls >> 16);
    fields.u16(call.calls);
  }
  fields.counters(histogram.counts);
  return fields.finish();
}

}  // namespace

Format v7_mon_format() {
  return {.name = "v7",
          .title = file_title,
          .suffixes = {},
          .recognize = recognize,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
