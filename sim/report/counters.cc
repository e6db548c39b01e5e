#include "sim/report/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "sim/base/check.h"
#include "sim/report/layout.h"

namespace hardclock::report {
namespace {

constexpr std::uint64_t kBucket = 4;                           // bytes of text
constexpr std::uint64_t kMostText = std::uint64_t{64} << 20;   // bytes, for counters of samples
constexpr std::string_view kInstead = "; write a .json file";  // which holds everything

using Samples = std::map<GuestAddr, std::uint64_t>;

// Runs of samples with no more than `most_gap` bytes between two.
Result<std::vector<Histogram>, std::string> to_histograms(const Samples& samples,
                                                          std::string_view title,
                                                          std::uint64_t most_gap) {
  std::vector<Histogram> histograms;
  std::uint64_t text = 0;
  for (const auto& [pc, ticks] : samples) {
    const GuestAddr low(pc.value() / kBucket * kBucket);
    const bool begins = histograms.empty() ||
                        (low >= histograms.back().high && low - histograms.back().high > most_gap);
    if (begins) histograms.push_back({.low = low, .high = low, .counts = {}});
    Histogram& histogram = histograms.back();
    if (low >= histogram.high) {
      if (low.value() > ~std::uint64_t{0} - kBucket) {
        return Failure{
            fmt::format("a tick at 0x{:x}, where no range can end{}", pc.value(), kInstead)};
      }
      const std::uint64_t more = low - histogram.high + kBucket;
      if (more > kMostText - text) {
        return Failure{
            fmt::format("the samples are spread over more than {} MiB of text, too much "
                        "for {}{}",
                        kMostText >> 20, title, kInstead)};
      }
      text += more;
      histogram.high = low + kBucket;
      histogram.counts.resize((histogram.high - histogram.low) / kBucket);
    }
    histogram.counts[(low - histogram.low) / kBucket] += ticks;
  }
  return histograms;
}

// Adds `more` to the histogram of the same range and number of counters, or appends it.
class Sum {
 public:
  void add(const Histogram& more) {
    const auto key = std::tuple(more.low, more.high, more.counts.size());
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
  std::map<std::tuple<GuestAddr, GuestAddr, std::size_t>, std::size_t> index_;
};

// Saturated: the formats' own limits are far below.
void add(std::uint64_t& sum, std::uint64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = ~std::uint64_t{0};
}

std::optional<std::string> several_programs(const Profile& profile, std::string_view title) {
  if (profile.processes.empty()) {
    return fmt::format("{} holds one process and this profile has 0{}", title, kInstead);
  }
  const std::string& first = profile.processes.front().program;
  const auto other = std::ranges::find_if(
      profile.processes, [&](const ProcessProfile& process) { return process.program != first; });
  if (other == profile.processes.end()) return std::nullopt;
  return fmt::format("{} holds one program and this profile has '{}' and '{}'{}", title, first,
                     other->program, kInstead);
}

std::optional<std::string> too_wide(const ProcessProfile& sum, const Layout& layout,
                                    std::string_view title) {
  std::uint64_t highest = 0;
  for (const Histogram& each : sum.histograms) highest = std::max(highest, each.high.value());
  for (const CallCount& each : sum.calls) highest = std::max(highest, each.function.value());
  for (const Arc& each : sum.arcs) {
    highest = std::max({highest, each.from.value(), each.self.value()});
  }
  if (highest <= layout.last_address()) return std::nullopt;
  return fmt::format("pc 0x{:x} does not fit into the {} bits that it has in {}{}", highest,
                     layout.address_bits, title, kInstead);
}

template <class Counted>
std::optional<std::string> too_many(const std::vector<Counted>& counted,
                                    std::uint64_t Counted::*count, GuestAddr Counted::*function,
                                    std::uint64_t most) {
  const auto found =
      std::ranges::find_if(counted, [&](const Counted& each) { return each.*count > most; });
  if (found == counted.end()) return std::nullopt;
  return fmt::format("{} calls of 0x{:x} are more than the {} that fit{}", (*found).*count,
                     ((*found).*function).value(), most, kInstead);
}

}  // namespace

Result<ProcessProfile, std::string> counters_of(const Profile& profile, std::string_view title,
                                                std::uint64_t most_gap) {
  if (auto why = several_programs(profile, title)) return Failure{*why};
  Sum histograms;
  Samples samples;
  std::map<GuestAddr, std::uint64_t> calls;
  std::map<std::pair<GuestAddr, GuestAddr>, std::uint64_t> arcs;
  for (const ProcessProfile& process : profile.processes) {
    for (const auto& [pc, ticks] : process.samples) add(samples[pc], ticks);
    if (process.samples.empty()) {
      for (const Histogram& each : process.histograms) histograms.add(each);
    }
    for (const CallCount& each : process.calls) add(calls[each.function], each.calls);
    for (const Arc& each : process.arcs) add(arcs[{each.from, each.self}], each.count);
  }
  auto sampled = to_histograms(samples, title, most_gap);
  if (!sampled) return Failure{sampled.error()};
  for (const Histogram& each : *sampled) histograms.add(each);

  ProcessProfile sum;
  sum.histograms = histograms.take();
  if (profile.processes.size() == 1) {
    sum.calls = profile.processes.front().calls;
    sum.arcs = profile.processes.front().arcs;
  } else {
    for (const auto& [function, n] : calls) sum.calls.push_back({function, n});
    for (const auto& [ends, n] : arcs) sum.arcs.push_back({ends.first, ends.second, n});
  }
  if (auto why = too_wide(sum, layout_of(profile), title)) return Failure{*why};
  return sum;
}

Result<ProcessProfile, std::string> one_range_of(const Profile& profile, std::string_view title) {
  auto sum = counters_of(profile, title, kMostText);
  if (!sum) return sum;
  if (sum->histograms.empty()) {
    return Failure{std::string("no tick was charged, so there is no range of text")};
  }
  if (sum->histograms.size() != 1) {
    return Failure{fmt::format(
        "{} has one range of text and this profile has {}; write a gmon.out or .json file", title,
        sum->histograms.size())};
  }
  const auto& counts = sum->histograms.front().counts;
  CHECK(!counts.empty());
  const std::uint64_t most = *std::ranges::max_element(counts);
  if (most <= kMostTicks) return sum;
  return Failure{fmt::format(
      "a counter has {} ticks and the counters of {} end at {}; write a gmon.out or .json file",
      most, title, kMostTicks)};
}

std::optional<std::string> too_many_calls(const std::vector<CallCount>& calls, std::uint64_t most) {
  return too_many(calls, &CallCount::calls, &CallCount::function, most);
}

std::optional<std::string> too_many_calls(const std::vector<Arc>& arcs, std::uint64_t most) {
  return too_many(arcs, &Arc::count, &Arc::self, most);
}

}  // namespace hardclock::report
