#include "sim/report/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "sim/base/check.h"
#include "sim/report/histogram.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::uint64_t bucket = 4;                           // bytes of text
constexpr std::uint64_t most_text = std::uint64_t{64} << 20;  // bytes, for counters of samples
constexpr std::string_view instead = "; write a .json file";  // which holds everything

using Samples = std::map<GuestAddr, std::uint64_t>;

// Runs of samples with no more than `most_gap` bytes between two.
Result<std::vector<Histogram>, std::string> to_histograms(const Samples& samples,
                                                          std::string_view title,
                                                          std::uint64_t most_gap) {
  std::vector<Histogram> histograms;
  std::uint64_t text = 0;
  for (const auto& [pc, ticks] : samples) {
    const GuestAddr low(pc.value() / bucket * bucket);
    const bool begins = histograms.empty() ||
                        (low >= histograms.back().high && low - histograms.back().high > most_gap);
    if (begins) histograms.push_back({.low = low, .high = low, .counts = {}});
    Histogram& histogram = histograms.back();
    if (low >= histogram.high) {
      if (low.value() > ~std::uint64_t{0} - bucket) {
        return Failure{
            fmt::format("a tick at 0x{:x}, where no range can end{}", pc.value(), instead)};
      }
      const std::uint64_t more = low - histogram.high + bucket;
      if (more > most_text - text) {
        return Failure{
            fmt::format("the samples are spread over more than {} MiB of text, too much "
                        "for {}{}",
                        most_text >> 20, title, instead)};
      }
      text += more;
      histogram.high = low + bucket;
      histogram.counts.resize((histogram.high - histogram.low) / bucket);
    }
    histogram.counts[(low - histogram.low) / bucket] += ticks;
  }
  return histograms;
}

// The counters by the instruction of 4 bytes that each begins with.
Histogram in_buckets(const Histogram& histogram) {
  const GuestAddr low(histogram.low.value() / bucket * bucket);
  Histogram sum{.low = low, .high = low, .counts = {}};
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const std::uint64_t at = (first_address(histogram, i) - low) / bucket;
    if (at >= sum.counts.size()) sum.counts.resize(at + 1);
    sum.counts[at] += histogram.counts[i];
  }
  sum.high = low + sum.counts.size() * bucket;
  return sum;
}

bool is_narrow(const Histogram& histogram) {
  const Spacing spacing = spacing_of(histogram);
  return spacing.text < Wide{bucket} * spacing.counters;
}

// The same counters with a range that says how wide they are, for tools that divide it. Counters of
// other than whole bytes, of up to an instruction, become counters of 4 bytes. Wider ones stay: the
// tools see them as they see the file that they come from.
Histogram without_density(const Histogram& histogram) {
  if (histogram.density == 0) return histogram;
  if (Histogram::most_density % histogram.density == 0) {
    const std::uint64_t width = Histogram::most_density / histogram.density;
    return {histogram.low, histogram.low + width * histogram.counts.size(), histogram.counts};
  }
  return is_narrow(histogram) ? in_buckets(histogram) : histogram;
}

// Adds `more` to the histogram of the same range and number of counters, or appends it.
class Sum {
 public:
  void add(const Histogram& more) {
    const auto key = std::tuple(more.low, more.high, more.counts.size(), more.density);
    const auto [known, is_new] = index_.emplace(key, histograms_.size());
    if (is_new) {
      histograms_.push_back(more);
      return;
    }
    std::vector<std::uint64_t>& counts = histograms_[known->second].counts;
    std::ranges::transform(counts, more.counts, counts.begin(), std::plus<>());
  }
  std::vector<Histogram> take() { return std::move(histograms_); }

 private:
  std::vector<Histogram> histograms_;
  std::map<std::tuple<GuestAddr, GuestAddr, std::size_t, std::uint64_t>, std::size_t> index_;
};

// Saturated: the formats' own limits are far below.
void add(std::uint64_t& sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = ~std::uint64_t{0};
}

std::optional<std::string> several_programs(const Profile& profile, std::string_view title) {
  if (profile.processes.empty()) {
    return fmt::format("{} holds one process and this profile has 0{}", title, instead);
  }
  const std::string& first = profile.processes.front().program;
  const auto other = std::ranges::find_if(
      profile.processes, [&](const ProcessProfile& process) { return process.program != first; });
  if (other == profile.processes.end()) return std::nullopt;
  return fmt::format("{} holds one program and this profile has '{}' and '{}'{}", title, first,
                     other->program, instead);
}

std::optional<std::string> too_wide(const ProcessProfile& sum, const Layout& layout,
                                    std::string_view title) {
  std::uint64_t highest = 0;
  for (const Histogram& each : sum.histograms) highest = std::max(highest, each.high.value());
  for (const CallCount& each : sum.calls) highest = std::max(highest, each.function.value());
  for (const Arc& each : arcs_of(sum)) {
    highest = std::max({highest, each.from.value(), each.self.value()});
  }
  if (highest <= layout.last_address()) return std::nullopt;
  return fmt::format("pc 0x{:x} does not fit into the {} bits that it has in {}{}", highest,
                     layout.address_bits, title, instead);
}

template <class Counted>
std::optional<std::string> too_many(const std::vector<Counted>& counted,
                                    std::uint64_t Counted::*count, GuestAddr Counted::*function,
                                    std::uint64_t most) {
  const auto found =
      std::ranges::find_if(counted, [&](const Counted& each) { return each.*count > most; });
  if (found == counted.end()) return std::nullopt;
  return fmt::format("{} calls of 0x{:x} are more than the {} that fit{}", (*found).*count,
                     ((*found).*function).value(), most, instead);
}

}  // namespace

namespace {

// What the format without file names holds of a process: the program's own part.
class OwnPart {
 public:
  explicit OwnPart(const ProcessProfile& process) : process_(process) {}

  bool has(GuestAddr pc) const {
    if (process_.mappings.empty()) return true;
    const Mapping* const mapping = find_mapping(process_, pc);
    return mapping != nullptr && mapping->file == process_.program;
  }
  GuestAddr address(GuestAddr pc) const { return pc - process_.moved_by; }
  // Of an arc's origin, which a file may not know.
  GuestAddr origin(GuestAddr pc) const { return has(pc) ? address(pc) : GuestAddr(0); }

 private:
  const ProcessProfile& process_;
};

// The process with nothing but its own part.
ProcessProfile own_part(const ProcessProfile& process) {
  const OwnPart own(process);
  ProcessProfile part;
  for (const auto& [pc, ticks] : process.samples) {
    if (own.has(pc)) part.samples[own.address(pc)] = ticks;
  }
  for (const Histogram& each : process.histograms) {
    if (!own.has(each.low)) continue;
    part.histograms.push_back(
        {own.address(each.low), own.address(each.high), each.counts, each.density});
  }
  for (const CallCount& each : process.calls) {
    if (own.has(each.function)) part.calls.push_back({own.address(each.function), each.calls});
  }
  for (const Arc& each : process.arcs) {
    if (!own.has(each.self)) continue;
    part.arcs.push_back({own.origin(each.from), own.address(each.self), each.count});
  }
  for (const CallArc& each : process.call_arcs) {
    if (!own.has(each.function)) continue;
    part.call_arcs.push_back({own.origin(each.site), own.address(each.function), each.calls, 0});
  }
  return part;
}

}  // namespace

Result<ProcessProfile, std::string> counters_of(const Profile& profile, std::string_view title,
                                                std::uint64_t most_gap) {
  if (auto why = several_programs(profile, title)) return Failure{*why};
  Sum histograms;
  Samples samples;
  std::map<GuestAddr, std::uint64_t> calls;
  std::map<std::pair<GuestAddr, GuestAddr>, std::uint64_t> arcs, exact_arcs;
  for (const ProcessProfile& whole : profile.processes) {
    const ProcessProfile process = own_part(whole);
    for (const auto& [pc, ticks] : process.samples) add(samples[pc], ticks);
    if (whole.samples.empty()) {
      for (const Histogram& each : process.histograms) histograms.add(without_density(each));
    }
    for (const CallCount& each : process.calls) add(calls[each.function], each.calls);
    for (const Arc& each : process.arcs) add(arcs[{each.from, each.self}], each.count);
    for (const CallArc& each : process.call_arcs) {
      add(exact_arcs[{each.site, each.function}], each.calls);
    }
  }
  auto sampled = to_histograms(samples, title, most_gap);
  if (!sampled) return Failure{sampled.error()};
  for (const Histogram& each : *sampled) histograms.add(each);

  ProcessProfile sum;
  sum.histograms = histograms.take();
  if (profile.processes.size() == 1) {
    sum.calls = own_part(profile.processes.front()).calls;
    sum.arcs = own_part(profile.processes.front()).arcs;
  } else {
    for (const auto& [function, n] : calls) sum.calls.push_back({function, n});
    for (const auto& [ends, n] : arcs) sum.arcs.push_back({ends.first, ends.second, n});
  }
  for (const auto& [ends, n] : exact_arcs) {
    sum.call_arcs.push_back({ends.first, ends.second, n, 0});
  }
  if (auto why = too_wide(sum, layout_of(profile), title)) return Failure{*why};
  return sum;
}

Result<ProcessProfile, std::string> one_range_of(const Profile& profile, std::string_view title) {
  auto sum = counters_of(profile, title, most_text);
  if (!sum) return sum;
  if (sum->histograms.empty()) {
    return Failure{std::string("no tick was charged, so there is no range of text")};
  }
  if (sum->histograms.size() != 1) {
    return Failure{fmt::format(
        "{} has one range of text and this profile has {}; write a gmon.out or .json file", title,
        sum->histograms.size())};
  }
  Histogram& range = sum->histograms.front();
  if (is_narrow(range)) range = in_buckets(range);
  const auto& counts = range.counts;
  CHECK(!counts.empty());
  const std::uint64_t most = *std::ranges::max_element(counts);
  if (most <= most_ticks) return sum;
  return Failure{fmt::format(
      "a counter has {} ticks and the counters of {} end at {}; write a gmon.out or .json file",
      most, title, most_ticks)};
}

namespace {

// Counters by where they lie, of how many there are, and by file.
class FileSum {
 public:
  void add(const Mapping& mapping, Histogram histogram) {
    const auto key = std::tuple(histogram.low, histogram.high, histogram.counts.size(),
                                histogram.density, mapping.file);
    const auto [known, is_new] = index_.emplace(key, all_.size());
    if (is_new) {
      all_.push_back({mapping, std::move(histogram)});
      return;
    }
    auto& counts = all_[known->second].histogram.counts;
    std::ranges::transform(histogram.counts, counts, counts.begin(), std::plus<>());
  }
  std::vector<FileCounters> take() { return std::move(all_); }

 private:
  std::vector<FileCounters> all_;
  std::map<std::tuple<GuestAddr, GuestAddr, std::size_t, std::uint64_t, std::string>, std::size_t>
      index_;
};

// The samples of a process by its mappings, each of them whole.
Result<Ok, std::string> add_mapped(const ProcessProfile& process, std::string_view title,
                                   FileSum& sum) {
  std::uint64_t text = 0;
  for (const Mapping& mapping : process.mappings) {
    const GuestAddr low(mapping.start.value() / bucket * bucket);
    const GuestAddr end = mapping.start + mapping.size;
    auto sample = process.samples.lower_bound(mapping.start);
    if (sample == process.samples.end() || sample->first >= end) continue;
    const std::uint64_t buckets = (end - low - 1) / bucket + 1;
    if (buckets > (most_text - text) / bucket) {
      return Failure{
          fmt::format("the files with samples have more than {} MiB of text, too much "
                      "for {}{}",
                      most_text >> 20, title, instead)};
    }
    text += buckets * bucket;
    Histogram histogram{.low = low, .high = low + buckets * bucket, .counts = {}};
    histogram.counts.resize(buckets);
    for (; sample != process.samples.end() && sample->first < end; ++sample) {
      histogram.counts[(sample->first - low) / bucket] += sample->second;
    }
    sum.add(mapping, std::move(histogram));
  }
  return Ok{};
}

// Of a profile that does not say which file lay there: the program's.
Mapping mapping_of(const ProcessProfile& process, const Histogram& histogram) {
  if (const Mapping* const known = find_mapping(process, histogram.low)) return *known;
  return {histogram.low, histogram.high - histogram.low, process.program, 0};
}

}  // namespace

Result<std::vector<FileCounters>, std::string> counters_by_file(const Profile& profile,
                                                                std::string_view title) {
  constexpr std::uint64_t widest_gap = 4096;  // a page
  if (auto why = several_programs(profile, title)) return Failure{*why};
  FileSum sum;
  for (const ProcessProfile& process : profile.processes) {
    std::vector<Histogram> histograms;
    if (process.samples.empty()) {
      histograms = process.histograms;
    } else if (process.mappings.empty()) {
      auto sampled = to_histograms(process.samples, title, widest_gap);
      if (!sampled) return Failure{sampled.error()};
      histograms = std::move(sampled).value();
    } else if (auto added = add_mapped(process, title, sum); !added) {
      return Failure{added.error()};
    }
    for (Histogram& each : histograms) {
      const Mapping mapping = mapping_of(process, each);
      sum.add(mapping, std::move(each));
    }
  }
  return sum.take();
}

std::optional<std::string> too_many_calls(const std::vector<CallCount>& calls, std::uint64_t most) {
  return too_many(calls, &CallCount::calls, &CallCount::function, most);
}

std::optional<std::string> too_many_calls(const std::vector<Arc>& arcs, std::uint64_t most) {
  return too_many(arcs, &Arc::count, &Arc::self, most);
}

}  // namespace hardclock::report
