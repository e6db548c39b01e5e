#include "sim/report/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>

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

// The names, or other text, of all formats: "hardclock JSON, System V mon.out".
std::string list_formats(std::string_view Format::*text) {
  std::vector<std::string_view> texts;
  std::transform(formats().begin(), formats().end(), std::back_inserter(texts),
                 [text](const Format& format) { return format.*text; });
  return fmt::format("{}", fmt::join(texts, ", "));
}

const Format* find_format(std::span<const std::uint8_t> bytes) {
  const Format* possible = nullptr;
  for (const Format& format : formats()) {
    const Match match = format.match(bytes);
    if (match == Match::certain) return &format;
    if (match == Match::possible && possible == nullptr) possible = &format;
  }
  return possible;
}

// Nothing matched. A damaged file with a magic number would have; one without may be meant.
std::string no_format(std::span<const std::uint8_t> bytes, std::optional<Endian> order) {
  std::string message =
      fmt::format("not a profile in a known format ({})", list_formats(&Format::name));
  for (const Format& format : formats()) {
    if (format.has_magic) continue;
    const auto attempt = format.read(bytes, order);
    if (!attempt) message += fmt::format("; as {}: {}", format.name, attempt.error());
  }
  return message;
}

// A conventional name that is only the end of another word is not meant: "gmon.out" is no mon.out.
bool asks_for(std::string_view file_name, std::string_view suffix) {
  if (!file_name.ends_with(suffix)) return false;
  file_name.remove_suffix(suffix.size());
  return suffix.front() == '.' || file_name.empty() ||
         !std::isalnum(static_cast<unsigned char>(file_name.back()));
}

}  // namespace

std::uint64_t ticks_of(const ProcessProfile& process) {
  std::uint64_t ticks = 0;
  for (const auto& [pc, count] : process.samples) ticks += count;
  if (!process.samples.empty()) return ticks;
  for (const Histogram& histogram : process.histograms) {
    ticks = std::accumulate(histogram.counts.begin(), histogram.counts.end(), ticks);
  }
  return ticks;
}

Result<Profile, std::string> read_profile(std::span<const std::uint8_t> bytes,
                                          std::optional<Endian> order) {
  if (bytes.empty()) {
    return Failure{std::string("the profile is empty: the program wrote nothing to it")};
  }
  const Format* format = find_format(bytes);
  if (format == nullptr) return Failure{no_format(bytes, order)};
  auto profile = format->read(bytes, order);
  if (!profile) return Failure{fmt::format("{}: {}", format->name, profile.error())};
  return profile;
}

Result<std::string, std::string> write_profile(const Profile& profile, std::string_view file_name) {
  const auto format = std::find_if(formats().begin(), formats().end(), [&](const Format& each) {
    return asks_for(file_name, each.suffix);
  });
  if (format == formats().end()) {
    return Failure{fmt::format("{}: no profile format has this suffix; end the name in one of {}",
                               file_name, list_formats(&Format::suffix))};
  }
  auto bytes = format->write(profile);
  if (!bytes) return Failure{fmt::format("{}: {}", file_name, bytes.error())};
  return bytes;
}

}  // namespace hardclock::report
