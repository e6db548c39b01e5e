#include "sim/report/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/report/histogram.h"

namespace hardclock::report {
namespace {

constexpr std::uint64_t one_to_one = 0x10000;  // of profil(2): a counter for 2 bytes of text

std::string_view name_of(Endian order) {
  return order == Endian::big ? "big-endian" : "little-endian";
}

// profil(2)'s scale is at most 0x10000, one 16-bit counter for 2 bytes of text, and at least 2, one
// for 65536.
std::optional<std::string> width_doubt(std::uint64_t text, std::uint64_t counters) {
  constexpr std::uint64_t least = 2;
  constexpr std::uint64_t highest_accepted = 65536;
  const bool too_many = text / least < counters;
  const bool too_few = (text - 1) / highest_accepted >= counters;
  if (!too_many && !too_few) return std::nullopt;
  return fmt::format("{} counters are too {} for {} bytes of text", counters,
                     too_many ? "many" : "few", text);
}

// Most calls must be calls of functions in the profiled text.
std::optional<std::string> calls_doubt(const ProcessProfile& process) {
  const Histogram& text = process.histograms.front();
  const auto inside = [&](GuestAddr pc) { return pc >= text.low && pc < text.high; };
  const auto calls = std::ranges::count_if(process.calls, inside, &CallCount::function) +
                     std::ranges::count_if(process.arcs, inside, &Arc::self);
  const std::size_t all = process.calls.size() + process.arcs.size();
  const std::size_t outside = all - static_cast<std::size_t>(calls);
  if (2 * outside <= all) return std::nullopt;
  return fmt::format("{} of its {} call counts are of functions outside the profiled text", outside,
                     all);
}

std::optional<std::string> doubt_about(const Profile& profile) {
  const ProcessProfile& process = profile.processes.front();
  const Histogram& histogram = process.histograms.front();
  if (auto why = calls_doubt(process)) return why;
  return width_doubt(histogram.high - histogram.low, histogram.counts.size());
}

struct Attempt {
  Result<Profile, Refusal> profile;
  std::optional<std::string> doubt;

  // Less is better.
  auto rank() const {
    std::uint64_t size = 0;
    if (profile) {
      const Histogram& histogram = profile->processes.front().histograms.front();
      size = histogram.high - histogram.low;
    } else {
      size = profile.error().promised;
    }
    return std::tuple(!profile.ok(), doubt.has_value(), size);
  }
};

Attempt best_attempt(std::span<const std::uint8_t> bytes, const std::vector<Layout>& layouts,
                     ReadAs read_as) {
  std::optional<Attempt> best;
  for (const Layout& layout : layouts) {
    Attempt attempt{.profile = read_as(bytes, layout), .doubt = {}};
    if (attempt.profile) attempt.doubt = doubt_about(*attempt.profile);
    if (!best || attempt.rank() < best->rank()) best = std::move(attempt);
  }
  CHECK(best.has_value());
  return *std::move(best);
}

}  // namespace

std::vector<Layout> layouts_of(const Target& target) {
  std::vector<Layout> layouts;
  for (const unsigned bits : {32U, 64U}) {
    for (const Endian order : {Endian::big, Endian::little}) {
      if (target.address_bits.value_or(bits) != bits) continue;
      if (target.byte_order.value_or(order) != order) continue;
      layouts.push_back({.byte_order = order, .address_bits = bits});
    }
  }
  return layouts;
}

std::optional<std::string> mismatch(const Layout& layout, const Target& target) {
  const Layout program{.byte_order = target.byte_order.value_or(layout.byte_order),
                       .address_bits = target.address_bits.value_or(layout.address_bits)};
  if (program.byte_order == layout.byte_order && program.address_bits == layout.address_bits) {
    return std::nullopt;
  }
  return fmt::format(
      "it is the profile of a {} {}-bit program, and this one is {} {}-bit; name the program that "
      "wrote it",
      name_of(layout.byte_order), layout.address_bits, name_of(program.byte_order),
      program.address_bits);
}

std::optional<std::string> lacks_header(std::uint64_t bytes, std::uint64_t header) {
  if (bytes >= header) return std::nullopt;
  return fmt::format("{} bytes are less than a header of {}; the file is truncated", bytes, header);
}

std::uint64_t monstartup_scale(std::uint64_t bytes, std::uint64_t text) {
  if (bytes >= text) return one_to_one;
  return static_cast<std::uint64_t>(static_cast<float>(bytes) / static_cast<float>(text) *
                                    static_cast<float>(one_to_one));
}

std::uint64_t monitor_scale(std::uint64_t bytes, std::uint64_t text) {
  const std::uint64_t counters = bytes / 2;
  const std::uint64_t words = text / 2 + text % 2;
  if (counters >= words) return one_to_one - 1;
  return static_cast<std::uint64_t>(static_cast<double>(counters) * one_to_one /
                                    static_cast<double>(words));
}

Result<Histogram, std::string> take_histogram(FieldReader& fields, std::uint64_t low,
                                              std::uint64_t high, ScaleOf scale_of) {
  constexpr std::uint64_t counter_bytes = 2;
  if (high <= low) {
    return Failure{fmt::format("high pc 0x{:08x} is not above low pc 0x{:08x}", high, low)};
  }
  if (fields.left() == 0) {
    return Failure{std::string("it ends before the first counter; it is truncated")};
  }
  if (fields.left() % counter_bytes != 0) {
    return Failure{std::string("it ends within a counter; it is truncated")};
  }
  const std::uint64_t bytes = fields.left();
  Histogram histogram{.low = GuestAddr(low),
                      .high = GuestAddr(high),
                      .counts = fields.counters(bytes / counter_bytes)};
  if (scale_of == nullptr) return histogram;
  return with_density(std::move(histogram), 2 * scale_of(bytes, high - low));
}

Result<Profile, std::string> read_best(std::span<const std::uint8_t> bytes,
                                       const std::vector<Layout>& layouts, ReadAs read_as) {
  Attempt best = best_attempt(bytes, layouts, read_as);
  if (!best.profile) return Failure{best.profile.error().why};
  return std::move(best.profile).value();
}

Recognition recognize_best(std::span<const std::uint8_t> bytes, const std::vector<Layout>& layouts,
                           ReadAs read_as) {
  const Attempt best = best_attempt(bytes, layouts, read_as);
  if (!best.profile) return {.match = Match::no, .objection = best.profile.error().why};
  if (best.doubt) return {.match = Match::no, .objection = *best.doubt};
  return {.match = Match::likely, .objection = {}};
}

}  // namespace hardclock::report
