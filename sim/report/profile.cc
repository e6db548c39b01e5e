#include "sim/report/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <ostream>
#include <sstream>
#include <utility>

#include "sim/report/format.h"

namespace hardclock::report {
namespace {

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
#define HARDCLOCK_FORMAT(name) name##_format(),
#include "sim/report/formats.def"
#undef HARDCLOCK_FORMAT
  };
  return all;
}

Result<const Format*, std::string> find_format(std::string_view name) {
  const auto found = std::ranges::find(formats(), name, &Format::name);
  if (found != formats().end()) return &*found;
  return Failure{
      fmt::format("no profile format is called '{}'; the names are {}", name, format_names())};
}

// A damaged file with a magic number was found by that; one without may be meant.
std::string no_format(const std::vector<std::pair<const Format*, std::string>>& objections) {
  std::string message = fmt::format("not a profile in a known format ({})", format_names());
  for (const auto& [format, why] : objections) {
    message += fmt::format("; not {}: {}", format->name, why);
  }
  return message;
}

std::string several_formats(const std::vector<const Format*>& fits) {
  std::vector<std::string> names;
  for (const Format* format : fits) {
    names.push_back(fmt::format("{} ({})", format->title, format->name));
  }
  return fmt::format("it may be {}; say which with --input-format", fmt::join(names, " or "));
}

Result<const Format*, std::string> recognize(std::span<const std::uint8_t> bytes,
                                             const Target& target) {
  std::vector<const Format*> fits;
  std::vector<std::pair<const Format*, std::string>> objections;
  for (const Format& format : formats()) {
    const Recognition seen = format.recognize(bytes, target);
    if (seen.match == Match::certain) return &format;
    if (seen.match == Match::likely) fits.push_back(&format);
    if (!seen.objection.empty()) objections.emplace_back(&format, seen.objection);
  }
  if (fits.empty()) return Failure{no_format(objections)};
  if (fits.size() > 1) return Failure{several_formats(fits)};
  return fits.front();
}

}  // namespace

const Mapping* find_mapping(const ProcessProfile& process, GuestAddr pc) {
  const auto above = std::ranges::upper_bound(process.mappings, pc, {}, &Mapping::start);
  if (above == process.mappings.begin()) return nullptr;
  const Mapping& mapping = *std::prev(above);
  return pc - mapping.start < mapping.size ? &mapping : nullptr;
}

CyclesByPc to_cycles_by_pc(std::vector<std::pair<GuestAddr, std::uint64_t>> ascending) {
  CyclesByPc cycles;
  cycles.adopt_sequence(boost::container::ordered_unique_range, std::move(ascending));
  return cycles;
}

bool ReasonsByPc::empty() const {
  return std::ranges::all_of(by_reason_, &CyclesByPc::empty);
}

CyclesByReason ReasonsByPc::at(GuestAddr pc) const {
  CyclesByReason reasons;
  for (const CycleReason reason : all_cycle_reasons) {
    const auto found = (*this)[reason].find(pc);
    if (found != (*this)[reason].end()) reasons[reason] = found->second;
  }
  return reasons;
}

CyclesByReason ReasonsByPc::total() const {
  CyclesByReason reasons;
  for_each([&](GuestAddr, CycleReason reason, std::uint64_t cycles) { reasons[reason] += cycles; });
  return reasons;
}

std::uint64_t ticks_of(const ProcessProfile& process) {
  std::uint64_t ticks = 0;
  for (const auto& [pc, count] : process.samples) ticks += count;
  if (!process.samples.empty()) return ticks;
  for (const Histogram& histogram : process.histograms) {
    ticks = std::accumulate(histogram.counts.begin(), histogram.counts.end(), ticks);
  }
  return ticks;
}

std::vector<CallCount> calls_of(const ProcessProfile& process) {
  if (!process.calls.empty()) return process.calls;
  std::map<GuestAddr, std::uint64_t> sums;
  for (const Arc& arc : process.arcs) {
    std::uint64_t& sum = sums[arc.self];
    if (__builtin_add_overflow(sum, arc.count, &sum)) sum = ~std::uint64_t{0};
  }
  std::vector<CallCount> calls;
  for (const auto& [function, n] : sums) calls.push_back({.function = function, .calls = n});
  return calls;
}

std::vector<Arc> arcs_of(const ProcessProfile& process) {
  if (!process.arcs.empty()) return process.arcs;
  std::vector<Arc> arcs;
  for (const CallArc& each : process.call_arcs) {
    arcs.push_back({.from = each.site, .self = each.function, .count = each.calls});
  }
  if (!arcs.empty()) return arcs;
  for (const CallCount& each : process.calls) {
    arcs.push_back({.from = GuestAddr(), .self = each.function, .count = each.calls});
  }
  return arcs;
}

Result<Profile, std::string> read_profile(std::span<const std::uint8_t> bytes, const Target& target,
                                          std::string_view format) {
  if (bytes.empty()) {
    return Failure{std::string("the profile is empty: the program wrote nothing to it")};
  }
  const auto found = format.empty() ? recognize(bytes, target) : find_format(format);
  if (!found) return Failure{found.error()};
  auto profile = (*found)->read(bytes, target);
  if (!profile) return Failure{fmt::format("{}: {}", (*found)->title, profile.error())};
  return profile;
}

std::vector<FormatName> profile_formats() {
  std::vector<FormatName> names;
  for (const Format& format : formats()) {
    names.push_back({format.name, format.suffixes});
  }
  return names;
}

// A conventional name that is only the end of another word is not meant: "gmon.out" is no mon.out.
bool asks_for(std::string_view file_name, std::string_view suffix) {
  if (!file_name.ends_with(suffix)) return false;
  file_name.remove_suffix(suffix.size());
  return suffix.front() == '.' || file_name.empty() ||
         !std::isalnum(static_cast<unsigned char>(file_name.back()));
}

Result<std::string, std::string> write_profile_as(const Profile& profile, std::string_view format) {
  std::ostringstream bytes;
  bytes.exceptions(std::ios::badbit);  // it would end early without a word
  const auto written = write_profile_as(profile, format, bytes);
  if (!written) return Failure{written.error()};
  return std::move(bytes).str();
}

Result<Ok, std::string> write_profile_as(const Profile& profile, std::string_view format,
                                         std::ostream& out) {
  const auto found = find_format(format);
  if (!found) return Failure{found.error()};
  if ((*found)->stream != nullptr) {
    (*found)->stream(profile, out);
    return Ok{};
  }
  const auto bytes = (*found)->write(profile);
  if (!bytes) return Failure{bytes.error()};
  out << *bytes;
  return Ok{};
}

bool needs_tick_rate(std::string_view format) {
  const auto found = find_format(format);
  return found && (*found)->has_tick_rate;
}

std::string format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace hardclock::report
