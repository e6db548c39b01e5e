#include "sim/report/gmon_body.h"

#include <fmt/format.h>

#include "sim/report/counters.h"

namespace hardclock::report {
namespace {

constexpr std::uint64_t counter_bytes = 2;

}  // namespace

Result<ProcessProfile, std::string> read_gmon_body(FieldReader& fields, std::uint64_t low,
                                                   std::uint64_t high, std::uint64_t end,
                                                   std::uint64_t size, const Layout& layout) {
  const std::uint64_t begin = size - fields.left();
  if (end < begin) {
    return Failure{fmt::format("its counters end at byte {}, within the header of {}", end, begin)};
  }
  if (end > size) {
    return Failure{
        fmt::format("its counters end at byte {} and the file at {}; it is truncated", end, size)};
  }
  FieldReader counters(fields.take(end - begin), layout);
  auto histogram = take_histogram(counters, low, high, monstartup_scale);
  if (!histogram) return Failure{histogram.error()};
  ProcessProfile process;
  process.histograms.push_back(std::move(histogram).value());

  const std::uint64_t arc_bytes = 3 * layout.address_bytes();
  if (fields.left() % arc_bytes != 0) {
    return Failure{std::string("it ends within a call count; it is truncated")};
  }
  while (fields.left() != 0) {
    Arc& arc = process.arcs.emplace_back();
    arc.from = GuestAddr(fields.word());
    arc.self = GuestAddr(fields.word());
    arc.count = fields.word();
  }
  return process;
}

std::uint64_t gmon_counters_end(std::size_t header_bytes, const Histogram& histogram) {
  return header_bytes + counter_bytes * histogram.counts.size();
}

std::optional<std::string> write_gmon_body(FieldWriter& fields, const ProcessProfile& sum,
                                           const Layout& layout) {
  constexpr std::size_t most_counters = std::size_t{1} << 30;
  const Histogram& histogram = sum.histograms.front();
  if (histogram.counts.size() > most_counters) {
    return fmt::format("{} counters are more than the {} that fit; write a .json file",
                       histogram.counts.size(), most_counters);
  }
  const std::vector<Arc> arcs = arcs_of(sum);
  if (auto why = too_many_calls(arcs, layout.last_address())) return why;
  fields.counters(histogram.counts);
  for (const Arc& arc : arcs) {
    fields.word(arc.from.value());
    fields.word(arc.self.value());
    fields.word(arc.count);
  }
  return std::nullopt;
}

}  // namespace hardclock::report
