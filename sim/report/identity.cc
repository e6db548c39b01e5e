#include "sim/report/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/load/text_hash.h"

namespace hardclock::report {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

bool lies_in(const Histogram& histogram, const AddressRange& text) {
  constexpr std::uint64_t rounding = 64;
  constexpr std::uint64_t page_bytes = 4096;
  const std::uint64_t end = text.high.value();
  const std::uint64_t high = histogram.high.value();
  if (histogram.low.value() < text.low.value() / page_bytes * page_bytes) return false;
  return high <= end + rounding || (high % page_bytes == 0 && high - end < page_bytes);
}

// The counters of a process that lie in the program's own file, at its own addresses.
std::optional<std::string> stray_counters(const ProcessProfile& process, const Identity& program) {
  for (Histogram each : process.histograms) {
    const Mapping* const mapping = find_mapping(process, each.low);
    if (mapping != nullptr && mapping->file != process.program) continue;
    each.low = each.low - process.moved_by;
    each.high = each.high - process.moved_by;
    const auto holds = [&](const AddressRange& text) { return lies_in(each, text); };
    if (program.text.empty() || std::ranges::any_of(program.text, holds)) continue;
    return fmt::format(
        "its counters are of 0x{:08x} to 0x{:08x}, and the text of {} is not: 0x{:08x} to "
        "0x{:08x}; "
        "name the program that it is of",
        each.low.value(), each.high.value(), program.name, program.text.front().low.value(),
        program.text.back().high.value());
  }
  return std::nullopt;
}

}  // namespace

Identity identity_of(std::string name, const Image& image) {
  Identity identity{.name = std::move(name),
                    .text_hash = text_hash(image),
                    .text = {},
                    .former_text_hash = former_text_hash(image)};
  for (const Segment& segment : image.segments) {
    if (!segment.permissions.execute) continue;
    identity.text.push_back({segment.address, segment.address + segment.memory_size});
  }
  return identity;
}

bool is_of(const ProcessProfile& process, const Identity& program) {
  if (!process.text_hash.empty() && !program.text_hash.empty()) {
    return process.text_hash == program.text_hash || process.text_hash == program.former_text_hash;
  }
  return process.program.empty() || program.name.empty() ||
         base_name(process.program) == base_name(program.name);
}

std::optional<std::string> objection(const Profile& profile, const Identity& program) {
  if (profile.processes.empty()) return std::nullopt;
  for (const ProcessProfile& process : profile.processes) {
    if (!is_of(process, program)) continue;
    if (auto stray = stray_counters(process, program)) return stray;
  }
  const auto ours = [&](const ProcessProfile& process) { return is_of(process, program); };
  if (std::ranges::any_of(profile.processes, ours)) return std::nullopt;
  const auto namesake = [&](const ProcessProfile& process) {
    return base_name(process.program) == base_name(program.name);
  };
  if (std::ranges::any_of(profile.processes, namesake)) {
    return fmt::format(
        "{} was another one when this profile was made, its code has changed since; name the one "
        "that ran, or run it again",
        program.name);
  }
  return fmt::format("it is of {}, and {} has other code; name the program that ran",
                     base_name(profile.processes.front().program), program.name);
}

}  // namespace hardclock::report
