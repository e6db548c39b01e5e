// System V mon.out, what the monitor() of IRIX, HP-UX and Solaris writes for prof(1), of either
// byte order. illumos head/mon.h (struct hdr, struct cnt, WORD), port/gen/mon.c and
// sgs/prof/prof.c, with addresses and longs of 32 or 64 bits:
//   word low pc, word high pc, word n; n times {word function pc, word calls}; u16 counters to the
//   end of the file.
// n counts the reserved entries; the unused ones at the end are zero. The tick rate is not
// recorded, and there is no magic number. With little-endian words of 32 bits it is also the
// mon.out of 4.1-4.3BSD on the VAX (ucb-csrg-bsd old/prof/prof.c), and of any V7 libc compiled for
// a 32-bit machine.
#include <fmt/format.h>

#include "sim/report/counters.h"
#include "sim/report/format.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::string_view file_title = "System V mon.out";

Result<Profile, Refusal> read_as(std::span<const std::uint8_t> bytes, const Layout& layout) {
  const std::size_t header_bytes = 3 * layout.address_bytes();
  const std::size_t call_bytes = 2 * layout.address_bytes();
  if (auto why = lacks_header(bytes.size(), header_bytes)) return Failure{Refusal{*why}};
  FieldReader fields(bytes, layout);
  const std::uint64_t low = fields.word();
  const std::uint64_t high = fields.word();
  const std::uint64_t calls = fields.word();
  if (calls > fields.left() / call_bytes) {
    return Failure{Refusal{fmt::format("{} call counts do not fit into a file of {} bytes; it is "
                                       "truncated",
                                       calls, bytes.size()),
                           calls}};
  }
  ProcessProfile process;
  for (std::uint64_t i = 0; i < calls; ++i) {
    const GuestAddr function(fields.word());
    const std::uint64_t count = fields.word();
    if (function != GuestAddr() || count != 0) process.calls.push_back({function, count});
  }
  auto histogram = take_histogram(fields, low, high, monitor_scale);
  if (!histogram) return Failure{Refusal{histogram.error(), calls}};
  process.histograms.push_back(std::move(histogram).value());
  return profile_of(layout, std::move(process));
}

Recognition recognize(std::span<const std::uint8_t> bytes, const Target& target) {
  return recognize_best(bytes, layouts_of(target), read_as);
}

Result<Profile, std::string> read(std::span<const std::uint8_t> bytes, const Target& target) {
  return read_best(bytes, layouts_of(target), read_as);
}

Result<std::string, std::string> write(const Profile& profile) {
  const auto sum = one_range_of(profile, file_title);
  if (!sum) return Failure{sum.error()};
  const Layout layout = layout_of(profile);
  const std::vector<CallCount> calls = calls_of(*sum);
  if (auto why = too_many_calls(calls, layout.last_address())) return Failure{*why};
  const Histogram& histogram = sum->histograms.front();

  FieldWriter fields(layout);
  fields.word(histogram.low.value());
  fields.word(histogram.high.value());
  fields.word(calls.size());
  for (const CallCount& call : calls) {
    fields.word(call.function.value());
    fields.word(call.calls);
  }
  fields.counters(histogram.counts);
  return fields.finish();
}

}  // namespace

Format svr4_mon_format() {
  return {.name = "sysv",
          .title = file_title,
          .suffixes = {"mon.out"},
          .recognize = recognize,
          .read = read,
          .write = write};
}

}  // namespace hardclock::report
